//! The end of a process: no tool holds it up.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_tool_that_sleeps_for_an_hour_does_not_hold_up_the_end_of_the_process() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_slow_tool"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let result = lines.next().unwrap().unwrap();
    assert!(result.starts_with("error(timed_out): sleep_for_an_hour "), "{result}");
    assert_eq!(lines.next().unwrap().unwrap(), "It took too long.");

    // `main` returns right after that line.
    let returned = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if returned.elapsed() > Duration::from_secs(1) {
            child.kill().unwrap();
            panic!("the process is still there a second after `main` returned");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().unwrap().success());
}
