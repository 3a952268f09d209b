//! The documentation is true: its links lead somewhere.

mod links;
mod pages;
