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
    /// Tables 1 to 3 of paper 002: alarms and proofs on a family of litmus tests, by all methods
    Fruittree,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    match arguments.table {
        Table::Fruittree => {
            cargo(&["run", "--release", "--quiet", "-p", "fencepost-prove", "--example", "fruittree_table"])
        }
    }
}
