//! The formatter: its layout, and that it changes nothing but the layout.

use fencepost_frontend::{format_fp, parse_fp};
use fencepost_program::{Program, Span};
use fencepost_testing::{corpus::files_below, programs};

use crate::support::generate;

fn formatted(text: &str) -> String {
    format_fp("test.fp", text).unwrap_or_else(|error| panic!("{error}"))
}

/// What a program is, without the places in its source.
fn meaning(text: &str) -> String {
    let mut program = parse_fp("test.fp", text).unwrap_or_else(|error| panic!("{text}\n{error}")).program;
    let Program { sources, objects, functions, .. } = &mut program;
    sources.clear();
    objects.iter_mut().for_each(|object| object.span = Default::default());
    for function in functions {
        function.spans.clear();
        function.asserted.fill(Span::default());
    }
    format!("{program:?}")
}

/// The comments, sorted, and the code without its blanks.
fn comments_and_code(text: &str) -> (Vec<String>, String) {
    let (mut comments, mut code) = (Vec::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match rest {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").expect("an end") + 2,
            _ => {
                code.extend((!c.is_whitespace()).then_some(c));
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        comments.push(rest[..length].trim_end().to_owned());
        rest = &rest[length..];
    }
    comments.sort();
    (comments, code)
}

#[track_caller]
fn changes_only_the_layout(text: &str) {
    let once = formatted(text);
    assert_eq!(formatted(&once), once, "formatting twice is not formatting once:\n{text}");
    assert_eq!(comments_and_code(&once), comments_and_code(text), "\n{text}\nbecame\n{once}");
    assert_eq!(meaning(&once), meaning(text), "\n{text}\nbecame\n{once}");
}

#[test]
fn a_program_in_the_standard_layout_stays_as_it_is() {
    let document = include_str!("../../../../docs/reference/language.md");
    let example = document.split("```").nth(1).expect("an example").trim_start();
    assert_eq!(formatted(example), example);
}

#[test]
fn statements_get_a_line_each_and_blocks_are_indented() {
    let text =
        "atomic x,y[2]:bool={0,1};thread t[2]{loop{if(self==0){x.store(1,rel);}else if(x1){break;}else{continue;}
        while(true)x.store( - 1,rlx);either{fence(sc);}or{}}x1=1;}";
    let expected = "\
atomic x, y[2]: bool = {0, 1};

thread t[2] {
  loop {
    if (self == 0) {
      x.store(1, rel);
    } else if (x1) {
      break;
    } else {
      continue;
    }
    while (true) x.store(-1, rlx);
    either {
      fence(sc);
    } or {}
  }
  x1 = 1;
}
";
    assert_eq!(formatted(text), expected);
}

#[test]
fn comments_stay_with_what_they_are_about() {
    let text = "\
//! title: comments
atomic x; // first
atomic long_name; // second

// about t
thread t { // opens
  // before
  x.store(1, /* inside */ rel); // behind
  if (1) { fence(sc); } // after the block
  else fence(acq); /* other */
  // last
} // closes
// end";
    let expected = "\
//! title: comments
atomic x;          // first
atomic long_name;  // second

// about t
thread t {  // opens
  // before
  /* inside */
  x.store(1, rel);  // behind
  if (1) {
    fence(sc);
  } else fence(acq);
  // after the block
  /* other */
  // last
}  // closes
// end
";
    assert_eq!(formatted(text), expected);
}

#[test]
fn single_blank_lines_are_kept_and_more_are_not() {
    let text = "atomic x;\n\n\n\natomic y;\nthread t {\n\n\n  fence(sc);\n\n\n  fence(acq);\n\n}\n";
    let expected = "atomic x;\n\natomic y;\n\nthread t {\n  fence(sc);\n\n  fence(acq);\n}\n";
    assert_eq!(formatted(text), expected);
}

#[test]
fn labels_stand_out() {
    let text = "thread t { { again: fence(sc); goto again; } end: }";
    let expected = "thread t {\n  {\n  again:\n    fence(sc);\n    goto again;\n  }\nend:\n}\n";
    assert_eq!(formatted(text), expected);
}

#[test]
fn formatting_the_corpus_changes_only_the_layout() {
    for path in files_below(&programs(), &["fp"]) {
        let (name, text) = (path.display().to_string(), std::fs::read_to_string(&path).expect("a program"));
        println!("{name}");
        changes_only_the_layout(&text);
    }
}

#[test]
fn formatting_random_programs_changes_only_the_layout() {
    for seed in 0..3000 {
        let words = generate::Generator::program(seed);
        changes_only_the_layout(&generate::spaced(&words, &mut fastrand::Rng::with_seed(seed)));
    }
}

#[test]
fn a_syntax_error_is_an_error_of_the_formatter_too() {
    let error = format_fp("test.fp", "thread t {").expect_err("accepted");
    assert_eq!(error.diagnostics[0].message, "expected `}`, found the end of the file");
}
