//! `ask` with the offline model.

use crate::desk::Desk;

#[test]
fn the_answer_alone_goes_to_standard_output() {
    let done = Desk::new().run(&["ask", "How do I replace the bulb of the lamp?"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stdout.contains("lamp.md:"), "{done:?}");
    assert!(done.stdout.ends_with('\n') && !done.stdout.contains("[step"), "{done:?}");
}

#[test]
fn the_model_is_named_before_the_first_step() {
    for arguments in [&["ask", "Where is it?"][..], &["ask", "--model", "offline", "Where is it?"]]
    {
        let done = Desk::new().run(arguments);
        let first = done.stderr.lines().next();
        assert_eq!(first, Some("model: offline (rules, no language model; nothing is sent)"));
    }
}

#[test]
fn json_is_one_object_with_its_keys_in_order() {
    let desk = Desk::new();
    let done = desk.run(&["ask", "--json", "How do I replace the bulb?"]);
    let outcome = done.json();
    let keys = ["answer", "stop", "steps", "tool_calls", "usage", "prompt_tokens"];
    let places: Vec<_> = keys.iter().map(|key| done.stdout.find(&format!("\"{key}\":"))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{}", done.stdout);
    assert_eq!(outcome.as_object().unwrap().len(), 5);
    assert_eq!(outcome["usage"].as_object().unwrap().len(), 3);
    assert_eq!(outcome["stop"], "answered");
    assert!(outcome["steps"].as_u64().is_some_and(|steps| steps > 1), "{}", done.stdout);
}

#[test]
fn a_question_in_any_language_is_answered() {
    let desk = Desk::new();
    let long = "lamp ".repeat(2_000);
    for question in ["灯泡怎么换？", "كيف أغير المصباح؟", "💡", "?", "-", "\u{0301}", &long]
    {
        let done = desk.run(&["ask", question]);
        assert_eq!(done.status, Some(0), "{done:?}");
        assert!(!done.stdout.trim().is_empty());
    }
}

#[test]
fn a_glob_widens_what_is_read() {
    let desk = Desk::new();
    desk.write("docs/notes.txt", "The switch is below the shade.\n");
    let question = "Where is the switch of the shade?";
    assert!(!desk.run(&["ask", question]).stdout.contains("notes.txt:1"));
    let done = desk.run(&["ask", "--glob", "*.txt", question]);
    assert!(done.stdout.contains("notes.txt:1"), "{done:?}");
}
