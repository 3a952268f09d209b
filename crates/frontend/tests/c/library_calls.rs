//! Random calls of the C library. None is undefined behaviour, and none depends on the system that it runs on.

use fastrand::Rng;

/// A literal with characters from some set.
fn literal(random: &mut Rng, set: &[u8], most: usize) -> String {
    let length = random.usize(0..=most);
    let bytes: Vec<u8> = (0..length).map(|_| set[random.usize(0..set.len())]).collect();
    quoted(&bytes)
}

fn quoted(bytes: &[u8]) -> String {
    let mut out = "\"".to_owned();
    for &byte in bytes {
        out += &format!("\\{byte:03o}");
    }
    out + "\""
}

/// A short text of few characters, so that comparisons find something.
fn word(random: &mut Rng) -> String {
    let sets: [&[u8]; 4] = [b"ab", b"abc ,", b"aAbB", b"xyz\xff\x01-"];
    let set = sets[random.usize(0..4)];
    literal(random, set, 9)
}

fn byte(random: &mut Rng) -> i32 {
    *random.choice(&[97, 98, 99, 32, 44, 0, 255, 120, 1, 353]).expect("some")
}

fn number(random: &mut Rng) -> i64 {
    match random.u32(0..6) {
        0 => random.i64(-10..10),
        1 => *random.choice(&[i64::MAX, i64::MIN + 1, 0, -1, i32::MAX.into(), i32::MIN.into()]).expect("some"),
        2 => random.i64(-100_000..100_000),
        3 => 1 << random.u32(0..63),
        _ => random.i64(i64::MIN + 1..),
    }
}

/// The text of an integer, or almost one.
fn integer_text(random: &mut Rng) -> String {
    let mut text = [" ", "", "\t\n", "x"][random.usize(0..4)].to_owned();
    text += ["", "-", "+", "--"][random.usize(0..4)];
    text += ["", "0x", "0", "0X", "0b"][random.usize(0..5)];
    let most = [3, 8, 25][random.usize(0..3)];
    for _ in 0..random.usize(0..most) {
        let digits = if random.bool() { 10 } else { 17 };
        text.push(char::from(b"0123456789abfFgzZ"[random.usize(0..digits)]));
    }
    text += ["", " ", "z", ".5"][random.usize(0..4)];
    quoted(text.as_bytes())
}

/// The text of a float, or almost one.
fn float_text(random: &mut Rng) -> String {
    let value = match random.u32(0..8) {
        0 => ["inf", "-INFINITY", "nan", "infinit", "0x1.8p3", "0x.8", "0xp1", "-0x1.fffffffffffff8p1023"]
            [random.usize(0..8)]
        .to_owned(),
        1 => format!("{:e}", f64::from_bits(random.u64(..))),
        2 => format!("{}", f64::from_bits(random.u64(..) & 0x0010_ffff_ffff_ffff)),
        3 => format!("{}", f64::from(f32::from_bits(random.u32(..)))),
        // Halfway between two floats.
        4 => {
            let value = f64::from_bits(random.u64(0x3000 << 48..0x4f00 << 48));
            format!("{:.60e}", value + value * f64::EPSILON / 2.0)
        }
        5 => format!("0x{:x}.{:x}p{}", random.u64(..), random.u64(..), random.i32(-1100..1000)),
        _ => {
            let digits = |random: &mut Rng| -> String {
                (0..random.usize(0..30)).map(|_| char::from(b'0' + random.u8(0..10))).collect()
            };
            let (before, after) = (digits(random), digits(random));
            let exponent = match random.u32(0..3) {
                0 => String::new(),
                1 => format!("e{}", random.i32(-30..30)),
                _ => format!("E{:+}", random.i32(-350..330)),
            };
            format!("{before}.{after}{exponent}")
        }
    };
    let text = ["", " ", "-", "+"][random.usize(0..4)].to_owned() + &value + ["", "e", "x"][random.usize(0..3)];
    quoted(text.as_bytes())
}

