//! Formulas of ACSL as expressions of C.

/// The formula in C, if it consists of comparisons of variables and constants. Arithmetic is not translated: in ACSL it
/// has no overflow.
///
/// A formula is about one state of memory, and C reads variables one by one: other threads may write in between. What
/// is false in one state is false each time that it is computed there, so a formula that reads several has two chances.
pub(super) fn translated(formula: &str) -> Option<String> {
    let mut parser = Parser { rest: formula, reads: 0 };
    let found = parser.implication()?;
    let several = parser.reads > 1;
    parser.rest.trim_start().is_empty().then(|| if several { format!("({found}) || ({found})") } else { found })
}

struct Parser<'f> {
    rest: &'f str,
    /// How many words of memory have been read at least.
    reads: u32,
}

impl<'f> Parser<'f> {
    fn eat(&mut self, symbol: &str) -> bool {
        match self.rest.trim_start().strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn implication(&mut self) -> Option<String> {
        let left = self.any()?;
        if !self.eat("==>") {
            return Some(left);
        }
        let right = self.implication()?;
        Some(format!("(!({left}) || ({right}))"))
    }

    fn any(&mut self) -> Option<String> {
        let mut found = self.all()?;
        while self.eat("||") {
            found = format!("{found} || {}", self.all()?);
        }
        Some(found)
    }

    fn all(&mut self) -> Option<String> {
        let mut found = self.comparison()?;
        while self.eat("&&") {
            found = format!("{found} && {}", self.comparison()?);
        }
        Some(found)
    }

    fn comparison(&mut self) -> Option<String> {
        if self.eat("!") {
            let inner = self.atom()?;
            return Some(format!("!{inner}"));
        }
        let left = self.atom()?;
        let Some(operator) = self.operator() else { return Some(left) };
        let right = self.atom()?;
        // `0 <= x < 10` is not what it is in C.
        if self.operator().is_some() {
            return None;
        }
        Some(format!("__FENCEPOST_ACSL({left}) {operator} __FENCEPOST_ACSL({right})"))
    }

    fn operator(&mut self) -> Option<&'static str> {
        if self.rest.trim_start().starts_with("==>") {
            return None;
        }
        ["==", "!=", "<=", ">=", "<", ">"].into_iter().find(|operator| self.eat(operator))
    }

    fn atom(&mut self) -> Option<String> {
        if self.eat("(") {
            let inner = self.implication()?;
            return self.eat(")").then(|| format!("({inner})"));
        }
        for (constant, value) in [("\\true", "1"), ("\\false", "0"), ("\\null", "(void *)0")] {
            if self.eat(constant) {
                return Some(value.to_owned());
            }
        }
        if self.eat("-") {
            return Some(format!("-{}", self.number()?));
        }
        if let Some(number) = self.number() {
            return Some(number);
        }
        let mut place = String::new();
        while self.eat("*") {
            place.push('*');
            self.reads += 1;
        }
        place += self.word()?;
        self.reads += 1;
        loop {
            if self.eat("[") {
                self.reads += 1;
                let index = self.number().or_else(|| self.word().map(str::to_owned))?;
                place += &format!("[{index}]");
                if !self.eat("]") {
                    return None;
                }
            } else if self.eat("->") {
                self.reads += 1;
                place += &format!("->{}", self.word()?);
            } else if self.eat(".") {
                place += &format!(".{}", self.word()?);
            } else {
                return Some(place);
            }
        }
    }

    fn number(&mut self) -> Option<String> {
        let text = self.rest.trim_start();
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(text.len());
        self.rest = &text[length..];
        Some(text[..length].to_owned())
    }

    fn word(&mut self) -> Option<&'f str> {
        let text = self.rest.trim_start();
        if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
        self.rest = &text[length..];
        Some(&text[..length])
    }
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn logic_and_comparisons_are_those_of_c() {
        let of = |formula| translated(formula).unwrap_or_default();
        assert_eq!(of(" x "), "x");
        assert_eq!(of("!(a && a.b)"), "(!(a && a.b)) || (!(a && a.b))");
        assert_eq!(of("n.n != -1"), "__FENCEPOST_ACSL(n.n) != __FENCEPOST_ACSL(-1)");
        assert_eq!(of("a ==> \\true ==> \\false"), "(!(a) || ((!(1) || (0))))");
    }

    #[test]
    fn what_reads_memory_more_than_once_has_two_chances() {
        for formula in ["x == y", "*p", "p->n", "a[i]", "x < 0 || x > 9"] {
            assert!(translated(formula).is_some_and(|c| c.contains(") || (")), "{formula}");
        }
        assert_eq!(translated("s.n"), Some("s.n".to_owned()));
    }

    #[test]
    fn what_c_would_understand_otherwise_is_not_taken() {
        for formula in ["0 <= x < 2", "x + 1 > x", "\\old(x) == 1", "f(x)", "a == b == c", "x ? y : z", "", "x y"] {
            assert_eq!(translated(formula), None, "{formula}");
        }
    }
}
