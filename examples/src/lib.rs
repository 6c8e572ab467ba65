//! Small agents, each a program in `src/bin` with what it prints beside it.
//!
//! - `math_agent`: four functions, in as few lines as can be; a script stands in for a model where
//!   the environment names none.
//! - `weather`: two calls in one step, and a closure as the model.
//! - `http_tool`: a tool that asks an HTTP service, with one client for all calls.
//! - `docs_qa`: the docs tools beside a tool of one's own.
//!
//! The code in the guide is compiled and run here, as doctests.

#[cfg(doctest)]
mod guide {
    macro_rules! pages {
        ($($name:ident: $page:literal),* $(,)?) => {
            $(#[doc = include_str!(concat!("../../docs/", $page))] mod $name {})*
        };
    }

    #[doc = include_str!("../../README.md")]
    mod readme {}

    pages! {
        index: "index.md",
        your_first_tool: "your-first-tool.md",
        writing_tools_for_models: "writing-tools-for-models.md",
        results_and_errors: "results-and-errors.md",
        the_loop_and_its_stops: "the-loop-and-its-stops.md",
        leaving_a_run_alone: "leaving-a-run-alone.md",
        long_conversations: "long-conversations.md",
        answers_and_agents: "answers-and-agents.md",
        testing_with_scripts: "testing-with-scripts.md",
        the_docs_agent: "the-docs-agent.md",
        use_a_local_model: "use-a-local-model.md",
    }
}
