// Walking through the run: where one is, what memory holds there, and what threads know.
"use strict";

/** Memory after some steps: of each location the newest write in modification order that has been made. */
function memoryAfter(execution, steps) {
  const newest = new Map();
  for (const [name, writes] of execution.orders) {
    for (const id of writes) {
      const node = execution.byId.get(id);
      if (node && (node.thread === undefined || node.at <= steps)) newest.set(name, id);
    }
  }
  return newest;
}

/** Whether some event of the drawing is about a location: what libraries keep for themselves is not. */
function matters(execution, name) {
  execution.shownCells ??= new Set(execution.orders
    .filter(([, writes]) => writes.some((id) => [undefined, "unneeded"].includes(execution.byId.get(id)?.folded)))
    .map(([cell]) => cell));
  return execution.shownCells.has(name);
}

/** What each thread knows after some steps: its variables, and of each location the newest write that it has seen. */
function knowledgeAfter(execution, steps, isThere = false) {
  const threads = new Map(execution.threads.map((name) => [name, { variables: new Map(), seen: new Map() }]));
  execution.steps.slice(0, steps).forEach((step, i) => {
    const known = threads.get(step.thread);
    if (!known) return;
    const changed = isThere && i === steps - 1;
    for (const [name, value] of step.variables ?? []) known.variables.set(name, { value, changed });
    for (const [name, id] of step.seen ?? []) known.seen.set(name, { id, changed });
  });
  return threads;
}

class WalkView {
  /** `go(at)` is told where to walk. */
  constructor(bar, go) {
    this.go = go;
    const button = (text, label, to) => element("button", { "aria-label": label, title: label, onclick: () =>
      go(to()) }, text);
    this.slider = element("input", { type: "range", min: 0, "aria-label": "Step", oninput: () =>
      go(Number(this.slider.value)) });
    this.count = element("span", { class: "code" });
    this.now = element("div", { class: "now", role: "status", "aria-live": "polite" });
    this.state = element("div", { id: "state" });
    bar.append(element("div", { class: "controls" },
      button("|◀", "to the start (Home)", () => 0),
      button("◀", "one step back (left arrow)", () => this.at - 1),
      this.slider,
      button("▶", "one step on (right arrow)", () => this.at + 1),
      button("▶|", "to the end (End)", () => Infinity),
      this.count, this.now), this.state);
  }

  draw(execution, at) {
    this.at = at;
    const place = execution.place(at);
    this.slider.max = execution.lastPlace;
    this.slider.value = at;
    this.count.textContent = `${at}/${execution.lastPlace}`;
    const words = this.wordsOf(execution, place);
    this.slider.setAttribute("aria-valuetext", words.map((part) =>
      (typeof part === "string" ? part : part.textContent)).join(" "));
    this.now.replaceChildren(...words);
    this.drawState(execution, place);
  }

  wordsOf(execution, place) {
    if (place.told >= 0) {
      const edge = execution.cycle[place.told];
      return [element("span", { class: `who ${colour(edge.relation)}` }, edge.relation),
        ...segments(edge.sentence, this.link)];
    }
    if (place.ended) return segments(execution.message ?? execution.title, this.link);
    if (place.steps === 0) return ["before the first step"];
    const step = execution.steps[place.steps - 1];
    const values = step.values ? `  ${step.values}` : "";
    return [element("span", { class: "who" }, step.thread), element("code", {}, step.text), values];
  }

  drawState(execution, place) {
    const memory = memoryAfter(execution, place.steps);
    const step = execution.steps[place.steps - 1];
    const cells = [...memory].filter(([name]) => matters(execution, name));
    const valueOf = (id) => execution.byId.get(id)?.written ?? "?";
    const cards = [];
    if (cells.length) {
      cards.push(this.card("memory", false, cells.map(([name, id]) =>
        element("span", { class: id === step?.event && !place.ended ? "changed" : "" }, `${name} = ${valueOf(id)}`))));
    }
    for (const [name, { variables, seen }] of knowledgeAfter(execution, place.steps, !place.ended)) {
      const values = [...variables].map(([variable, { value, changed }]) =>
        element("span", { class: changed ? "changed" : "" }, `${variable} = ${value}`));
      const sights = [...seen].filter(([cell]) => matters(execution, cell)).map(([cell, { id, changed }]) => {
        const isBehind = memory.has(cell) && memory.get(cell) !== id;
        const attributes = { class: `${changed ? "changed " : ""}${isBehind ? "behind" : ""}` };
        const newest = () => `${cell} = ${valueOf(memory.get(cell))}`;
        if (isBehind) attributes.title = `memory has ${newest()}, which this thread need not see`;
        return element("span", attributes, `${cell} = ${valueOf(id)}${isBehind ? " ⚠" : ""}`);
      });
      if (!values.length && !sights.length) continue;
      const parts = values.length ? values : [];
      const has = sights.length ? [element("small", {}, "has seen"), ...sights] : [];
      cards.push(this.card(name, name === step?.thread && !place.ended, [...parts, ...has]));
    }
    this.state.replaceChildren(...cards);
  }

  card(title, isCurrent, cells) {
    return element("div", { class: `card${isCurrent ? " current" : ""}` }, element("h3", {}, title),
      element("div", { class: "cells" }, cells));
  }
}
