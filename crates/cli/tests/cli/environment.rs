//! `programs/c/environment`: what a C program may rely on and what not. Each header says what each command answers:
//! `holds`, the kind of error, or `refused` and a part of the reason; of `prove`, `proved`, `alarm` or `refused`.
//! `arguments` are for one command or all, and `assumes` is the first assumption that is named.

use fencepost_testing::{is_quick, sample, sources};
use serde_json::Value;

use crate::support::Sandbox;

#[test]
fn the_environment_is_as_kind_as_the_headers_say() {
    let sandbox = Sandbox::new("environment", &[]);
    let mut asked = 0;
    for source in sample(sources("c/environment", &["c", "cc"])) {
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
            assert!(
                found == expected || found.starts_with("refused") && is_part(expected, &found),
                "{command} {path}: {found}"
            );
            asked += 1;
        }
    }
    assert!(is_quick() || asked >= 70, "{asked}");
}

/// `refused, which is not defined` is part of a refusal that says so.
fn is_part(expected: &str, found: &str) -> bool {
    expected.strip_prefix("refused").is_some_and(|reason| found.contains(reason.trim_start_matches([',', ' '])))
}

fn answer(report: &Value) -> String {
    let verdict = report["verdict"].as_str().expect("a verdict");
    if let Some(results) = report["assertions"].as_array() {
        let alarm = results.iter().any(|assertion| assertion["result"] == "alarm");
        return if alarm { "alarm" } else { "proved" }.to_owned();
    }
    match verdict {
        "violated" => report["violations"][0]["kind"].as_str().expect("a kind").to_owned(),
        "unknown" => format!("refused {}", report["reason"].as_str().unwrap_or("")),
        _ => verdict.to_owned(),
    }
}
