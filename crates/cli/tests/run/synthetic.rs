//! Synchronisation algorithms, as in figure 7 of paper 000: those that are not robust are found, the others stay silent.

use crate::support::{build, corpus, directory, report};

/// More runs when asked for: the issue wants 1,000 of the robust programs.
fn runs(usual: u64) -> String {
    let factor = if std::env::var("FENCEPOST_TEST_LONG").is_ok() { 50 } else { 1 };
    (usual * factor).to_string()
}

#[test]
fn programs_that_are_not_robust_are_found_and_others_stay_silent() {
    println!("{:30} {:>8} {:>8} {:>8}", "runs until found", "os", "random", "pct");
    for source in corpus("synthetic") {
        let program = directory("synthetic").join(&source.name).with_extension("out");
        build(&source.path, &program, "gcc", &[]);
        let robust = source.expect == "robust";
        let usual = if robust { runs(20) } else { "10000".to_owned() };
        let mut needed = Vec::new();
        for schedule in ["os", "random", "pct"] {
            // The system may never choose the schedule that shows it.
            let limit = if schedule == "os" { runs(20) } else { usual.clone() };
            let report = report(&program, &["--runs", &limit, "--schedule", schedule]);
            let violations = report["violations"].as_array().unwrap();
            let found = violations.iter().any(|violation| violation["kind"] == "robustness");
            assert!(!robust || violations.is_empty(), "{} under {schedule}: {report:#}", source.name);
            assert!(robust || found || schedule == "os", "{} under {schedule} was not found", source.name);
            needed.push(if found { report["runs"].to_string() } else { format!("> {}", report["runs"]) });
        }
        println!("{:30} {:>8} {:>8} {:>8}", source.name, needed[0], needed[1], needed[2]);
    }
}
