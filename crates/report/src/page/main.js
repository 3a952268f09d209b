// What one does, and what follows from it in all columns.
"use strict";

const find = (id) => document.getElementById(id);

/** A drawing opens no smaller than this: what does not fit is reached by moving it. */
const READABLE = 0.42;

class App {
  constructor() {
    const on = {
      hover: (id) => this.hover(id),
      select: (id) => this.select(id),
      open: (ids) => this.open(ids),
      go: (at) => this.go(at),
      resized: () => this.resized(),
    };
    this.relations = new Map(page.relations.map((relation) => [relation.name, !relation.derived]));
    this.graph = new GraphView(find("stage"), on);
    this.source = new SourceView(find("source").querySelector(".scroll"), on);
    this.explanation = new ExplanationView(find("explanation").querySelector(".scroll"), on);
    this.walk = new WalkView(find("walk"), (at) => this.go(at));
    this.walk.link = this.explanation.link;
    this.head();
    if (executions.length > 1) {
      find("app").classList.add("listed");
      this.list = new ListView(find("list"), (number) => this.choose(number));
    }
    document.addEventListener("keydown", (event) => this.key(event));
    this.choose(0);
  }

  head() {
    const { word, headline, caveat, assumptions, cost } = page;
    const badge = word ? [element("span", { class: `badge ${word}` }, word)] : [];
    const claim = headline.startsWith(`${word}: `) ? headline.slice(word.length + 2) : headline;
    find("head").append(...badge, element("h1", {}, claim), element("span", { class: "cost" }, cost ?? ""));
    for (const text of [caveat, assumptions].filter(Boolean)) find("head").append(element("p", {}, text));
  }

  choose(number) {
    this.execution = executions[number];
    this.selected = this.hovered = undefined;
    this.list?.mark(number);
    if (!this.execution) {
      find("app").classList.add("empty");
      this.source.draw({ nodes: [], byId: new Map() });
      this.explanation.pane.append(element("p", {}, "No violation was found, so there is no execution to look at."));
      return;
    }
    this.source.draw(this.execution);
    this.explanation.draw(this.execution);
    this.toolbar();
    this.redraw();
    this.graph.fit(READABLE);
    this.go(Infinity);
    const first = this.execution.nodes.find((node) => node.highlighted && node.span)
      ?? this.execution.nodes.find((node) => node.span);
    this.source.reveal(this.execution.accesses?.[0]?.span ?? first?.span);
  }

  toolbar() {
    const bar = find("graph").querySelector(".bar");
    const present = page.relations.filter(({ name }) => this.execution.edges.some((edge) => edge.relation === name));
    const toggles = present.map(({ name, meaning }) => {
      const button = element("button", {
        class: `toggle ${colour(name)}`, "aria-pressed": String(this.relations.get(name)), title: meaning,
        "data-relation": name,
        onclick: () => this.toggle(name, button),
      }, name);
      return button;
    });
    const button = (text, title, act) => element("button", { title, onclick: act }, text);
    this.foldButton = button("", "open or fold all (o)", () => this.foldAll());
    this.foldButton.id = "fold";
    this.tableButton = button("table", "a table instead of the drawing (t)", () => this.table());
    this.tableButton.id = "as-table";
    bar.replaceChildren(...toggles, element("span", { class: "gap" }),
      ...(this.execution.folded ? [this.foldButton] : []), this.tableButton,
      button("−", "smaller (-)", () => this.graph.zoom(1 / 1.25)),
        button("+", "larger (+)", () => this.graph.zoom(1.25)),
      element("button", { id: "fit", title: "fit (f)", onclick: () => this.fit() }, "fit"));
    this.tableButton.setAttribute("aria-pressed", String(!find("table").hidden));
  }

  toggle(name, button) {
    this.relations.set(name, !this.relations.get(name));
    button.setAttribute("aria-pressed", this.relations.get(name));
    this.redraw();
  }

  redraw() {
    this.graph.draw(this.execution, (name) => this.relations.get(name) ?? true);
    this.foldButton.textContent = this.execution.foldedNodes().length ? "open all" : "fold";
    if (!find("table").hidden) this.drawTable();
    this.mark();
  }

  fit() {
    this.graph.fit();
  }

  resized() {
    if (this.graph.isFitted && find("table").hidden) this.graph.fit(READABLE);
  }

  open(ids) {
    ids.forEach((id) => this.execution.open.add(id));
    this.redraw();
    this.graph.reveal(ids[0]);
    this.focus(ids[0]);
  }

  foldAll() {
    const folded = this.execution.foldedNodes();
    if (folded.length) folded.forEach((node) => this.execution.open.add(node.id));
    else this.execution.open.clear();
    this.redraw();
    this.graph.fit(READABLE);
  }

