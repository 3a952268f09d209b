//! `cargo xtask table fruittree`: the tables of paper 002 beside ours.

use clap::{Args, Subcommand};

use crate::command::cargo;

#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    table: Table,
}

#[derive(Subcommand)]
enum Table {
    /// Tables 1 to 4 of paper 002: alarms and proofs on a family of litmus tests and on larger programs, by all methods
    Fruittree {
        /// Of the larger programs only these, and no litmus tests
        programs: Vec<String>,
    },
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    match &arguments.table {
        Table::Fruittree { programs } => {
            let mut run =
                vec!["run", "--release", "--quiet", "-p", "fencepost-prove", "--example", "fruittree_table", "--"];
            run.extend(programs.iter().map(String::as_str));
            cargo(&run)
        }
    }
}
