use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fencepost_frontend::{Input, Settings};

/// More than any reader takes, so that a text that is too long is seen to be so, and an endless one ends.
const MOST_BYTES: u64 = 16 << 20;

pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// What messages call an input.
pub fn name(path: &Path) -> String {
    if is_stdin(path) { "stdin".into() } else { path.display().to_string() }
}

/// Reads a program; `-` is an `.fp` program on standard input. C and C++ are compiled with the arguments. The error is ready to be printed.
pub fn program(path: &Path, compiler_arguments: &[OsString], coloured: bool) -> Result<Input, String> {
    program_as(path, compiler_arguments, Settings::default(), coloured)
}

/// The same, with C and C++ read as the settings say.
pub fn program_as(
    path: &Path,
    compiler_arguments: &[OsString],
    settings: Settings,
    coloured: bool,
) -> Result<Input, String> {
    if is_stdin(path) {
        return fencepost_frontend::parse_fp(&name(path), &text(path, coloured)?).map_err(|e| e.render(coloured));
    }
    fencepost_frontend::read_as(path, compiler_arguments, settings).map_err(|e| e.render(coloured))
}

/// The same for proofs, which do not try values one by one.
pub fn program_to_prove(path: &Path, compiler_arguments: &[OsString], coloured: bool) -> Result<Input, String> {
    if is_stdin(path) {
        return program(path, compiler_arguments, coloured);
    }
    fencepost_frontend::read_with_every_value(path, compiler_arguments).map_err(|e| e.render(coloured))
}

/// Reads a text. The error is ready to be printed.
pub fn text(path: &Path, coloured: bool) -> Result<String, String> {
    let mut text = String::new();
    let read = if is_stdin(path) {
        io::stdin().lock().take(MOST_BYTES).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text))
    };
    match read {
        Ok(_) => Ok(text),
        Err(e) => Err(fencepost_report::error(&[], &format!("cannot read {}: {e}", name(path)), &[], coloured)),
    }
}
