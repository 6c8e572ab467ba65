//! Tests that cross crates.

mod call;
mod process_end;
mod outside;
mod props_call;
mod props_run;
mod run;
mod ui;
