// The source files, with the events where they stand.
"use strict";

const C_WORDS = `
  alignas alignof asm auto break case catch class co_await co_return co_yield concept const consteval constexpr
  constinit const_cast continue decltype default delete do dynamic_cast else enum explicit export extern final
  for friend goto if inline mutable namespace new noexcept operator override private protected public register
  reinterpret_cast requires restrict return sizeof static static_assert static_cast struct switch template this
  thread_local throw try typedef typeid typename union using virtual volatile while _Atomic _Bool _Static_assert
  _Thread_local true false nullptr NULL`;
const C_TYPES = `
  bool char double float int long short signed unsigned void size_t ssize_t uintptr_t intptr_t int8_t int16_t
  int32_t int64_t uint8_t uint16_t uint32_t uint64_t atomic_int atomic_uint atomic_bool atomic_long
  atomic_size_t atomic_flag pthread_t pthread_mutex_t std atomic mutex thread memory_order`;
const WORDS = {
  c: [C_WORDS, C_TYPES],
  fp: [`
  atomic nonatomic thread threads const if else while for loop do break continue return assert assume skip wait
  fence choose spawn join fn function let init main final print when true false sc rel acq acqrel rlx na`,
  `
  load store exchange cas cas_weak bcas fetch_add fetch_sub fetch_and fetch_or fetch_xor`],
  litmus: [`${C_WORDS} exists forall filter locations`, C_TYPES],
  rust: [`
  as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move
  mut pub ref return self Self static struct super trait true type unsafe use where while`,
  `
  bool char f32 f64 i8 i16 i32 i64 isize str u8 u16 u32 u64 usize String Vec Option Result Arc Box`],
  ll: [`
  define declare load store atomic cmpxchg atomicrmw fence ret br label call switch phi getelementptr icmp
  acquire release acq_rel seq_cst monotonic global constant`,
  `
  i1 i8 i16 i32 i64 ptr void float double`],
};
const sets = Object.fromEntries(Object.entries(WORDS).map(([name, lists]) =>
  [name, lists.map((list) => new Set(list.trim().split(/\s+/)))]));
// A comment, a string, a number, a word, or anything else.
const TOKEN = new RegExp([
  /(\/\/.*|\/\*.*?(?:\*\/|$))/,
  /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])+')/,
  /(0[xX][\da-fA-F']+|\d[\d.'a-zA-Z_]*)/,
  /([A-Za-z_$][\w$]*)/,
  /(\s+|.)/,
].map((part) => part.source).join("|"), "g");

