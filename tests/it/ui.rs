//! What the compiler says of misused `#[tool]`s: `ui/*.rs`, with its words beside each.

/// To take over new words: `TRYBUILD=overwrite cargo test -p tests --test it ui`, then read them.
#[rustversion::attr(not(stable(1.95)), ignore = "the compiler's own words are those of 1.95")]
#[test]
fn each_misuse_is_told_what_to_write_instead() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
