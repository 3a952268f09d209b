//! `cargo xtask programs`: the generated programs of `programs/prove/large`, from the templates in `xtask/templates`.
//!
//! A template is a driver in C. Its options (registers, descriptors, queue slots, lines) are what grows: a block of
//! lines that start with `@PER_OPTION` is written once for each, with the option's name and numbers filled in. `@IF_X`
//! keeps a line in some drivers.

use std::path::Path;

const WATCHDOG: &str = include_str!("../templates/watchdog.c");
const BLOCK: &str = include_str!("../templates/block.c");
const NETWORK: &str = include_str!("../templates/network.c");
const SERIAL: &str = include_str!("../templates/serial.c");

/// A driver, in several sizes.
struct Driver {
    name: &'static str,
    title: &'static str,
    template: &'static str,
    /// Words to fill in that are the same for the whole program.
    words: &'static [(&'static str, &'static str)],
    /// What is kept of lines that begin with `@IF_X`.
    features: &'static [&'static str],
    sizes: [usize; 3],
}

const DRIVERS: &[Driver] = &[
    Driver {
        name: "sbc_watchdog",
        title: "A watchdog on a single-board computer: a timer pings, users open it one at a time",
        template: WATCHDOG,
        words: &[
            ("BASE", "0x441"),
            ("IRQ", "9"),
            ("MARGIN", "30"),
            ("LARGEST", "255"),
            ("FIRMWARE", "2"),
            ("PUBLISH", "release"),
        ],
        features: &["NO_SUSPEND"],
        sizes: [3, 10, 24],
    },
    Driver {
        name: "pci_watchdog",
        title: "A watchdog on a card with an interrupt",
        template: WATCHDOG,
        words: &[
            ("BASE", "0x270"),
            ("IRQ", "11"),
            ("MARGIN", "60"),
            ("LARGEST", "120"),
            ("FIRMWARE", "7"),
            ("PUBLISH", "release"),
        ],
        features: &["IRQ", "NO_SUSPEND"],
        sizes: [4, 12, 30],
    },
    Driver {
        name: "chipset_watchdog",
        title: "A watchdog in a chipset that is suspended and resumed; both sides have their fence",
        template: WATCHDOG,
        words: &[
            ("BASE", "0x460"),
            ("IRQ", "5"),
            ("MARGIN", "15"),
            ("LARGEST", "63"),
            ("FIRMWARE", "1"),
            ("PUBLISH", "release"),
            ("FENCE", "atomic_thread_fence(memory_order_seq_cst);"),
        ],
        features: &["IRQ", "SUSPEND"],
        sizes: [4, 14, 40],
    },
    Driver {
        name: "legacy_watchdog",
        title: "An old watchdog driver that relies on stores staying in order",
        template: WATCHDOG,
        words: &[
            ("BASE", "0x218"),
            ("IRQ", "10"),
            ("MARGIN", "20"),
            ("LARGEST", "200"),
            ("FIRMWARE", "3"),
            ("PUBLISH", "relaxed"),
        ],
        features: &["IRQ", "NO_SUSPEND"],
        sizes: [5, 16, 60],
    },
    Driver {
        name: "disk",
        title: "A disk with a slot for each request: the driver fills one, the device completes it",
        template: BLOCK,
        words: &[
            ("SECTORS", "2048"),
            ("MAGIC", "0x4b"),
            ("LENGTH", "8"),
            ("LAST", "2047"),
            ("PUBLISH", "release"),
            ("COMPLETE", "release"),
        ],
        features: &[],
        sizes: [3, 10, 40],
    },
    Driver {
        name: "flash",
        title: "A flash disk whose completions are not ordered with what they complete",
        template: BLOCK,
        words: &[
            ("SECTORS", "512"),
            ("MAGIC", "0x17"),
            ("LENGTH", "4"),
            ("LAST", "500"),
            ("PUBLISH", "release"),
            ("COMPLETE", "relaxed"),
        ],
        features: &[],
        sizes: [4, 12, 30],
    },
    Driver {
        name: "network_card",
        title: "A network card with a ring of descriptors that driver and card own in turn",
        template: NETWORK,
        words: &[("MTU", "1514"), ("IRQ", "3"), ("MAC", "0x5254"), ("PUBLISH", "release"), ("COMPLETE", "release")],
        features: &[],
        sizes: [3, 10, 32],
    },
    Driver {
        name: "relaxed_network_card",
        title: "A network card whose descriptors are handed over by relaxed stores",
        template: NETWORK,
        words: &[("MTU", "9000"), ("IRQ", "12"), ("MAC", "0x1008"), ("PUBLISH", "release"), ("COMPLETE", "relaxed")],
        features: &[],
        sizes: [4, 12, 24],
    },
    Driver {
        name: "serial_port",
        title: "A serial port: an interrupt handler fills a ring and follows the modem lines under a lock",
        template: SERIAL,
        words: &[("DIVISOR", "16"), ("BASE", "0x3f8"), ("PUBLISH", "release")],
        features: &[],
        sizes: [3, 8, 20],
    },
];

