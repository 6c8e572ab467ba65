//! Other attributes on a tool, above and below `#[tool]`, keep their effect.

use agent_core::tool;
use serde_json::json;

/// Below.
#[tool(register = false)]
#[allow(clippy::let_and_return)]
#[must_use]
#[cfg_attr(all(), inline)]
#[deprecated = "use another"]
#[tracing::instrument(skip_all)]
pub fn below(#[arg(default = 1)] number: u8) -> u8 {
    let same = number;
    same
}

/// Above.
#[allow(clippy::let_and_return)]
#[must_use]
#[cfg_attr(all(), inline)]
#[deprecated = "use another"]
#[tracing::instrument(skip_all)]
#[tool(register = false)]
pub fn above(#[arg(default = 1)] number: u8) -> u8 {
    let same = number;
    same
}

#[tool("Below, async.", register = false)]
#[tracing::instrument(skip_all)]
pub(crate) async fn below_async(text: &str) -> String {
    std::future::ready(text).await.to_owned()
}

#[tracing::instrument(skip_all)]
#[tool("Above, async.", register = false)]
pub(crate) async fn above_async(text: &str) -> String {
    std::future::ready(text).await.to_owned()
}

#[tool("Left out.")]
#[cfg(any())]
fn left_out() {}

#[cfg(any())]
#[tool("Left out.")]
fn left_out() {}

/// As the attribute is gone, this is no second function of that name.
const fn left_out() {}

#[tokio::test]
async fn functions_under_several_attributes_are_tools_and_functions() {
    left_out();
    #[expect(deprecated, reason = "both attributes keep their effect")]
    let direct = above(1) + below(2);
    assert_eq!(direct, 3);
    assert_eq!(super::call(agent_core::Tool::of::<below>(), json!({})).await.content, "1");
    assert_eq!(super::call(agent_core::Tool::of::<above>(), json!({})).await.content, "1");
    assert_eq!(below_async("x").await, above_async("x").await);
    let arguments = json!({"text": "x"});
    assert_eq!(
        super::call(agent_core::Tool::of::<below_async>(), arguments.clone()).await.content,
        "x"
    );
    assert_eq!(super::call(agent_core::Tool::of::<above_async>(), arguments).await.content, "x");
}