/// A double that is no NaN.
fn double(random: &mut Rng) -> String {
    let bits = match random.u32(0..8) {
        0 => (random.i32(-1000..1000) as f64).to_bits(),
        1 => (f64::from(random.i32(-4000..4000)) / 8.0).to_bits(),
        2 => [0.0, -0.0, 0.5, -0.5, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e15, 2.5]
            [random.usize(0..11)]
        .to_bits(),
        3 => (random.f64() * 1000.0).to_bits(),
        4 => (10f64.powi(random.i32(-20..20))).to_bits(),
        5 => random.u64(..) & !(0x7ff << 52),
        6 => (random.u64(..) >> random.u32(0..40)) as f64 as u64,
        _ => random.u64(..),
    };
    let bits = if f64::from_bits(bits).is_nan() { 0x4009_21fb_5444_2d18 } else { bits };
    format!("of({bits}UL)")
}

fn float(random: &mut Rng) -> String {
    let bits = match random.u32(0..4) {
        0 => (random.i32(-1000..1000) as f32 / 4.0).to_bits(),
        1 => [0.0, -0.0, 0.5, 1.5, 8388607.5, f32::INFINITY, f32::MAX, 1e-45][random.usize(0..8)].to_bits(),
        _ => random.u32(..),
    };
    let bits = if f32::from_bits(bits).is_nan() { 0x4048_0000 } else { bits };
    format!("single({bits}u)")
}

/// A conversion with its argument.
fn conversion(random: &mut Rng, arguments: &mut String) -> String {
    if random.u32(0..12) == 0 {
        return "%%".to_owned();
    }
    let mut out = "%".to_owned();
    for flag in "-+ #0".chars() {
        if random.u32(0..4) == 0 {
            out.push(flag);
        }
    }
    match random.u32(0..5) {
        0 => out += &random.u32(1..30).to_string(),
        1 => {
            out.push('*');
            *arguments += &format!(", {}", random.i32(-20..20));
        }
        _ => {}
    }
    match random.u32(0..5) {
        0 => out += &format!(".{}", random.u32(0..25)),
        1 => {
            out += ".*";
            *arguments += &format!(", {}", random.i32(-3..20));
        }
        2 => out.push('.'),
        _ => {}
    }
    match random.u32(0..8) {
        0 => {
            out.push('c');
            *arguments += &format!(", {}", random.u8(1..));
        }
        1 => {
            out.push('s');
            *arguments += &format!(", {}", word(random));
        }
        2 | 3 => {
            out.push(char::from(b"eEfFgG"[random.usize(0..6)]));
            *arguments += &format!(", {}", double(random));
        }
        _ => {
            let size = ["", "hh", "h", "l", "ll", "z", "j", "t"][random.usize(0..8)];
            let kind = char::from(b"diuxXo"[random.usize(0..6)]);
            out += size;
            out.push(kind);
            let value = number(random);
            *arguments += &match size.len() {
                0 | 2 if size != "ll" => format!(", {}", value as i32 as i64),
                1 if size == "h" => format!(", {}", value as i32 as i64),
                _ => format!(", {value}L"),
            };
        }
    }
    out
}

fn format_call(random: &mut Rng) -> String {
    let (mut format, mut arguments) = (String::new(), String::new());
    for _ in 0..random.usize(1..4) {
        format += ["", "a", "-- ", "\\n"][random.usize(0..4)];
        format += &conversion(random, &mut arguments);
    }
    let size = [0, 1, 5, 700][random.usize(0..4)];
    match random.u32(0..4) {
        0 => format!("char to[700] = {{ 0 }}; formats(to, {size}, \"{format}\"{arguments}); bytes(to, 700);"),
        1 => format!("char *to; r(asprintf(&to, \"{format}\"{arguments})); text(to); free(to);"),
        2 => format!(
            "char to[2000] = {{ 0 }}; int n = -1; r(sprintf(to, \"{format}%n\"{arguments}, &n)); r(n); text(to);"
        ),
        _ => format!("char to[700] = {{ 0 }}; r(snprintf(to, {size}, \"{format}\"{arguments})); bytes(to, 700);"),
    }
}

