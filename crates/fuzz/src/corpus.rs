//! Programs to start from.

use std::fs;
use std::path::Path;

use fencepost_testing::corpus::{files_below, programs};

use crate::Format;

/// Larger ones take too long to be tried often.
const MOST_BYTES: usize = 6_000;
const MOST_BYTES_OF_IR: usize = 30_000;

/// The texts of a format, in a fixed order.
pub fn texts(format: Format) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = programs();
    match format {
        Format::Fp | Format::Litmus => read_all(&programs, format.extension(), MOST_BYTES),
        Format::C => {
            let mut texts = read_all(&programs.join("c"), "c", MOST_BYTES);
            texts.extend(read_all(&root.join("seeds"), "c", MOST_BYTES));
            texts.iter().map(|text| without_headers(text)).collect()
        }
        // The small programs in C as clang compiles them: with debug information, without, and optimised.
        Format::Ll => ["../llvm/tests/data", "seeds", "replay"]
            .iter()
            .flat_map(|directory| read_all(&root.join(directory), "ll", MOST_BYTES_OF_IR))
            .collect(),
    }
}

/// Every input in C gets all headers, so that changes are better spent on the rest.
fn without_headers(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("#include <")).collect()
}

fn read_all(directory: &Path, extension: &str, most: usize) -> Vec<String> {
    let paths = files_below(directory, &[extension]);
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).filter(|text| text.len() <= most).collect()
}
