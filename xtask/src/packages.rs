//! The programs that tests need: SPIN searches exported models, with verifiers that tcc or gcc compiles; Graphviz reads
//! graphs; clang compiles C programs for the analysis, and to compare with; gcc and g++ also build programs for
//! `fencepost run`; Chromium opens reports.

use std::path::Path;

use crate::command::{exists, run};

struct Tool {
    program: &'static str,
    packages: &'static [&'static str],
}

const TOOLS: [Tool; 7] = [
    Tool { program: "spin", packages: &["spin"] },
    Tool { program: "tcc", packages: &["tcc"] },
    Tool { program: "gcc", packages: &["gcc", "libc6-dev"] },
    Tool { program: "g++", packages: &["g++"] },
    Tool { program: "dot", packages: &["graphviz"] },
    Tool { program: "clang-19", packages: &["clang-19"] },
    Tool { program: "chromedriver", packages: &["chromium", "chromium-driver"] },
];

/// libc++, with which some C++ programs are compiled too.
const LIBCXX: (&str, [&str; 2]) = ("/usr/lib/llvm-19/include/c++/v1/__config", ["libc++-19-dev", "libc++abi-19-dev"]);

/// Installs what is missing, where that is known how.
pub fn install() -> Result<(), String> {
    let mut missing: Vec<&str> =
        TOOLS.iter().filter(|tool| !exists(tool.program)).flat_map(|tool| tool.packages).copied().collect();
    let (header, packages) = LIBCXX;
    if !Path::new(header).exists() {
        missing.extend(packages);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if !Path::new("/etc/debian_version").exists() || !exists("apt-get") {
        eprintln!("xtask: not a Debian system, so nothing is installed; tests that need {list} may fail");
        return Ok(());
    }
    eprintln!("xtask: installing the Debian packages that tests need: {list}");
    as_root(&["apt-get", "update", "-q"])?;
    let mut install = vec!["apt-get", "install", "-q", "-y", "--no-install-recommends"];
    install.extend(missing);
    as_root(&install)
}

fn as_root(command: &[&str]) -> Result<(), String> {
    if is_root() {
        run(command[0], &command[1..])
    } else if exists("sudo") {
        run("sudo", command)
    } else {
        Err(format!("neither root nor sudo: run `{}` yourself, or pass --no-install", command.join(" ")))
    }
}

/// Our own process directory belongs to our user.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}
