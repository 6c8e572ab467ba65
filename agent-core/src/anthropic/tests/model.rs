//! The model as it is set up.

use serde_json::{Value, json};

use crate::anthropic::{Anthropic, AnthropicBuilder};
use crate::model::{Model, ModelErrorKind, Settings};
use crate::profile::Profile;

fn fields(builder: AnthropicBuilder, settings: &Settings) -> Value {
    builder.build().unwrap().fields(settings).into()
}

fn builder() -> AnthropicBuilder {
    Anthropic::builder().model("m")
}

#[test]
fn a_request_has_a_limit_and_a_temperature_and_is_streamed() {
    let settings = Settings::default();
    let usual = json!({"model": "m", "max_tokens": 8192, "temperature": 0.0, "stream": true});
    assert_eq!(fields(builder(), &settings), usual);

    let settings = Settings { temperature: None, max_tokens: Some(10) };
    let whole = json!({"model": "m", "max_tokens": 10});
    assert_eq!(fields(builder().stream(false), &settings), whole);
}

#[test]
fn further_fields_come_first_and_null_leaves_one_out() {
    let extra = builder().extra("max_tokens", 7).extra("temperature", Value::Null);
    let expected = json!({"model": "m", "max_tokens": 7, "stream": true});
    assert_eq!(fields(extra, &Settings::default()), expected);
}

#[test]
fn a_temperature_is_left_out_where_it_would_be_refused() {
    let thinking = json!({"type": "enabled", "budget_tokens": 1024});
    let fields = fields(builder().extra("thinking", thinking), &Settings::default());
    assert_eq!(fields.get("temperature"), None);

    let profile = r#"
        name = "own"
        protocol = "anthropic"
        base_url = "https://model.example"
        model = "stern-2"
        no_temperature = ["stern-"]
    "#;
    let builder = Anthropic::builder().profile(Profile::from_toml(profile).unwrap());
    let model = builder.build().unwrap();
    assert_eq!(model.name(), "stern-2");
    assert_eq!(model.fields(&Settings::default()).get("temperature"), None);
}

#[test]
fn what_cannot_work_is_refused_when_it_is_built() {
    let chat = Profile::preset("openai").cloned().unwrap();
    for builder in [
        builder().extra("messages", json!([])),
        builder().base_url("ftp://model.example"),
        builder().api_key("two\nlines"),
        builder().profile(chat),
    ] {
        assert_eq!(builder.build().unwrap_err().kind(), ModelErrorKind::Config);
    }
}

#[test]
fn the_key_is_never_shown() {
    let model = builder().api_key("SENTINEL-123");
    assert!(!format!("{model:?}").contains("SENTINEL"));
    assert!(!format!("{:?}", model.build().unwrap()).contains("SENTINEL"));
}
