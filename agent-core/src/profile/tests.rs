use super::{Choice, IdRule, Profile, Protocol};
use crate::Prices;
use crate::anthropic::Anthropic;
use crate::chat::ChatCompletions;
use crate::model::Model;

fn choose(vars: &[(&str, &str)]) -> Option<Choice> {
    let vars: Vec<(String, String)> =
        vars.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Choice::from_vars(&move |name| {
        vars.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    })
}

fn chosen(vars: &[(&str, &str)]) -> Option<(String, String, String, bool)> {
    choose(vars).map(|choice| {
        let model = choice.model_name().unwrap_or_default().to_owned();
        (choice.profile().name.clone(), choice.base_url.clone(), model, choice.has_key())
    })
}

fn is(name: &str, url: &str, model: &str, key: bool) -> Option<(String, String, String, bool)> {
    Some((name.to_owned(), url.to_owned(), model.to_owned(), key))
}

#[test]
fn every_preset_can_be_set_up() {
    let names: Vec<&str> = Profile::presets().iter().map(|preset| preset.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "openai",
            "anthropic",
            "deepseek",
            "dashscope",
            "sjtu",
            "openrouter",
            "groq",
            "mistral",
            "gemini",
            "ollama",
            "llamacpp",
            "vllm"
        ]
    );
    for preset in Profile::presets() {
        let written = serde_json::to_value(preset).unwrap();
        assert_eq!(serde_json::from_value::<Profile>(written).unwrap(), *preset);
        let mut choice = Choice::of(preset.clone());
        choice.key = Some("k".into());
        choice.model = Some("m".into());
        assert_eq!(choice.into_model().unwrap().name(), "m", "{}", preset.name);
    }
    assert_eq!(Profile::preset("mistral").unwrap().ids, IdRule::Nine);
    assert_eq!(Profile::preset("anthropic").unwrap().protocol, Protocol::Anthropic);
}

#[test]
fn the_environment_names_a_server_of_ones_own() {
    let url = "http://127.0.0.1:8080/v1";
    assert_eq!(chosen(&[("LLM_BASE_URL", url)]), is("custom", url, "default", false));
    let all =
        [("LLM_BASE_URL", url), ("LLM_API_KEY", "k"), ("LLM_MODEL", "m"), ("OPENAI_API_KEY", "o")];
    assert_eq!(chosen(&all), is("custom", url, "m", true));
    // A preset's key goes to no other server.
    let foreign = [("LLM_BASE_URL", url), ("OPENAI_API_KEY", "o")];
    assert_eq!(chosen(&foreign), is("custom", url, "default", false));
}

#[test]
fn the_server_of_a_preset_is_known_by_its_url() {
    let url = "https://api.deepseek.com";
    let own = [("LLM_BASE_URL", url), ("DEEPSEEK_API_KEY", "d")];
    assert_eq!(chosen(&own), is("deepseek", url, "deepseek-chat", true));
}

#[test]
fn the_environment_names_a_preset_by_its_key() {
    let model = |name: &str| Profile::preset(name).unwrap().model.clone().unwrap();
    let openai = "https://api.openai.com/v1";
    assert_eq!(chosen(&[("LLM_API_KEY", "k")]), is("openai", openai, &model("openai"), true));
    let two = [("DEEPSEEK_API_KEY", "d"), ("OPENAI_API_KEY", "o"), ("OPENAI_MODEL", "gpt-x")];
    assert_eq!(chosen(&two), is("openai", openai, "gpt-x", true));
    let named = [("DEEPSEEK_API_KEY", "d"), ("LLM_MODEL", "m")];
    assert_eq!(chosen(&named), is("deepseek", "https://api.deepseek.com/v1", "m", true));
    let local = [("OLLAMA_BASE_URL", "http://desk:11434")];
    assert_eq!(chosen(&local), is("ollama", "http://desk:11434", &model("ollama"), false));
    assert_eq!(chosen(&[]), None);
    assert_eq!(chosen(&[("LLM_MODEL", "m")]), None);
}

#[test]
fn a_choice_shows_no_key_and_says_what_it_lacks() {
    let choice = choose(&[("LLM_API_KEY", "SENTINEL-123")]).unwrap();
    assert!(!format!("{choice:?}").contains("SENTINEL"), "{choice:?}");
    let error = Choice::of(Profile::preset("groq").unwrap().clone()).into_model().err().unwrap();
    assert_eq!(error.to_string(), "`groq` needs a key; set GROQ_API_KEY");
    let error = Choice::named("grok").unwrap_err().to_string();
    assert!(error.starts_with("there is no preset `grok`; take one of openai, "), "{error}");
    assert_eq!(Choice::named("ollama:qwen3:8b").unwrap().model_name(), Some("qwen3:8b"));
}

