//! `cargo xtask test`: what must pass before a commit.

use clap::Args;

use crate::binaries;
use crate::command::{cargo, cargo_with};
use crate::packages;

#[derive(Args)]
pub struct Arguments {
    /// Use only what is installed already
    #[arg(long)]
    no_install: bool,
    /// Try a tenth of the random programs
    #[arg(long)]
    quick: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    if !arguments.no_install {
        packages::install()?;
    }
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    if arguments.quick {
        return binaries::run(&[("FENCEPOST_TEST", "quick")]);
    }
    // The runtime as programs are linked with it, and not as its tests are.
    let runtime = ["--package", "fencepost-runtime", "--features", "standalone", "--lib", "--profile", "release"];
    cargo(&[&["clippy", "--quiet"][..], &runtime, &["--", "-D", "warnings", "-C", "panic=abort"]].concat())?;
    let warnings = [("RUSTDOCFLAGS", "-D warnings".to_owned())];
    cargo_with(&["doc", "--workspace", "--no-deps", "--quiet"], &warnings)?;
    minimum_version()?;
    binaries::run(&[])?;
    cargo(&["test", "--workspace", "--doc", "--quiet"])
}

/// Checks the workspace with the oldest compiler that it promises to work with, where rustup has it.
fn minimum_version() -> Result<(), String> {
    let version = env!("CARGO_PKG_RUST_VERSION");
    let listed = std::process::Command::new("rustup").args(["toolchain", "list"]).output();
    let installed = listed
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|line| line.starts_with(version)));
    if !installed {
        eprintln!("xtask: Rust {version} is not installed (`rustup toolchain install {version}`), so it is not tried");
        return Ok(());
    }
    let target = "target/minimum";
    crate::command::run("rustup", &["run", version, "cargo", "check", "--workspace", "--quiet", "--target-dir", target])
}
