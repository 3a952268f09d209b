//! Version 2.0: the values that the program was given, and where it fails.

use std::fmt::Write;

use super::Witness;

pub(super) fn text(witness: &Witness<'_>) -> String {
    let kind = if witness.violation.is_some() { "violation_sequence" } else { "invariant_set" };
    let (file, hash) = (quoted(witness.file), quoted(witness.hash));
    let mut out = format!(
        "- entry_type: \"{kind}\"\n\
         \x20 metadata:\n\
         \x20   format_version: \"2.0\"\n\
         \x20   uuid: \"{uuid}\"\n\
         \x20   creation_time: {time}\n\
         \x20   producer:\n\
         \x20     name: \"fencepost\"\n\
         \x20     version: {version}\n\
         \x20   task:\n\
         \x20     input_files:\n\
         \x20     - {file}\n\
         \x20     input_file_hashes:\n\
         \x20       {file}: {hash}\n\
         \x20     specification: {specification}\n\
         \x20     data_model: \"LP64\"\n\
         \x20     language: \"C\"\n",
        uuid = uuid(witness),
        time = quoted(witness.creation_time),
        version = quoted(witness.version),
        specification = quoted(witness.specification),
    );
    let Some(violation) = &witness.violation else {
        return out + "  content: []\n";
    };
    out += "  content:\n";
    for step in violation.trace {
        if let Some((_, value, column)) = witness.chosen(step) {
            let constraint = format!("\\result == {value}");
            out += &waypoint("function_return", &file, (step.span.line, column), Some(&constraint));
        }
    }
    if let Some((span, _)) = violation.target
        && let Some(line) = witness.line(span)
    {
        out += &waypoint("target", &file, (line, span.column), None);
    }
    out
}

/// A segment of one waypoint.
fn waypoint(kind: &str, file: &str, (line, column): (u32, u32), constraint: Option<&str>) -> String {
    let mut out = format!(
        "  - segment:\n\
         \x20   - waypoint:\n\
         \x20       type: \"{kind}\"\n\
         \x20       action: \"follow\"\n\
         \x20       location:\n\
         \x20         file_name: {file}\n\
         \x20         line: {line}\n\
         \x20         column: {column}\n"
    );
    if let Some(constraint) = constraint {
        let value = quoted(constraint);
        write!(out, "        constraint:\n          value: {value}\n          format: \"ext_c_expression\"\n")
            .expect("a string");
    }
    out
}

/// A string of JSON is one of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Unlike others: a number made of the program and the time, in the form of a random identifier (RFC 4122 §4.4).
fn uuid(witness: &Witness<'_>) -> String {
    let digits: Vec<u8> = witness.hash.bytes().chain(witness.creation_time.bytes()).collect();
    let mut state = [0xcbf2_9ce4_8422_2325u64, 0x9ae1_6a3b_2f90_404f];
    for (i, byte) in digits.iter().chain(witness.specification.as_bytes()).enumerate() {
        let word = &mut state[i % 2];
        *word = (*word ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
    }
    let [high, low] = state;
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        (low >> 48) & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff
    )
}
