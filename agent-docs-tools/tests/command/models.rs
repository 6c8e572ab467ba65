//! `models`.

use crate::desk::Desk;

const VARIABLES: [(&str, &str); 4] = [
    ("GOOGLE_API_KEY", "SENTINEL-123"),
    ("DEEPSEEK_API_KEY", "SENTINEL-456"),
    ("DEEPSEEK_MODEL", "deepseek-reasoner"),
    ("OLLAMA_BASE_URL", "http://me:SENTINEL-789@192.0.2.1:11434/v1?key=SENTINEL-789"),
];

#[test]
fn the_table_tells_which_keys_are_set_and_no_key() {
    let done = Desk::empty().run_with(&VARIABLES, &["models"]);
    assert_eq!(done.status, Some(0));
    assert!(!done.stdout.contains("SENTINEL"), "{}", done.stdout);
    insta::assert_snapshot!(done.stdout);
}

#[test]
fn json_tells_the_same() {
    let done = Desk::empty().run_with(&VARIABLES, &["models", "--json"]);
    assert!(!done.stdout.contains("SENTINEL"), "{}", done.stdout);
    let models = done.json();
    let gemini = models.as_array().unwrap().iter().find(|model| model["name"] == "gemini").unwrap();
    insta::assert_snapshot!(format!("{gemini:#}"), @r#"
    {
      "keys": [
        {
          "set": false,
          "variable": "GEMINI_API_KEY"
        },
        {
          "set": true,
          "variable": "GOOGLE_API_KEY"
        }
      ],
      "model": "gemini-2.5-flash",
      "name": "gemini",
      "protocol": "chat",
      "ready": true,
      "server": "https://generativelanguage.googleapis.com/v1beta/openai"
    }
    "#);
}

#[test]
fn a_profile_of_ones_own_stands_in_the_table() {
    let desk = Desk::empty();
    desk.write(
        "desk.toml",
        "name = \"desk\"\nbase_url = \"http://desk.example/v1\"\nkey_vars = [\"DESK_KEY\"]\n",
    );
    let last = |variables: &[(&str, &str)]| {
        let done = desk.run_with(variables, &["models", "--profile", "desk.toml", "--json"]);
        done.json().as_array().unwrap().last().unwrap().clone()
    };
    let (unset, set) = (last(&[]), last(&[("DESK_KEY", "k")]));
    assert_eq!((&unset["name"], &unset["ready"]), (&"desk".into(), &false.into()));
    assert_eq!((&set["ready"], &set["keys"][0]["set"]), (&true.into(), &true.into()));
}

#[test]
fn the_model_that_ask_would_take_is_told() {
    let told = |variables: &[(&str, &str)]| {
        let done = Desk::empty().run_with(variables, &["models"]);
        done.stdout.lines().last().unwrap().to_owned()
    };
    assert_eq!(told(&[]), "without --model: offline");
    let own = [("LLM_BASE_URL", "http://127.0.0.1:9/v1"), ("LLM_MODEL", "mine"), VARIABLES[1]];
    assert_eq!(
        told(&own),
        "without --model: mine (custom; documents are sent to http://127.0.0.1:9/v1)"
    );
}
