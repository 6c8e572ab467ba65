//! The words of a question that say nothing of its subject.

/// Function words: they are left out of a search.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.split(' ').any(|other| other == word)
}

/// Words that most questions could hold: they count, but little.
pub(crate) fn is_weak(word: &str) -> bool {
    WEAK.split(' ').any(|other| other == word)
}

/// Words that count things.
pub(crate) fn is_number_word(word: &str) -> bool {
    matches!(word, "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten")
}

/// The stop words of scripts without spaces, the longest first: they cut a question into its search
/// words.
pub(crate) fn unspaced_stop_words() -> impl Iterator<Item = &'static str> {
    UNSPACED.split(' ')
}

const STOP_WORDS: &str = "\
    a about after again against all also am an and any are aren't as at be because been before \
    being both but by can can't cannot could did didn't do does doesn't doing don't during each \
    either even for from had has hasn't have having he her here him his how i i'd i'm i've if in \
    into is isn't it it's its itself just let like may me might mine must my no nor not of on or \
    our ours over per please same shall she should so some still such than that that's the their \
    them then there these they this those through to too under upon us very was we were what \
    what's when where where's which while who whom whose why will with within won't would yes \
    you you're your yours";

const WEAK: &str = "\
    able actually add another available between certain change come create describe difference \
    different exactly example exist explain few find get give given go happen happens instead \
    kind kinds know list look make many mean meaning means more most much need needs off one \
    only other out own possible put recommended run say see set several show sort sorts support \
    supported supports take tell thing things turn type types up use used uses using various via \
    want way ways without work works";

const UNSPACED: &str = "\
    でしょうか どうやって どのように 什么时候 ください 为什么 為什麼 怎么样 有没有 ですか \
    ますか します 什么 什麼 怎么 怎麼 怎样 如何 哪些 哪个 哪里 哪几 几种 多少 请问 \
    可以 是否 我们 的话 どう いつ どこ なぜ とは から まで する した して です ます \
    的 了 吗 呢 吧 是 有 在 和 与 我 你 您 请 把 被 哪 几 个 何 は が を に \
    の で と も か へ";
