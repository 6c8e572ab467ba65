//! Tests that cross crates.

mod call;
mod guide;
mod outside;
mod process_end;
mod props_call;
mod props_run;
mod run;
mod toolbox;
mod ui;
