//! What the project does to itself: `cargo xtask test`, `bench`, `soak`, `fuzz`, `table`, `corpus`,
//! `programs`, `docs`, `package`, `dist`.

mod bench;
mod binaries;
mod command;
mod corpus;
mod dist;
mod docs;
mod fuzz;
mod package;
mod packages;
mod programs;
mod soak;
mod table;
mod test;
mod usage;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "Automation for people who work on Fencepost")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what tests need, then check formatting, lints and all tests: what must pass before a commit
    Test(test::Arguments),
    /// Measure, beside a peer in the same run
    Bench(bench::Arguments),
    /// Compare the checker with the definitions on many random programs
    Soak(soak::Arguments),
    /// Try inputs that are almost programs on all readers and engines
    Fuzz(fuzz::Arguments),
    /// Make the tables of the papers again
    Table(table::Arguments),
    /// Run the benchmarks of other tools, and compare with the verdicts that their authors expect
    Corpus(corpus::Arguments),
    /// Write the generated programs of the corpus again
    Programs,
    /// Build docs/ as a book with mdBook, into target/book
    Docs(docs::Arguments),
    /// Make every crate's package, and install the command from its own
    Package,
    /// Make a tarball and a Debian package of the command, for machines without Rust
    Dist,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test(arguments) => test::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Soak(arguments) => soak::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Table(arguments) => table::run(&arguments),
        Task::Corpus(arguments) => corpus::run(&arguments),
        Task::Programs => programs::run(),
        Task::Docs(arguments) => docs::run(&arguments),
        Task::Package => package::run(),
        Task::Dist => dist::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
