//! FENCEPOST_OPTIONS: `name=value` pairs, separated by colons, commas or spaces, as in TSAN_OPTIONS.

use alloc::ffi::CString;
use alloc::string::String;

/// The memory model that accesses are checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// C, C++ and Rust, with `seq_cst` accesses.
    Rc11,
    /// The model of paper 000, which has no `seq_cst` accesses: they count as acquire and release.
    Rc20,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Threads run as the system lets them.
    Os,
    /// One thread at a time; at each step, any of those that can go on.
    Random,
    /// One thread at a time, by priorities that change `depth - 1` times (Burckhardt et al., ASPLOS 2010).
    Pct,
}

/// Name, default, meaning. `help=1` prints them, and the message about a name that is none of them lists them.
pub const NAMES: &[(&str, &str, &str)] = &[
    ("model", "rc11", "the memory model: rc11, or rc20, where seq_cst accesses count as acquire and release"),
    ("exitcode", "66", "the exit status if anything was reported; 0 keeps the program's own"),
    ("halt_on_error", "0", "1: end the program at its first violation"),
    ("races", "1", "0: report no data races"),
    ("robustness", "1", "0: report no robustness violations"),
    ("log_path", "", "append reports to this file, one JSON object a line, instead of text to standard error"),
    ("suppressions", "", "a file of reports that are not wanted, in the syntax of ThreadSanitizer"),
    ("schedule", "os", "who decides which thread runs: os (the system), random or pct (a seed)"),
    ("seed", "0", "of a random or pct schedule: the same seed is the same run"),
    ("depth", "3", "for pct: how many ordering constraints a bug may have"),
    ("steps", "1000", "for pct: about how many atomic accesses and synchronisations a run has"),
    ("renderer", "", "the program that turns reports into text, instead of the fencepost that linked this one"),
    ("verbose", "0", "1: say at the end how many reports there were"),
    ("help", "0", "1: print this list when the program starts"),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub model: Model,
    /// The exit status of a process that reported something; 0 keeps the program's own.
    pub exit_code: i32,
    pub halt_on_error: bool,
    /// Look for data races.
    pub races: bool,
    /// Look for robustness violations.
    pub robustness: bool,
    pub schedule: Schedule,
    pub seed: u64,
    /// For `pct`: how many ordering constraints a bug has that it should find.
    pub depth: u32,
    /// For `pct`: about how many steps a run takes.
    pub steps: u64,
    /// A file that takes raw reports, for `fencepost run`. It has a variable of its own, FENCEPOST_RAW: pairs cannot have all
    /// characters of a path.
    pub raw: Option<CString>,
    /// The program that renders reports, instead of the `fencepost` that linked this one.
    pub renderer: Option<String>,
    /// A summary when the process ends, even if nothing was found.
    pub verbose: bool,
    /// Print the options.
    pub help: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: Model::Rc11,
            exit_code: 66,
            halt_on_error: false,
            races: true,
            robustness: true,
            schedule: Schedule::Os,
            seed: 0,
            depth: 3,
            steps: 1000,
            raw: None,
            renderer: None,
            verbose: false,
            help: false,
        }
    }
}

impl Options {
    /// Reads the options, and passes what it does not understand to `complain`: name, value, and what was expected.
    pub fn parse(text: &str, mut complain: impl FnMut(&str, &str, &str)) -> Options {
        let mut options = Options::default();
        for pair in text.split([':', ',', ' ', '\t', '\n']).filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if let Err(expected) = options.set(name, value) {
                complain(name, value, expected);
            }
        }
        options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "model" => {
                self.model = match value {
                    "rc11" => Model::Rc11,
                    "rc20" => Model::Rc20,
                    _ => return Err("rc11 or rc20"),
                }
            }
            "exitcode" => self.exit_code = i32::from(value.parse::<u8>().map_err(|_| "a number up to 255")?),
            "halt_on_error" => self.halt_on_error = flag(value)?,
            "races" => self.races = flag(value)?,
            "robustness" => self.robustness = flag(value)?,
            "schedule" => {
                self.schedule = match value {
                    "os" => Schedule::Os,
                    "random" => Schedule::Random,
                    "pct" => Schedule::Pct,
                    _ => return Err("os, random or pct"),
                }
            }
            "seed" => self.seed = value.parse().map_err(|_| "a number")?,
            "depth" => self.depth = value.parse().map_err(|_| "a number")?,
            "steps" => self.steps = value.parse::<u64>().map_err(|_| "a number")?.max(1),
            "renderer" => self.renderer = Some(value.into()),
            "verbose" => self.verbose = flag(value)?,
            "help" => self.help = flag(value)?,
            // The renderer's own.
            "log_path" | "suppressions" => {}
            _ => return Err("one of the names that help=1 lists"),
        }
        Ok(())
    }
}

fn flag(value: &str) -> Result<bool, &'static str> {
    match value {
        "1" | "true" | "yes" => Ok(true),
        "0" | "false" | "no" => Ok(false),
        _ => Err("0 or 1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_are_told() {
        let mut mistakes = Vec::new();
        let options =
            Options::parse("model=rc20:exitcode=7 halt_on_error=1,seed=42:colour=red:exitcode=x", |name, value, _| {
                mistakes.push(format!("{name}={value}"));
            });
        let expected =
            Options { model: Model::Rc20, exit_code: 7, halt_on_error: true, seed: 42, ..Options::default() };
        assert_eq!(options, expected);
        assert_eq!(mistakes, ["colour=red", "exitcode=x"]);
    }

    #[test]
    fn the_list_of_options_is_what_is_understood_and_what_the_documentation_has() {
        let documentation = include_str!("../../../docs/guide/run.md");
        for (name, default, _) in NAMES {
            if !default.is_empty() {
                let options = Options::parse(&format!("{name}={default}"), |name, value, expected| {
                    panic!("{name}={value}: {expected}");
                });
                assert_eq!(options, Options::default(), "{name}");
            }
            assert!(documentation.contains(&format!("`{name}`")), "docs/guide/run.md does not tell of {name}");
        }
    }

    #[test]
    fn no_options_are_the_default() {
        assert_eq!(Options::parse("", |_, _, _| panic!("nothing to complain about")), Options::default());
    }
}
