//! The run: counting, limits, faults, cancelling.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use agent_core::model::FinishReason;
use agent_core::{
    Agent, AgentBuilder, FnModel, Limits, Message, Reply, Run, RunError, ScriptedModel, StopReason,
    ToolContext, ToolError, tool, tools,
};
use serde_json::json;
use tests::{check_transcript, results};

/// How often tools ran, and how many at once.
#[derive(Default)]
struct Seen {
    ran: AtomicU32,
    now: AtomicU32,
    most: AtomicU32,
}

impl Seen {
    fn ran(&self) -> u32 {
        self.ran.load(Ordering::SeqCst)
    }
}

#[tool("Count the calls.", register = false, inline)]
fn count(#[state] seen: &Seen, n: Option<i64>) -> i64 {
    seen.ran.fetch_add(1, Ordering::SeqCst);
    n.unwrap_or_default()
}

#[tool("Count up at each call.", register = false)]
fn next(#[state] seen: &Seen) -> u32 {
    seen.ran.fetch_add(1, Ordering::SeqCst)
}

#[tool("Take a while.", register = false)]
fn slow(#[state] seen: &Seen) -> &'static str {
    std::thread::sleep(Duration::from_millis(30));
    seen.ran.fetch_add(1, Ordering::SeqCst);
    "slowly done"
}

#[tool("Divide a by b.", register = false)]
fn div(a: i64, b: i64) -> i64 {
    a / b
}

#[tool("Wait, then answer.", read_only, register = false)]
async fn wait(#[state] seen: Arc<Seen>, ms: u64) -> String {
    let now = seen.now.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    seen.now.fetch_sub(1, Ordering::SeqCst);
    seen.ran.fetch_add(1, Ordering::SeqCst);
    format!("waited {ms}")
}

#[tool("Wait, changing something.", register = false)]
async fn change(#[state] seen: Arc<Seen>, ms: u64) -> String {
    let now = seen.now.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    seen.now.fetch_sub(1, Ordering::SeqCst);
    "changed".to_owned()
}

#[tool("Panic after a while.", register = false)]
async fn late_panic() -> String {
    tokio::time::sleep(Duration::from_millis(1)).await;
    panic!("out of cheese")
}

#[tool("Block the thread.", timeout = "20ms", register = false)]
fn block(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

#[tool("Wait until no one waits for the result.", timeout = "20ms", register = false)]
fn watch(#[state] seen: &Seen, #[context] context: &ToolContext) {
    while !context.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
    seen.ran.fetch_add(1, Ordering::SeqCst);
}

#[tool("End the run.", register = false)]
fn give_up() -> Result<(), ToolError> {
    Err(ToolError::fatal("the disk is gone"))
}

fn builder(replies: impl IntoIterator<Item = Reply>) -> (AgentBuilder, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let agent = Agent::builder()
        .model(ScriptedModel::new(replies))
        .tools(tools![count, next, div, wait, change, late_panic, block, watch, give_up, slow])
        .state(Arc::clone(&seen));
    (agent, seen)
}

/// Runs a script under limits.
async fn run_with(limits: Limits, replies: impl IntoIterator<Item = Reply>) -> (Run, Arc<Seen>) {
    let (builder, seen) = builder(replies);
    let run = builder.limits(limits).build().unwrap().run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    (run, seen)
}

async fn run(replies: impl IntoIterator<Item = Reply>) -> (Run, Arc<Seen>) {
    run_with(Limits::default(), replies).await
}

fn limits(set: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    set(&mut limits);
    limits
}

fn counting(n: i64) -> Reply {
    Reply::call("count", json!({"n": n}))
}

#[tokio::test]
async fn a_step_is_one_model_request_and_the_last_calls_have_results() {
    for max_steps in [1, 3] {
        let replies = (0..9).map(counting);
        let (run, seen) = run_with(limits(|l| l.max_steps = max_steps), replies).await;
        assert_eq!(run.stop(), Some(StopReason::MaxSteps));
        assert_eq!(
            (run.counts().steps, run.counts().tool_calls, seen.ran()),
            (max_steps, max_steps, max_steps)
        );
        assert_eq!(
            run.answer().unwrap_err().to_string(),
            "the run stopped without an answer: max_steps"
        );
    }
}

#[test]
fn no_steps_are_refused_when_the_agent_is_built() {
    let (builder, _) = builder([]);
    let error = builder.max_steps(0).build().unwrap_err();
    assert_eq!(error.to_string(), "the limit max_steps cannot be 0; it is at least 1");
}

#[tokio::test]
async fn the_wrap_up_is_one_more_request_without_tools() {
    let script = Arc::new(ScriptedModel::new([counting(1), Reply::text("about 1")]));
    let sent = Arc::clone(&script);
    let (builder, _) = builder([]);
    let wrap_up = limits(|l| (l.max_steps, l.wrap_up) = (1, true));
    let run = builder.model(script).limits(wrap_up).build().unwrap().run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((run.stop(), run.answer()), (Some(StopReason::MaxSteps), Ok("about 1".to_owned())));
    assert_eq!(run.counts().steps, 2);
    let sent = sent.sent();
    assert_eq!((sent[0].tools.len(), sent[1].tools.len()), (10, 0));
    assert_eq!((sent[0].messages.clone(), sent[1].messages.clone()), (0..1, 0..4));
}

#[tokio::test]
async fn a_call_in_the_wrap_up_is_answered_and_not_run() {
    let wrap_up = limits(|l| (l.max_steps, l.wrap_up) = (1, true));
    let (run, seen) = run_with(wrap_up, [counting(1), counting(2)]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::MaxSteps), 1));
    assert_eq!(
        results(run.transcript())[1],
        "error(unknown_tool): there is no tool `count`; there are no tools now; answer in text"
    );
}

