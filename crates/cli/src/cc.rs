//! `fencepost cc` and `fencepost c++`: the compiler that was there before, with ThreadSanitizer's instrumentation, and
//! with our runtime where its own would be linked. Everything else is passed on as it is, exit status too.

mod command_line;
mod compiler;
mod library;

use std::env;
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitCode};

pub use compiler::Language;
use compiler::{Compiler, Family};
use library::Library;

use crate::output::{Color, Output};
use crate::status::Status;
use crate::{child, interrupt};

/// How gcc is told to start its own tools through us.
const GCC_TOOL: &str = "--gcc-tool";

/// Runs as a compiler if the command line says so: `fencepost cc ...`, or under the name `fencepost-cc`. What follows
/// belongs to the compiler, so this comes before arguments are read in any other way.
pub fn run_as_compiler() -> Option<ExitCode> {
    let mut arguments = env::args_os();
    let program = arguments.next()?;
    let language = match Path::new(&program).file_name().and_then(|name| name.to_str()) {
        Some("fencepost-cc") => Language::C,
        Some("fencepost-c++") => Language::Cpp,
        _ => match arguments.next()?.to_str()? {
            "cc" => Language::C,
            "c++" => Language::Cpp,
            GCC_TOOL => return Some(fails(&run_gcc_tool(arguments.collect()))),
            _ => return None,
        },
    };
    Some(fails(&compile(language, arguments.collect())))
}

/// For a command line in which our own options come first, as in `fencepost --color never cc ...`.
pub fn run(language: Language, arguments: Vec<OsString>, output: &Output) -> Status {
    output.error(&compile(language, arguments));
    Status::Trouble
}

/// What comes back is the message of a failure: success ends in another program.
fn fails(message: &str) -> ExitCode {
    Output::new(Color::Auto).error(message);
    ExitCode::from(2)
}

fn compile(language: Language, arguments: Vec<OsString>) -> String {
    let compiler = match Compiler::find(language) {
        Ok(compiler) => compiler,
        Err(message) => return message,
    };
    let own = match env::current_exe() {
        Ok(own) => own,
        Err(error) => return format!("cannot find my own path: {error}"),
    };
    let library = match library::unpack(&own) {
        Ok(library) => library,
        Err(message) => return message,
    };
    let asked = command_line::read(&arguments);
    let mut command = Command::new(&compiler.path);
    // After the program's own headers, so that one of the same name is its own.
    command.arg("-idirafter").arg(&library.include);
    match compiler.family {
        Family::Gcc => {
            if own.to_string_lossy().contains(',') {
                return format!("gcc cannot start {}: its path has a comma", own.display());
            }
            command.arg("-wrapper").arg(format!("{},{GCC_TOOL}", own.display()));
        }
        Family::Clang => {
            command.args(["-fsanitize=thread", "-fno-sanitize-link-runtime"]).arg(define());
        }
    }
    if !asked.debug_information {
        command.arg("-g");
    }
    command.args(command_line::without_thread_sanitizer(arguments));
    if compiler.family == Family::Clang && asked.links_program {
        match link_arguments(&library, asked.is_static) {
            Ok(more) => command.args(more.iter().map(|argument| command_line::through_driver(argument))),
            Err(message) => return message,
        };
    }
    become_it(command, Some(library))
}

/// One step of gcc: the compiler proper instruments, and the linker gets the runtime when it makes a program.
fn run_gcc_tool(mut arguments: Vec<OsString>) -> String {
    if arguments.is_empty() {
        return format!("{GCC_TOOL} is for gcc to use");
    }
    let tool = arguments.remove(0);
    let mut command = Command::new(&tool);
    command.args(&arguments);
    let mut library = None;
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    match Path::new(&tool).file_name().and_then(|name| name.to_str()) {
        Some("cc1" | "cc1plus" | "cc1obj" | "cc1objplus" | "lto1") => {
            command.args(["-fsanitize=thread", "-Wno-tsan"]).arg(define());
        }
        Some("collect2") if !has("-shared") && !has("-r") && !has("--relocatable") => {
            let own = match env::current_exe() {
                Ok(own) => own,
                Err(error) => return format!("cannot find my own path: {error}"),
            };
            let unpacked = match library::unpack(&own) {
                Ok(unpacked) => unpacked,
                Err(message) => return message,
            };
            match link_arguments(&unpacked, has("-static") || has("-static-pie")) {
                Ok(more) => command.args(more),
                Err(message) => return message,
            };
            library = Some(unpacked);
        }
        _ => {}
    }
    become_it(command, library)
}

/// Lets `fencepost.h` call the runtime.
fn define() -> String {
    format!("-D{}=1", fencepost_wire::MACRO)
}

/// Runs the compiler in our place, or waits for it if there are files to remove afterwards.
fn become_it(mut command: Command, library: Option<Library>) -> String {
    let error = match library.filter(Library::is_temporary) {
        None => command.exec(),
        Some(library) => {
            interrupt::install(&Output::new(Color::Auto));
            match child::wait_for(&mut command) {
                Ok(status) => {
                    drop(library);
                    let signal = || 128 + status.signal().unwrap_or(0);
                    std::process::exit(status.code().unwrap_or_else(signal));
                }
                Err(error) => error,
            }
        }
    };
    format!("cannot run {}: {error}", Path::new(command.get_program()).display())
}

/// What the linker gets for a program. Shared libraries find the runtime in the program that loads them.
fn link_arguments(library: &Library, is_static: bool) -> Result<Vec<OsString>, String> {
    if is_static {
        return Err("a static program cannot be checked: the runtime stands in for functions of the C library, \
                    which must stay a shared library; leave out -static"
            .into());
    }
    let mut exported = OsString::from("--dynamic-list=");
    exported.push(&library.exported);
    let names = ["--as-needed", "-lgcc_s", "--no-as-needed", "-lc", "-lpthread", "-ldl"];
    let mut arguments = vec!["-u".into(), "__tsan_init".into(), exported, library.archive.clone().into()];
    arguments.extend(names.map(OsString::from));
    Ok(arguments)
}