/// What is filled in for the option of this number.
fn option_words(driver: &Driver, number: usize) -> Vec<(&'static str, String)> {
    let names = ["mode", "level", "delay", "window", "filter", "gain", "queue", "slot"];
    let name = match number / names.len() {
        0 => names[number].to_owned(),
        round => format!("{}_{}", names[number % names.len()], round + 1),
    };
    let (low, high) = (1 + number % 3, 40 + 7 * (number % 11));
    let set = if driver.template == WATCHDOG { 4 + 2 * number } else { 1 + number };
    vec![
        ("option", name),
        ("NUMBER", number.to_string()),
        ("LOW", low.to_string()),
        ("HIGH", high.to_string()),
        ("DEFAULT", (low + number % 5).to_string()),
        ("PORT", (1 + number).to_string()),
        ("SET", set.to_string()),
        ("GET", (set + 1).to_string()),
        ("ADDRESS", format!("{:#x}", 0x1000 + 0x40 * number)),
        ("ENABLED", (1 + number % 2).to_string()),
    ]
}

fn fill(text: &str, words: &[(&str, String)]) -> String {
    words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(&format!("@{word}@"), value))
}

fn program(driver: &Driver, options: usize) -> String {
    let mut words: Vec<(&str, String)> = driver.words.iter().map(|&(word, value)| (word, value.to_owned())).collect();
    words.push(("TITLE", format!("{} ({options} options)", driver.title)));
    words.push(("COUNT", options.to_string()));
    words.push(("LAST", (options - 1).to_string()));
    words.push(("REQUESTS", (3 + 2 * options).to_string()));
    let mut text = String::new();
    let mut lines = driver.template.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("@IF_") {
            let (feature, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            if driver.features.contains(&feature) {
                text.push_str(&format!("{rest}\n"));
            }
            continue;
        }
        let Some(first) = line.strip_prefix("@PER_OPTION") else {
            text.push_str(&format!("{line}\n"));
            continue;
        };
        let mut block = vec![first];
        while let Some(next) = lines.next_if(|next| next.starts_with("@PER_OPTION")) {
            block.push(&next["@PER_OPTION".len()..]);
        }
        for number in 0..options {
            for line in &block {
                let line = fill(line.strip_prefix(' ').unwrap_or(line), &option_words(driver, number));
                text.push_str(&format!("{line}\n"));
            }
        }
    }
    fill(&text, &words)
}

/// Each program and its file's name.
fn programs() -> Vec<(String, String)> {
    let sized = |driver: &'static Driver| {
        let named = |(i, &size): (usize, &usize)| (format!("{}_{:02}.c", driver.name, i + 1), program(driver, size));
        driver.sizes.iter().enumerate().map(named).collect::<Vec<_>>()
    };
    DRIVERS.iter().flat_map(sized).collect()
}

fn directory() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/prove/large")
}

pub fn run() -> Result<(), String> {
    for (name, text) in programs() {
        let path = directory().join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_the_programs_that_the_templates_make() {
        for (name, text) in programs() {
            let found = std::fs::read_to_string(directory().join(&name)).unwrap_or_default();
            assert!(found == text, "{name} is not what `cargo xtask programs` writes");
            assert!(!text.contains('@'), "{name} has something left to fill in");
        }
    }
}
