//! Tests that cross crates.

mod call;
mod guide;
mod outside;
mod process_end;
mod props_call;
mod props_run;
mod props_schema;
mod run;
mod toolbox;
mod ui;
