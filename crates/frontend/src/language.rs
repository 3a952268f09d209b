//! The input languages. A new one is its module and its row in this table.

use std::ffi::OsString;
use std::path::Path;

use fencepost_budget::Budget;

use crate::diagnostic::{Diagnostic, Error};
use crate::input::{Input, Settings, text};

/// What an input is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Fp,
    Litmus,
    C,
    Cpp,
    LlvmIr,
}

/// What tells one language from another.
struct Description {
    extensions: &'static [&'static str],
    read: fn(&Path, &[OsString], Settings, &Budget) -> Result<Input, Error>,
}

impl Language {
    pub const ALL: [Language; 5] = [Language::Fp, Language::Litmus, Language::C, Language::Cpp, Language::LlvmIr];

    fn description(self) -> Description {
        match self {
            Language::Fp => Description {
                extensions: &["fp"],
                read: |path, _, _, budget| crate::parse_fp(&path.display().to_string(), &text(path, budget)?),
            },
            Language::Litmus => Description {
                extensions: &["litmus"],
                read: |path, _, _, budget| crate::parse_litmus(&path.display().to_string(), &text(path, budget)?),
            },
            Language::C => Description { extensions: &["c", "i"], read: crate::c::read_alone },
            Language::Cpp => Description { extensions: &["cc", "cpp", "cxx", "C", "ii"], read: crate::c::read_alone },
            Language::LlvmIr => Description { extensions: &["ll", "bc"], read: crate::c::read_alone },
        }
    }

    /// How the names of its files end.
    pub fn extensions(self) -> &'static [&'static str] {
        self.description().extensions
    }

    /// The language that the name of a file shows.
    pub fn of(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?;
        Language::ALL.into_iter().find(|language| language.extensions().contains(&extension))
    }

    /// Reads a file. Only languages that are compiled have a use for the arguments and the settings.
    pub fn read(
        self,
        path: &Path,
        arguments: &[OsString],
        settings: Settings,
        budget: &Budget,
    ) -> Result<Input, Error> {
        (self.description().read)(path, arguments, settings, budget)
    }
}

/// The error for a file whose name fits no language.
pub(crate) fn unknown(path: &Path) -> Error {
    let endings: Vec<String> = Language::ALL.iter().flat_map(|l| l.extensions()).map(|e| format!("`.{e}`")).collect();
    let (last, others) = endings.split_last().expect("languages");
    let endings = format!("{} or {last}", others.join(", "));
    let message = match path.extension() {
        Some(other) => {
            format!("no reader for `.{}` files: expected a name that ends in {endings}", other.display())
        }
        None => format!("the name of the file should end in {endings}"),
    };
    Error::new(&path.display().to_string(), "", vec![Diagnostic::without_place(message)])
}
