//! Which compiler does the work.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
}

/// How a compiler is told to instrument without linking ThreadSanitizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Gcc,
    Clang,
}

pub struct Compiler {
    pub path: PathBuf,
    pub family: Family,
}

impl Compiler {
    /// FENCEPOST_CC and FENCEPOST_CXX choose; one of them stands for both. Else the first of gcc and clang.
    pub fn find(language: Language) -> Result<Compiler, String> {
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let (own, other) = match language {
            Language::C => ("FENCEPOST_CC", "FENCEPOST_CXX"),
            Language::Cpp => ("FENCEPOST_CXX", "FENCEPOST_CC"),
        };
        let chosen = variable(own).or_else(|| variable(other).map(|name| for_language(name, language)));
        let path = match chosen {
            Some(chosen) => find_on_path(Path::new(&chosen))
                .ok_or_else(|| format!("{} was not found; {own} and {other} choose the compiler", chosen.display()))?,
            None => {
                let names = match language {
                    Language::C => ["gcc", "clang"],
                    Language::Cpp => ["g++", "clang++"],
                };
                names.iter().find_map(|name| find_on_path(Path::new(name))).ok_or_else(|| {
                    format!("neither {} nor {} was found: install one, or set {own}", names[0], names[1])
                })?
            }
        };
        let family = family(&path)?;
        Ok(Compiler { path, family })
    }
}

/// The C++ compiler beside a C compiler, or the other way round: clang-19 and clang++-19.
fn for_language(name: OsString, language: Language) -> OsString {
    let Some(text) = name.to_str() else { return name };
    let (directory, base) = text.rsplit_once('/').map_or(("", text), |(directory, base)| (directory, base));
    let base = match language {
        Language::Cpp if base.contains("++") => base.to_owned(),
        Language::Cpp => base.replacen("clang", "clang++", 1).replacen("gcc", "g++", 1),
        Language::C => base.replacen("clang++", "clang", 1).replacen("g++", "gcc", 1),
    };
    if directory.is_empty() { base.into() } else { format!("{directory}/{base}").into() }
}

fn family(path: &Path) -> Result<Family, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.contains("clang") {
        return Ok(Family::Clang);
    }
    if name.contains("gcc") || name.contains("g++") {
        return Ok(Family::Gcc);
    }
    let output = Command::new(path)
        .arg("--version")
        .output()
        .map_err(|error| format!("cannot run {}: {error}", path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(if text.contains("clang") { Family::Clang } else { Family::Gcc })
}

fn find_on_path(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_owned());
    }
    env::split_paths(&env::var_os("PATH")?).map(|directory| directory.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_variable_names_the_compilers_of_both_languages() {
        let cases = [
            ("clang-19", Language::Cpp, "clang++-19"),
            ("/opt/bin/gcc-12", Language::Cpp, "/opt/bin/g++-12"),
            ("/opt/gcc/bin/g++", Language::C, "/opt/gcc/bin/gcc"),
            ("clang++", Language::C, "clang"),
            ("x86_64-linux-gnu-gcc", Language::Cpp, "x86_64-linux-gnu-g++"),
        ];
        for (name, language, expected) in cases {
            assert_eq!(for_language(name.into(), language), *expected, "{name}");
        }
    }
}
