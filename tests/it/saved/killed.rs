//! Processes that are killed while a run is under way.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use agent_core::Transcript;
use serde_json::Value;
use tests::{check_transcript, results};

/// Steps of the program's run, and calls in each.
const STEPS: usize = 5;
const CALLS: usize = 4;

/// Starts the program on what it finds in `folder`.
fn start(folder: &Path, mode: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pending"))
        .args([folder.as_os_str(), mode.as_ref()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills the program a while after so many calls have come to wait for approval.
fn kill_after(mut child: Child, pending: usize, delay: Duration) {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in lines.by_ref().take(pending) {
        if line.unwrap() != "pending" {
            break;
        }
    }
    std::thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
    drop(lines);
}

/// Lets the run come to its end, and checks what it came to: each call has its own key as its result.
fn finish(folder: &Path) -> Vec<String> {
    let output = start(folder, "allow").wait_with_output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut output: Value = serde_json::from_str(printed.lines().last().unwrap()).unwrap();
    assert_eq!(output["answer"], "all paid");
    let transcript: Transcript = serde_json::from_value(output["transcript"].take()).unwrap();
    check_transcript(&transcript).unwrap();
    let keys: Vec<String> = results(&transcript).into_iter().map(str::to_owned).collect();
    assert_eq!(keys.len(), STEPS * CALLS);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "keys differ: {keys:?}");
    keys
}

/// How often a tool was run for each key.
fn executed(folder: &Path) -> BTreeMap<String, usize> {
    let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
    let mut executed = BTreeMap::new();
    for line in log.lines() {
        let (_, key) = line.split_once(' ').unwrap();
        *executed.entry(key.to_owned()).or_default() += 1;
    }
    executed
}

/// The keys of the calls whose results are in the file, of turns that are whole and of the last.
fn kept(folder: &Path) -> Vec<String> {
    let Ok(file) = std::fs::read(folder.join("run.json")) else { return Vec::new() };
    let saved: Value = serde_json::from_slice(&file).expect("the file is never half written");
    let machine = &saved["machine"];
    let whole = machine["transcript"].as_array().unwrap().iter();
    let whole = whole.filter(|message| message["role"] == "tool").map(|result| &result["content"]);
    let last = machine["state"]["tools"]["calls"].as_array().into_iter().flatten();
    let last = last.map(|call| &call["answered"]["content"]);
    whole.chain(last).filter_map(|key| key.as_str().map(str::to_owned)).collect()
}

#[test]
fn a_run_that_is_killed_while_approval_is_pending_runs_each_tool_once() {
    let folder = tempfile::tempdir().unwrap();
    kill_after(start(folder.path(), "wait"), 1, Duration::ZERO);
    let before = executed(folder.path());
    assert_eq!(before.len(), 2, "the calls before the one that waits have been run: {before:?}");
    assert_eq!(kept(folder.path()).len(), 2);

    let keys = finish(folder.path());
    let executed = executed(folder.path());
    assert_eq!(executed.len(), keys.len());
    for key in &keys {
        assert_eq!(executed.get(key), Some(&1), "of {key}");
    }
}

#[test]
fn a_run_that_is_killed_at_any_moment_never_runs_again_what_was_kept() {
    let started = Instant::now();
    for round in 0.. {
        let folder = tempfile::tempdir().unwrap();
        // Calls whose results were kept, and how often they had been run by then.
        let mut settled = BTreeMap::new();
        for life in 0..4 {
            // Some are killed before anything is kept, most while calls are being run after that.
            let delay = Duration::from_micros((round * 4 + life) * 3571 % 16_000);
            kill_after(start(folder.path(), "allow"), life as usize % 3, delay);
            check(folder.path(), &mut settled);
        }
        let keys = finish(folder.path());
        check(folder.path(), &mut settled);
        let executed: BTreeSet<String> = executed(folder.path()).into_keys().collect();
        assert_eq!(executed, BTreeSet::from_iter(keys), "nothing else was run");
        if started.elapsed() > Duration::from_secs(3) {
            break;
        }
    }
}

/// Checks that no call was run again since its result was kept, and notes which are kept now.
fn check(folder: &Path, settled: &mut BTreeMap<String, usize>) {
    let executed = executed(folder);
    for (key, times) in settled.iter() {
        assert_eq!(executed.get(key), Some(times), "of {key}, whose result was kept");
    }
    for key in kept(folder) {
        settled.entry(key.clone()).or_insert_with(|| executed[&key]);
    }
}
