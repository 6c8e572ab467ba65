use agent_core::tool;

#[tool("Read a byte of memory.")]
unsafe fn peek(address: usize) -> u8 {
    unsafe { *(address as *const u8) }
}

fn main() {}
