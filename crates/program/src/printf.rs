//! What `printf` makes of its arguments.

use crate::Value;

/// Formats as C does. `string` gives what a pointer for `%s` points to. A conversion that is not known, or has no
/// argument, stays as it is.
pub(crate) fn printf(format: &[u8], args: &[Value], string: impl Fn(u64) -> String) -> String {
    let mut out = String::new();
    let mut args = args.iter().copied();
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        out += &String::from_utf8_lossy(&rest[..percent]);
        rest = &rest[percent..];
        let mut left = args.clone();
        match Conversion::read(rest, &mut left).and_then(|(c, length)| Some((c.format(&mut left, &string)?, length))) {
            Some((text, length)) => {
                (args, rest) = (left, &rest[length..]);
                out += &text;
            }
            None => {
                out.push('%');
                rest = &rest[1..];
            }
        }
    }
    out + &String::from_utf8_lossy(rest)
}

struct Conversion {
    left: bool,
    zeros: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    width: usize,
    precision: Option<usize>,
    /// Of an integer.
    bits: u32,
    kind: u8,
}

/// Maximum width and precision of a conversion.
const MOST_COLUMNS: usize = 1_000;

impl Conversion {
    /// Reads a conversion, and how long it is. A width or precision of `*` takes an argument.
    fn read(text: &[u8], args: &mut impl Iterator<Item = Value>) -> Option<(Conversion, usize)> {
        let mut at = 1;
        let flags = text[1..].iter().take_while(|byte| b"-0+ #".contains(byte)).count();
        let has = |flag: u8| text[1..1 + flags].contains(&flag);
        let mut left = has(b'-');
        at += flags;
        let mut number = |at: &mut usize| -> Option<Value> {
            if text.get(*at) == Some(&b'*') {
                *at += 1;
                return Some(i64::from(args.next()? as i32));
            }
            let digits = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(&text[*at..*at + digits]).ok()?.parse().unwrap_or(0);
            *at += digits;
            Some(number)
        };
        let width = number(&mut at)?;
        left |= width < 0;
        let mut precision = None;
        if text.get(at) == Some(&b'.') {
            at += 1;
            precision = usize::try_from(number(&mut at)?).ok().map(|p| p.min(MOST_COLUMNS));
        }
        let length = text[at..].iter().take_while(|byte| b"hlqjztL".contains(byte)).count();
        let bits = match &text[at..at + length] {
            b"" => 32,
            b"h" => 16,
            b"hh" => 8,
            _ => 64,
        };
        at += length;
        let conversion = Conversion {
            left,
            zeros: has(b'0'),
            plus: has(b'+'),
            space: has(b' '),
            alternative: has(b'#'),
            width: (width.unsigned_abs() as usize).min(MOST_COLUMNS),
            precision,
            bits,
            kind: *text.get(at)?,
        };
        Some((conversion, at + 1))
    }

    fn format(&self, args: &mut impl Iterator<Item = Value>, string: &impl Fn(u64) -> String) -> Option<String> {
        let (sign, digits) = match self.kind {
            b'%' => return Some("%".to_owned()),
            b'd' | b'i' => {
                let value = args.next()? << (64 - self.bits) >> (64 - self.bits);
                (self.sign(value < 0), self.digits(value.unsigned_abs().to_string()))
            }
            b'u' => (String::new(), self.digits(self.unsigned(args.next()?).to_string())),
            b'x' | b'X' | b'o' => {
                let value = self.unsigned(args.next()?);
                let (prefix, digits) = match self.kind {
                    b'x' => ("0x", format!("{value:x}")),
                    b'X' => ("0X", format!("{value:X}")),
                    _ => ("0", format!("{value:o}")),
                };
                let prefix = if self.alternative && value != 0 { prefix } else { "" };
                (prefix.to_owned(), self.digits(digits))
            }
            b'p' => match args.next()? as u64 {
                0 => return Some(self.padded(String::new(), "(nil)".to_owned(), false)),
                pointer => ("0x".to_owned(), format!("{pointer:x}")),
            },
            b'c' => {
                let text = String::from_utf8_lossy(&[args.next()? as u8]).into_owned();
                return Some(self.padded(String::new(), text, false));
            }
            b's' => {
                let text = match args.next()? as u64 {
                    0 => "(null)".to_owned(),
                    pointer => string(pointer),
                };
                let text = text.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
                return Some(self.padded(String::new(), text, false));
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let value = f64::from_bits(args.next()? as u64);
                (self.sign(value.is_sign_negative()), self.float(value.abs()))
            }
            _ => return None,
        };
        let zeros = self.zeros
            && !self.left
            && (self.precision.is_none() || self.kind.is_ascii_lowercase() && b"feg".contains(&self.kind));
        Some(self.padded(sign, digits, zeros))
    }

