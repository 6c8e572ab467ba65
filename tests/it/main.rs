//! Tests that cross crates.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

mod approval;
mod budget;
mod call;
mod faults;
mod guide;
mod memory;
mod options;
mod outside;
mod process_end;
mod props_call;
mod props_run;
mod props_schema;
mod regressions;
mod run;
mod saved;
mod server;
mod shaped;
mod toolbox;
mod two_protocols;
mod ui;
