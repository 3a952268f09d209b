//! The constraints of inline assembly, as LLVM has them.

/// An operand of the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub output: bool,
    /// It is memory, and the argument of the call is a pointer to it.
    pub indirect: bool,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any register; for an input, also a constant.
    Any,
    /// The register of this name.
    Register(String),
    /// The condition of the processor's flags that is an output.
    Flag(String),
    /// What an output is at first.
    Tied(usize),
}

/// The constraints of the operands, without what is overwritten; `None` if one is not known.
pub(super) fn parse(text: &str) -> Option<Vec<Constraint>> {
    let parts = text.split(',').filter(|part| !part.is_empty() && !part.starts_with('~'));
    parts.map(one).collect()
}

fn one(part: &str) -> Option<Constraint> {
    let (output, rest) = part.strip_prefix('=').map_or((false, part), |rest| (true, rest));
    let rest = rest.trim_start_matches(['&', '%']);
    let (indirect, rest) = rest.strip_prefix('*').map_or((false, rest), |rest| (true, rest));
    let rest = rest.trim_start_matches(['&', '%']);
    let kind = if let Some(name) = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        match name.strip_prefix("@cc") {
            Some(condition) => Kind::Flag(condition.to_owned()),
            None => Kind::Register(name.to_owned()),
        }
    } else if !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()) {
        Kind::Tied(rest.parse().ok()?)
    } else if rest.starts_with('!') || rest.contains('|') {
        return None;
    } else {
        Kind::Any
    };
    // A place that is only for memory has its address as an argument.
    let is_memory = matches!(rest, "m" | "o" | "V");
    if is_memory != indirect && (is_memory || !rest.contains('m')) {
        return None;
    }
    Some(Constraint { output, indirect, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_say_where_operands_are() {
        let all = parse("=r,=*m,={ax},={@ccz},0,*m,{dx},ir,~{memory},~{flags}").expect("they are known");
        let of = |i: usize| (all[i].output, all[i].indirect, all[i].kind.clone());
        assert_eq!(all.len(), 8);
        assert_eq!(of(0), (true, false, Kind::Any));
        assert_eq!(of(1), (true, true, Kind::Any));
        assert_eq!(of(2), (true, false, Kind::Register("ax".into())));
        assert_eq!(of(3), (true, false, Kind::Flag("z".into())));
        assert_eq!(of(4), (false, false, Kind::Tied(0)));
        assert_eq!(of(5), (false, true, Kind::Any));
        assert_eq!(of(6), (false, false, Kind::Register("dx".into())));
        assert_eq!(of(7), (false, false, Kind::Any));
        assert_eq!(parse("~{memory},~{dirflag}"), Some(Vec::new()));
        assert_eq!(parse("=&r,!i"), None);
    }
}
