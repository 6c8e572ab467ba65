//! Tests that cross crates.

mod call;
mod faults;
mod guide;
mod outside;
mod process_end;
mod props_call;
mod props_run;
mod props_schema;
mod run;
mod server;
mod toolbox;
mod two_protocols;
mod ui;
