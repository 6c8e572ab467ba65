//! x
pub mod corpus;
pub mod tools;
