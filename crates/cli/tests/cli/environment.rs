//! `programs/c/environment`: what a C program may rely on and what not; `programs/c/conventions`: what functions of
//! other tools mean. Each header says what each command answers: `holds`, the kind of error, `refused` and a part of
//! the reason, or `bounded` and the bounds; of `prove`, `proved`, `alarm` or `refused`. `arguments` are for one command
//! or all, and `assumes` is the first assumption that is named.

use fencepost_testing::{is_quick, sample, sources};
use serde_json::Value;

use crate::support::Sandbox;

#[test]
fn the_environment_is_as_kind_as_the_headers_say() {
    let asked = answers_are_those_of_the_headers("environment");
    assert!(is_quick() || asked >= 70, "{asked}");
}

#[test]
fn functions_of_other_tools_mean_what_the_headers_say() {
    let asked = answers_are_those_of_the_headers("conventions");
    assert!(is_quick() || asked >= 35, "{asked}");
}

/// Asks what the headers of a directory answer, and returns how many questions these are.
fn answers_are_those_of_the_headers(directory: &str) -> usize {
    let sandbox = Sandbox::new(directory, &[]);
    let mut asked = 0;
    for source in sample(sources(&format!("c/{directory}"), &["c", "cc", "i"])) {
        let path = &source.path;
        assert!(source.get("title").is_some(), "{} has a title", path.display());
        for command in ["check", "explore", "prove"] {
            let Some(expected) = source.get(command) else { continue };
            let mut arguments = vec![command, "--format", "json"];
            for (which, more) in source.all("arguments").filter_map(|line| line.split_once(' ')) {
                if which == command || which == "all" {
                    arguments.extend(more.split_whitespace());
                }
            }
            let path = path.display().to_string();
            arguments.push(&path);
            let ran = sandbox.run(&arguments);
            let report = serde_json::from_str::<Value>(&ran.stdout);
            if let (Some(assumed), Ok(report)) = (source.get("assumes"), &report) {
                let named = report["assumptions"].as_array().expect("a list");
                assert!(named.iter().any(|named| named == assumed), "{command} {path}: {named:?}");
            }
            let found = report.map_or_else(|_| format!("refused {}", ran.stderr), |report| answer(&report));
            assert!(found == expected || is_part(expected, &found), "{command} {path}: {found}");
            asked += 1;
        }
    }
    asked
}

/// `refused, which is not defined` is part of a refusal that says so.
fn is_part(expected: &str, found: &str) -> bool {
    ["refused", "bounded"].into_iter().any(|word| {
        let reason = expected.strip_prefix(word).filter(|_| found.starts_with(word));
        reason.is_some_and(|reason| found.contains(reason.trim_start_matches([',', ' '])))
    })
}

fn answer(report: &Value) -> String {
    let verdict = report["verdict"].as_str().expect("a verdict");
    if let Some(results) = report["assertions"].as_array() {
        let alarm = results.iter().any(|assertion| assertion["result"] == "alarm");
        return if alarm { "alarm" } else { "proved" }.to_owned();
    }
    match verdict {
        "violated" => report["violations"][0]["kind"].as_str().expect("a kind").to_owned(),
        "unknown" => {
            let reason = report["reason"].as_str().unwrap_or("");
            if reason.starts_with("bounded") { reason.to_owned() } else { format!("refused {reason}") }
        }
        _ => verdict.to_owned(),
    }
}
