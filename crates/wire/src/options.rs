//! What a program is told through its environment: `name=value` pairs, separated by colons, commas or white space, as
//! in TSAN_OPTIONS. A backslash takes away the meaning of the character after it: `log_path=/tmp/my\ log`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::EXIT_STATUS;

/// The memory model that accesses are checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// C, C++ and Rust, with `seq_cst` accesses.
    Rc11,
    /// The model of paper 000, which has no `seq_cst` accesses: they count as acquire and release.
    Rc20,
}

impl Model {
    pub const ALL: [Model; 2] = [Model::Rc11, Model::Rc20];

    pub const fn name(self) -> &'static str {
        match self {
            Model::Rc11 => "rc11",
            Model::Rc20 => "rc20",
        }
    }

    pub fn named(name: &str) -> Option<Model> {
        Model::ALL.into_iter().find(|model| model.name() == name)
    }
}

/// Scheduling policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Threads run as the system lets them.
    Os,
    /// One thread at a time; at each step, any of those that can go on.
    Random,
    /// One thread at a time, by priorities that change `depth - 1` times (Burckhardt et al., ASPLOS 2010).
    Pct,
}

impl Schedule {
    pub const ALL: [Schedule; 3] = [Schedule::Os, Schedule::Random, Schedule::Pct];

    pub const fn name(self) -> &'static str {
        match self {
            Schedule::Os => "os",
            Schedule::Random => "random",
            Schedule::Pct => "pct",
        }
    }

    pub fn named(name: &str) -> Option<Schedule> {
        Schedule::ALL.into_iter().find(|schedule| schedule.name() == name)
    }
}

/// Name and meaning. `help=1` prints them, and the message about any other name refers to that.
pub const NAMES: &[(&str, &str)] = &[
    ("model", "the memory model: rc11, or rc20, where seq_cst accesses count as acquire and release"),
    ("exitcode", "the exit status if anything was reported; 0 keeps the program's own"),
    ("halt_on_error", "1: end the program at its first violation"),
    ("races", "0: report no data races"),
    ("robustness", "0: report no robustness violations"),
    ("log_path", "append reports to this file, one JSON object per line, instead of text to standard error"),
    ("suppressions", "file of findings to suppress, in the syntax of ThreadSanitizer"),
    ("schedule", "scheduling policy: os (the operating system), random or pct (by a seed)"),
    ("seed", "seed of a random or pct schedule; the same seed repeats a run"),
    ("depth", "for pct: number of ordering constraints that a bug may need"),
    ("steps", "for pct: approximate number of atomic accesses and synchronisations of a run"),
    ("renderer", "the program that turns reports into text, instead of the fencepost that linked this one"),
    ("verbose", "1: say at the end how many reports there were"),
    ("help", "1: print this list when the program starts"),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub model: Model,
    /// The exit status of a process that reported something; 0 keeps the program's own.
    pub exit_status: u8,
    pub halt_on_error: bool,
    /// Look for data races.
    pub races: bool,
    /// Look for robustness violations.
    pub robustness: bool,
    /// For the renderer: the file that reports are appended to, as JSON.
    pub log_path: Option<String>,
    /// For the renderer: the file of reports that are not wanted.
    pub suppressions: Option<String>,
    pub schedule: Schedule,
    pub seed: u64,
    /// For `pct`: how many ordering constraints a bug has that it should find.
    pub depth: u32,
    /// For `pct`: about how many steps a run takes.
    pub steps: u64,
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
            exit_status: EXIT_STATUS,
            halt_on_error: false,
            races: true,
            robustness: true,
            log_path: None,
            suppressions: None,
            schedule: Schedule::Os,
            seed: 0,
            depth: 3,
            steps: 1000,
            renderer: None,
            verbose: false,
            help: false,
        }
    }
}

/// A pair that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub name: String,
    pub value: String,
    pub expected: &'static str,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={} is not understood: expected {}", self.name, self.value, self.expected)
    }
}

impl Options {
    /// Reads the environment form. Of several pairs with one name, the last counts.
    pub fn parse(text: &str, mut complain: impl FnMut(Mistake)) -> Options {
        let mut options = Options::default();
        for (name, value) in pairs(text) {
            if let Err(expected) = options.set(&name, &value) {
                complain(Mistake { name, value, expected });
            }
        }
        options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "model" => self.model = Model::named(value).ok_or("rc11 or rc20")?,
            "exitcode" => self.exit_status = value.parse().map_err(|_| "a number up to 255")?,
            "halt_on_error" => self.halt_on_error = flag(value)?,
            "races" => self.races = flag(value)?,
            "robustness" => self.robustness = flag(value)?,
            "log_path" => self.log_path = Some(value.into()),
            "suppressions" => self.suppressions = Some(value.into()),
            "schedule" => self.schedule = Schedule::named(value).ok_or("os, random or pct")?,
            "seed" => self.seed = value.parse().map_err(|_| "a number")?,
            "depth" => self.depth = value.parse().map_err(|_| "a number")?,
            "steps" => self.steps = value.parse::<u64>().map_err(|_| "a number")?.max(1),
            "renderer" => self.renderer = Some(value.into()),
            "verbose" => self.verbose = flag(value)?,
            "help" => self.help = flag(value)?,
            _ => return Err("one of the names that help=1 lists"),
        }
        Ok(())
    }

    /// The value of an option as text, if it has one.
    pub fn get(&self, name: &str) -> Option<String> {
        let flag = |set: bool| Some(u8::from(set).to_string());
        match name {
            "model" => Some(self.model.name().into()),
            "exitcode" => Some(self.exit_status.to_string()),
            "halt_on_error" => flag(self.halt_on_error),
            "races" => flag(self.races),
            "robustness" => flag(self.robustness),
            "log_path" => self.log_path.clone(),
            "suppressions" => self.suppressions.clone(),
            "schedule" => Some(self.schedule.name().into()),
            "seed" => Some(self.seed.to_string()),
            "depth" => Some(self.depth.to_string()),
            "steps" => Some(self.steps.to_string()),
            "renderer" => self.renderer.clone(),
            "verbose" => flag(self.verbose),
            "help" => flag(self.help),
            _ => None,
        }
    }
}

