//! Functions, files and lines of program counters.

use std::collections::HashMap;
use std::path::Path;

use addr2line::Loader;
use fencepost_report::Frame;
use fencepost_wire::Module;
use object::{Object, ObjectSegment};

/// Debug information, read once for each program and library.
#[derive(Default)]
pub struct Symbols {
    modules: HashMap<String, Option<Loaded>>,
}

struct Loaded {
    loader: Loader,
    /// Of each segment: offset in the file, size, and address.
    segments: Vec<(u64, u64, u64)>,
}

impl Loaded {
    fn new(path: &Path) -> Option<Loaded> {
        let data = std::fs::read(path).ok()?;
        let file = object::File::parse(&*data).ok()?;
        let segments =
            file.segments().map(|segment| (segment.file_range().0, segment.file_range().1, segment.address()));
        Some(Loaded { segments: segments.collect(), loader: Loader::new(path).ok()? })
    }

    fn address(&self, offset: u64) -> u64 {
        let segment = self.segments.iter().find(|&&(start, size, _)| offset >= start && offset - start < size);
        segment.map_or(offset, |&(start, _, address)| offset - start + address)
    }
}

impl Symbols {
    /// The frames of a stack, innermost first. Counters are return addresses, so the calls are right before them.
    pub fn stack(&mut self, counters: &[u64], modules: &[Module]) -> Vec<Frame> {
        let mut frames: Vec<Frame> =
            counters.iter().flat_map(|&counter| self.frames(counter.saturating_sub(1), modules)).collect();
        // Threads start in the runtime.
        frames.retain(|frame| !frame.function.as_ref().is_some_and(|name| name.starts_with("fencepost_runtime::")));
        let main = frames.iter().position(|frame| frame.function.as_deref() == Some("main"));
        frames.truncate(main.map_or(frames.len(), |main| main + 1));
        frames
    }

    fn frames(&mut self, counter: u64, modules: &[Module]) -> Vec<Frame> {
        let Some(Module { path, start, offset, .. }) = modules.iter().find(|m| (m.start..m.end).contains(&counter))
        else {
            return vec![Frame { module: "?".into(), offset: counter, ..nothing() }];
        };
        let in_file = counter - start + offset;
        let loaded = self.modules.entry(path.clone()).or_insert_with(|| Loaded::new(Path::new(path)));
        let Some(loaded) = loaded else {
            return vec![Frame { module: path.clone(), offset: in_file, ..nothing() }];
        };
        let address = loaded.address(in_file);
        let mut frames = Vec::new();
        if let Ok(mut found) = loaded.loader.find_frames(address) {
            while let Ok(Some(frame)) = found.next() {
                let name = frame.function.as_ref().and_then(|name| name.demangle().ok()).map(|name| name.into_owned());
                let location = frame.location.as_ref();
                frames.push(Frame {
                    function: name.or_else(|| symbol(&loaded.loader, address)),
                    file: location.and_then(|location| location.file).map(str::to_owned),
                    line: location.and_then(|location| location.line),
                    column: location.and_then(|location| location.column).filter(|&column| column > 0),
                    module: path.clone(),
                    offset: address,
                });
            }
        }
        if frames.is_empty() {
            frames.push(Frame {
                function: symbol(&loaded.loader, address),
                module: path.clone(),
                offset: address,
                ..nothing()
            });
        }
        frames
    }
}

fn symbol(loader: &Loader, address: u64) -> Option<String> {
    loader.find_symbol(address).map(|name| addr2line::demangle_auto(name.into(), None).into_owned())
}

fn nothing() -> Frame {
    Frame { function: None, file: None, line: None, column: None, module: String::new(), offset: 0 }
}
