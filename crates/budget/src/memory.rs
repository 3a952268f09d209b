//! How much memory the process holds, and how much there is. `None` where the system does not say.

use std::fs;

use crate::cgroup;

/// What there is to spare: in the machine, and in the control groups around the process.
pub fn available() -> Option<u64> {
    let machine = amount(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    Some(cgroup::available().map_or(machine, |group| group.min(machine)))
}

/// What the process holds now.
pub fn resident() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    pages.checked_mul(page_size()?)
}

/// The most that the process has held since [`reset_peak`].
pub fn peak() -> Option<u64> {
    amount(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Lets the peak be that of what follows.
pub fn reset_peak() {
    // Where this is not allowed, the peak is that of the whole process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

#[cfg(unix)]
fn page_size() -> Option<u64> {
    nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok()??.try_into().ok()
}

#[cfg(not(unix))]
fn page_size() -> Option<u64> {
    None
}

/// A line such as `MemAvailable:   12345 kB`.
fn amount(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory_are_read_in_kilobytes() {
        let available = |text| amount(text, "MemAvailable:");
        assert_eq!(available("MemTotal:  9 kB\nMemAvailable:   12345 kB\n"), Some(12345 * 1024));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(available("MemAvailable: many\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_held_is_seen() {
        let before = resident().unwrap();
        let held = vec![1u8; 64 << 20];
        let after = resident().unwrap();
        assert!(after >= before + (48 << 20), "{before} {after} {}", held[after as usize % held.len()]);
        assert!(peak().unwrap() >= after - (8 << 20));
    }
}