fn scan_call(random: &mut Rng) -> String {
    let (mut input, mut format, mut arguments) = (String::new(), String::new(), String::new());
    let mut shown = String::new();
    let mut declared = String::new();
    for i in 0..random.usize(1..4) {
        let skip = random.u32(0..8) == 0;
        let star = if skip { "*" } else { "" };
        let width = if random.u32(0..3) == 0 { random.u32(1..6).to_string() } else { String::new() };
        let (kind, ty, argument, show) = match random.u32(0..7) {
            0 => ("d", "int", "&", "r"),
            1 => ("li", "long", "&", "r"),
            2 => ("x", "unsigned", "&", "r"),
            3 => ("hhu", "unsigned char", "&", "r"),
            4 => ("lf", "double", "&", "d"),
            5 => ("c", "char", "&", "r"),
            _ => (["s", "[a-c]", "[^ ,]"][random.usize(0..3)], "char", "", "text"),
        };
        input += match random.u32(0..6) {
            0 => "abc ",
            1 => "-12 ",
            2 => "1f,",
            3 => "3.25e2 ",
            4 => " 077",
            _ => "b,",
        };
        let width = if kind == "c" { String::new() } else { width };
        format += &format!("%{star}{width}{kind}{}", ["", " ", ","][random.usize(0..3)]);
        if !skip {
            let array = if argument.is_empty() { "[100] = \"?\"" } else { " = 7" };
            declared += &format!("{ty} v{i}{array}; ");
            arguments += &format!(", {argument}v{i}");
            shown += &format!("{show}(v{i}); ");
        }
    }
    format!("{declared}r(sscanf(\"{input}\", \"{format}\"{arguments})); {shown}")
}

