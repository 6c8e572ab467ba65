struct Calculator;

fn main() {
    agent_core::tools![Calculator];
}
