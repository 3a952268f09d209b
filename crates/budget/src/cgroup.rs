//! What control groups (containers, batch systems) leave of the machine's memory.

use std::fs;
use std::path::Path;

/// Where a version of control groups is mounted, what its files are called, and the line of `memory.stat` for cached
/// files, which count as used but are given up when memory is needed.
struct Version {
    mount: &'static str,
    limit: &'static str,
    usage: &'static str,
    cached: &'static str,
}

const V1: Version = Version {
    mount: "sys/fs/cgroup/memory",
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cached: "total_inactive_file ",
};
const V2: Version =
    Version { mount: "sys/fs/cgroup", limit: "memory.max", usage: "memory.current", cached: "inactive_file " };

/// What is left in the group of this process and in those around it; nothing if none has a limit.
pub fn available() -> Option<u64> {
    available_below(Path::new("/"))
}

fn available_below(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    groups.lines().filter_map(group).filter_map(|(version, path)| version.available(root, path)).min()
}

/// A line such as `4:memory:/some/group` or, in version 2, `0::/some/group`.
fn group(line: &str) -> Option<(Version, &str)> {
    let mut fields = line.splitn(3, ':');
    match (fields.next()?, fields.next()?, fields.next()?) {
        ("0", "", path) => Some((V2, path)),
        (_, controllers, path) if controllers.split(',').any(|name| name == "memory") => Some((V1, path)),
        _ => None,
    }
}

impl Version {
    fn available(&self, root: &Path, path: &str) -> Option<u64> {
        let mount = root.join(self.mount);
        // In a container, the path may be that of the system outside, of which only the own group is mounted.
        let inner = mount.join(path.trim_start_matches('/'));
        let around = inner.ancestors().take_while(|group| group.starts_with(&mount));
        around.filter_map(|group| self.left_in(group)).min()
    }

    fn left_in(&self, group: &Path) -> Option<u64> {
        let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
        // Without a limit there is a word, or more than any machine has.
        let limit = number(self.limit)?;
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().find_map(|line| line.strip_prefix(self.cached)?.trim().parse::<u64>().ok());
        let used = number(self.usage)?.saturating_sub(cached.unwrap_or(0));
        Some(limit.saturating_sub(used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// The files of a system, by their names and texts.
    fn left(test: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = std::env::temp_dir().join(format!("fencepost-cgroup-{test}-{}", std::process::id()));
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let left = available_below(&root);
        fs::remove_dir_all(&root).unwrap();
        left
    }

    #[test]
    fn the_smallest_group_around_the_process_counts() {
        let files = [
            ("proc/self/cgroup", "0::/user/job\n"),
            ("sys/fs/cgroup/user/memory.max", "104857600\n"),
            ("sys/fs/cgroup/user/memory.current", "94371840\n"),
            ("sys/fs/cgroup/user/memory.stat", "file 9\ninactive_file 20971520\nactive_file 1\n"),
            ("sys/fs/cgroup/user/job/memory.max", "max\n"),
            ("sys/fs/cgroup/user/job/memory.current", "1048576\n"),
        ];
        assert_eq!(left("v2", &files), Some(30 * MIB));
    }

    #[test]
    fn the_first_version_has_other_names() {
        let files = [
            ("proc/self/cgroup", "5:devices:/a\n4:cpu,memory:/a/b\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n"),
            ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "2097152\n"),
            ("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "3145728\n"),
            ("sys/fs/cgroup/memory/a/b/memory.stat", "inactive_file 7\ntotal_inactive_file 1572864\n"),
        ];
        assert_eq!(left("v1", &files), Some(MIB / 2));
    }

    #[test]
    fn a_container_sees_its_group_as_the_root() {
        let files = [
            ("proc/self/cgroup", "4:memory:/docker/0123\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n"),
        ];
        assert_eq!(left("container", &files), Some(MIB));
    }

    #[test]
    fn without_groups_or_limits_nothing_is_said() {
        assert_eq!(left("none", &[("proc/self/status", "")]), None);
        let files = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "max\n")];
        assert_eq!(left("unlimited", &files), None);
    }
}