/// The environment form: the options that are not the default.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Options::default();
        let mut is_first = true;
        for &(name, _) in NAMES {
            let Some(value) = self.get(name).filter(|value| default.get(name).as_ref() != Some(value)) else {
                continue;
            };
            write!(f, "{}{name}=", if is_first { "" } else { ":" })?;
            for character in value.chars() {
                if is_special(character) {
                    f.write_char('\\')?;
                }
                f.write_char(character)?;
            }
            is_first = false;
        }
        Ok(())
    }
}

fn is_separator(character: char) -> bool {
    matches!(character, ':' | ',' | ' ' | '\t' | '\n')
}

fn is_special(character: char) -> bool {
    is_separator(character) || matches!(character, '\\' | '=')
}

/// Names and values, without the backslashes. A name without a value has an empty one.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut characters = text.chars().peekable();
    while characters.peek().is_some() {
        let (mut name, mut value) = (String::new(), None::<String>);
        while let Some(character) = characters.next().filter(|&character| !is_separator(character)) {
            if character == '=' && value.is_none() {
                value = Some(String::new());
                continue;
            }
            let literal = if character == '\\' { characters.next() } else { None };
            value.as_mut().unwrap_or(&mut name).push(literal.unwrap_or(character));
        }
        if value.is_some() || !name.is_empty() {
            pairs.push((name, value.unwrap_or_default()));
        }
    }
    pairs
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
    use alloc::format;

    use super::*;

    fn parse(text: &str) -> Options {
        Options::parse(text, |mistake| panic!("{mistake}"))
    }

    #[test]
    fn options_are_read_and_mistakes_are_told() {
        let mut mistakes = Vec::new();
        let options =
            Options::parse("model=rc20:exitcode=7 halt_on_error=1,seed=42:colour=red:exitcode=x:=y", |mistake| {
                mistakes.push(format!("{}={}", mistake.name, mistake.value));
            });
        let expected =
            Options { model: Model::Rc20, exit_status: 7, halt_on_error: true, seed: 42, ..Options::default() };
        assert_eq!(options, expected);
        assert_eq!(mistakes, ["colour=red", "exitcode=x", "=y"]);
    }

    #[test]
    fn the_list_of_options_is_what_is_understood_and_what_the_documentation_has() {
        let documentation = include_str!("../../../docs/guide/run.md");
        for (name, _) in NAMES {
            if let Some(default) = Options::default().get(name) {
                assert_eq!(parse(&format!("{name}={default}")), Options::default(), "{name}");
            }
            assert!(documentation.contains(&format!("`{name}`")), "docs/guide/run.md does not tell of {name}");
        }
    }

    #[test]
    fn no_options_are_the_default() {
        assert_eq!(parse(""), Options::default());
        assert_eq!(Options::default().to_string(), "");
    }

    #[test]
    fn every_option_comes_back_from_the_environment() {
        let path = Some("/tmp/a b,c:d=e\\f\tg\nh/é".to_string());
        let options = Options {
            model: Model::Rc20,
            exit_status: 0,
            halt_on_error: true,
            races: false,
            robustness: false,
            log_path: path.clone(),
            suppressions: Some(String::new()),
            schedule: Schedule::Pct,
            seed: u64::MAX,
            depth: 0,
            steps: 1,
            renderer: path,
            verbose: true,
            help: true,
        };
        let text = options.to_string();
        assert_eq!(parse(&text), options);
        // Each option is there: one that `get` forgot would come back as its default.
        for (name, _) in NAMES {
            assert!(text.contains(&format!("{name}=")), "{name}");
        }
    }

    #[test]
    fn a_backslash_takes_away_the_meaning_of_a_separator() {
        assert_eq!(parse("log_path=/tmp/my\\ log:seed=1").log_path.as_deref(), Some("/tmp/my log"));
        assert_eq!(parse("log_path=a=b").log_path.as_deref(), Some("a=b"));
        assert_eq!(parse("log_path=a\\").log_path.as_deref(), Some("a\\"));
    }
}
