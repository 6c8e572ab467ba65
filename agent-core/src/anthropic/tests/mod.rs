//! Tests of the protocol.

mod captures;
mod model;
mod reading;
mod streaming;
mod writing;
