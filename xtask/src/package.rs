//! `cargo xtask package`: every crate as cargo would publish it, into `target/package`, and the command installed from
//! its package.
//!
//! `fencepost cc` links programs with the runtime, which `crates/cli/build.rs` builds. A package has no crates beside
//! it, so the sources of the runtime go into the package of the command. Cargo leaves out directories that look like
//! packages; hence the manifests there have another name.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{self, cargo, root};

/// What the runtime library is made of.
const RUNTIME: [&str; 3] = ["wire", "clocks", "runtime"];
/// What is not published.
const OURS_ALONE: [&str; 4] = ["fencepost-oracle", "fencepost-fuzz", "fencepost-testing", "xtask"];

pub fn run() -> Result<(), String> {
    let runtime = root().join("crates/cli/runtime");
    let result = embed(&runtime).and_then(|()| {
        let all = ["package", "--workspace", "--allow-dirty", "--quiet"];
        let excluded: Vec<&str> = OURS_ALONE.iter().flat_map(|package| ["--exclude", package]).collect();
        cargo(&[&all[..], &excluded].concat())
    });
    let removed = fs::remove_dir_all(&runtime).map_err(|e| format!("{}: {e}", runtime.display()));
    result.and(removed)?;
    install()
}

/// Puts the sources of the runtime where the package of the command has them.
fn embed(runtime: &Path) -> Result<(), String> {
    let packages: Vec<String> = RUNTIME.iter().map(|name| format!("fencepost-{name}")).collect();
    let mut arguments = vec!["package", "--allow-dirty", "--quiet", "--no-verify"];
    arguments.extend(packages.iter().flat_map(|package| ["--package", package]));
    cargo(&arguments)?;
    let fail = |e: std::io::Error| format!("{}: {e}", runtime.display());
    let _ = fs::remove_dir_all(runtime);
    fs::create_dir_all(runtime).map_err(fail)?;
    for name in RUNTIME {
        unpack(&format!("fencepost-{name}"), runtime)?;
        let package = runtime.join(format!("fencepost-{name}-{}", env!("CARGO_PKG_VERSION")));
        let crate_directory = runtime.join(name);
        fs::rename(package, &crate_directory).map_err(fail)?;
        fs::rename(crate_directory.join("Cargo.toml"), crate_directory.join("manifest")).map_err(fail)?;
        for unused in ["Cargo.toml.orig", "Cargo.lock", ".cargo_vcs_info.json"] {
            fs::remove_file(crate_directory.join(unused)).map_err(fail)?;
        }
    }
    Ok(())
}

/// Unpacks a package below a directory.
fn unpack(package: &str, directory: &Path) -> Result<(), String> {
    let archive = root().join(format!("target/package/{package}-{}.crate", env!("CARGO_PKG_VERSION")));
    let (archive, directory) = (archive.display().to_string(), directory.display().to_string());
    command::run("tar", &["-xzf", &archive, "-C", &directory])
}

/// Installs the command from its package, and lets it compile a program.
fn install() -> Result<(), String> {
    let place = root().join("target/packaged");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
    let mut patches = Vec::new();
    for entry in fs::read_dir(root().join("crates")).map_err(|e| e.to_string())?.flatten() {
        let name = match entry.file_name().to_string_lossy().as_ref() {
            "oracle" | "fuzz" | "testing" => continue,
            "cli" => "fencepost".to_owned(),
            name => format!("fencepost-{name}"),
        };
        unpack(&name, &place)?;
        let unpacked = place.join(format!("{name}-{}", env!("CARGO_PKG_VERSION")));
        // None of them is on the registry yet.
        patches.push(format!("patch.crates-io.{name}.path='{}'", unpacked.display()));
    }
    let command = place.join(format!("fencepost-{}", env!("CARGO_PKG_VERSION"))).display().to_string();
    let installed = place.join("installed");
    let (target, to) = (place.join("target").display().to_string(), installed.display().to_string());
    let mut arguments = vec!["install", "--quiet", "--path", &command, "--root", &to, "--target-dir", &target];
    arguments.extend(patches.iter().flat_map(|patch| ["--config", patch.as_str()]));
    cargo(&arguments)?;
    let fencepost = installed.join("bin/fencepost").display().to_string();
    let program = installed.join("program").display().to_string();
    command::run(&fencepost, &["cc", "-O1", "-pthread", "programs/c/spinlock.c", "-o", &program])?;
    let status = Command::new(&program).status().map_err(|e| format!("{program}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed ({status})")) }
}