#[tokio::test]
async fn calls_beyond_the_limit_of_calls_are_not_run_and_the_run_stops() {
    let step = counting(1).and_call("count", json!({"n": 2})).and_call("count", json!({"n": 3}));
    let (run, seen) = run_with(limits(|l| l.max_tool_calls = 2), [step]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::MaxToolCalls), 2));
    assert_eq!(run.counts().tool_calls, 3);
    assert!(
        results(run.transcript())[2]
            .starts_with("error(cancelled): the run's limit of tool calls is reached")
    );
}

#[tokio::test]
async fn a_limit_of_calls_that_is_just_reached_leaves_room_to_answer() {
    let (run, _) =
        run_with(limits(|l| l.max_tool_calls = 1), [counting(1), Reply::text("one")]).await;
    assert_eq!(run.stop(), Some(StopReason::Answered));
}

#[tokio::test]
async fn the_third_same_call_is_not_run_and_the_fourth_stops_the_run() {
    let same = |swap: bool| {
        let text = if swap { r#"{"n":1}"# } else { r#" {"n" : 1}"# };
        Reply::call("count", json!(text))
    };
    let (run, seen) = run((0..8).map(|i| same(i % 2 == 0))).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::RepeatedCalls), 2));
    assert_eq!(run.counts().steps, 4);
    assert!(
        results(run.transcript())[2]
            .starts_with("error(repeated): this same call has been made 3 times in a row")
    );
}

#[tokio::test]
async fn repeats_within_one_step_are_counted_too() {
    let mut step = Reply::default();
    for _ in 0..5 {
        step = step.and_call("wait", json!({"ms": 0}));
    }
    let (run, seen) = run([step]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::RepeatedCalls), 2));
    let kinds: Vec<&str> =
        results(run.transcript()).iter().map(|text| text.split(':').next().unwrap()).collect();
    assert_eq!(
        kinds,
        ["waited 0", "waited 0", "error(repeated)", "error(repeated)", "error(cancelled)"]
    );
}

