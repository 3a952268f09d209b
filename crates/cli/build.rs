//! Builds the runtime as a static library, for `cc.rs` to embed. Stable cargo has no dependency on another crate's static
//! library, so this runs cargo once more, in a target directory of its own (two cargos in one would wait for each other).
//! The library is always optimised, whatever is being built: it is part of the programs that users run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let variable = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let crates = variable("CARGO_MANIFEST_DIR").parent().expect("the crate is in crates/").to_owned();
    for watched in ["runtime", "clocks", "wire", "../Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", crates.join(watched).display());
    }
    let out = variable("OUT_DIR");
    let library = out.join("libfencepost_runtime.a");
    let supported =
        env::var("CARGO_CFG_TARGET_ARCH").unwrap() == "x86_64" && env::var("CARGO_CFG_TARGET_OS").unwrap() == "linux";
    if supported {
        fs::copy(build(&crates.join("runtime"), &out), library).expect("the output directory is writable");
    } else {
        fs::write(library, []).expect("the output directory is writable");
    }
}

/// The path of the library.
fn build(runtime: &Path, out: &Path) -> PathBuf {
    // TARGET/PROFILE/build/PACKAGE/out: one library serves all profiles.
    let target = out.ancestors().nth(4).unwrap_or(out).join("fencepost-runtime");
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo sets it"));
    cargo.args(["rustc", "--quiet", "--release", "--lib", "--crate-type", "staticlib", "--features", "standalone"]);
    cargo.arg("--manifest-path").arg(runtime.join("Cargo.toml")).arg("--target-dir").arg(&target);
    for (key, _) in env::vars_os() {
        // What cargo and clippy set for this build is not meant for that one.
        let key_text = key.to_string_lossy();
        if key_text.starts_with("CARGO_") && key_text != "CARGO_HOME" || key_text.starts_with("RUSTC_W") {
            cargo.env_remove(key);
        }
    }
    cargo.env_remove("RUSTFLAGS").env_remove("CLIPPY_ARGS");
    cargo.env("CARGO_PROFILE_RELEASE_PANIC", "abort").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "fat").env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the runtime library could not be built");
    target.join("release/libfencepost_runtime.a")
}
