//! Builds the runtime as a static library, for `cc.rs` to embed. Stable cargo has no dependency on another crate's
//! static library, so this runs cargo once more, in a target directory of its own (two cargos in one would wait for
//! each other). The library is always optimised, whatever is being built: it is part of the programs that users run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let variable = |name| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let here = variable("CARGO_MANIFEST_DIR");
    let out = variable("OUT_DIR");
    // In a package, the sources are inside; in the repository, they are beside this crate.
    let packaged = here.join("runtime");
    let crates = if packaged.is_dir() { unpacked(&packaged, &out) } else { here.join("..") };
    for watched in ["runtime", "clocks", "wire", "../Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", crates.join(watched).display());
    }
    fs::copy(crates.join("runtime/exported.txt"), out.join("exported.txt"))
        .expect("the runtime has a list of its symbols");
    let library = out.join("libfencepost_runtime.a");
    let supported =
        env::var("CARGO_CFG_TARGET_ARCH").unwrap() == "x86_64" && env::var("CARGO_CFG_TARGET_OS").unwrap() == "linux";
    if supported {
        fs::copy(build(&crates.join("runtime"), &out), library).expect("the output directory is writable");
    } else {
        fs::write(library, []).expect("the output directory is writable");
    }
}

/// The sources of a package, as a workspace.
fn unpacked(packaged: &Path, out: &Path) -> PathBuf {
    let crates = out.join("runtime-sources");
    let members = ["wire", "clocks", "runtime"];
    for member in members {
        copy(&packaged.join(member), &crates.join(member)).expect("the output directory is writable");
    }
    let patches = members.map(|member| format!("fencepost-{member} = {{ path = \"{member}\" }}")).join("\n");
    let workspace = format!("[workspace]\nmembers = {members:?}\nresolver = \"3\"\n[patch.crates-io]\n{patches}\n");
    fs::write(crates.join("Cargo.toml"), workspace).expect("the output directory is writable");
    crates
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to.join(name))?;
        } else {
            // Cargo leaves out of a package what has a `Cargo.toml` of its own.
            let name = if name == "manifest" { "Cargo.toml".into() } else { name };
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
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
