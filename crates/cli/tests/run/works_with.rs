//! Programs keep doing what they did: the same output, the same exit status, and no report where nothing is wrong.

use std::process::Command;

use fencepost_testing::sample;

use crate::support::{build, corpus, directory, text, watched};

#[test]
fn correct_programs_are_silent_and_unchanged() {
    for source in sample(corpus("works-with")) {
        let here = directory("works-with");
        let (plain, ours) = (here.join(format!("{}.plain", source.name)), here.join(format!("{}.ours", source.name)));
        let compiler = if source.name.ends_with(".cc") { "g++" } else { "gcc" };
        let built = Command::new(compiler)
            .args(["-w", "-O1"])
            .arg(&source.path)
            .arg("-o")
            .arg(&plain)
            .args(&source.options)
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", text(&built));
        build(&source.path, &ours, "gcc", &source.options);
        let (status, out, error) = watched(&plain, "").unwrap();
        for options in ["", "schedule=random:seed=1", "schedule=pct:seed=2"] {
            let (our_status, our_out, our_error) =
                watched(&ours, options).unwrap_or_else(|hang| panic!("{} {options}: {hang}", source.name));
            assert_eq!(
                (our_status, our_out, our_error),
                (status, out.clone(), error.clone()),
                "{} {options}",
                source.name
            );
        }
    }
}
