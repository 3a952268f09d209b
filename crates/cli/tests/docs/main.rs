//! The documentation is true: its links lead somewhere, and its examples print what it says.

mod examples;
mod links;
mod normal;
mod pages;
