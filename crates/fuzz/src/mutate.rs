//! Programs that were mistreated: mostly in whole words and lines, so that many of them are still programs.

use fastrand::Rng;

use crate::scraps::{ANY, NUMBERS, scraps};
use crate::{Format, compile};

/// One text of the corpus, mistreated: the input that a seed stands for.
pub fn mutated(format: Format, corpus: &[String], seed: u64) -> String {
    let text = mistreated(format, corpus, &mut Rng::with_seed(seed));
    if format == Format::C { format!("{}{text}", compile::HEADERS) } else { text }
}

fn mistreated(format: Format, corpus: &[String], rng: &mut Rng) -> String {
    let mut text = corpus[rng.usize(..corpus.len())].clone();
    if rng.u32(..50) == 0 {
        return noise(format, rng);
    }
    // Mostly one change or two: what has more is hardly ever read.
    for _ in 0..1 + rng.u32(..6).saturating_sub(2) {
        text = match rng.u32(..10) {
            0..=5 => words(format, &text, rng),
            6..=7 => lines(&text, corpus, rng),
            8 => characters(&text, rng),
            _ => deep(format, &text, rng),
        };
        text.truncate(boundary(&text, 100_000));
    }
    text
}

/// Changes a word: a number to another, a name to another name of the text, or anything to something of the language.
fn words(format: Format, text: &str, rng: &mut Rng) -> String {
    let words = split(text);
    let visible: Vec<usize> = (0..words.len()).filter(|&i| !words[i].trim().is_empty()).collect();
    if visible.is_empty() {
        return noise(format, rng);
    }
    let at = visible[rng.usize(..visible.len())];
    let other = visible[rng.usize(..visible.len())];
    let mut out: Vec<&str> = words.clone();
    let scraps = scraps(format);
    let is_number = |word: &str| word.bytes().next().is_some_and(|b| b.is_ascii_digit());
    match rng.u32(..10) {
        0..=2 if is_number(words[at]) => out[at] = NUMBERS[rng.usize(..NUMBERS.len())],
        0..=4 => {
            // Of the same kind, so that it is likely to fit.
            let kind =
                |word: &str| word.bytes().next().map(|b| (b.is_ascii_alphabetic() || b == b'_', b.is_ascii_digit()));
            let alike: Vec<usize> = visible.iter().copied().filter(|&i| kind(words[i]) == kind(words[at])).collect();
            out[at] = words[alike[rng.usize(..alike.len())]];
        }
        5 => out[at] = scraps[rng.usize(..scraps.len())],
        6 => out[at] = ANY[rng.usize(..ANY.len())],
        7 => out.swap(at, other),
        8 => {
            let end = (at + rng.usize(1..8)).min(out.len());
            out.drain(at..end);
        }
        _ => {
            let end = (at + rng.usize(1..30)).min(out.len());
            let copied: Vec<&str> = words[at..end].to_vec();
            out.splice(other..other, copied);
        }
    }
    out.concat()
}

fn lines(text: &str, corpus: &[String], rng: &mut Rng) -> String {
    let mut out: Vec<&str> = text.split_inclusive('\n').collect();
    if out.is_empty() {
        return String::new();
    }
    let (at, other) = (rng.usize(..out.len()), rng.usize(..out.len()));
    let donor: Vec<&str> = corpus[rng.usize(..corpus.len())].split_inclusive('\n').collect();
    match rng.u32(..6) {
        0 => drop(out.remove(at)),
        1 => out.insert(other, out[at]),
        2 => out.swap(at, other),
        3 => out.truncate(at),
        4 if !donor.is_empty() => {
            let from = rng.usize(..donor.len());
            let end = (from + rng.usize(1..6)).min(donor.len());
            out.splice(at..at, donor[from..end].iter().copied());
        }
        _ if !donor.is_empty() => {
            out.truncate(at);
            out.extend(&donor[rng.usize(..donor.len())..]);
        }
        _ => {}
    }
    out.concat()
}

fn characters(text: &str, rng: &mut Rng) -> String {
    let mut out = text.to_owned();
    let (a, b) = (boundary(text, rng.usize(..=text.len())), boundary(text, rng.usize(..=text.len())));
    let near = boundary(text, (a + rng.usize(0..12)).min(text.len())).max(a);
    match rng.u32(..5) {
        0 => out.replace_range(a..near, ""),
        1 => out.insert_str(b, &text[a..near].repeat(rng.usize(1..6))),
        2 => out.replace_range(a..near, ANY[rng.usize(..ANY.len())]),
        3 => out = out.replace('\n', "\r\n"),
        _ => out.insert_str(b, &"a".repeat(rng.usize(1..5000))),
    }
    out
}

/// Something that nests, or goes on, for very long.
fn deep(format: Format, text: &str, rng: &mut Rng) -> String {
    let words = split(text);
    let scraps = scraps(format);
    // Clang dies of more, which says nothing about us.
    let count = rng.usize(50..if format == Format::C { 250 } else { 3000 });
    let piece = match rng.u32(..4) {
        0 => ["(", "{", "[", "-", "*", "<", "!{", "if (1) ", "1 + ", "x[", "&&", "<{"][rng.usize(..12)],
        1 => scraps[rng.usize(..scraps.len())],
        _ if words.is_empty() => "x",
        _ => words[rng.usize(..words.len())],
    };
    let at = boundary(text, rng.usize(..=text.len()));
    let space = if rng.bool() { " " } else { "" };
    format!("{}{}{}", &text[..at], format!("{piece}{space}").repeat(count), &text[at..])
}

fn noise(format: Format, rng: &mut Rng) -> String {
    let scraps = scraps(format);
    match rng.bool() {
        true => String::from_utf8_lossy(&(0..rng.usize(0..200)).map(|_| rng.u8(..)).collect::<Vec<_>>()).into_owned(),
        false => (0..rng.usize(0..60)).map(|_| scraps[rng.usize(..scraps.len())]).collect::<Vec<_>>().join(" "),
    }
}

/// Names and numbers, runs of space, and single other characters.
fn split(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || matches!(c, '_' | '.') => 1,
        _ if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if last.is_some_and(|last| last != now || now == 0) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(now);
    }
    words.push(&text[start..]);
    words
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
