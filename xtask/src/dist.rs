//! `cargo xtask dist`: a tarball and a Debian package of the command, in `target/dist`, for machines without Rust. The
//! runtime that `fencepost cc` links is inside the binary. Its debug information is in a file of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, cargo, root};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const PROGRAM: &str = "programs/c/spinlock.c";

pub fn run() -> Result<(), String> {
    let dist = root().join("target/dist");
    let _ = fs::remove_dir_all(dist.join("files"));
    cargo(&["build", "--release", "--quiet", "--package", "fencepost"])?;
    let files = dist.join("files");
    let binary = stripped(&root().join("target/release/fencepost"), &files)?;
    shell(&binary, &["generate", &show(&files.join("generated"))])?;
    let name = format!("fencepost-{VERSION}-x86_64-linux");
    let tarball = tarball(&dist, &files, &name)?;
    let package = debian(&dist, &files)?;
    try_out(&dist, &tarball, &package)?;
    for made in [&tarball, &package, &files.join("fencepost.debug")] {
        let bytes = fs::metadata(made).map_or(0, |metadata| metadata.len());
        println!("{} ({:.1} MB)", made.display(), bytes as f64 / 1e6);
    }
    Ok(())
}

/// The binary without its debug information, which goes into `fencepost.debug` beside it.
fn stripped(built: &Path, files: &Path) -> Result<PathBuf, String> {
    make(files)?;
    let (binary, debug) = (files.join("fencepost"), files.join("fencepost.debug"));
    command::run("objcopy", &["--only-keep-debug", &show(built), &show(&debug)])?;
    command::run("objcopy", &["--strip-all", &show(built), &show(&binary)])?;
    command::run("objcopy", &[&format!("--add-gnu-debuglink={}", debug.display()), &show(&binary)])?;
    Ok(binary)
}

/// What goes where: below the root of a tarball, and below the root of a system.
fn contents() -> Vec<(String, String, String)> {
    let row = |from: &str, tarball: &str, system: &str| (from.to_owned(), tarball.to_owned(), system.to_owned());
    vec![
        row("fencepost", "bin/fencepost", "usr/bin/fencepost"),
        row(
            "generated/fencepost.bash",
            "completions/fencepost.bash",
            "usr/share/bash-completion/completions/fencepost",
        ),
        row("generated/_fencepost", "completions/_fencepost", "usr/share/zsh/vendor-completions/_fencepost"),
        row(
            "generated/fencepost.fish",
            "completions/fencepost.fish",
            "usr/share/fish/vendor_completions.d/fencepost.fish",
        ),
    ]
}

/// The man pages that were generated.
fn pages(files: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(files.join("generated")).map_err(|e| e.to_string())?;
    let pages = entries.flatten().map(|entry| entry.path());
    Ok(pages.filter(|path| path.extension().is_some_and(|extension| extension == "1")).collect())
}

fn tarball(dist: &Path, files: &Path, name: &str) -> Result<PathBuf, String> {
    let directory = files.join(name);
    for (from, to, _) in contents() {
        copy(&files.join(from), &directory.join(to))?;
    }
    for page in pages(files)? {
        copy(&page, &directory.join("man/man1").join(page.file_name().unwrap_or_default()))?;
    }
    for document in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(document), &directory.join(document))?;
    }
    let tarball = dist.join(format!("{name}.tar.gz"));
    let owner = ["--owner=0", "--group=0"];
    command::run("tar", &[&["-C", &show(files), "-czf", &show(&tarball)][..], &owner, &[name]].concat())?;
    Ok(tarball)
}

