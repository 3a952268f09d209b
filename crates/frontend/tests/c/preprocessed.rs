//! Files that went through the preprocessor before they came to us.

use fencepost_testing::compiled;

use crate::runner::{Ending, Run};

const TEXT: &str = "# 1 \"answer.c\"
# 1 \"/usr/include/stdlib.h\" 1 3 4
extern void abort (void);
# 7 \"answer.c\" 2
int unused;
int main() {
  int answer = 42;
  if (answer != 42) abort();
  ANSWER
}
";

#[test]
fn a_preprocessed_file_has_the_lines_of_its_origin() {
    let program = compiled("answer.i", &TEXT.replace("ANSWER", "abort();"));
    let (_, ending) = Run::of(&program);
    let Ending::Failed(_, span) = ending else { panic!("{ending:?}") };
    assert_eq!(program.place(span).as_deref(), Some("answer.c:11"));
}

#[test]
fn a_preprocessed_file_may_be_cxx() {
    let text = TEXT.replace("ANSWER", "return [] { return 0; }();").replace("extern", "extern \"C\"");
    let program = compiled("lambda.ii", &text);
    assert_eq!(Run::of(&program).1, Ending::Ended);
}