fn string_call(random: &mut Rng) -> String {
    let (a, b, c, n) = (word(random), word(random), byte(random), random.usize(0..12));
    let buffer = format!("char t[64] = {a}; ");
    match random.u32(0..44) {
        0 => format!("r(sign(strcmp({a}, {b})));"),
        1 => format!("r(sign(strncmp({a}, {b}, {n})));"),
        2 => format!("r(sign(strcasecmp({a}, {b})));"),
        3 => format!("r(sign(strncasecmp({a}, {b}, {n})));"),
        4 => format!("const char *s = {a}; at(strchr(s, {c}), s);"),
        5 => format!("const char *s = {a}; at(strrchr(s, {c}), s);"),
        6 => format!("const char *s = {a}; at(strstr(s, {b}), s);"),
        7 => format!("const char *s = {a}; at(strcasestr(s, {b}), s);"),
        8 => format!("const char *s = {a}; at(strpbrk(s, {b}), s);"),
        9 => format!("r((long)strspn({a}, {b}));"),
        10 => format!("r((long)strcspn({a}, {b}));"),
        11 => format!("r((long)strnlen({a}, {n}));"),
        12 => format!("{buffer}at(stpcpy(t + 1, {b}), t); bytes(t, 64);"),
        13 => format!("{buffer}at(stpncpy(t + 1, {b}, {n}), t); bytes(t, 64);"),
        14 => format!("{buffer}strncpy(t, {b}, {n}); bytes(t, 64);"),
        15 => format!("{buffer}strcat(t, {b}); strncat(t, {b}, {n}); bytes(t, 64);"),
        16 => format!("{buffer}at(mempcpy(t + {n}, t, 9), t); bytes(t, 64);", n = n + 10),
        17 => format!("{buffer}at(memccpy(t + 30, t, {c}, {n}), t); bytes(t, 64);"),
        18 => format!("{buffer}at(memrchr(t, {c}, {n}), t);"),
        19 => format!("{buffer}at(memchr(t, {c}, {n}), t);"),
        20 => format!("{buffer}at(memmem(t, 12, {b}, strlen({b})), t);"),
        21 => format!("{buffer}at(rawmemchr(t, 0), t);"),
        22 => format!("{buffer}at(strchrnul(t, {c}), t);"),
        23 => format!("{buffer}memmove(t + {n}, t + 3, 20); bytes(t, 64);"),
        24 => format!("{buffer}memset(t + {n}, {c}, 9); bytes(t, 64);"),
        25 => format!("{buffer}r(sign(memcmp(t, {b}, strlen({b}))));"),
        26 => format!("{buffer}r(bcmp(t, {b}, strlen({b})) != 0);"),
        27 => format!("{buffer}bzero(t + 1, {n}); bytes(t, 64);"),
        28..=30 => format!(
            "{buffer}char *rest; for (char *p = strtok_r(t, {b}, &rest); p; p = strtok_r(NULL, {b}, &rest)) {{ at(p, t); text(p); }} bytes(t, 64);"
        ),
        31 => format!("{buffer}for (char *p = strtok(t, \" ,\"); p; p = strtok(NULL, {b})) text(p);"),
        32 | 33 => format!("{buffer}char *p = t; for (char *q; (q = strsep(&p, {b}));) {{ at(q, t); text(q); }} bytes(t, 64);"),
        34 => format!("char *t = strdup({a}); text(t); free(t); t = strndup({b}, {n}); text(t); free(t);"),
        35 => format!("r(sign(strcoll({a}, {b})));"),
        36 => format!("const char *s = {a}; at(index(s, {c}), s); at(rindex(s, {c}), s);"),
        37 => format!("text(strerror({}));", [0, 1, 2, 11, 12, 22, 34][n % 7]),
        38 => {
            let c = random.i32(-1..256);
            let kind = ["alpha", "digit", "alnum", "space", "upper", "lower", "punct", "print", "graph", "cntrl", "xdigit", "blank"]
                [random.usize(0..12)];
            format!("r(is{kind}({c}) != 0); r((is{kind})({c}) != 0); r(isascii({c}) != 0);")
        }
        39 => format!("r(tolower({c})); r(toupper({c})); r((tolower)({c})); r((toupper)({c}));", c = random.i32(-1..256)),
        40 => format!("char t[40] = {{ 0 }}; r(strerror_r({}, t, {n}) != 0 ? 1 : 0);", [0, 1, 2, 22][n % 4]),
        41 => "void *volatile p = calloc(1UL << 40, 1UL << 40); r(p != 0); e(); p = reallocarray(0, 1UL << 40, 1UL << 40); r(p != 0); e();".to_owned(),
        42 => format!("signed char t[12] = {a}; qsort(t, {n}, 1, by_first); bytes(t, 12);"),
        _ => {
            let values: Vec<String> = (0..n.max(1)).map(|_| (number(random) as i32 / 7 % 9).to_string()).collect();
            format!(
                "int v[] = {{ {} }}, k = {}; qsort(v, {n}, 4, by_int); bytes(v, sizeof v); at(bsearch(&k, v, {n}, 4, by_int), v);",
                values.join(", "),
                random.i32(-4..5),
                n = n.min(values.len())
            )
        }
    }
}

