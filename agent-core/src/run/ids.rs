//! Ids of tool calls: never empty, never twice.

use std::collections::HashSet;

/// The ids that a transcript has used.
#[derive(Debug, Default)]
pub(crate) struct CallIds {
    used: HashSet<String>,
    made: u32,
}

impl CallIds {
    /// Notes an id that is in use.
    pub(crate) fn note(&mut self, id: &str) {
        // Going on where an earlier run stopped counting spares a search through all its ids.
        let number = id.strip_prefix('c').and_then(|digits| digits.parse().ok());
        self.made = self.made.max(number.unwrap_or_default());
        self.used.insert(id.to_owned());
    }

    /// Claims `id`, or a new one where it is empty or used already.
    pub(crate) fn claim(&mut self, id: String) -> String {
        if !id.is_empty() && !self.used.contains(&id) {
            // As if it were noted, so that ids are the same for who goes on from the transcript.
            self.note(&id);
            return id;
        }
        loop {
            self.made = self.made.wrapping_add(1);
            // Nine letters and digits satisfy the id rules of every provider we know.
            let id = format!("c{:08}", self.made);
            if self.used.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CallIds;

    #[test]
    fn an_id_is_kept_once_and_replaced_when_it_is_empty_or_comes_again() {
        let mut ids = CallIds::default();
        ids.note("c00000001");
        ids.note("elsewhere");
        assert_eq!(ids.claim("a".into()), "a");
        assert_eq!(ids.claim("a".into()), "c00000002");
        assert_eq!(ids.claim(String::new()), "c00000003");
        assert_eq!(ids.claim("c00000007".into()), "c00000007");
        assert_eq!(ids.claim(String::new()), "c00000008");
    }
}
