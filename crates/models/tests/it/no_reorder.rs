//! Which accesses of one thread a model keeps in order.

use fencepost_models::{Access, Engine, Model};
use fencepost_program::{Address, Membar};

fn access(kind: &str, cell: u64) -> Access {
    Access { reads: kind == "R", writes: kind == "W", cell: Some(Address(cell)) }
}

/// Paper 002 Fig. 5, a `yes` of which is a reordering; W→R of one variable counts as one (§4.6), but under IBM 370,
/// which the figure does not have.
#[test]
fn the_models_allow_the_reorderings_of_figure_5() {
    let columns = [
        ("R", "R", 0, [false, false, false, false, false]),
        ("R", "W", 0, [false, false, false, false, false]),
        ("W", "R", 0, [false, false, true, true, true]),
        ("W", "W", 0, [false, false, false, false, false]),
        ("R", "R", 1, [false, false, false, false, true]),
        ("R", "W", 1, [false, false, false, false, true]),
        ("W", "R", 1, [false, true, true, true, true]),
        ("W", "W", 1, [false, false, false, true, true]),
    ];
    for (first, second, cell, allowed) in columns {
        for (model, allowed) in Model::of(Engine::Prove).zip(allowed) {
            let kept = model.no_reorder(access(first, 0), access(second, cell), Membar::NONE);
            assert_eq!(kept, !allowed, "{model}: {first}(v1) -> {second}(v{})", cell + 1);
        }
    }
}

#[test]
fn a_membar_orders_what_its_name_says_and_nothing_else() {
    let kinds = [("LoadLoad", "R", "R"), ("LoadStore", "R", "W"), ("StoreLoad", "W", "R"), ("StoreStore", "W", "W")];
    for (name, ..) in kinds {
        let membar = Membar::named(name).expect("a membar");
        for (other, first, second) in kinds {
            let kept = Model::Rmo.no_reorder(access(first, 0), access(second, 1), membar);
            assert_eq!(kept, name == other, "{name}: {first} -> {second}");
        }
    }
}
