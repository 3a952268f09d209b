//! Amounts with units, as limits are given: `10s`, `1.5h`, `4GiB`.

use bytesize::ByteSize;
pub use humantime::parse_duration as duration;

pub fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    // `ByteSize` takes a number without a unit as bytes: `--memory 4` would stop every search at once.
    let has_unit = text.ends_with(|c: char| c.is_ascii_alphabetic());
    let Some(ByteSize(bytes)) = text.parse().ok().filter(|_| has_unit) else {
        return Err("expected a number and a unit, such as 512MiB, 4GiB or 2GB".into());
    };
    if bytes == 0 {
        return Err("this is less than one byte".into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(duration("500 ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1m 30s"), Ok(Duration::from_secs(90)));
    }

    #[test]
    fn sizes_are_binary_or_decimal_by_their_unit() {
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("1.5kib"), Ok(1536));
        assert_eq!(bytes("2GB"), Ok(2_000_000_000));
        assert_eq!(bytes(" 512 MiB "), Ok(512 << 20));
    }

    #[test]
    fn what_is_not_an_amount_is_refused() {
        for text in ["", "s", "10", "-1s", "1..2s", "10 parsecs", "NaNs", "infs", "é", "1é"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(duration(&format!("{}h", "9".repeat(400))).is_err());
        for text in ["", "GiB", "10", "-1B", "1..2kB", "10 pages", "0.1B", "é", "1é"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
