//! Command lines of a compilation database, as a shell would take them apart.

/// The words of a command. Inside single quotes everything stands for itself; inside double quotes a backslash does,
/// unless it stands before a character that has a meaning there.
pub fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = command.chars().peekable();
    let mut quote = None;
    while let Some(c) = rest.next() {
        match (quote, c) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if c == open => quote = None,
            (None, '\\') => word.get_or_insert_default().extend(rest.next()),
            (Some('"'), '\\') if rest.peek().is_some_and(|next| "\"\\$`".contains(*next)) => {
                word.get_or_insert_default().extend(rest.next());
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_those_of_a_shell() {
        let found = words(r#"cc -DA="x y" -D'B="1"' -I a\ b "" -DC=\"z\" "d\e\\f""#);
        assert_eq!(found, ["cc", "-DA=x y", "-DB=\"1\"", "-I", "a b", "", "-DC=\"z\"", r"d\e\f"]);
        assert_eq!(words(" \n\t "), [""; 0]);
        assert_eq!(words("'open"), ["open"]);
    }
}
