//! The documentation is true: links lead somewhere, examples print what pages say, and the table of crates is complete.

mod architecture;
mod examples;
mod links;
mod normal;
mod pages;
mod width;
