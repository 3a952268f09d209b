// The explanation: why it is a violation, what would fix it, how to get there. Names of events are links.
"use strict";

/** Text in parts: `{ t: text }`, and `{ c: code, e: event }`. */
function segments(parts, link) {
  if (typeof parts === "string") return [parts];
  return (parts ?? []).map((part) => {
    if (part.c === undefined) return part.t;
    const code = element("code", {}, part.c);
    return part.e === undefined ? code : link(part.e, code);
  });
}

class ExplanationView {
  constructor(pane, on) {
    this.pane = pane;
    this.on = on;
    this.link = (id, content) => element("a", {
      class: "event", role: "button", tabindex: "0", "data-event": id,
      onclick: (event) => {
        event.stopPropagation();
        on.select(id);
      },
      onkeydown: (event) => event.key === "Enter" && on.select(id),
      onpointerenter: () => on.hover(id),
      onpointerleave: () => on.hover(undefined),
      onfocus: () => on.hover(id),
      onblur: () => on.hover(undefined),
    }, content);
  }

  draw(execution) {
    this.execution = execution;
    const section = (title, ...content) => [element("h2", {}, title), ...content];
    const out = [];
    out.push(element("p", { class: "message" }, segments(execution.message ?? [{ t: execution.title }], this.link)));
    let isToTell = execution.cycle.length > 0;
    for (const paragraph of execution.explanation ?? []) {
      out.push(element("p", {}, segments(paragraph, this.link)));
      if (isToTell && paragraph.at(-1)?.t?.endsWith(":")) {
        out.push(this.cycleOf(execution));
        isToTell = false;
      }
    }
    if (isToTell) out.push(...section(execution.kind === "difference" ? "The cycle that breaks it"
      : "The cycle that sequential consistency forbids", this.cycleOf(execution)));
    if (execution.fixes?.length) {
      out.push(...section("What would fix it", element("ul", {},
        execution.fixes.map((fix) => element("li", {}, segments(fix, this.link))))));
    }
    if (execution.steps.length) out.push(...section("How to get there", this.runOf(execution)));
    if (execution.output?.length) {
      out.push(...section("What the program printed", element("ul", {}, execution.output.map(([thread, text]) =>
        element("li", {}, `${thread}: `, element("code", {}, text))))));
    }
    out.push(...section("Keys", this.keys()));
    this.pane.replaceChildren(...out);
  }

  cycleOf(execution) {
    const first = execution.lastPlace - execution.cycle.length + 1;
    return element("ol", { class: "cycle" }, execution.cycle.map((edge, i) =>
      element("li", { "data-place": first + i, onclick: () => this.on.go(first + i) },
        element("span", { class: `relation ${colour(edge.relation)}` }, edge.relation),
          segments(edge.sentence, this.link))));
  }

  runOf(execution) {
    const head = element("tr", {}, ["", "thread", "step", "line"].map((name) => element("th", { scope: "col" }, name)));
    const rows = execution.steps.map((step, i) =>
      element("tr", { "data-place": i + 1, tabindex: "0", onclick: () => this.on.go(i + 1), onkeydown: (event) =>
        event.key === "Enter" && this.on.go(i + 1) },
        element("td", {}, String(i + 1)),
        element("td", {}, step.thread),
        element("td", { class: "step" }, element("code", {}, step.text), step.values
          ? element("span", { class: "values" }, ` ${step.values}`) : ""),
        element("td", { class: "values" }, step.span ? String(step.span.line) : "")));
    return element("table", { class: "run" }, element("thead", {}, head), element("tbody", {}, rows));
  }

  keys() {
    const keys = [["← →", "walk through the run"], ["Home End", "to its start, its end"],
      ["↑ ↓", "event before, event after, in its thread"],
      ["Enter", "select, open what is folded"], ["f 0", "fit"], ["+ −", "zoom"], ["w a s d", "move the drawing"],
      ["o", "open or fold all"], ["t", "table instead of the drawing"], ["Esc", "select nothing"]];
    if (executions.length > 1) keys.push(["n p", "next execution, previous execution"]);
    return element("dl", { class: "keys" }, keys.flatMap(([key, what]) =>
      [element("dt", {}, key), element("dd", {}, what)]));
  }

  mark({ selected, hovered, at, place }) {
    for (const link of this.pane.querySelectorAll("a.event")) {
      const id = Number(link.dataset.event);
      link.classList.toggle("selected", id === selected);
      link.classList.toggle("hover", id === hovered);
    }
    for (const item of this.pane.querySelectorAll(".cycle li")) {
      item.classList.toggle("lit", place.told >= 0 && Number(item.dataset.place) === at);
    }
    // The rows behind the current one are faint: the style says so, because there may be thousands.
    this.currentRow?.classList.remove("current");
    this.currentRow = place.ended || at === 0 ? undefined : this.pane.querySelector(`.run tr[data-place="${at}"]`);
    this.currentRow?.classList.add("current");
    this.pane.querySelector(".run")?.classList.toggle("before", at === 0);
  }
}
