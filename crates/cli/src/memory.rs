use std::fs;

/// The default of `--memory`: nine tenths of what the machine has to spare, so that a search ends with an answer and is
/// not killed. `None` where the system does not say.
pub fn default_limit() -> Option<u64> {
    amount(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:").map(|bytes| bytes / 10 * 9)
}

/// The most memory that this process has held so far. `None` where the system does not say.
pub fn peak() -> Option<u64> {
    amount(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// A line such as `MemAvailable:   12345 kB`.
fn amount(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn amounts_of_memory_are_read_in_kilobytes() {
        let available = |text| amount(text, "MemAvailable:");
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:   12345 kB\n"), Some(12345 * 1024));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(available("MemAvailable: many\n"), None);
    }
}
