//! A file that says which reports are known and not wanted, in ThreadSanitizer's syntax: a line `race:pattern`, where
//! `*` stands for anything, `^` and `$` for the ends, matched against functions, files and modules of both stacks.

use fencepost_report::{Frame, NativeFinding};
use fencepost_story::FindingKind;

#[derive(Debug, Default)]
pub struct Suppressions {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    kind: String,
    pattern: String,
}

impl Suppressions {
    /// The second is what was not understood.
    pub fn parse(text: &str) -> (Suppressions, Vec<String>) {
        let mut suppressions = Suppressions::default();
        let mut mistakes = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(':') {
                Some((kind @ ("race" | "race_top" | "robustness" | "robustness_top" | "called_from_lib"), pattern)) => {
                    suppressions.rules.push(Rule { kind: kind.into(), pattern: pattern.trim().into() });
                }
                // What else ThreadSanitizer reports, we do not.
                Some(("thread" | "mutex" | "signal" | "deadlock", _)) => {}
                _ => mistakes.push(format!(
                    "line {}: expected race:, race_top:, robustness:, robustness_top: or called_from_lib: and a pattern",
                    i + 1
                )),
            }
        }
        (suppressions, mistakes)
    }

    pub fn has(&self, finding: &NativeFinding) -> bool {
        self.rules.iter().any(|rule| rule.matches(finding))
    }
}

impl Rule {
    fn matches(&self, finding: &NativeFinding) -> bool {
        let (kind, top) = match self.kind.strip_suffix("_top") {
            Some(kind) => (kind, true),
            None => (self.kind.as_str(), false),
        };
        let wanted = match kind {
            "race" => FindingKind::DataRace,
            "robustness" => FindingKind::Robustness,
            _ => {
                return finding.accesses.iter().flat_map(|side| &side.stack).any(|f| matches(&self.pattern, &f.module));
            }
        };
        let any = |frame: &Frame| {
            let texts = [frame.function.as_deref(), frame.file.as_deref(), Some(frame.module.as_str())];
            texts.into_iter().flatten().any(|text| matches(&self.pattern, text))
        };
        finding.kind == wanted
            && finding.accesses.iter().any(|side| side.stack.iter().take(if top { 1 } else { usize::MAX }).any(any))
    }
}

/// Whether a pattern is found in a text.
fn matches(pattern: &str, text: &str) -> bool {
    let (start, pattern) = pattern.strip_prefix('^').map_or((false, pattern), |rest| (true, rest));
    let (end, pattern) = pattern.strip_suffix('$').map_or((false, pattern), |rest| (true, rest));
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let mut rest = if start {
        match text.strip_prefix(first) {
            Some(rest) => rest,
            None => return false,
        }
    } else {
        match text.find(first) {
            Some(at) if !end || pattern.contains('*') => &text[at + first.len()..],
            _ => return text.ends_with(first) && end,
        }
    };
    let mut last = pattern.contains('*').then_some("");
    for part in parts {
        last = Some(part);
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    // The last part may also be found further on, at the end.
    !end || rest.is_empty() || last.is_some_and(|last| text.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_thread_sanitizer() {
        for (pattern, text) in [
            ("foo", "my_foo_bar"),
            ("f*r", "foo_bar"),
            ("^foo", "foobar"),
            ("bar$", "foobar"),
            ("^f*r$", "foobar"),
            ("*", "x"),
            ("a*b$", "a b b"),
            ("", "x"),
        ] {
            assert!(matches(pattern, text), "{pattern} is in {text}");
        }
        for (pattern, text) in
            [("^bar", "foobar"), ("foo$", "foobar"), ("x*y", "yx"), ("^foo$", "foobar"), ("a*b$", "a b c")]
        {
            assert!(!matches(pattern, text), "{pattern} is not in {text}");
        }
    }

    #[test]
    fn lines_that_are_not_understood_are_told() {
        let (suppressions, mistakes) = Suppressions::parse("# known\nrace:foo\nmutex:x\n\nnonsense\nraces:foo\n");
        assert_eq!(suppressions.rules.len(), 1);
        assert_eq!(mistakes.len(), 2, "{mistakes:?}");
    }
}
