//! Tests that cross crates.

mod call;
mod props_call;
mod props_run;
mod run;
