//! "Did you mean": the name nearest to one that is not known.

/// `known`, the nearest to `name` first.
pub(crate) fn by_distance<'k>(name: &str, known: &[&'k str]) -> Vec<&'k str> {
    let mut ordered: Vec<(f64, &str)> =
        known.iter().map(|known| (likeness(name, known), *known)).collect();
    ordered.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    ordered.into_iter().map(|(_, known)| known).collect()
}

/// The one of `known` that `name` may well have meant.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const ALIKE: f64 = 0.8;
    by_distance(name, known).into_iter().next().filter(|known| likeness(name, known) >= ALIKE)
}

/// Says that there is no `name` among `known`, the names of things of one kind, and what there is.
pub(crate) fn there_is_no(kind: &str, name: &str, known: &[&str]) -> String {
    let known_names = match known {
        [] => "there are none".to_owned(),
        known => format!("there are: {}", known.join(", ")),
    };
    match nearest(name, known) {
        Some(near) => {
            format!("there is no {kind} `{name}`, did you mean `{near}`? {known_names}")
        }
        None => format!("there is no {kind} `{name}`; {known_names}"),
    }
}

fn likeness(a: &str, b: &str) -> f64 {
    strsim::jaro_winkler(&a.to_lowercase(), &b.to_lowercase())
}