    fn unsigned(&self, value: Value) -> u64 {
        value as u64 & (u64::MAX >> (64 - self.bits))
    }

    fn sign(&self, negative: bool) -> String {
        let sign = match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        };
        sign.to_owned()
    }

    /// At least as many digits as the precision says.
    fn digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{digits:0>precision$}"),
            None => digits,
        }
    }

    fn float(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        if !value.is_finite() {
            return if value.is_nan() { "nan" } else { "inf" }.to_owned();
        }
        let text = match self.kind.to_ascii_lowercase() {
            b'f' => format!("{value:.precision$}"),
            b'e' => exponential(value, precision),
            _ => {
                let significant = precision.max(1);
                let rounded = format!("{value:.*e}", significant - 1);
                let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
                let text = if exponent < -4 || exponent >= significant as i32 {
                    exponential(value, significant - 1)
                } else {
                    format!("{value:.*}", (significant as i32 - 1 - exponent).max(0) as usize)
                };
                if self.alternative { text } else { without_zeros(text) }
            }
        };
        if self.kind.is_ascii_uppercase() { text.to_uppercase() } else { text }
    }

    fn padded(&self, sign: String, text: String, zeros: bool) -> String {
        let room = self.width.saturating_sub(sign.chars().count() + text.chars().count());
        match (self.left, zeros) {
            (true, _) => sign + &text + &" ".repeat(room),
            (false, true) => sign + &"0".repeat(room) + &text,
            (false, false) => " ".repeat(room) + &sign + &text,
        }
    }
}

/// With a sign and at least two digits in the exponent.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
    format!("{digits}e{sign}{exponent:0>2}")
}

fn without_zeros(text: String) -> String {
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), format!("e{exponent}")),
        None => (text, String::new()),
    };
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned() + &exponent,
        false => digits + &exponent,
    }
}

#[cfg(test)]
mod tests {
    use super::printf;

    fn formatted(format: &str, args: &[i64]) -> String {
        printf(format.as_bytes(), args, |pointer| format!("<{pointer}>"))
    }

    #[test]
    fn conversions_give_what_c_gives() {
        // What glibc prints.
        let float = |value: f64| value.to_bits() as i64;
        for (format, args, expected) in [
            ("%d %i %u", vec![-1, 7, -1], "-1 7 4294967295"),
            ("%ld %lu %zu", vec![-1, -1, 5], "-1 18446744073709551615 5"),
            ("%x %X %#x %o", vec![255, 255, 255, 8], "ff FF 0xff 10"),
            ("[%5d|%-5d|%05d|%+d]", vec![42, 42, 42, 42], "[   42|42   |00042|+42]"),
            ("[%*d|%.3d|%5.3d]", vec![4, 1, 1, 1], "[   1|001|  001]"),
            ("%c%c %s %.2s", vec![72, 105, 3, 4], "Hi <3> <4"),
            ("%hhd %hd %hhu", vec![300, 70000, 300], "44 4464 44"),
            ("%p %p", vec![0, 0x10], "(nil) 0x10"),
            ("100%%", vec![], "100%"),
            (
                "%f %.2f %e %g %g",
                vec![float(1.5), float(-0.125), float(12345.0), float(0.0001), float(1e10)],
                "1.500000 -0.12 1.234500e+04 0.0001 1e+10",
            ),
            ("%y %d", vec![1], "%y 1"),
            ("%d and %d", vec![1], "1 and %d"),
            ("%", vec![], "%"),
        ] {
            assert_eq!(formatted(format, &args), expected, "{format}");
        }
    }

    #[test]
    fn any_format_is_taken() {
        let mut random = 1u64;
        for _ in 0..20_000 {
            let format: Vec<u8> = (0..12)
                .map(|_| {
                    random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    b"%%%%d5*.-+0 #lhzsxgefcp9y"[(random >> 33) as usize % 25]
                })
                .collect();
            printf(&format, &[random as i64, -1, 1 << 40], |_| String::new());
        }
    }
}
