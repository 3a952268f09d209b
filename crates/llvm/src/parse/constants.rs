use super::{Parser, Result};
use crate::lexer::{Token, unescaped};
use crate::{Binary, Cast, Constant, ConstantId, ConstantKind, Type, TypeId};

impl Parser<'_> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Result<ConstantId> {
        let ty = self.ty()?;
        self.skip_attributes()?;
        self.constant(ty)
    }

    pub(super) fn new_constant(&mut self, ty: TypeId, kind: ConstantKind) -> ConstantId {
        self.module.constants.push(Constant { ty, kind });
        ConstantId(self.module.constants.len() as u32 - 1)
    }

    pub(super) fn constant(&mut self, ty: TypeId) -> Result<ConstantId> {
        self.nested(|p| {
            let kind = p.constant_kind(ty)?;
            Ok(p.new_constant(ty, kind))
        })
    }

    fn constant_kind(&mut self, ty: TypeId) -> Result<ConstantKind> {
        match self.token {
            Token::Global(name) => {
                let name = self.symbol(name);
                self.advance()?;
                Ok(ConstantKind::Symbol(name))
            }
            Token::Bytes(text) => {
                let bytes = unescaped(text).into_owned();
                self.advance()?;
                Ok(ConstantKind::Bytes(bytes))
            }
            Token::Punct(b'{') => self.aggregate(b'{', b'}'),
            Token::Punct(b'[') => self.aggregate(b'[', b']'),
            Token::Punct(b'<') => {
                self.advance()?;
                if self.at(b'{') {
                    let kind = self.aggregate(b'{', b'}')?;
                    self.expect(b'>')?;
                    return Ok(kind);
                }
                let kind = self.elements(b'>')?;
                self.expect(b'>')?;
                Ok(kind)
            }
            Token::Word(word) => self.constant_word(word, ty),
            _ => self.expected("a value"),
        }
    }

    fn aggregate(&mut self, open: u8, close: u8) -> Result<ConstantKind> {
        self.expect(open)?;
        let kind = self.elements(close)?;
        self.expect(close)?;
        Ok(kind)
    }

    fn elements(&mut self, close: u8) -> Result<ConstantKind> {
        let mut elements = Vec::new();
        while !self.at(close) {
            elements.push(self.typed_constant()?);
            if !self.take(b',')? {
                break;
            }
        }
        Ok(ConstantKind::Aggregate(elements))
    }

    fn constant_word(&mut self, word: &str, ty: TypeId) -> Result<ConstantKind> {
        let simple = match word {
            "null" | "zeroinitializer" | "none" => Some(ConstantKind::Zero),
            "undef" | "poison" => Some(ConstantKind::Undef),
            "true" => Some(ConstantKind::Int { value: 1, wide: false }),
            "false" => Some(ConstantKind::Int { value: 0, wide: false }),
            _ => None,
        };
        if let Some(kind) = simple {
            self.advance()?;
            return Ok(kind);
        }
        if let Some(op) = cast(word) {
            self.advance()?;
            self.skip_attributes()?;
            self.expect(b'(')?;
            let value = self.typed_constant()?;
            self.expect_word("to")?;
            self.ty()?;
            self.expect(b')')?;
            return Ok(ConstantKind::Cast { op, value });
        }
        if let Some(op) = binary(word) {
            self.advance()?;
            self.skip_attributes()?;
            self.expect(b'(')?;
            let a = self.typed_constant()?;
            self.expect(b',')?;
            let b = self.typed_constant()?;
            self.expect(b')')?;
            return Ok(ConstantKind::Binary { op, a, b });
        }
        if word == "splat" {
            self.advance()?;
            self.expect(b'(')?;
            let element = self.typed_constant()?;
            self.expect(b')')?;
            return Ok(ConstantKind::Splat(element));
        }
        if word == "getelementptr" {
            return self.constant_address();
        }
        let number = match self.module.types.get(ty) {
            Type::Int(bits) => integer(word, *bits),
            Type::Float => float(word).map(|value| ConstantKind::Float(u64::from((value as f32).to_bits()))),
            Type::Double => float(word).map(|value| ConstantKind::Float(value.to_bits())),
            Type::Half | Type::BFloat | Type::X86Fp80 | Type::Fp128 => {
                Some(ConstantKind::Unsupported(self.module.names.intern(word)))
            }
            _ => None,
        };
        if let Some(kind) = number {
            self.advance()?;
            return Ok(kind);
        }
        if word == "blockaddress" {
            return self.block_address();
        }
        let other = matches!(
            word,
            "dso_local_equivalent"
                | "no_cfi"
                | "ptrauth"
                | "icmp"
                | "fcmp"
                | "select"
                | "extractelement"
                | "insertelement"
                | "shufflevector"
                | "extractvalue"
                | "insertvalue"
                | "fneg"
        );
        if !other {
            return self.expected("a value");
        }
        let keyword = self.module.names.intern(word);
        self.advance()?;
        while matches!(self.token, Token::Word(_)) {
            self.advance()?;
        }
        if self.at(b'(') {
            self.skip_brackets()?;
        } else {
            self.advance()?;
        }
        Ok(ConstantKind::Unsupported(keyword))
    }

    /// `blockaddress(@f, %block)`
    fn block_address(&mut self) -> Result<ConstantKind> {
        self.advance()?;
        self.expect(b'(')?;
        let Token::Global(function) = self.token else { return self.expected("the name of a function") };
        let function = self.symbol(function);
        self.advance()?;
        self.expect(b',')?;
        let Token::Local(block) = self.token else { return self.expected("the name of a block") };
        let block = self.symbol(block);
        self.advance()?;
        self.expect(b')')?;
        Ok(ConstantKind::BlockAddress { function, block })
    }

    /// `getelementptr inbounds (T, ptr @x, i64 1)`
    fn constant_address(&mut self) -> Result<ConstantKind> {
        self.advance()?;
        while matches!(self.token, Token::Word(_)) {
            self.skip_range_attribute()?;
        }
        self.expect(b'(')?;
        let source = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.take(b',')? {
            self.take_word("inrange")?;
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        Ok(ConstantKind::GetElementPtr { source, base, indices })
    }

    /// `inbounds`, `nuw` have no brackets of their own; `inrange(-16, 8)` has.
    fn skip_range_attribute(&mut self) -> Result<()> {
        if self.at_word("inrange") {
            return self.skip_attribute();
        }
        self.advance().map(drop)
    }
}