  hover(id) {
    if (this.hovered === id) return;
    this.hovered = id;
    this.mark();
  }

  select(id) {
    this.selected = id === this.selected ? undefined : id;
    const node = this.execution.byId.get(this.selected);
    if (node && this.execution.isFolded(node)) this.open([node.id]);
    this.mark();
    if (!node) return;
    this.graph.reveal(node.id);
    this.source.reveal(node.span);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.execution.lastPlace, at));
    this.walk.draw(this.execution, this.at);
    this.mark();
    const current = this.current();
    if (current === undefined) return;
    this.graph.reveal(current);
    this.source.reveal(this.execution.byId.get(current).span);
  }

  /** The event of the place in the walk. */
  current() {
    const place = this.execution.place(this.at ?? 0);
    if (place.ended || place.steps === 0 || (this.at === this.execution.lastPlace && !this.walked)) return undefined;
    return this.execution.steps[place.steps - 1].event;
  }

  mark() {
    const { execution, selected, hovered } = this;
    const at = this.at ?? execution.lastPlace;
    const marks = { at, place: execution.place(at), current: this.current(), selected, hovered };
    this.graph.mark(marks);
    this.source.mark(marks);
    this.explanation.mark(marks);
  }

  table() {
    const box = find("table");
    box.hidden = !box.hidden;
    find("stage").hidden = !box.hidden;
    find("graph").classList.toggle("table", !box.hidden);
    this.tableButton.setAttribute("aria-pressed", String(!box.hidden));
    if (box.hidden) this.graph.fit(READABLE);
    else this.drawTable();
  }

  drawTable() {
    const { execution } = this;
    const names = ["thread", "event", "source", "edges to"];
    const rows = execution.nodes.filter((node) => !execution.isFolded(node)).map((node) => {
      const edges = execution.pairs.filter((pair) => pair.from === node.id && pair.relations[0] !== PO);
      const targets = edges.map((pair) => element("div", {}, `${pair.relations.join(", ")} → `,
        this.explanation.link(pair.to, execution.nameOf(execution.byId.get(pair.to)))));
      return element("tr", {}, element("td", {}, node.thread === undefined ? "initial value"
        : execution.threads[node.thread]),
        element("td", {}, this.explanation.link(node.id, element("code", {}, node.label))),
        element("td", {}, placeText(node.span)), element("td", {}, targets));
    });
    find("table").replaceChildren(element("table", {}, element("caption", { class: "hidden-text" }, execution.title),
      element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows)));
  }

  focus(id) {
    const group = this.graph.nodes.get(id);
    if (group) group.focus({ preventScroll: true });
  }

  /** The event before or after the selected one in its thread. */
  neighbour(step) {
    const shown = this.graph.layout.items.filter((item) => item.node).map((item) => item.node);
    const from = this.execution.byId.get(this.selected);
    const own = from ? shown.filter((node) => node.thread === from.thread)
      : shown.filter((node) => node.thread !== undefined);
    const next = from ? own[own.indexOf(from) + step] : own[0];
    if (!next) return;
    this.select(next.id);
    this.focus(next.id);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.execution) return;
    const isField = event.target.matches?.("input[type=search], select, textarea");
    if (isField || (event.target === this.walk.slider && /^(Arrow|Home|End|Page)/.test(event.key))) return;
    const scrolls = event.target.matches?.(".scroll") && /^Arrow(Up|Down)$/.test(event.key);
    const act = {
      ArrowLeft: () => this.stroll(this.at - 1), ArrowRight: () => this.stroll(this.at + 1),
      Home: () => this.stroll(0), End: () => this.stroll(Infinity),
      ArrowUp: scrolls ? undefined : () => this.neighbour(-1), ArrowDown: scrolls ? undefined : () => this.neighbour(1),
      "+": () => this.graph.zoom(1.25), "=": () => this.graph.zoom(1.25), "-": () => this.graph.zoom(1 / 1.25),
      f: () => this.fit(), 0: () => this.fit(), o: () => this.execution.folded && this.foldAll(), t: () => this.table(),
      w: () => this.graph.pan(0, 60), s: () => this.graph.pan(0, -60),
      a: () => this.graph.pan(60, 0), d: () => this.graph.pan(-60, 0),
      n: () => this.choose(Math.min(executions.length - 1, this.execution.number + 1)),
      p: () => this.choose(Math.max(0, this.execution.number - 1)),
      Escape: () => this.select(undefined),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  stroll(at) {
    this.walked = true;
    this.go(at);
  }
}

window.fencepost = new App();
