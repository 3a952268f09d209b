use fencepost_frontend::parse_fp;
use fencepost_program::Program;

pub fn parse(text: &str) -> Program {
    match parse_fp("test", text) {
        Ok(input) => input.program,
        Err(error) => panic!("{error}\n{text}"),
    }
}
