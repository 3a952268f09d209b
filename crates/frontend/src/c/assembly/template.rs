//! The text of inline assembly for x86 in AT&T syntax, as LLVM has it: `$0` is an operand, `$$` a dollar sign.

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub locked: bool,
    pub mnemonic: String,
    /// As they are written: sources come first.
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// By its number, with the letter that says which part of a register is meant.
    Operand(usize, Option<char>),
    Immediate(i64),
    /// Without the sign before its name.
    Register(String),
    /// The memory that a register or an operand points to, at an offset in bytes.
    Memory(i64, Box<Argument>),
}

/// The instructions of a template; otherwise the part that is not understood.
pub(super) fn parse(template: &str) -> Result<Vec<Statement>, String> {
    let text = first_variant(template);
    let mut statements = Vec::new();
    let mut locked = false;
    for part in text.split(['\n', ';']) {
        let mut rest = part.split('#').next().unwrap_or_default().trim();
        loop {
            let (word, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
            match word {
                "lock" => locked = true,
                // `rep nop` is `pause`.
                "rep" if after.trim().is_empty() || after.trim() == "nop" => {}
                _ => break,
            }
            rest = after.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let (mnemonic, arguments) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        let arguments = split(arguments).into_iter().map(argument).collect::<Option<Vec<Argument>>>();
        let arguments = arguments.ok_or_else(|| rest.to_owned())?;
        let locked = std::mem::take(&mut locked);
        statements.push(Statement { locked, mnemonic: mnemonic.to_lowercase(), arguments });
    }
    if locked { Err("lock".to_owned()) } else { Ok(statements) }
}

/// `$(att$|intel$)`: what is for AT&T syntax.
fn first_variant(template: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("$(") {
        text += &rest[..start];
        let inside = &rest[start + 2..];
        let end = inside.find("$)").unwrap_or(inside.len());
        text += inside[..end].split("$|").next().unwrap_or_default();
        rest = inside.get(end + 2..).unwrap_or_default();
    }
    text + rest
}

/// At the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

fn argument(text: &str) -> Option<Argument> {
    if let Some(number) = text.strip_prefix("$$") {
        return match number.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(_) => None,
            None => Some(Argument::Immediate(integer(number)?)),
        };
    }
    if let Some(inside) = text.strip_suffix(')') {
        let (displacement, base) = inside.split_once('(')?;
        let displacement = if displacement.trim().is_empty() { 0 } else { integer(displacement.trim())? };
        let base = argument(base.trim())?;
        return match base {
            Argument::Operand(..) | Argument::Register(_) => Some(Argument::Memory(displacement, Box::new(base))),
            _ => None,
        };
    }
    if let Some(name) = text.strip_prefix('%') {
        let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric());
        return plain.then(|| Argument::Register(name.to_lowercase()));
    }
    let operand = text.strip_prefix('$')?;
    match operand.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(inside) => {
            let (number, modifier) = inside.split_once(':').unwrap_or((inside, ""));
            let mut letters = modifier.chars();
            let letter = letters.next();
            if letters.next().is_some() {
                return None;
            }
            Some(Argument::Operand(number.parse().ok()?, letter))
        }
        None => Some(Argument::Operand(operand.parse().ok()?, None)),
    }
}

fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as i64,
        None => digits.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(template: &str) -> Statement {
        let statements = parse(template).expect("it is understood");
        assert_eq!(statements.len(), 1, "{template}");
        statements[0].clone()
    }

    #[test]
    fn an_instruction_has_a_prefix_a_name_and_arguments() {
        let operand = |number| Argument::Operand(number, None);
        let expected = Statement { locked: true, mnemonic: "xaddl".into(), arguments: vec![operand(0), operand(1)] };
        for template in ["lock; xaddl $0, $1", "lock xaddl $0,$1", "\n\tLOCK\n".to_lowercase().as_str()] {
            if template.contains("xadd") {
                assert_eq!(one(template), expected);
            }
        }
        assert_eq!(one("lock ; xaddl $0 , $1\n\t# adds"), expected);
        assert!(!one("xaddl $0, $1").locked);
        assert_eq!(one("rep; nop").mnemonic, "nop");
        assert_eq!(one("rep nop").mnemonic, "nop");
        assert_eq!(parse(""), Ok(Vec::new()));
    }

    #[test]
    fn arguments_are_operands_numbers_registers_and_memory() {
        let arguments = |text| one(text).arguments;
        assert_eq!(arguments("movb ${1:b}, %al"), [Argument::Operand(1, Some('b')), Argument::Register("al".into())]);
        let stack = |at| Argument::Memory(at, Box::new(Argument::Register("rsp".into())));
        assert_eq!(arguments("lock; addl $$0,0(%rsp)"), [Argument::Immediate(0), stack(0)]);
        assert_eq!(arguments("lock; orq $$-1, -8(%rsp)"), [Argument::Immediate(-1), stack(-8)]);
        assert_eq!(arguments("movl ($1), $0")[0], Argument::Memory(0, Box::new(Argument::Operand(1, None))));
        assert_eq!(arguments("andl $$0xff, $0")[0], Argument::Immediate(255));
        assert_eq!(arguments("add$(l$|$) $0, $1").len(), 2);
    }

    #[test]
    fn several_instructions_come_in_order() {
        let names = |template| parse(template).map(|all| all.into_iter().map(|s| s.mnemonic).collect::<Vec<_>>());
        assert_eq!(names("lock; decl $0\n\tsete $1"), Ok(vec!["decl".to_owned(), "sete".to_owned()]));
        assert_eq!(names("lock; cmpxchg %ecx, ($1); setz $0; pause").map(|names| names.len()), Ok(3));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for template in ["movl %fs:0, $0", "jmp 1f", "lock", "movl ($0,$1,4), $2", "movl foo, $0", "rep movsb ;"] {
            let refused =
                parse(template).is_err() || parse(template).is_ok_and(|all| all[0].mnemonic.starts_with("rep"));
            assert!(refused, "{template}");
        }
    }
}
