//! What other programs read.

use crate::support::{HUGE, ROBUST, STORE_BUFFERING, Sandbox};
use serde_json::Value;

const LITMUS: &str = "\
C reads-zero
{}
P0 (atomic_int *x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0)
";

const DOCUMENTED: &str = include_str!("../../../../docs/reference/json.md");

fn sandbox(test: &str) -> Sandbox {
    Sandbox::new(test, &[("sb.fp", STORE_BUFFERING), ("ok.fp", ROBUST), ("huge.fp", HUGE), ("sb.litmus", LITMUS)])
}

fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.push(key.clone());
                // Below these the keys are names of the program.
                if key != "state" && key != "modification_orders" {
                    keys(value, found);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn json_is_one_object_a_line_and_a_file() {
    let ran = sandbox("json-lines").run(&["check", "--format", "json", "sb.fp", "ok.fp"]);
    assert_eq!(ran.status, Some(1));
    let objects: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let verdicts: Vec<&Value> = objects.iter().map(|object| &object["verdict"]).collect();
    assert_eq!(verdicts, ["violated", "holds"]);
    assert_eq!(objects[1]["violations"], Value::Array(Vec::new()));
    assert!(objects[1]["states"].as_u64().is_some_and(|states| states > 0));
}

#[test]
fn json_has_the_facts_of_a_violation() {
    let ran = sandbox("json-facts").run(&["check", "--format", "json", "sb.fp"]);
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&object["command"], &object["file"], &object["model"]),
        (&"check".into(), &"sb.fp".into(), &"rc11".into())
    );
    let violation = &object["violations"][0];
    assert_eq!(violation["kind"], "robustness");
    let accesses = violation["accesses"].as_array().unwrap();
    assert!(accesses.len() >= 2);
    for access in accesses {
        assert_eq!(access["file"], "sb.fp");
        let line = access["line"].as_u64().unwrap() as usize;
        let text = STORE_BUFFERING.lines().nth(line - 1).unwrap();
        assert!(text.contains(access["operation"].as_str().unwrap()), "{text}: {access}");
        assert!(text.contains(access["ordering"].as_str().unwrap()), "{text}: {access}");
    }
    assert!(!violation["trace"].as_array().unwrap().is_empty());
    assert!(!violation["fix"].as_array().unwrap().is_empty());
}

#[test]
fn json_has_a_reason_for_an_unknown() {
    let ran = sandbox("json-unknown").run(&["check", "--format", "json", "--max-states", "100", "huge.fp"]);
    assert_eq!(ran.status, Some(3));
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&object["verdict"], &object["reason"]), (&"unknown".into(), &"state limit".into()));
}

#[test]
fn every_json_field_is_documented() {
    let sandbox = sandbox("json-documented");
    let mut found = Vec::new();
    for arguments in [
        vec!["check", "--format", "json", "sb.fp", "ok.fp"],
        vec!["check", "--format", "json", "--max-states", "100", "huge.fp"],
        vec!["check", "--format", "json", "--properties", "deadlocks", "ok.fp"],
        vec!["explore", "--format", "json", "--outcomes", "--unroll", "1", "sb.fp", "huge.fp"],
        vec!["explore", "--format", "json", "--outcomes", "sb.litmus"],
        vec!["explore", "--format", "json", "--models", "rc11,sc", "--unroll", "1", "sb.fp"],
    ] {
        for line in sandbox.run(&arguments).stdout.lines() {
            keys(&serde_json::from_str(line).unwrap(), &mut found);
        }
    }
    assert!(found.contains(&"accesses".into()) && found.contains(&"reason".into()) && found.contains(&"caveat".into()));
    assert!(["bound", "outcomes", "condition", "differences"].iter().all(|key| found.contains(&(*key).into())));
    for key in found {
        assert!(DOCUMENTED.contains(&format!("`{key}`")), "{key} is not in docs/reference/json.md");
    }
}

#[test]
fn sarif_is_one_log_for_all_files() {
    let ran = sandbox("sarif").run(&["check", "--format", "sarif", "sb.fp", "ok.fp", "nowhere.fp"]);
    assert_eq!(ran.status, Some(2));
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 1);
    assert_eq!(run["results"][0]["ruleId"], "robustness");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn graphs_are_written_in_the_form_that_their_name_says() {
    let sandbox = sandbox("graphs");
    for (file, start) in [("g.dot", "digraph "), ("g.svg", "<svg "), ("g.html", "<!DOCTYPE html>")] {
        let ran = sandbox.run(&["check", "--graph", file, "sb.fp"]);
        assert_eq!(ran.status, Some(1), "{}", ran.stderr);
        assert!(sandbox.read(file).starts_with(start), "{file}");
    }
}

#[test]
fn no_picture_is_written_when_there_is_nothing_to_draw() {
    let sandbox = sandbox("no-graph");
    assert_eq!(sandbox.run(&["check", "--graph", "g.svg", "ok.fp"]).status, Some(0));
    assert!(!sandbox.has("g.svg"));
}

#[test]
fn a_graph_that_cannot_be_written_exits_2() {
    let ran = sandbox("graph-nowhere").run(&["check", "--graph", "nowhere/g.svg", "sb.fp"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.first_line().starts_with("violated"), "the verdict is printed all the same");
    assert!(ran.stderr.contains("cannot write nowhere/g.svg"), "{}", ran.stderr);
}
