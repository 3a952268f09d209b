//! Programs from the text of a file in C, C++ or LLVM IR.

use fencepost_frontend::{Settings, read_as};
use fencepost_program::Program;
use fencepost_scratch::Directory;

/// The program of a text. The name may have an extension; without one, the text is C.
pub fn compiled(name: &str, text: &str) -> Program {
    compiled_as(name, text, Settings::default())
}

pub fn compiled_as(name: &str, text: &str, settings: Settings) -> Program {
    let directory = Directory::new().unwrap_or_else(|e| panic!("{e}"));
    let known = [".c", ".i", ".cc", ".cpp", ".ii", ".ll"].iter().any(|extension| name.ends_with(extension));
    let file = if known { name.to_owned() } else { format!("{name}.c") };
    let path = directory.write(&file, text).unwrap_or_else(|e| panic!("{e}"));
    read_as(&path, &[], settings).unwrap_or_else(|e| panic!("{e}")).program
}