fn debian(dist: &Path, files: &Path) -> Result<PathBuf, String> {
    let system = files.join("debian");
    for (from, _, to) in contents() {
        copy(&files.join(from), &system.join(to))?;
    }
    for page in pages(files)? {
        let to = system.join("usr/share/man/man1").join(page.file_name().unwrap_or_default());
        copy(&page, &to)?;
        command::run("gzip", &["-9nf", &show(&to)])?;
    }
    let documents = system.join("usr/share/doc/fencepost");
    copy(&root().join("CHANGELOG.md"), &documents.join("changelog"))?;
    command::run("gzip", &["-9nf", &show(&documents.join("changelog"))])?;
    copy(&root().join("README.md"), &documents.join("README.md"))?;
    let licence = |name: &str| fs::read_to_string(root().join(name)).map_err(|e| format!("{name}: {e}"));
    let text = format!("MIT OR Apache-2.0\n\n{}\n\n{}", licence("LICENSE-MIT")?, licence("LICENSE-APACHE")?);
    write(&documents.join("copyright"), &text)?;
    write(&system.join("DEBIAN/control"), &control(&system)?)?;
    let package = dist.join(format!("fencepost_{VERSION}_amd64.deb"));
    command::run("dpkg-deb", &["--root-owner-group", "--build", &show(&system), &show(&package)])?;
    Ok(package)
}

fn control(system: &Path) -> Result<String, String> {
    let binary = fs::metadata(system.join("usr/bin/fencepost")).map_err(|e| e.to_string())?;
    let size = binary.len() / 1024;
    Ok(format!(
        "Package: fencepost\n\
         Version: {VERSION}\n\
         Architecture: amd64\n\
         Maintainer: The Fencepost maintainers <maintainers@localhost>\n\
         Section: devel\n\
         Priority: optional\n\
         Installed-Size: {size}\n\
         Depends: libc6 (>= {}), libgcc-s1\n\
         Recommends: clang, gcc, libc6-dev\n\
         Description: checks whether memory orderings are strong enough\n \
         Fencepost checks lock-free code: C, C++, litmus tests and models. It finds\n \
         data races and violations of robustness, explores all executions that a\n \
         memory model allows, and proves assertions.\n",
        needed_libc(&system.join("usr/bin/fencepost"))?
    ))
}

/// The newest version of the C library of which the binary needs a symbol.
fn needed_libc(binary: &Path) -> Result<String, String> {
    let output = Command::new("objdump").arg("-T").arg(binary).output().map_err(|e| format!("objdump: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let versions = text.split("GLIBC_").skip(1).map(|rest| rest.split([')', ' ', '\n']).next().unwrap_or(""));
    let number = |version: &str| version.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
    let newest = versions.max_by_key(|version| number(version));
    newest.map(str::to_owned).ok_or_else(|| "the binary needs no C library".to_owned())
}

/// Unpacks both, and uses them without a Rust toolchain in sight.
fn try_out(dist: &Path, tarball: &Path, package: &Path) -> Result<(), String> {
    let place = dist.join("files/tried");
    let (unpacked, installed) = (place.join("tarball"), place.join("debian"));
    make(&unpacked)?;
    command::run("tar", &["-C", &show(&unpacked), "--strip-components=1", "-xzf", &show(tarball)])?;
    command::run("dpkg-deb", &["-x", &show(package), &show(&installed)])?;
    for (binary, page) in [
        (unpacked.join("bin/fencepost"), unpacked.join("man/man1/fencepost-check.1")),
        (installed.join("usr/bin/fencepost"), installed.join("usr/share/man/man1/fencepost-check.1.gz")),
    ] {
        if !page.exists() {
            return Err(format!("{} is missing", page.display()));
        }
        let program = show(&place.join("program"));
        shell(&binary, &["check", PROGRAM])?;
        shell(&binary, &["explore", PROGRAM])?;
        shell(&binary, &["cc", "-O1", "-pthread", PROGRAM, "-o", &program])?;
        shell(&binary, &["run", "--", &program])?;
    }
    Ok(())
}

/// Runs the binary with the tools of the system alone.
fn shell(binary: &Path, arguments: &[&str]) -> Result<(), String> {
    let home = root().join("target/dist/files/home");
    make(&home)?;
    let mut command = Command::new(binary);
    command.args(arguments).current_dir(root()).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home);
    let output = command.output().map_err(|e| format!("{}: {e}", binary.display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{} {}: {}\n{said}", binary.display(), arguments.join(" "), output.status))
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn make(directory: &Path) -> Result<(), String> {
    fs::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map(drop).map_err(|e| format!("{} to {}: {e}", from.display(), to.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    make(path.parent().unwrap_or(path))?;
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
