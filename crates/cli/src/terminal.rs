//! What goes to a terminal is text: names of files, lines of sources and messages of others may hold codes that move
//! its cursor, hide what stands there or change its title. Each such character is shown as one that does nothing.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';

/// A text of ours, for which `coloured` says whether it may have colours.
pub fn safe(text: &str, coloured: bool) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if coloured && c == ESCAPE { colour(rest) } else { 0 };
        if length > 0 {
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            out.push(picture(c));
            rest = &rest[c.len_utf8()..];
        }
    }
    Cow::Owned(out)
}

/// A text of others, which has no colours.
pub fn visible(text: &str) -> String {
    safe(text, false).into_owned()
}

/// The same in place.
pub fn make_visible(text: &mut String) {
    if let Cow::Owned(visible) = safe(text, false) {
        *text = visible;
    }
}

/// The length of a code at the start of a text that only sets colours, or makes text bold or underlined.
fn colour(text: &str) -> usize {
    let Some(inner) = text.strip_prefix("\u{1b}[") else { return 0 };
    let Some(end) = inner.find(|c: char| !c.is_ascii_digit() && c != ';') else { return 0 };
    let parameters = &inner[..end];
    let is_harmless = |number: &str| matches!(number.parse::<u32>(), Ok(0..=4 | 22..=24 | 30..=49 | 90..=107));
    let harmless = parameters.is_empty() || parameters.split(';').all(is_harmless);
    if harmless && inner[end..].starts_with('m') { "\u{1b}[".len() + end + 1 } else { 0 }
}

fn is_unsafe(c: char) -> bool {
    let turns_text_around = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}');
    c.is_control() && !matches!(c, '\n' | '\t') || turns_text_around
}

fn picture(c: char) -> char {
    match c {
        _ if !is_unsafe(c) => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_shown_and_not_obeyed() {
        assert_eq!(
            visible("a\u{1b}[2J\u{7}b\n\tc\r\u{202e}\u{9b}"),
            "a\u{241b}[2J\u{2407}b\n\tc\u{240d}\u{fffd}\u{fffd}"
        );
        assert_eq!(safe("\u{1b}[31mred\u{1b}[0m", false), "\u{241b}[31mred\u{241b}[0m");
    }

    #[test]
    fn colours_of_our_own_stay() {
        for code in ["\u{1b}[1m", "\u{1b}[0m", "\u{1b}[m", "\u{1b}[1;31m", "\u{1b}[94m"] {
            assert_eq!(safe(code, true), code);
        }
        // Hidden text, other codes, and those that do not end.
        for code in ["\u{1b}[8m", "\u{1b}[5m", "\u{1b}[2J", "\u{1b}]0;title\u{7}", "\u{1b}[1", "\u{1b}", "\u{1b}[1;8m"]
        {
            assert!(!safe(code, true).contains(ESCAPE), "{code:?}");
        }
    }
}
