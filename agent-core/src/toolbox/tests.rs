use crate::{Agent, ScriptedModel, Toolbox, tool, tools};

mod a {
    #[super::tool("Get one.", register = false)]
    pub(super) fn get() {}
}

mod b {
    #[super::tool("Get another.", register = false)]
    pub(super) fn get() {}
}

struct Store;

#[tool("Keep something.", register = false)]
fn keep(#[state] store: &Store, what: String) {
    let _ = (store, what);
}

#[test]
fn two_tools_of_one_name_are_refused_naming_both_places() {
    let error = Toolbox::new(tools![a::get, b::get]).unwrap_err().to_string();
    let places: Vec<&str> =
        error.split_whitespace().filter(|word| word.contains("tests.rs:")).collect();
    let [first, second] = places.as_slice() else { panic!("{error}") };
    assert!(error.starts_with("two tools are named `get`, at "));
    assert_ne!(first.trim_end_matches(';'), second.trim_end_matches(';'));
}

#[test]
fn a_tool_that_is_listed_twice_is_told_so() {
    let error = Toolbox::new(tools![keep, keep]).unwrap_err().to_string();
    assert!(
        error.starts_with("the tool `keep` at ") && error.contains("is listed twice"),
        "{error}"
    );
}

#[test]
fn tools_are_sorted_by_name() {
    let toolbox = Toolbox::new(tools![keep, a::get]).unwrap();
    let names: Vec<&str> = toolbox.tools().iter().map(|tool| tool.name()).collect();
    assert_eq!(names, ["get", "keep"]);
    assert!(toolbox.get("ge").is_none());
}

#[test]
fn state_that_is_missing_is_refused_when_the_agent_is_built_naming_tool_and_type() {
    let without = Agent::builder().model(ScriptedModel::new([])).tools(tools![keep]);
    let error = without.build().unwrap_err().to_string();
    assert!(error.starts_with("the tool `keep` at "), "{error}");
    assert!(error.contains("needs state of type `agent_core::toolbox::tests::Store`"), "{error}");
    let with = Agent::builder().model(ScriptedModel::new([])).tools(tools![keep]).state(Store);
    assert!(with.build().is_ok());
    let shared = Agent::builder().model(ScriptedModel::new([])).tools(tools![keep]);
    assert!(shared.state(std::sync::Arc::new(Store)).build().is_ok());
}

#[test]
fn an_agent_without_a_model_is_refused() {
    let error = Agent::builder().tools([]).build().unwrap_err();
    assert_eq!(error.to_string(), "the agent has no model; give it one with `.model(..)`");
}
