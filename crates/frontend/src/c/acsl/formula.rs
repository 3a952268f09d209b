//! Formulas of ACSL as expressions of C.

/// The formula in C, if it consists of comparisons of variables and constants. Arithmetic is not translated: in ACSL it
/// has no overflow.
pub(super) fn translated(formula: &str) -> Option<String> {
    let mut parser = Parser { rest: formula };
    let found = parser.implication()?;
    parser.rest.trim_start().is_empty().then_some(found)
}

struct Parser<'f> {
    rest: &'f str,
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
        }
        place += self.word()?;
        loop {
            if self.eat("[") {
                let index = self.number().or_else(|| self.word().map(str::to_owned))?;
                place += &format!("[{index}]");
                if !self.eat("]") {
                    return None;
                }
            } else if self.eat("->") {
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
        assert_eq!(of("!(a && *b)"), "!(a && *b)");
        assert_eq!(of("p->next[2].n != -1"), "__FENCEPOST_ACSL(p->next[2].n) != __FENCEPOST_ACSL(-1)");
        assert_eq!(of("a ==> b ==> c"), "(!(a) || ((!(b) || (c))))");
    }

    #[test]
    fn what_c_would_understand_otherwise_is_not_taken() {
        for formula in ["0 <= x < 2", "x + 1 > x", "\\old(x) == 1", "f(x)", "a == b == c", "x ? y : z", "", "x y"] {
            assert_eq!(translated(formula), None, "{formula}");
        }
    }
}
