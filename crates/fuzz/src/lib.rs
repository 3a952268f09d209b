//! Fuzzing: inputs that are almost programs go through the readers, and those that are read through all engines, with
//! tiny limits. A panic, an abort, a stack overflow, too much memory or too much time is a finding. An input is a
//! function of its format and a seed, so that a finding can be made again by its seed; those that were repaired are
//! kept in `replay/`.

pub mod compile;
pub mod corpus;
pub mod engines;
pub mod mutate;
mod scraps;

use std::path::Path;

/// What an input is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Fp,
    Litmus,
    Ll,
    C,
}

impl Format {
    pub const ALL: [Format; 4] = [Format::Fp, Format::Litmus, Format::Ll, Format::C];

    pub fn extension(self) -> &'static str {
        match self {
            Format::Fp => "fp",
            Format::Litmus => "litmus",
            Format::Ll => "ll",
            Format::C => "c",
        }
    }

    pub fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        Format::ALL.into_iter().find(|format| format.extension() == extension)
    }
}
