fn main() {
    let a: Vec<String> = std::env::args().collect();
    let input = fencepost_frontend::read(&a[1]).unwrap();
    let o = fencepost_check::Options { max_states: Some(a[2].parse().unwrap()), ..Default::default() };
    let v = fencepost_check::check(&input.program, &o, &Default::default()).unwrap();
    println!(
        "{:?} {:?} {}MB {:.1}s",
        v.outcome,
        v.statistics.states,
        v.statistics.peak_bytes >> 20,
        v.statistics.seconds
    );
}
