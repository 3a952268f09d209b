//! What packages contain besides the binary: man pages and completions.

use std::process::Command;

#[test]
fn every_command_has_a_man_page_and_every_shell_its_completions() {
    let directory = fencepost_scratch::Directory::new().expect("a directory");
    let directory = directory.path();
    let status = Command::new(env!("CARGO_BIN_EXE_fencepost")).arg("generate").arg(directory).status();
    assert!(status.expect("fencepost runs").success());
    let text = |name: &str| std::fs::read_to_string(directory.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    for command in ["check", "explore", "prove", "cc", "run", "fmt"] {
        assert!(text(&format!("fencepost-{command}.1")).contains(".SH SYNOPSIS"), "{command}");
        for completions in ["fencepost.bash", "_fencepost", "fencepost.fish"] {
            assert!(text(completions).contains(command), "{completions} knows {command}");
        }
    }
    assert!(text("fencepost.1").contains("fencepost"));
}
