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
        /// Names of larger programs, methods and models: only these, and no litmus tests. `alarms` lists what is not
        /// proved, `write` writes programs/prove/large/expected.csv
        wanted: Vec<String>,
    },
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    match &arguments.table {
        Table::Fruittree { wanted } => {
            let mut run =
                vec!["run", "--release", "--quiet", "-p", "fencepost-prove", "--example", "fruittree_table", "--"];
            run.extend(wanted.iter().map(String::as_str));
            cargo(&run)
        }
    }
}
