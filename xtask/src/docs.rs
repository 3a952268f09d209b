//! `cargo xtask docs`: the pages of `docs/` as a book. mdBook is a tool and not a dependency: it would bring a web
//! server into `Cargo.lock`, and everybody who runs a test would build it.

use clap::Args;

use crate::command::{self, cargo, root};

const VERSION: &str = "0.5.4";

#[derive(Args)]
pub struct Arguments {
    /// Show the book in a browser
    #[arg(long)]
    open: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let tools = root().join("target/tools");
    let (tools, mdbook) = (tools.display().to_string(), tools.join("bin/mdbook").display().to_string());
    // Does nothing if this version is installed there already.
    cargo(&["install", "--quiet", "--locked", "--root", &tools, "mdbook", "--version", VERSION])?;
    let mut build = vec!["build"];
    if arguments.open {
        build.push("--open");
    }
    command::run(&mdbook, &build)?;
    eprintln!("xtask: the book is target/book/index.html");
    Ok(())
}
