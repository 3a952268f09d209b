//! What differs from run to run, and from machine to machine, does not make an example wrong.

/// Stands for any number of lines of output that a page leaves out.
const LEFT_OUT: &str = "[...]";

/// Whether a page shows what was printed.
pub fn agree(shown: &str, printed: &str) -> bool {
    let shown: Vec<String> = shown.lines().map(normal).collect();
    let printed: Vec<String> = printed.lines().map(normal).collect();
    let mut rest = printed.as_slice();
    let mut anywhere = false;
    for part in shown.split(|line| line == LEFT_OUT) {
        let at = match rest.windows(part.len().max(1)).position(|lines| lines == part) {
            _ if part.is_empty() => 0,
            Some(at) if at == 0 || anywhere => at,
            _ => return false,
        };
        rest = &rest[at + part.len()..];
        anywhere = true;
    }
    rest.is_empty() || shown.last().is_some_and(|line| line == LEFT_OUT)
}

/// A line with durations, sizes of memory and addresses replaced by `_`, and without trailing spaces.
fn normal(line: &str) -> String {
    let mut words: Vec<&str> = line.trim_end().split(' ').collect();
    for at in 0..words.len() {
        let is_number = words[at].trim_start_matches('(').parse::<f64>().is_ok();
        let unit = words.get(at + 1).map_or("", |word| word.trim_end_matches([',', ')']));
        if is_number && matches!(unit, "s" | "ms" | "KiB" | "MiB" | "GiB") {
            words[at] = "_";
            words[at + 1] = "_";
        } else if words[at].starts_with("0x") && words[at].len() > 10 {
            words[at] = "_";
        }
    }
    words.join(" ")
}

#[test]
fn costs_and_addresses_do_not_count() {
    assert!(agree("10 states, depth 4, 0.00 s, 7.5 MiB\n", "10 states, depth 4, 1.25 s, 104.3 KiB\n"));
    assert!(agree("4 bytes at 0x5652a08448a0 (acquire)", "4 bytes at 0x55d2a08448a8 (acquire)"));
    assert!(agree("2 blocked (rc11), 0.00 s", "2 blocked (rc11), 0.31 s"));
}

#[test]
fn everything_else_counts() {
    assert!(!agree("10 states, depth 4, 0.00 s\n", "11 states, depth 4, 0.00 s\n"));
    assert!(!agree("holds", "holds\nmore"));
    assert!(!agree("holds\nmore", "holds"));
    assert!(!agree("reads 0", "reads 1"));
}

#[test]
fn lines_can_be_left_out() {
    assert!(agree("a\n[...]\nd", "a\nb\nc\nd"));
    assert!(agree("a\n[...]", "a\nb\nc"));
    assert!(agree("[...]\nc", "a\nb\nc"));
    assert!(agree("a\n[...]\nb", "a\nb"));
    assert!(!agree("a\n[...]\nx", "a\nb\nc"));
    assert!(!agree("b\n[...]\nc", "a\nb\nc"));
    assert!(!agree("a\n[...]\nb", "a\nb\nc"));
}
