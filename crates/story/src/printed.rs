use crate::PrintedLine;

/// Puts together what each thread prints until it ends a line.
pub struct PrintedLines<F> {
    unfinished: Vec<String>,
    lines: Vec<PrintedLine>,
    name: F,
}

impl<F: Fn(usize) -> String> PrintedLines<F> {
    /// The name of each thread.
    pub fn new(name: F) -> PrintedLines<F> {
        PrintedLines { unfinished: Vec::new(), lines: Vec::new(), name }
    }

    pub fn add(&mut self, thread: usize, text: &str) {
        if self.unfinished.len() <= thread {
            self.unfinished.resize(thread + 1, String::new());
        }
        let mut parts = text.split('\n');
        self.unfinished[thread] += parts.next().unwrap_or_default();
        for part in parts {
            let text = std::mem::replace(&mut self.unfinished[thread], part.to_owned());
            self.lines.push(PrintedLine { thread: (self.name)(thread), text });
        }
    }

    /// All lines, those that were not ended last.
    pub fn finish(mut self) -> Vec<PrintedLine> {
        for (thread, text) in self.unfinished.into_iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            self.lines.push(PrintedLine { thread: (self.name)(thread), text });
        }
        self.lines
    }
}