/** Stretches of a line with their classes. `inside` says whether a comment began in a line before. */
function tokens(line, language, inside) {
  const found = [];
  let from = 0;
  if (inside) {
    const end = line.indexOf("*/");
    if (end < 0) return { found: [[line, "tc"]], inside: true };
    found.push([line.slice(0, end + 2), "tc"]);
    from = end + 2;
  }
  const rest = line.slice(from);
  if (language === "c" && /^\s*#/.test(line)) {
    const comment = rest.search(/\/[/*]/);
    found.push([comment < 0 ? rest : rest.slice(0, comment), "td"]);
    if (comment >= 0) found.push([rest.slice(comment), "tc"]);
    return { found, inside: comment >= 0 && rest.startsWith("/*", comment) && !rest.includes("*/", comment) };
  }
  if (language === "ll") {
    const comment = rest.indexOf(";");
    if (comment >= 0) {
      const before = tokens(rest.slice(0, comment), "c", false).found;
      return { found: [...before, [rest.slice(comment), "tc"]], inside: false };
    }
  }
  const [words, types] = sets[language] ?? sets.c;
  let open = false;
  for (const [text, comment, string, number, word] of rest.matchAll(TOKEN)) {
    const kind = comment ? "tc" : string ? "ts" : number ? "tn" : !word ? "" : words.has(word) ? "tk" : types.has(word)
      ? "tt" : "";
    if (comment) open = text.startsWith("/*") && !(text.length >= 4 && text.endsWith("*/"));
    found.push([text, kind]);
  }
  return { found, inside: open };
}

/** Files longer than this show only what is near an event, until one asks for the rest. */
const LONG_FILE = 2500;
const NEAR = 40;

class SourceView {
  constructor(pane, on) {
    this.pane = pane;
    this.on = on;
    const ids = (target) => target.closest?.(".ev[data-events]")?.dataset.events.split(" ").map(Number);
    pane.addEventListener("pointerover", (event) => on.hover(ids(event.target)?.[0]));
    pane.addEventListener("pointerleave", () => on.hover(undefined));
    const activate = (event) => {
      const found = ids(event.target);
      if (found) on.select(found[(found.indexOf(this.selected) + 1) % found.length]);
    };
    pane.addEventListener("click", activate);
    pane.addEventListener("keydown", (event) => event.key === "Enter" && activate(event));
  }

  draw(execution) {
    this.execution = execution;
    const spans = new Map();
    const add = (span, id, alarm) => {
      if (!span) return;
      const key = `${span.file}:${span.line}`;
      if (!spans.has(key)) spans.set(key, []);
      const same = spans.get(key).find((other) => other.column === span.column && other.length === span.length);
      if (same) {
        if (id !== undefined && !same.ids.includes(id)) same.ids.push(id);
        same.alarm ||= alarm;
      } else {
        spans.get(key).push({ ...span, ids: id === undefined ? [] : [id], alarm });
      }
    };
    for (const node of execution.nodes) add(node.span, node.id, node.highlighted);
    for (const access of execution.accesses ?? []) add(access.span, undefined, true);
    this.pane.replaceChildren(...page.sources.flatMap((source, file) =>
      (source ? [this.boxOf(source, file, spans)] : [])));
  }

  /** A file; one in which nothing stands out is closed, unless it is the first. */
  boxOf(source, file, spans) {
    const standsOut = [...spans].some(([key, own]) => key.startsWith(`${file}:`) && own.some((span) => span.alarm));
    return element("details", { open: file === 0 || standsOut }, element("summary", { class: "file" }, source.name),
      this.fileOf(source, file, spans));
  }

  fileOf(source, file, spans) {
    const lines = source.text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const box = element("div", { class: "lines", role: "list", "aria-label": source.name });
    const touched = [...spans.keys()].filter((key) => key.startsWith(`${file}:`)).map((key) =>
      Number(key.split(":")[1]));
    const isShown = (number) => lines.length <= LONG_FILE || touched.some((other) => Math.abs(other - number) <= NEAR);
    let inside = false;
    let hidden = [];
    const cutOff = () => {
      if (!hidden.length) return;
      const rows = hidden;
      const button = element("button", { class: "cut", onclick: () =>
        button.replaceWith(...rows.map((row) => row())) }, `⋯ ${plural(rows.length, "line", "lines")}`);
      box.append(button);
      hidden = [];
    };
    lines.forEach((line, i) => {
      const { found, inside: after } = tokens(line.replace(/\r$/, ""), source.language, inside);
      inside = after;
      const row = () => this.lineOf(found, i + 1, file, spans.get(`${file}:${i + 1}`) ?? []);
      if (isShown(i + 1)) {
        cutOff();
        box.append(row());
      } else {
        hidden.push(row);
      }
    });
    cutOff();
    return box;
  }

  /** A line whose stretches are cut where events begin and end. Columns count characters. */
  lineOf(found, number, file, spans) {
    const row = element("div", { class: `line${spans.length ? " touched" : ""}`, role: "listitem",
      "data-line": `${file}:${number}` }, element("i", {}, String(number)));
    if (!spans.length) {
      row.append(...found.map(([text, kind]) => (kind ? element("span", { class: kind }, text) : text)));
      return row;
    }
    const characters = found.flatMap(([text, kind]) => [...text].map((character) => [character, kind]));
    const sorted = [...spans].sort((a, b) => a.column - b.column || b.length - a.length);
    let at = 0;
    const pieces = (from, to) => {
      const made = [];
      for (let i = from; i < to;) {
        let end = i;
        while (end < to && characters[end][1] === characters[i][1]) end++;
        const text = characters.slice(i, end).map(([character]) => character).join("");
        made.push(characters[i][1] ? element("span", { class: characters[i][1] }, text) : text);
        i = end;
      }
      return made;
    };
    for (const span of sorted) {
      const from = Math.min(span.column - 1, characters.length);
      const to = Math.min(from + Math.max(span.length, 1), characters.length);
      if (from < at || to <= from) continue;
      row.append(...pieces(at, from));
      const inner = sorted.filter((other) => other.column - 1 >= from && other.column - 1 < to);
      const ids = [...new Set(inner.flatMap((other) => other.ids))];
      const alarm = inner.some((other) => other.alarm) ? " alarm" : "";
      const linked = ids.length ? { "data-events": ids.join(" "), tabindex: "0", role: "button" } : {};
      row.append(element("span", { class: `ev${alarm}`, ...linked }, pieces(from, to)));
      at = to;
    }
    row.append(...pieces(at, characters.length));
    return row;
  }

  mark({ selected, hovered, current }) {
    this.selected = selected;
    for (const span of this.pane.querySelectorAll(".ev[data-events]")) {
      const ids = span.dataset.events.split(" ").map(Number);
      span.classList.toggle("selected", ids.includes(selected));
      span.classList.toggle("hover", ids.includes(hovered));
    }
    const shown = this.execution.byId.get(current)?.span;
    const key = shown && `${shown.file}:${shown.line}`;
    for (const row of this.pane.querySelectorAll(".line.current")) {
      row.classList.toggle("current", row.dataset.line === key);
    }
    if (key) this.pane.querySelector(`[data-line="${key}"]`)?.classList.add("current");
  }

  reveal(span) {
    if (!span) return;
    const row = this.pane.querySelector(`[data-line="${span.file}:${span.line}"]`);
    if (!row) return;
    row.closest("details").open = true;
    const [pane, line] = [this.pane.getBoundingClientRect(), row.getBoundingClientRect()];
    const isSeen = line.top >= pane.top + 40 && line.bottom <= pane.bottom - 40;
    if (!isSeen) this.pane.scrollTop += line.top - pane.top - pane.height / 2;
  }
}
