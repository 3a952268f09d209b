use hashbrown::HashMap;

/// A name of the module, without its sigil and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// Each name once, in one text.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
    index: HashMap<Box<str>, Symbol>,
}

impl Names {
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&known) = self.index.get(name) {
            return known;
        }
        let symbol = Symbol(self.ends.len() as u32);
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        self.index.insert(name.into(), symbol);
        symbol
    }

    pub fn get(&self, symbol: Symbol) -> &str {
        let at = symbol.0 as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start as usize..self.ends[at] as usize]
    }

    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.index.get(name).copied()
    }
}