fn number_call(random: &mut Rng) -> String {
    let (t, base) = (integer_text(random), [0, 2, 8, 10, 16, 36, 7][random.usize(0..7)]);
    let (a, b) = (number(random), number(random) | 1);
    let (small, other) = (a as i32 / 2, (b as i32 / 2).max(1));
    match random.u32(0..14) {
        0..=2 => format!("const char *s = {t}; char *end; r(strtol(s, &end, {base})); at(end, s); e();"),
        3 | 4 => format!("const char *s = {t}; char *end; r((long)strtoul(s, &end, {base})); at(end, s); e();"),
        5 => format!("r(strtoll({t}, 0, {base})); e(); r((long)strtoull({t}, 0, {base})); e();"),
        6 => format!("r(atoi({})); r(atol({}));", quoted(b" -123x"), quoted(small.to_string().as_bytes())),
        7 => format!("r(labs({a}L)); r(abs({small})); r(llabs({b}LL)); r(ffs({small})); r(ffsl({a}L));"),
        8 => format!(
            "ldiv_t q = ldiv({a}L, {other}L); r(q.quot); r(q.rem); div_t s = div({small}, {other}); r(s.quot); r(s.rem);"
        ),
        9..=11 => {
            format!("const char *s = {t}; char *end; d(strtod(s, &end)); at(end, s); e();", t = float_text(random))
        }
        12 => format!("const char *s = {t}; char *end; f(strtof(s, &end)); at(end, s); e();", t = float_text(random)),
        _ => format!("d(atof({})); e();", float_text(random)),
    }
}

fn math_call(random: &mut Rng) -> String {
    let (x, y, s) = (double(random), double(random), float(random));
    let whole = format!("{}L", random.i32(-2000..2000));
    match random.u32(0..14) {
        0 => {
            let name = ["floor", "ceil", "trunc", "round", "rint", "nearbyint", "fabs", "sqrt"][random.usize(0..8)];
            format!("d({name}({x})); d(({name})({x})); f({name}f({s})); f(({name}f)({s}));")
        }
        1 => format!("d(fmod({x}, {y})); d(remainder({x}, {y}));"),
        2 => format!("d(fmod({x}, 0.75)); d(remainder({x}, 0.75)); f(fmodf({s}, 1.25f));"),
        3 => format!("d(fmin({x}, {y}) + 0.0); d(fmax({x}, {y}) + 0.0); d(fdim({x}, {y}));"),
        4 => format!("d(copysign({x}, {y})); d((copysign)({y}, {x})); f(copysignf({s}, -1.0f));"),
        5 => format!("d(ldexp({x}, {whole})); d(scalbn({x}, {whole})); f(ldexpf({s}, {whole}));"),
        6 => format!("int k; d(frexp({x}, &k)); if (isfinite({x})) r(k); double w; d(modf({x}, &w)); d(w);"),
        7 => format!("float w; f(modff({s}, &w)); f(w); int k; f(frexpf({s}, &k)); if (isfinite({s})) r(k);"),
        8 => format!(
            "r(isnan({x}) != 0); r(isinf({x}) != 0); r(isfinite({x}) != 0); r(isnormal({x}) != 0); r(signbit({x}) != 0); r(fpclassify({x}));"
        ),
        9 => format!(
            "r(isnan({s}) != 0); r(isinf({s}) != 0); r(isfinite({s}) != 0); r(isnormal({s}) != 0); r(signbit({s}) != 0); r(fpclassify({s}));"
        ),
        10 => format!("d(nextafter({x}, {y})); r(ilogb({x})); d(logb({x}));"),
        11 => format!(
            "double v = {whole} / 4.0; r(lround(v)); r(lrint(v)); r(llround(v)); r(llrint(v)); r(lroundf((float)v)); r(lrintf((float)v));"
        ),
        12 => format!("r(isless({x}, {y})); r(isgreaterequal({x}, {y})); r(isunordered({x}, NAN));"),
        _ => format!("errno = 0; d(sqrt(fabs({x}))); e(); d(sqrt(-1.0 - fabs({x}))); e();"),
    }
}

/// The statements of a random call.
pub fn call(random: &mut Rng) -> String {
    match random.u32(0..10) {
        0..=2 => string_call(random),
        3 | 4 => number_call(random),
        5 | 6 => math_call(random),
        7 => scan_call(random),
        _ => format_call(random),
    }
}
