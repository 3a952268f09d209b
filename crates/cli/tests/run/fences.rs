//! The race detector understands fences, relaxed accesses and release sequences.

use std::process::Command;

use fencepost_testing::{Effort, is_quick, sample};

use crate::support::{Source, build, corpus, directory, run, text};

/// What ThreadSanitizer says of a program; nothing if it is not installed.
fn thread_sanitizer(source: &Source) -> Option<&'static str> {
    let program = directory("fences").join(format!("{}.tsan", source.name));
    let compiler = if source.name.ends_with(".cc") { "g++" } else { "gcc" };
    let built = Command::new(compiler)
        .args(["-w", "-O1", "-g", "-fsanitize=thread"])
        .arg(&source.path)
        .arg("-o")
        .arg(&program)
        .output()
        .is_ok_and(|output| output.status.success());
    if !built {
        return None;
    }
    match Command::new(program).output().ok()?.status.code() {
        Some(0) => Some("no race"),
        Some(66) => Some("race"),
        _ => None,
    }
}

#[test]
fn races_are_found_and_fences_are_understood() {
    let sources: Vec<Source> = sample(corpus("fences")).collect();
    let mut wrong = Vec::new();
    println!("{:40} {:10} {:10} {:10}", "program", "expected", "fencepost", "tsan");
    for source in &sources {
        let program = directory("fences").join(&source.name).with_extension("out");
        build(&source.path, &program, "gcc", &[]);
        let mut answer = "no race";
        for options in ["", ":schedule=random:seed=1", ":schedule=random:seed=2", ":schedule=pct:seed=3"] {
            let output = run(&program, &format!("robustness=0{options}"));
            match output.status.code() {
                Some(0) => {}
                Some(66) => answer = "race",
                _ => panic!("{} failed: {}", source.name, text(&output)),
            }
        }
        // Nothing is asserted about it, and it takes as long as everything else.
        let tsan = (Effort::get() == Effort::Long).then(|| thread_sanitizer(source)).flatten().unwrap_or("-");
        let mark = if tsan != "-" && tsan != source.expect { " (wrong)" } else { "" };
        println!("{:40} {:10} {:10} {tsan}{mark}", source.name, source.expect, answer);
        if answer != source.expect {
            wrong.push(&source.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    let racy = sources.iter().filter(|source| source.expect == "race").count();
    assert!(
        is_quick() || sources.len() >= 20 && racy * 3 >= sources.len(),
        "a fair mixture: {racy} of {}",
        sources.len()
    );
}
