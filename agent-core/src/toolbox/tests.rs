use serde_json::json;

use crate::{Agent, Roles, ScriptedModel, Toolbox, tool, tools};

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

#[tool("Read.", read_only, register = false, tags("docs"))]
fn read_docs() -> &'static str {
    "read"
}

#[tool("Search.", read_only, register = false, tags("docs", "search"))]
fn grep_docs() {}

#[tool("Write.", register = false)]
fn write_note() -> &'static str {
    "written"
}

#[tool("Send.", register = false, needs_approval)]
fn send_note() {}

fn every() -> Toolbox {
    Toolbox::new(tools![read_docs, grep_docs, write_note, send_note]).unwrap()
}

/// Of the role `r`, which is written in JSON: the names of its tools, those that wait for approval
/// marked, or why there are none.
fn role(role: serde_json::Value) -> Result<Vec<String>, String> {
    let roles: Roles = serde_json::from_value(json!({ "r": role })).unwrap();
    let toolbox = roles.toolbox("r", every()).map_err(|error| error.to_string())?;
    let shown = toolbox.into_iter().map(|tool| match tool.annotations().needs_approval {
        true => format!("{}?", tool.name()),
        false => tool.name().to_owned(),
    });
    Ok(shown.collect())
}

#[test]
fn a_role_has_its_tags_and_names_but_nothing_that_it_denies() {
    assert_eq!(role(json!({"tags": ["docs"]})).unwrap(), ["grep_docs", "read_docs"]);
    let named = json!({"names": ["write_note", "write_note"], "tags": ["search"]});
    assert_eq!(role(named).unwrap(), ["grep_docs", "write_note"]);
    let denied = json!({"tags": ["docs"], "names": ["grep_docs"], "deny": ["grep_docs"]});
    assert_eq!(role(denied).unwrap(), ["read_docs"]);
    let every = ["grep_docs", "read_docs", "send_note?", "write_note"];
    assert_eq!(role(json!({"names": ["*"]})).unwrap(), every);
    assert_eq!(role(json!({"names": ["*"], "deny": ["send_note"]})).unwrap().len(), 3);
}

#[test]
fn a_role_asks_for_approval_of_its_own_tools_alone() {
    let asking = json!({"names": ["write_note", "send_note"], "needs_approval": ["write_note"]});
    assert_eq!(role(asking).unwrap(), ["send_note?", "write_note?"]);
    for denied in [
        json!({"tags": ["docs"], "needs_approval": ["write_note"]}),
        json!({"names": ["*"], "deny": ["write_note"], "needs_approval": ["write_note"]}),
    ] {
        assert_eq!(
            role(denied).unwrap_err(),
            "the role `r`: it does not allow `write_note`, whose calls should wait for approval; \
             allow it, or leave it out of `needs_approval`"
        );
    }
}

#[test]
fn a_role_that_names_what_is_not_there_is_refused_wherever_it_names_it() {
    let known = "there are: grep_docs, read_docs, send_note, write_note";
    for field in ["names", "deny", "needs_approval"] {
        let error = role(json!({"tags": ["docs"], field: ["wirte_note"]})).unwrap_err();
        let expected = "the role `r`: there is no tool `wirte_note`, did you mean `write_note`?";
        assert_eq!(error, format!("{expected} {known}"));
    }
    assert_eq!(
        role(json!({"names": ["*_note"]})).unwrap_err(),
        format!("the role `r`: there is no tool `*_note`; {known}")
    );
    assert_eq!(
        role(json!({"tags": ["web"]})).unwrap_err(),
        "the role `r`: there is no tag `web`; there are: docs, search"
    );
}

#[test]
fn a_role_without_a_tool_is_refused() {
    for none in [json!({}), json!({"tags": ["search"], "deny": ["grep_docs"]})] {
        let expected = "the role `r`: it allows no tool; give it `tags` or `names`";
        assert_eq!(role(none).unwrap_err(), expected);
    }
}

#[test]
fn a_role_that_is_not_there_is_told_from_those_that_are() {
    let roles: Roles = serde_json::from_value(json!({"reader": {}, "admin": {}})).unwrap();
    let error = roles.toolbox("raeder", every()).unwrap_err().to_string();
    assert_eq!(error, "there is no role `raeder`, did you mean `reader`? there are: admin, reader");
    let error = Roles::default().role("x").unwrap_err().to_string();
    assert_eq!(error, "there is no role `x`; there are none");
}

#[cfg(feature = "toml")]
#[test]
fn a_file_that_holds_no_roles_is_told_by_its_line() {
    let wrong = |text: &str| Roles::from_toml(text).unwrap_err().to_string();
    assert_eq!(
        wrong("[reader]\ntags = [\"docs\"]\nname = [\"read_docs\"]"),
        "not roles: line 3: there is no field `name`, did you mean `names`? \
         there are: tags, names, deny, needs_approval"
    );
    assert_eq!(
        wrong("reader = \"docs\""),
        "not roles: line 1: invalid type, expected a table of `tags`, `names` and `deny`"
    );
    assert_eq!(
        wrong("[reader]\ntags = \"docs\""),
        "not roles: line 2: invalid type, expected a sequence"
    );
    assert!(wrong("[reader]\n[reader]").starts_with("not roles: line 2: duplicate key"));
}

#[tokio::test]
async fn an_agent_of_a_role_has_no_other_tools_and_asks_for_approval() {
    let roles: Roles = serde_json::from_value(json!({
        "writer": {"names": ["read_docs", "write_note"], "needs_approval": ["write_note"]}
    }))
    .unwrap();
    let tools = roles.toolbox("writer", every()).unwrap();
    let agent = Agent::builder().model(ScriptedModel::new([])).tools(tools).build().unwrap();
    let content = async |tool| agent.call(tool, json!({})).await.content;
    assert_eq!(content("read_docs").await, "read");
    assert!(content("write_note").await.starts_with("error(denied): "));
    assert!(content("grep_docs").await.starts_with("error(unknown_tool): "));
}
