//! The document around the data.

use sha2::{Digest, Sha256};

use crate::markup::escape;

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");
/// In the order in which each needs what is before it.
const SCRIPTS: [&str; 8] = [
    include_str!("data.js"),
    include_str!("layout.js"),
    include_str!("routes.js"),
    include_str!("graph.js"),
    include_str!("source.js"),
    include_str!("explanation.js"),
    concat!(include_str!("walk.js"), include_str!("list.js")),
    include_str!("main.js"),
];

/// A page about `data`, which is JSON. `without_script` is shown by browsers that run none.
pub(crate) fn document(title: &str, without_script: &str, data: &str) -> String {
    let noscript = format!("<noscript>\n{without_script}</noscript>\n");
    format!("{}{}{}", head(title, &noscript), in_html(data), tail())
}

/// What comes before the data. The data must not contain `<` ([`in_html`]).
pub(crate) fn head(title: &str, noscript: &str) -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(&script()),
        hash(STYLE)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{noscript}{BODY}\
         <script type=\"application/json\" id=\"data\">",
        escape(title)
    )
}

pub(crate) fn tail() -> String {
    format!("</script>\n<script>{}</script>\n</body>\n</html>\n", script())
}

fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat())
}

/// JSON in which no `</script>` and no `<!--` can stand, and that is still the same JSON: these characters occur in
/// strings only.
pub(crate) fn in_html(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// As Content-Security-Policy writes the hash of a script.
fn hash(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

/// RFC 4648 §4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let c = DIGITS[(word >> (18 - 6 * digit)) as usize & 63] as char;
            out.push(if digit <= chunk.len() { c } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (text, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn no_text_ends_the_script_that_holds_the_data() {
        let json = serde_json::to_string("</script><!-- & \u{2028}").unwrap();
        let held = in_html(&json);
        assert!(!held.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&held).unwrap(), "</script><!-- & \u{2028}");
    }

    #[test]
    fn script_and_style_are_small() {
        assert!(script().len() + STYLE.len() < 200_000);
        // They stand between tags as they are.
        assert!(!script().contains("</script") && !STYLE.contains("</style"));
    }
}
