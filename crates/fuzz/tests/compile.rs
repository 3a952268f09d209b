//! Inputs in C that are compiled many at a time are the programs that they are one at a time.

use fencepost_budget::Budget;
use fencepost_frontend::{Settings, parse_compiled, read_within};
use fencepost_fuzz::compile::{Batches, Compiled, HEADERS};
use fencepost_fuzz::{Format, corpus, mutate};

#[test]
fn a_batch_is_its_inputs() {
    let corpus = corpus::texts(Format::C);
    let mut texts: Vec<String> = (0..40).map(|seed| mutate::mutated(Format::C, &corpus, seed)).collect();
    // An error that clang does not go on after, one that it dies of or nearly so, and one without an error.
    texts.insert(5, format!("{HEADERS}#include \"none.h\"\nint main(void) {{ return 0; }}\n"));
    texts.insert(15, format!("{HEADERS}int main(void) {{ return {}0; }}\n", "(".repeat(100_000)));
    texts.insert(25, format!("{HEADERS}int x;\nint main(void) {{ return x++ + 1; }}\n"));
    let (_directory, all) = Batches::new().unwrap().compile(&texts).unwrap();
    let (settings, budget) = (Settings::default(), Budget::default());
    let (mut read, mut refused) = (0, 0);
    for (path, compiled) in &all {
        let alone = read_within(path, &[], settings, &budget);
        match compiled {
            Compiled::Ir(ir) => match (parse_compiled(path, ir, settings, &budget), alone) {
                (Ok(input), Ok(alone)) => {
                    assert_eq!(format!("{:?}", input.program), format!("{:?}", alone.program));
                    read += 1;
                }
                (Err(error), Err(alone)) => assert_eq!(error.render(false), alone.render(false)),
                (one, other) => panic!("{}: {} but {}", path.display(), one.is_ok(), other.is_ok()),
            },
            Compiled::Refused => match alone {
                Ok(older) => assert_ne!(older.program.assumptions, [""; 0], "{}", path.display()),
                Err(error) => {
                    assert!(error.to_string().contains("clang does not compile"), "{}: {error}", path.display());
                    refused += 1;
                }
            },
            Compiled::Alone => {}
        }
    }
    assert!(read > 5 && refused > 5, "{read} read, {refused} refused");
}
