//! ACSL, the annotations of Frama-C in comments: `//@ assert x == 1;` becomes an assertion of the program. The text
//! keeps its lines. Other annotations are ignored, and the answer names them.

mod formula;

use std::collections::BTreeSet;

/// The function that an assertion becomes a call of.
pub(super) const ASSERT: &str = "__fencepost_acsl_assert";

/// A program in which annotations are code.
pub(super) struct Annotated {
    pub text: String,
    /// What was ignored, for people to read.
    pub ignored: BTreeSet<String>,
}

/// ACSL compares integers as numbers, whatever their types.
const PROLOGUE: &str = "void __fencepost_acsl_assert(_Bool);
#define __FENCEPOST_ACSL(x) _Generic((x), float: (x), double: (x), unsigned long: (__int128)(x), \
 unsigned long long: (__int128)(x), default: (long)(x))
";

/// A source with its annotations as code, if it has any. `name` is what debug information calls it.
pub(super) fn annotated(source: &str, name: &str) -> Option<Annotated> {
    if !source.contains("//@") && !source.contains("/*@") {
        return None;
    }
    let mut scanner = Scanner { source, at: 0, line: 1, braces: 0, parentheses: 0, last: b' ' };
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut annotated = Annotated { text: format!("{PROLOGUE}# 1 \"{name}\"\n"), ignored: BTreeSet::new() };
    while scanner.at < source.len() {
        scanner.step(&mut annotated);
    }
    Some(annotated)
}

/// Goes through a source from comment to comment.
struct Scanner<'s> {
    source: &'s str,
    at: usize,
    line: usize,
    braces: u32,
    parentheses: u32,
    /// The last character that is neither space nor comment.
    last: u8,
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    /// The next part of the text, with this number of bytes.
    fn take(&mut self, length: usize) -> &'s str {
        let part = &self.source[self.at..self.at + length];
        self.line += part.matches('\n').count();
        self.at += length;
        part
    }

    fn step(&mut self, out: &mut Annotated) {
        let rest = self.rest();
        if rest.starts_with("//") {
            let comment = self.take(rest.find('\n').unwrap_or(rest.len()));
            return self.comment(comment, comment.strip_prefix("//@"), out);
        }
        if let Some(inner) = rest.strip_prefix("/*") {
            let end = inner.find("*/").map_or(rest.len(), |end| end + 4);
            let comment = self.take(end);
            let body = comment.strip_prefix("/*@").map(|body| body.trim_end_matches("*/"));
            return self.comment(comment, body, out);
        }
        let first = rest.as_bytes()[0];
        let length = match first {
            b'"' | b'\'' => literal(rest, first),
            b'#' if self.starts_line() => directive(rest),
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        match first {
            b'{' => self.braces += 1,
            b'}' => self.braces = self.braces.saturating_sub(1),
            b'(' => self.parentheses += 1,
            b')' => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
        let is_directive = first == b'#' && length > 1;
        if !first.is_ascii_whitespace() && !is_directive {
            self.last = first;
        }
        out.text += self.take(length);
    }

    fn starts_line(&self) -> bool {
        let before = &self.source[..self.at];
        before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
    }

    /// Copies a comment, or what it asserts.
    fn comment(&mut self, comment: &str, annotation: Option<&str>, out: &mut Annotated) {
        let Some(annotation) = annotation else {
            out.text += comment;
            return;
        };
        let line = self.line - comment.matches('\n').count();
        // Only there, one more statement changes nothing else.
        let before_statement = self.braces > 0 && self.parentheses == 0 && b";{}:".contains(&self.last);
        let annotation = annotation.replace("\n", " ").replace('@', " ");
        // Quantifiers have a `;` of their own.
        let clauses: Vec<&str> =
            match annotation.contains(['\\']) && ["forall", "exists"].iter().any(|q| annotation.contains(q)) {
                true => vec![&annotation],
                false => annotation.split(';').collect(),
            };
        for clause in clauses.into_iter().map(str::trim).filter(|clause| !clause.is_empty()) {
            let asserted = clause.strip_prefix("assert").filter(|rest| !rest.starts_with(is_word));
            let Some(asserted) = asserted else {
                out.ignored.insert(format!("`{}` of ACSL is ignored", keyword(clause)));
                continue;
            };
            match formula::translated(asserted).filter(|_| before_statement) {
                Some(condition) => out.text += &format!("{ASSERT}({condition});"),
                None => {
                    out.ignored.insert(format!("the assertion of ACSL in line {line} is ignored"));
                }
            }
        }
        out.text.extend(comment.matches('\n'));
    }
}

/// `loop invariant`, or one word.
fn keyword(clause: &str) -> String {
    let mut words = clause.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    match words.next() {
        Some("loop") => format!("loop {}", words.next().unwrap_or("")).trim().to_owned(),
        Some(word) => word.to_owned(),
        None => "an annotation".to_owned(),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a string or a character that a text begins with.
fn literal(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// The length of a preprocessor's line that a text begins with.
fn directive(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.trim_end_matches('\n').len();
        if !line.trim_end().ends_with('\\') {
            return at;
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a program, without the prologue.
    fn lines(source: &str) -> (String, Vec<String>) {
        let annotated = annotated(source, "a.c").expect("annotations");
        let marker = "# 1 \"a.c\"\n";
        let start = annotated.text.find(marker).expect("a line marker") + marker.len();
        (annotated.text[start..].to_owned(), annotated.ignored.into_iter().collect())
    }

    #[test]
    fn an_assertion_takes_the_place_of_its_comment() {
        let (text, ignored) =
            lines("int main() {\n  int x = 1; //@ assert x == 1;\n  /*@ assert\n @ \\true; */ return 0; }\n");
        let expected = "int main() {\n  int x = 1; __fencepost_acsl_assert(__FENCEPOST_ACSL(x) == __FENCEPOST_ACSL(1));\n  \
                        __fencepost_acsl_assert(1);\n return 0; }\n";
        assert_eq!((text.as_str(), ignored.len()), (expected, 0));
    }

    #[test]
    fn what_is_not_an_assertion_in_front_of_a_statement_is_told() {
        let source = "//@ requires n > 0;\nint f(int n) {\n//@ loop invariant n > 0;\nwhile (n) //@ assert n > 0;\n n--;\n\
                      //@ assert \\forall int i; i > 0;\n//@ assert 0 <= n < 2;\n\
                      char *s = \"//@ assert 0;\";\nreturn n; }\n";
        let (text, ignored) = lines(source);
        assert!(!text.contains(ASSERT) && text.contains("\"//@ assert 0;\""), "{text}");
        let told = ["`loop invariant` of ACSL", "`requires` of ACSL", "line 4 ", "line 6 ", "line 7 "];
        assert_eq!(ignored.len(), told.len(), "{ignored:?}");
        assert!(told.iter().all(|part| ignored.iter().any(|line| line.contains(part))), "{ignored:?}");
    }

    #[test]
    fn a_source_without_annotations_stays() {
        assert!(annotated("int main() { return 0; } // @ no\n", "a.c").is_none());
    }
}
