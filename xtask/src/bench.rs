//! `cargo xtask bench check`: the corpus of both Rocker papers, Fencepost beside SPIN. `bench explore`: executions a
//! second, beside GenMC. `bench run`: what native runs cost, beside ThreadSanitizer. `docs/evidence/bench.md` says how
//! to read them.

mod explore;
mod measure;
mod rows;
mod run;
mod spin;
mod table;

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::command::{cargo, exists, root};
use measure::{Check, check};
use rows::{Row, rows};
use spin::Spin;
use table::Table;

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The programs of both Rocker papers: states, time and memory, beside SPIN's on the same monitors
    Check(CheckArguments),
    /// Explorations: executions a second, two workers beside one, JAM21 beside RC11, and GenMC beside us
    Explore(explore::ExploreArguments),
    /// Native runs: time and memory beside ThreadSanitizer's, on the same objects
    Run(run::RunArguments),
}

#[derive(Args)]
struct CheckArguments {
    /// Only programs whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Leave out SPIN
    #[arg(long)]
    no_spin: bool,
    /// How long SPIN may search
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    spin_limit: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    match &arguments.what {
        What::Check(arguments) => bench_check(arguments),
        What::Explore(arguments) => explore::run(arguments),
        What::Run(arguments) => run::run(arguments),
    }
}

fn bench_check(arguments: &CheckArguments) -> Result<(), String> {
    let with_spin = !arguments.no_spin;
    if let Some(missing) = ["spin", "gcc"].into_iter().find(|program| with_spin && !exists(program)) {
        return Err(format!("`{missing}` was not found: `cargo xtask test` installs it, or pass --no-spin"));
    }
    let rows: Vec<Row> = rows()?.into_iter().filter(|row| row.program.contains(&arguments.filter)).collect();
    if rows.is_empty() {
        return Err(format!("no program's name contains `{}`", arguments.filter));
    }
    build()?;
    let mut table = Table::new(with_spin);
    print!("{}", table.header());
    for row in &rows {
        let ours: Check = check(&binary(), row)?;
        let theirs: Option<Spin> = match with_spin {
            true => Some(spin::search(&binary(), row, Duration::from_secs(arguments.spin_limit))?),
            false => None,
        };
        print!("{}", table.row(row, &ours, theirs.as_ref()));
    }
    print!("{}", table.footer());
    Ok(())
}

fn build() -> Result<(), String> {
    cargo(&["build", "--release", "--package", "fencepost"])
}

fn binary() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target));
    target.join("release").join("fencepost")
}
