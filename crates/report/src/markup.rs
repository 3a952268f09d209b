/// Text as it stands in XML and HTML, also inside a quoted attribute.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            // XML 1.0 §2.2 has no other control characters, not even escaped ones.
            c if is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Control characters, and those that turn the direction of text around: they would show what is not there.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn markup_in_text_stays_text() {
        assert_eq!(escape("<a b='c' d=\"e\"> & \u{1b}"), "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt; &amp; \u{fffd}");
    }
}
