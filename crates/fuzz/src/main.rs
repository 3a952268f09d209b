//! `cargo xtask fuzz`: keeps a process busy with inputs, starts another when one dies, and keeps what killed it.

mod worker;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use clap::Parser;
use fencepost_fuzz::{Format, corpus, engines, mutate};
use worker::{Kind, Record};

/// Inputs that are almost programs, for all readers and engines
#[derive(Parser)]
struct Arguments {
    /// What to write inputs in; all formats if none is given
    formats: Vec<Format>,
    /// How many inputs of each format
    #[arg(long)]
    inputs: Option<u64>,
    /// How long to go on with each format, if no number of inputs is given
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first input; the next ones have the numbers that follow
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Where inputs are kept that something went wrong with
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
    /// How much memory an input may take, in MiB
    #[arg(long, default_value_t = 3000)]
    memory: u64,
    /// Print the input that a seed stands for, and try nothing
    #[arg(long)]
    show: bool,
    /// Try the input in a file on all engines, and nothing else
    #[arg(long)]
    file: Option<PathBuf>,
    /// Try inputs from this seed on, and tell how on standard output; for the command itself
    #[arg(long, hide = true)]
    worker: bool,
}

/// A worker that prints nothing for this long is stuck.
const MOST_SILENCE: Duration = Duration::from_secs(300);
/// How often a long run says how far it is.
const PROGRESS: u64 = 100_000;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let formats = if arguments.formats.is_empty() { Format::ALL.to_vec() } else { arguments.formats.clone() };
    if arguments.show {
        for format in formats {
            println!("{}", mutate::mutated(format, &corpus::texts(format), arguments.seed));
        }
        return ExitCode::SUCCESS;
    }
    if let Some(path) = &arguments.file {
        let format = Format::of(path).expect("the name of the file says its format");
        let text = fs::read(path).expect("the file can be read");
        let is_program = engines::run_all(format, &String::from_utf8_lossy(&text));
        println!("{}: {}", path.display(), if is_program { "a program" } else { "refused" });
        return ExitCode::SUCCESS;
    }
    if arguments.worker {
        let last = arguments.inputs.map_or(u64::MAX, |inputs| arguments.seed.saturating_add(inputs));
        worker::work(formats[0], arguments.seed..last, arguments.memory << 20);
        return ExitCode::SUCCESS;
    }
    let mut findings = 0;
    for format in formats {
        findings += supervise(format, &arguments);
    }
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Has workers try inputs, and counts the different things that go wrong.
fn supervise(format: Format, arguments: &Arguments) -> usize {
    let started = Instant::now();
    let is_over = |tried: u64| match arguments.inputs {
        Some(inputs) => tried >= inputs,
        None => started.elapsed() >= Duration::from_secs(arguments.seconds),
    };
    let texts = corpus::texts(format);
    let mut findings: HashMap<String, u64> = HashMap::new();
    let (mut tried, mut read) = (0, 0);
    while !is_over(tried) {
        let first = arguments.seed + tried;
        let left = arguments.inputs.map(|inputs| inputs - tried);
        let mut seed = first;
        let ended = watch(format, first, left, arguments, |record| {
            seed = record.seed;
            match record.kind {
                Kind::Begin => return true,
                Kind::Read => read += 1,
                Kind::Refused => {}
                Kind::Finding => note(&mut findings, format, &texts, seed, &record.text, &arguments.findings),
            }
            tried = seed - arguments.seed + 1;
            if tried.is_multiple_of(PROGRESS) {
                println!("{}: {tried} inputs, {read} of them programs", format.extension());
            }
            !is_over(tried)
        });
        if let Some(reason) = ended {
            note(&mut findings, format, &texts, seed, &reason, &arguments.findings);
            tried = seed - arguments.seed + 1;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let extension = format.extension();
    println!("{extension}: {tried} inputs from seed {}, {read} of them programs, {seconds:.0} s", arguments.seed);
    let mut findings: Vec<_> = findings.into_iter().collect();
    findings.sort();
    for (what, count) in &findings {
        println!("  {count} times: {what}");
    }
    findings.len()
}

/// Keeps the first input of each kind of finding.
fn note(found: &mut HashMap<String, u64>, format: Format, texts: &[String], seed: u64, what: &str, directory: &Path) {
    // The place of a panic says what it is; its text has numbers of the input in it.
    let kind = what.split(": ").next().unwrap_or(what).to_owned();
    let count = found.entry(kind).or_default();
    *count += 1;
    if *count == 1 {
        let path = directory.join(format!("{seed}.{}", format.extension()));
        let text = mutate::mutated(format, texts, seed);
        let kept = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text));
        let path = if kept.is_ok() { path.display().to_string() } else { "not kept".to_owned() };
        println!("{}: seed {seed} ({path}): {what}", format.extension());
    }
}

/// Runs one worker until it has done its part, `on` has enough, or it dies: then comes back why.
fn watch(
    format: Format,
    seed: u64,
    inputs: Option<u64>,
    arguments: &Arguments,
    mut on: impl FnMut(&Record) -> bool,
) -> Option<String> {
    let mut command = Command::new(std::env::current_exe().expect("my own path"));
    command.args(["--worker", format.extension(), "--seed", &seed.to_string()]);
    command.args(["--memory", &arguments.memory.to_string()]);
    command.args(inputs.map(|inputs| format!("--inputs={inputs}")));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a worker starts");
    let mut stdout = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, records) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        while let Some(record) = Record::read(&mut stdout) {
            if sender.send(record).is_err() {
                break;
            }
        }
    });
    let mut stderr = child.stderr.take().expect("a pipe");
    let said = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stderr.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    let reason = loop {
        match records.recv_timeout(MOST_SILENCE) {
            Ok(record) if on(&record) => {}
            Ok(_) => break None,
            Err(RecvTimeoutError::Timeout) => break Some("does not end".to_owned()),
            Err(RecvTimeoutError::Disconnected) => break Some(String::new()),
        }
    };
    drop(records);
    let _ = child.kill();
    let status = child.wait().expect("a worker ends");
    let _ = reader.join();
    let said = said.join().unwrap_or_default();
    match reason {
        Some(reason) if reason.is_empty() && status.success() => None,
        Some(reason) if reason.is_empty() => {
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
            // Numbers of bytes and of threads differ.
            let said: String = said.chars().filter(|c| !c.is_ascii_digit()).take(100).collect();
            Some(format!("{status}, {said}"))
        }
        other => other,
    }
}
