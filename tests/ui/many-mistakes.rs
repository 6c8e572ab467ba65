use agent_core::tool;

#[tool(read_only, read_only, timeuot = "5s", name = "order status", inline)]
async fn order_status<T>(
    #[arg("The number.", default = "none")] number: u32,
    (from, to): (String, String),
    customer: &String,
    #[arg(default = None)] limit: Option<u32>,
) -> String {
    format!("{number} {from} {to} {customer} {limit:?}")
}

fn main() {
    agent_core::tools![order_status];
}
