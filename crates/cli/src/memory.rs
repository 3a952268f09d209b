use std::fs;

/// The default of `--memory`: nine tenths of what the machine has to spare, so that a search ends with an answer and is
/// not killed. `None` where the system does not say.
pub fn default_limit() -> Option<u64> {
    available(&fs::read_to_string("/proc/meminfo").ok()?).map(|bytes| bytes / 10 * 9)
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::available;

    #[test]
    fn available_memory_is_read_in_kilobytes() {
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:   12345 kB\n"), Some(12345 * 1024));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(available("MemAvailable: many\n"), None);
    }
}
