use std::env;
use std::path::PathBuf;
use std::process::Command;

/// Runs a command in the root of the repository and shows what it does.
pub fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    run_with(program, arguments, &[])
}

fn run_with(program: &str, arguments: &[&str], environment: &[(&str, String)]) -> Result<(), String> {
    let shown = format!("{program} {}", arguments.join(" "));
    eprintln!("xtask: {shown}");
    let environment = environment.iter().map(|(name, value)| (name, value));
    let status = Command::new(program).args(arguments).envs(environment).current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` failed ({status})")),
        Err(e) => Err(format!("`{shown}` could not be started: {e}")),
    }
}

/// The cargo that runs this, so that a toolchain override stays in force.
pub fn cargo(arguments: &[&str]) -> Result<(), String> {
    cargo_with(arguments, &[])
}

pub fn cargo_with(arguments: &[&str], environment: &[(&str, String)]) -> Result<(), String> {
    run_with(&cargo_program(), arguments, environment)
}

pub fn cargo_program() -> String {
    env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}

/// Whether a program can be found.
pub fn exists(program: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}

/// The root of the repository.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}
