use agent_core::tool;

#[tool("Delete a file.", read_only, destructive)]
fn delete(path: &str) -> String {
    path.to_owned()
}

fn main() {}
