use agent_core::tool;

trait Store {
    fn len(&self) -> usize;
}

#[tool("Count the documents.")]
fn count(#[state] store: &dyn Store) -> usize {
    store.len()
}

fn main() {}
