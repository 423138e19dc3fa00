//! What memory the machine has left for this program. Linux tells it, and so do the limits of control groups.

use lightloom_request::Memory;
use lightloom_units::DataSize;

/// What the machine has left for this program when work begins.
pub fn memory() -> Memory {
    Memory::Left(left)
}

/// What the machine has left. `None` where no file tells it.
#[cfg(feature = "folders")]
fn left() -> Option<DataSize> {
    use std::path::Path;
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let available = read(Path::new("/proc/meminfo")).and_then(|t| kilobytes(&t, "MemAvailable:"));
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    available.into_iter().chain(in_groups(&groups, &read)).min().map(DataSize::from_bytes)
}

/// Nothing is known: a build without folders has no files to read.
#[cfg(not(feature = "folders"))]
fn left() -> Option<DataSize> {
    None
}

/// The bytes that a line such as `MemAvailable:   123 kB` tells.
#[cfg(any(feature = "folders", test))]
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// What the limits of the control groups of this program leave, group by group. `groups` is /proc/self/cgroup.
#[cfg(any(feature = "folders", test))]
fn in_groups(groups: &str, read: &dyn Fn(&std::path::Path) -> Option<String>) -> Vec<u64> {
    use std::path::Path;
    let mut left = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(kinds), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        // Version 2 has one tree, and version 1 one for each kind of limit.
        let (root, most, now) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            kinds if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        let path = Path::new(path.trim_start_matches('/'));
        for group in path.ancestors() {
            let folder = Path::new(root).join(group);
            let number = |file: &str| read(&folder.join(file))?.trim().parse::<u64>().ok();
            // Without a limit the file says max.
            let (Some(most), Some(now)) = (number(most), number(now)) else { continue };
            // Pages of files that are given back when memory is short.
            let stat = read(&folder.join("memory.stat")).unwrap_or_default();
            let cached = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
            let cached = cached.and_then(|number| number.trim().parse().ok()).unwrap_or(0);
            left.push(most.saturating_sub(now.saturating_sub(cached)));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_kernel_are_read_in_bytes() {
        let text = "MemTotal: 10 kB\nMemAvailable:      7 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(7 * 1024));
        assert_eq!(kilobytes(text, "SwapFree:"), None);
        assert_eq!(kilobytes("MemAvailable: many kB", "MemAvailable:"), None);
    }

    #[test]
    fn the_limits_of_all_groups_above_count() {
        let files = |path: &std::path::Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/a/b/memory.max" => "max",
                "/sys/fs/cgroup/a/b/memory.current" => "1",
                "/sys/fs/cgroup/a/memory.max" => "1000\n",
                "/sys/fs/cgroup/a/memory.current" => "600\n",
                "/sys/fs/cgroup/a/memory.stat" => "anon 5\ninactive_file 100\n",
                "/sys/fs/cgroup/memory/c/memory.limit_in_bytes" => "70",
                "/sys/fs/cgroup/memory/c/memory.usage_in_bytes" => "80",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(in_groups("0::/a/b\n", &files), [500]);
        assert_eq!(in_groups("5:cpu,memory:/c\n4:cpu:/x\n", &files), [0]);
        assert_eq!(in_groups("no such line", &files), Vec::<u64>::new());
    }
}