#[tokio::test]
async fn calls_that_make_progress_are_no_repeats() {
    let (run, _) =
        run((0..7).map(|_| Reply::call("next", json!({}))).chain([Reply::text("done")])).await;
    assert_eq!(run.stop(), Some(StopReason::Answered));
    let (run, _) =
        run_with(Limits::default(), (0..7).map(counting).chain([Reply::text("done")])).await;
    assert_eq!(run.stop(), Some(StopReason::Answered));
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_nearest_first_and_costs_a_step_at_most() {
    let (run, _) = run((0..9).map(|_| Reply::call("cuont", json!({})))).await;
    assert_eq!(run.stop(), Some(StopReason::MaxSteps));
    assert!(
        results(run.transcript())[0]
            .starts_with("error(unknown_tool): there is no tool `cuont`; call one of: count, "),
        "{}",
        results(run.transcript())[0]
    );
}

#[tokio::test]
async fn a_panic_stays_in_its_call() {
    let step = Reply::call("div", json!({"a": 1, "b": 0}))
        .and_call("div", json!({"a": 6, "b": 3}))
        .and_call("late_panic", json!({}));
    let (run, _) = run([step, Reply::call("div", json!({"a": 8, "b": 2})), Reply::text("4")]).await;
    let results = results(run.transcript());
    assert!(results[0].starts_with(
        "error(panicked): div stopped on a fault of its own: attempt to divide by zero"
    ));
    assert_eq!(results[1], "2");
    assert!(results[2].contains("out of cheese"));
    assert_eq!((results[3], run.answer()), ("4", Ok("4".to_owned())));
}

#[tokio::test]
async fn reads_run_side_by_side_and_results_keep_the_order_of_the_calls() {
    let step = Reply::call("wait", json!({"ms": 40}))
        .and_call("wait", json!({"ms": 20}))
        .and_call("wait", json!({"ms": 1}));
    let (run, seen) = run([step, Reply::text("done")]).await;
    assert_eq!(results(run.transcript()), ["waited 40", "waited 20", "waited 1"]);
    assert_eq!(seen.most.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn reads_are_bounded_by_max_parallel() {
    let step = (0..12).fold(Reply::default(), |step, ms| step.and_call("wait", json!({"ms": ms})));
    let (_, seen) = run_with(limits(|l| l.max_parallel = 2), [step, Reply::text("done")]).await;
    assert_eq!((seen.most.load(Ordering::SeqCst), seen.ran()), (2, 12));
}

#[tokio::test]
async fn a_call_that_changes_something_runs_alone() {
    let step = Reply::call("change", json!({"ms": 5}))
        .and_call("change", json!({"ms": 6}))
        .and_call("wait", json!({"ms": 5}))
        .and_call("change", json!({"ms": 7}));
    let (_, seen) = run([step, Reply::text("done")]).await;
    assert_eq!(seen.most.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_tool_over_its_time_is_answered_and_told_so() {
    let step = Reply::call("block", json!({"ms": 10_000})).and_call("watch", json!({}));
    let started = Instant::now();
    let (run, seen) = run([step, Reply::text("done")]).await;
    assert!(started.elapsed() < Duration::from_secs(5));
    let expected =
        "error(timed_out): block did not finish within 20ms; ask it for less, or go on without it";
    assert_eq!(results(run.transcript())[0], expected);
    while seen.ran() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_deadline_bites_while_a_tool_runs() {
    let deadline = limits(|l| l.deadline = Some(Duration::from_millis(20)));
    let (run, _) = run_with(deadline, [Reply::call("wait", json!({"ms": 60_000}))]).await;
    assert_eq!(run.stop(), Some(StopReason::Deadline));
    assert!(
        results(run.transcript())[0].starts_with("error(cancelled): the run's deadline passed")
    );
}

#[tokio::test]
async fn a_cancelled_run_keeps_what_is_done_and_can_be_continued() {
    let step = Reply::call("wait", json!({"ms": 1})).and_call("wait", json!({"ms": 60_000}));
    let (builder, _) = builder([step, Reply::text("going on")]);
    let mut run = builder.build().unwrap().start("go");
    let cancel = run.cancel_token();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert_eq!(run.drive().await.unwrap(), StopReason::Cancelled);
    let expected = [
        "waited 1",
        "error(cancelled): the run was cancelled while the call was pending; call again if it is still needed",
    ];
    assert_eq!(results(run.transcript()), expected);
    run.ask("and now?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    check_transcript(run.transcript()).unwrap();
}

#[tokio::test]
async fn a_dropped_future_leaves_a_valid_transcript_with_finished_results() {
    let step = Reply::call("next", json!({})).and_call("wait", json!({"ms": 60_000}));
    let (builder, seen) = builder([step, Reply::text("going on")]);
    let mut run = builder.build().unwrap().start("go");
    let _ = tokio::time::timeout(Duration::from_millis(50), run.drive()).await.unwrap_err();
    check_transcript(run.transcript()).unwrap();
    assert_eq!(run.stop(), Some(StopReason::Cancelled));
    assert_eq!((results(run.transcript())[0], seen.ran()), ("0", 1));
    run.ask("and now?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    check_transcript(run.transcript()).unwrap();
}

/// A tool on a thread may finish when no one polls: its result is there all the same.
#[tokio::test]
async fn a_result_that_no_one_has_looked_at_is_kept_when_the_future_is_dropped() {
    let (builder, seen) = builder([Reply::call("slow", json!({}))]);
    let mut run = builder.build().unwrap().start("go");
    {
        let mut drive = std::pin::pin!(run.drive());
        // The run gives way to others now and then, so it takes a few polls to come to the tool.
        for _ in 0..10 {
            assert!(poll_once(drive.as_mut()).is_none());
        }
        while seen.ran() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(results(run.transcript()), ["slowly done"]);
}

fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.poll(&mut context) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}

#[tokio::test]
async fn a_fatal_error_ends_the_run_and_hands_it_back() {
    let step = Reply::call("give_up", json!({})).and_call("count", json!({}));
    let (builder, seen) = builder([step, Reply::text("still here")]);
    let failed = builder.build().unwrap().run("go").await.unwrap_err();
    assert_eq!(failed.to_string(), "the tool `give_up` ended the run: the disk is gone");
    assert!(matches!(failed.error(), RunError::Tool { tool, .. } if tool == "give_up"));
    let mut run = failed.into_run();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::Error), 0));
    assert!(
        results(run.transcript())[1].starts_with("error(cancelled): the run ended with an error")
    );
    run.ask("again");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
}

#[tokio::test]
async fn a_model_that_fails_ends_the_run_and_what_ran_is_kept() {
    let (builder, _) = builder([counting(1)]);
    let failed = builder.build().unwrap().run("go").await.unwrap_err();
    assert_eq!(
        format!("{failed:?}"),
        "the model did not answer: the script has no reply left for request 2; give it one more"
    );
    let run = failed.into_run();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((results(run.transcript()), run.counts().steps), (vec!["1"], 1));
}

#[tokio::test]
async fn a_reply_that_was_cut_off_runs_nothing_and_the_run_goes_on() {
    let cut = r#"{"path":"a.md","text":"hel"#;
    for finish in [FinishReason::Length, FinishReason::ContentFilter, FinishReason::Stop] {
        let reply = Reply::call("count", json!(cut)).with_finish(finish);
        let (run, seen) = run([reply, Reply::text("done")]).await;
        assert_eq!((run.stop(), seen.ran()), (Some(StopReason::Answered), 0));
        assert!(
            results(run.transcript())[0].starts_with("error(invalid_json): "),
            "{:?}",
            results(run.transcript())
        );
        let Message::Assistant(stored) = &run.transcript().messages()[1] else {
            panic!("no reply")
        };
        assert!(stored.tool_calls[0].arguments.is_empty());
    }
    let whole_arguments = counting(1).with_finish(FinishReason::Length);
    let (run, seen) = run([whole_arguments, Reply::text("done")]).await;
    assert_eq!(seen.ran(), 0, "{:?}", results(run.transcript()));
}

#[tokio::test]
async fn replies_without_calls_end_the_run_each_in_its_way() {
    let stops = [
        (Reply::text("42"), StopReason::Answered),
        (Reply::text(" \n"), StopReason::Empty),
        (Reply::default(), StopReason::Empty),
        (Reply::text("so far").with_finish(FinishReason::Length), StopReason::Incomplete),
        (Reply::default().with_finish(FinishReason::Length), StopReason::Incomplete),
        (Reply::text("no").with_finish(FinishReason::ContentFilter), StopReason::Incomplete),
    ];
    for (reply, stop) in stops {
        let (run, _) = run([reply]).await;
        assert_eq!(run.stop(), Some(stop));
        assert_eq!(run.answer().is_ok(), stop == StopReason::Answered);
    }
}

#[tokio::test]
async fn text_beside_calls_is_kept() {
    let (run, _) = run([counting(1).with_text("Let me count."), Reply::default()]).await;
    let Message::Assistant(first) = &run.transcript().messages()[1] else { panic!("no reply") };
    assert_eq!((first.content.as_str(), first.tool_calls.len()), ("Let me count.", 1));
    assert_eq!(run.stop(), Some(StopReason::Empty));
}

#[tokio::test]
async fn missing_and_repeated_ids_are_replaced() {
    let step = Reply::default()
        .and_call_with_id("a", "count", json!({"n": 1}))
        .and_call_with_id("a", "count", json!({"n": 2}))
        .and_call_with_id("", "count", json!({"n": 3}));
    let again = Reply::default().and_call_with_id("a", "count", json!({"n": 4}));
    let (run, _) = run([step, again, Reply::text("done")]).await;
    let id = |message: &Message| match message {
        Message::Tool(result) => Some(result.call_id.clone()),
        _ => None,
    };
    let ids: Vec<String> = run.transcript().messages().iter().filter_map(id).collect();
    assert_eq!(ids, ["a", "c00000001", "c00000002", "c00000003"]);
}

#[tokio::test]
async fn events_tell_of_every_call_once_in_the_order_things_happen() {
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let step = counting(1).and_call("cuont", json!("{")).and_call("block", json!({"ms": "0"}));
    let (builder, _) = builder([step, Reply::text("done")]);
    let agent = builder
        .on_event(move |event| log.lock().unwrap().push(serde_json::to_value(event).unwrap()))
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let told = told.lock().unwrap();
    let names: Vec<&str> = told.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let expected = "run_started step_started replied call_started call_finished call_started call_finished \
                    call_finished step_started text replied stopped";
    // The call that cannot be run is told once the calls before it are planned.
    let mut sorted = names.clone();
    let mut wanted: Vec<&str> = expected.split_whitespace().collect();
    sorted.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted, "{names:?}");
    let noted = told
        .iter()
        .find(|event| event["call"]["name"] == "block" && event["event"] == "call_finished");
    assert_eq!(noted.unwrap()["notes"], json!([r#"`ms`: "0" read as 0"#]));
    let raw = told.iter().find(|event| event["call"]["name"] == "cuont").unwrap();
    assert_eq!(raw["raw"], json!("{"));
}

/// Neither the model nor the tool ever waits, so only the run itself can leave a chance to stop it.
#[tokio::test]
async fn a_run_that_never_waits_is_still_stopped_by_its_deadline_and_by_being_cancelled() {
    #[tool("Take a while without waiting.", inline, register = false)]
    fn busy(n: u64) -> u64 {
        std::thread::sleep(Duration::from_millis(2));
        n
    }
    let agent = |deadline| {
        let mut asked = 0;
        let model = FnModel::new(move |_: &[Message]| {
            asked += 1;
            Ok(Reply::call("busy", json!({"n": asked})))
        });
        let limits =
            Limits { max_steps: 5000, max_tool_calls: 5000, deadline, ..Limits::default() };
        Agent::builder().model(model).tools(tools![busy]).limits(limits).build().unwrap()
    };
    let run = agent(Some(Duration::from_millis(20))).run("go").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::Deadline));

    let mut run = agent(None).start("go");
    let cancel = run.cancel_token();
    tokio::spawn(async move { cancel.cancel() });
    assert_eq!(run.drive().await.unwrap(), StopReason::Cancelled);

    let mut run = agent(None).start("go");
    assert!(tokio::time::timeout(Duration::from_millis(20), run.drive()).await.is_err());
    assert_eq!(run.stop(), Some(StopReason::Cancelled));
}

#[test]
fn a_run_and_its_errors_can_be_sent_and_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Run>();
    shared::<agent_core::FailedRun>();
    shared::<Agent>();
}

#[tokio::test]
async fn a_run_that_has_not_been_driven_says_so() {
    let (builder, _) = builder([]);
    let run = builder.build().unwrap().start("go");
    assert_eq!(
        run.answer().unwrap_err().to_string(),
        "the run has not ended yet; drive it to its end"
    );
}

#[tokio::test]
async fn a_model_may_be_a_closure_over_the_messages() {
    let (builder, _) = builder([]);
    let model = FnModel::new(|messages: &[Message]| match messages.last() {
        Some(Message::Tool(result)) => Ok(Reply::text(format!("it is {}", result.content))),
        _ => Ok(counting(5)),
    });
    assert_eq!(
        builder.model(model).build().unwrap().run("go").await.unwrap().answer().unwrap(),
        "it is 5"
    );
}