#[test]
fn a_profile_with_a_misspelt_field_is_refused() {
    let error = Profile::from_toml("modle = \"m\"").unwrap_err().to_string();
    assert!(error.contains("modle"), "{error}");
    let error = Profile::from_toml("dialect = \"strict\"").unwrap_err().to_string();
    assert!(error.contains("openai_strict"), "{error}");
}

#[test]
fn a_presets_key_goes_to_its_own_server_and_no_other_whatever_the_url_looks_like() {
    for url in [
        "https://evil.example#@api.openai.com",
        "https://evil.example\\@api.openai.com/v1",
        "https://evil.example/?@api.openai.com",
        "https://api.openai.com.evil.example/v1",
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
    ] {
        assert_eq!(Profile::for_url(url).key_vars, Vec::<String>::new(), "{url}");
    }
    for url in ["https://API.OPENAI.COM", "https://api.openai.com:443/v1/", "api.openai.com"] {
        assert_eq!(Profile::for_url(url).name, "openai", "{url}");
    }
}

#[test]
fn no_error_and_no_debug_of_a_profile_shows_what_it_holds() {
    for text in [
        "api_key = \"sk-SENTINEL\"",
        "name = \"x\"\nkey_vars = \"sk-SENTINEL\"",
        "protocol = \"sk-SENTINEL\"",
        "dialect = \"sk-SENTINEL\"",
        "base_url = \"https://me:sk-SENTINEL@host",
    ] {
        let error = Profile::from_toml(text).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("SENTINEL"), "{error}");
        assert!(error.to_string().starts_with("not a profile: "), "{error}");
    }
    let profile = Profile::for_url("https://me:SENTINEL@host.example/v1?key=SENTINEL");
    assert!(!format!("{profile:?}").contains("SENTINEL"), "{profile:?}");
}

#[test]
fn a_model_knows_its_window_and_prices_from_its_profile_or_its_builder() {
    let text = "base_url = \"http://desk\"\nmodel = \"m\"\nkeyless = true\ncontext_window = 32768\n\
                prices = { input = 0.4, cached = 0.1, output = 1.6 }\n";
    let prices = Prices::new(0.4, 1.6).unwrap().with_cached(0.1).unwrap();
    let (own, other) = (Prices::new(1.0, 1.0).unwrap(), "n");
    let facts = |model: &dyn Model| (model.context_window(), model.prices());

    for protocol in ["protocol = \"chat\"", "protocol = \"anthropic\""] {
        let profile = Profile::from_toml(&format!("{text}{protocol}")).unwrap();
        assert_eq!(
            facts(&Choice::of(profile.clone()).into_model().unwrap()),
            (Some(32768), Some(prices))
        );
        let mut choice = Choice::of(profile);
        choice.model = Some(other.to_owned());
        assert_eq!(facts(&choice.into_model().unwrap()), (None, None), "those of another model");
    }

    let chat = Profile::from_toml(text).unwrap();
    let builder = ChatCompletions::builder().profile(chat).context_window(10).prices(own);
    assert_eq!(facts(&builder.model(other).build().unwrap()), (Some(10), Some(own)));
    let builder = Anthropic::builder().context_window(10).prices(own);
    assert_eq!(facts(&builder.model(other).build().unwrap()), (Some(10), Some(own)));

    let any = Profile { model: None, ..Profile::from_toml(text).unwrap() };
    let builder = ChatCompletions::builder().profile(any).model(other);
    assert_eq!(facts(&builder.build().unwrap()), (Some(32768), Some(prices)));
}

#[test]
fn what_cannot_be_a_price_or_a_window_is_refused_with_its_line() {
    let wrong = |text: &str| Profile::from_toml(text).unwrap_err().to_string();
    let money = "not an amount of money; write a number of US dollars from 0, such as 0.25";
    for price in ["-0.1", "nan", "inf"] {
        let error = wrong(&format!("[prices]\ninput = 1\noutput = {price}"));
        assert_eq!(error, format!("not a profile: line 3: {money}"));
    }
    assert_eq!(wrong("prices = { input = 1 }"), "not a profile: line 1: missing field `output`");
    assert_eq!(
        wrong("prices = { inputs = 1 }"),
        "not a profile: line 1: there is no field `inputs`, did you mean `input`? \
         there are: input, cached, output"
    );
    assert_eq!(
        wrong("context_window = 0"),
        "not a profile: line 1: invalid value, expected a nonzero u64"
    );
}
