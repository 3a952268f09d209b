//! What a compiler's command line asks for, as far as it matters here.

use std::ffi::{OsStr, OsString};
use std::fs;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// A program comes out, not an object, a library, or text.
    pub links_program: bool,
    /// There is a -g of some kind already.
    pub debug_information: bool,
    pub is_static: bool,
}

/// Options whose next argument is not an input.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-x",
    "-I",
    "-L",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-target",
    "-arch",
    "-T",
    "-u",
    "-z",
    "-e",
    "-framework",
    "-mllvm",
    "--param",
    "-aux-info",
    "-B",
    "-l",
];

pub fn read(arguments: &[OsString]) -> Asked {
    let mut asked = Asked::default();
    let mut inputs = false;
    let mut stops_early = false;
    let mut expanded = Vec::new();
    expand(arguments, &mut expanded, 0);
    let mut rest = expanded.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-c" | "-S" | "-E" | "-M" | "-MM" | "-fsyntax-only" | "-shared" | "-r" | "--precompile" | "-emit-ast" => {
                stops_early = true;
            }
            "--version" | "-dumpversion" | "-dumpmachine" | "-###" | "--help" => stops_early = true,
            "-static" | "-static-pie" | "--static" => asked.is_static = true,
            "-" => inputs = true,
            option if WITH_VALUE.contains(&option) => {
                rest.next();
                inputs |= option == "-l";
            }
            option if option.starts_with("-print-") || option.starts_with("--print-") => stops_early = true,
            option if option.starts_with("-g") => asked.debug_information = true,
            option if option.starts_with("-l") => inputs = true,
            option if option.starts_with('-') => {}
            _ => inputs = true,
        }
    }
    asked.links_program = inputs && !stops_early;
    asked
}

/// Response files are read here too, and stay as they are on the command line. One that cannot be read is the
/// compiler's to complain about.
fn expand(arguments: &[OsString], expanded: &mut Vec<String>, depth: usize) {
    for argument in arguments {
        let text = argument.to_string_lossy();
        match text.strip_prefix('@').filter(|_| depth < 16).and_then(|path| fs::read_to_string(path).ok()) {
            Some(inner) => {
                let inner: Vec<OsString> = words(&inner).into_iter().map(OsString::from).collect();
                expand(&inner, expanded, depth + 1);
            }
            None => expanded.push(text.into_owned()),
        }
    }
}

/// Words as gcc and clang separate them in response files: by space, with quotes and backslashes.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Build files that turn ThreadSanitizer on themselves would get its library too.
pub fn without_thread_sanitizer(arguments: Vec<OsString>) -> Vec<OsString> {
    let keep = |argument: OsString| {
        let Some(list) = argument.to_str().and_then(|text| text.strip_prefix("-fsanitize=")) else {
            return Some(argument);
        };
        let others: Vec<&str> = list.split(',').filter(|&name| name != "thread").collect();
        (!others.is_empty()).then(|| format!("-fsanitize={}", others.join(",")).into())
    };
    arguments.into_iter().filter_map(keep).collect()
}

/// A linker's argument as the driver takes it.
pub fn through_driver(argument: &OsStr) -> OsString {
    if argument.to_string_lossy().starts_with("-l") {
        return argument.to_owned();
    }
    let mut driver = OsString::from("-Wl,");
    driver.push(argument);
    driver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Asked {
        read(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_program_is_linked_only_when_nothing_stops_before() {
        for line in ["a.c", "a.o b.o -o prog", "-O2 a.c -lfoo", "-x c -", "-MD a.c", "-lfoo"] {
            assert!(asked(line).links_program, "{line}");
        }
        for line in
            ["-c a.c", "-E a.c", "-S a.c", "-M a.c", "-MM a.c", "-shared a.o -o a.so", "-r a.o", "--version", "-v", ""]
        {
            assert!(!asked(line).links_program, "{line}");
        }
    }

    #[test]
    fn the_value_of_an_option_is_no_input() {
        assert!(!asked("-o out -I dir -include header.h").links_program);
    }

    #[test]
    fn response_files_are_understood() {
        let path = std::env::temp_dir().join(format!("fencepost-response-{}", std::process::id()));
        fs::write(&path, "-shared \"my file.o\" -g3\n-o 'out put'").unwrap();
        let asked = read(&[format!("@{}", path.display()).into()]);
        assert_eq!(asked, Asked { links_program: false, debug_information: true, is_static: false });
        assert_eq!(words("a\\ b 'c \"d' \"\""), ["a b", "c \"d", ""]);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_sanitizer_of_a_build_file_is_ours_already() {
        let arguments = ["-fsanitize=thread", "-fsanitize=thread,undefined", "-O2"].map(OsString::from).to_vec();
        assert_eq!(without_thread_sanitizer(arguments), ["-fsanitize=undefined", "-O2"]);
    }
}
