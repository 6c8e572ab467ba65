//! The words of a question that say nothing of its subject.

/// Function words: they are left out of a search.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// Words that most questions could hold: they count, but little.
pub(crate) fn is_weak(word: &str) -> bool {
    WEAK.contains(&word)
}

const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren't", "as", "at", "be",
    "because", "been", "being", "but", "by", "can", "can't", "cannot", "could", "did", "didn't", "do", "does",
    "doesn't", "doing", "don't", "each", "either", "for", "from", "had", "has", "hasn't", "have", "having", "he", "her",
    "here", "him", "his", "how", "i", "i'd", "i'm", "i've", "if", "in", "into", "is", "isn't", "it", "it's", "its",
    "itself", "just", "let", "like", "may", "me", "might", "mine", "must", "my", "no", "nor", "not", "of", "on", "or",
    "our", "ours", "please", "shall", "she", "should", "so", "some", "such", "than", "that", "that's", "the", "their",
    "them", "then", "there", "these", "they", "this", "those", "to", "too", "us", "very", "was", "we", "were", "what",
    "what's", "when", "where", "where's", "which", "while", "who", "whom", "whose", "why", "through", "during", "before", "against", "over", "under", "within", "per", "upon", "both", "same", "still", "even", "will", "with", "won't",
    "would", "yes", "you", "you're", "your", "yours",
];

const WEAK: &[&str] = &[
    "able", "add", "another", "certain", "various", "several", "few", "most", "actually", "exactly", "instead", "look", "tell", "go", "say", "see", "come", "available", "between", "change", "create", "describe", "difference", "different",
    "documentation", "docs", "example", "exist", "explain", "find", "get", "give", "given", "happen", "happens", "kind",
    "kinds", "know", "list", "make", "many", "mean", "meaning", "means", "method", "more", "much", "need", "needs", "off",
    "one", "only", "other", "out", "own", "possible", "put", "recommended", "run", "set", "show", "sort", "sorts", "support",
    "supported", "supports", "take", "tell", "thing", "things", "turn", "type", "types", "up", "use", "used", "uses",
    "using", "via", "want", "way", "ways", "without", "work", "works",
];

/// The same for scripts without spaces, longest first: they cut a question into its search words.
pub(crate) const UNSPACED_STOP_WORDS: &[&str] = &[
    "为什么", "為什麼", "什么时候", "什么", "什麼", "怎么样", "怎么", "怎麼", "怎样", "如何", "哪些", "哪个", "哪里", "哪几",
    "几种", "多少", "请问", "可以", "是否", "有没有", "我们", "的话", "的", "了", "吗", "呢", "吧", "是", "有", "在", "和", "与",
    "我", "你", "您", "请", "把", "被", "哪", "几", "个", "ですか", "ますか", "でしょうか", "ください", "どうやって", "どのように", "どう",
    "いつ", "どこ", "なぜ", "何", "とは", "から", "まで", "する", "した", "して", "します", "です", "ます", "は", "が", "を",
    "に", "の", "で", "と", "も", "か", "へ",
];