fn integer(word: &str, bits: u32) -> Option<ConstantKind> {
    let hexadecimal = word.strip_prefix("u0x").or_else(|| word.strip_prefix("s0x"));
    let value = match hexadecimal {
        Some(digits) => u128::from_str_radix(digits, 16).ok().map(|value| value as i128),
        None => word.parse::<i128>().ok(),
    };
    let digits = word.trim_start_matches('-');
    let Some(value) = value else {
        let wide = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        return wide.then_some(ConstantKind::Int { value: 0, wide });
    };
    if bits > 128 {
        let wide = i64::try_from(value).is_err();
        return Some(ConstantKind::Int { value: value as i64, wide });
    }
    if bits > 64 {
        return Some(ConstantKind::Wide(value));
    }
    let shift = 64 - bits;
    let value = ((value as i64) << shift) >> shift;
    Some(ConstantKind::Int { value: if bits == 1 { value & 1 } else { value }, wide: false })
}

fn float(word: &str) -> Option<f64> {
    if let Some(digits) = word.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok().map(f64::from_bits);
    }
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+')).then(|| word.parse().ok()).flatten()
}

pub(super) fn cast(word: &str) -> Option<Cast> {
    Some(match word {
        "trunc" => Cast::Trunc,
        "zext" => Cast::ZExt,
        "sext" => Cast::SExt,
        "fptrunc" => Cast::FpTrunc,
        "fpext" => Cast::FpExt,
        "fptoui" => Cast::FpToUi,
        "fptosi" => Cast::FpToSi,
        "uitofp" => Cast::UiToFp,
        "sitofp" => Cast::SiToFp,
        "ptrtoint" | "ptrtoaddr" => Cast::PtrToInt,
        "inttoptr" => Cast::IntToPtr,
        "bitcast" => Cast::BitCast,
        "addrspacecast" => Cast::AddrSpaceCast,
        _ => return None,
    })
}

pub(super) fn binary(word: &str) -> Option<Binary> {
    Some(match word {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "mul" => Binary::Mul,
        "udiv" => Binary::UDiv,
        "sdiv" => Binary::SDiv,
        "urem" => Binary::URem,
        "srem" => Binary::SRem,
        "shl" => Binary::Shl,
        "lshr" => Binary::LShr,
        "ashr" => Binary::AShr,
        "and" => Binary::And,
        "or" => Binary::Or,
        "xor" => Binary::Xor,
        "fadd" => Binary::FAdd,
        "fsub" => Binary::FSub,
        "fmul" => Binary::FMul,
        "fdiv" => Binary::FDiv,
        "frem" => Binary::FRem,
        _ => return None,
    })
}
