use std::cmp::Reverse;

/// How many close matches are named.
const NAMED: usize = 3;

/// How alike, in percent, the stems must be for a path to be named.
const ALIKE: u32 = 60;

/// Comparing costs the product of both lengths, so a longer path is compared with nothing.
const COMPARED_CHARS: usize = 255;

/// The listed paths most like one that was not found. The file's stem decides, which also finds the
/// same name in another folder and a name without its extension; the whole path ranks what is left.
pub(super) fn nearest(wanted: &str, listed: Vec<String>) -> Vec<String> {
    let wanted = wanted.to_lowercase().replace('\\', "/");
    if wanted.chars().count() > COMPARED_CHARS {
        return Vec::new();
    }
    let mut alike: Vec<(Reverse<(u32, u32)>, String)> = listed
        .into_iter()
        .map(|path| (Reverse(likeness(&wanted, &path.to_lowercase())), path))
        .filter(|(Reverse((stem, _)), _)| *stem >= ALIKE)
        .collect();
    alike.sort();
    alike.into_iter().take(NAMED).map(|(_, path)| path).collect()
}

/// How alike the stems and the whole paths are.
fn likeness(wanted: &str, path: &str) -> (u32, u32) {
    (percent(stem(wanted), stem(path)), percent(wanted, path))
}

fn percent(a: &str, b: &str) -> u32 {
    (strsim::normalized_levenshtein(a, b) * 100.0) as u32
}

fn stem(path: &str) -> &str {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(wanted: &str) -> Vec<String> {
        let listed = ["deep/a/settings.md", "guide/limits.md", "guide/start.md", "readme.md"];
        nearest(wanted, listed.map(str::to_owned).into())
    }

    #[test]
    fn a_misspelt_path_finds_the_right_one() {
        assert_eq!(among("guide/limit.md"), ["guide/limits.md"]);
        assert_eq!(among(r"guide\limits.md"), ["guide/limits.md"]);
        assert_eq!(among("Guide/Limits.MD"), ["guide/limits.md"]);
    }

    #[test]
    fn the_same_file_name_elsewhere_is_found() {
        assert_eq!(among("limits.md"), ["guide/limits.md"]);
        assert_eq!(among("docs/guide/settings.md"), ["deep/a/settings.md"]);
    }

    #[test]
    fn a_missing_extension_is_found() {
        assert_eq!(among("guide/start"), ["guide/start.md"]);
    }

    #[test]
    fn nothing_alike_names_nothing() {
        assert!(among("zzzz").is_empty());
        assert!(among(&"readme.md".repeat(100_000)).is_empty());
    }

    #[test]
    fn at_most_three_are_named() {
        let listed = (0..100).map(|i| format!("page{i:03}.md")).collect();
        assert_eq!(nearest("page0.md", listed).len(), NAMED);
    }
}
