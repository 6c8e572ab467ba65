//! Several processes on one file, some of them killed. Each is this test program, asked for the
//! test [`hammer`] alone.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::super::DailyBudget;
use super::super::account::{Account, Charge};
use super::super::ledger::Ledger;
use super::{Place, today};

const EXPECTED: u64 = 10;
const ACTUAL: u64 = 7;

const FILE: &str = "BUDGET_FILE";
const ROUNDS: &str = "BUDGET_ROUNDS";
const SETTLED: &str = "a charge was settled";

/// Charges and settles, and says so, round after round.
#[tokio::test]
#[ignore = "the other tests here start it as a process of its own"]
async fn hammer() {
    let (Some(file), Ok(rounds)) = (std::env::var_os(FILE), std::env::var(ROUNDS)) else { return };
    let budget = DailyBudget { tokens: u64::MAX, file: file.into() };
    let ledger = Ledger::with_clock(&budget, today);
    for _ in 0..rounds.parse::<u64>().unwrap() {
        let Charge::Granted(receipt) = ledger.charge(EXPECTED).await.unwrap() else {
            panic!("the budget is used up");
        };
        ledger.settle(receipt, ACTUAL).await.unwrap();
        println!("{SETTLED}");
    }
}

struct Hammer {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Hammer {
    fn start(place: &Place, rounds: u64) -> Self {
        let name = format!("{}::hammer", module_path!().split_once("::").unwrap().1);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([&name, "--exact", "--ignored", "--nocapture"])
            .env(FILE, &place.file)
            .env(ROUNDS, rounds.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Kills the process some time after its first settlement.
    fn kill_after(&mut self, time: Duration) -> u64 {
        assert!(self.lines.any(|line| line.unwrap().ends_with(SETTLED)));
        thread::sleep(time);
        self.child.kill().unwrap();
        1 + self.finish()
    }

    /// Waits for the end of the process, and counts what it settled.
    fn finish(&mut self) -> u64 {
        let settled = self.lines.by_ref().filter(|line| line.as_ref().unwrap().ends_with(SETTLED));
        let settled = settled.count() as u64;
        self.child.wait().unwrap();
        settled
    }
}

#[test]
fn processes_at_once_lose_no_charge() {
    let place = Place::new();
    let mut hammers: Vec<_> = (0..4).map(|_| Hammer::start(&place, 25)).collect();
    let settled: Vec<_> = hammers.iter_mut().map(Hammer::finish).collect();
    assert_eq!(settled, [25; 4]);
    assert_eq!(place.used(), 100 * ACTUAL);
}

#[test]
fn killed_processes_leave_a_file_that_has_all_they_settled() {
    let place = Place::new();
    let mut settled = 0;
    for round in 0..20_u64 {
        let mut hammers = [Hammer::start(&place, u64::MAX), Hammer::start(&place, u64::MAX)];
        for (n, hammer) in hammers.iter_mut().enumerate() {
            // Over the whole of a charge and its settlement, which take a few milliseconds.
            settled += hammer.kill_after(Duration::from_micros(613 * round + 171 * n as u64));
        }
        let account = Account::parse(place.text().as_bytes()).unwrap();
        // Each process that was killed may have taken one charge more, or settled it unsaid.
        let most = settled * ACTUAL + 2 * (round + 1) * EXPECTED;
        assert!((settled * ACTUAL..=most).contains(&account.used), "{account:?}, {settled}");
    }
    // No lock is left, and no draft in the way.
    Hammer::start(&place, 1).finish();
}
