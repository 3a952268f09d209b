fn main() {
    let a: Vec<String> = std::env::args().collect();
    let input = fencepost_frontend::read(&a[2]).unwrap();
    match fencepost_check::promela(&input.program, a[1].parse().unwrap(), a.len() > 3) {
        Ok(t) => print!("{t}"),
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(2)
        }
    }
}
