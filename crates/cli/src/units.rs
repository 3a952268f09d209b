//! Amounts with units, as limits are given: `10s`, `1.5h`, `4GiB`.

use std::time::Duration;

const SECONDS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
const BYTES: [(&str, f64); 8] = [
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1048576.0),
    ("GiB", 1073741824.0),
    ("TiB", 1099511627776.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
];

pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds = amount(text, &SECONDS, "10s, 2m, 1.5h or 500ms")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "this is too long".into())
}

pub fn bytes(text: &str) -> Result<u64, String> {
    let bytes = amount(text, &BYTES, "512MiB, 4GiB or 2GB")?;
    if bytes < 1.0 {
        return Err("this is less than one byte".into());
    }
    Ok(bytes as u64)
}

fn amount(text: &str, units: &[(&str, f64)], examples: &str) -> Result<f64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..digits], text[digits..].trim_start());
    let factor = units.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, factor)| factor);
    match (number.parse::<f64>(), factor) {
        (Ok(number), Some(factor)) => Ok(number * factor),
        _ => Err(format!("expected a number and a unit, such as {examples}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("500 ms"), Ok(Duration::from_millis(500)));
    }

    #[test]
    fn sizes_are_binary_or_decimal_by_their_unit() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("1.5kib"), Ok(1536));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
    }

    #[test]
    fn what_is_not_an_amount_is_refused() {
        for text in ["", "s", "10", "-1s", "1..2s", "10 days", "NaNs", "infs", "é", "1é"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(duration(&format!("{}h", "9".repeat(400))).is_err());
        assert!(bytes("0.1B").is_err());
    }
}
