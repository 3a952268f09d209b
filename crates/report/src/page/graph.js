// The drawing of an execution: pan, zoom, and what stands out.
"use strict";

/** So many events do not fade in and out: that takes time. */
const MANY = 200;

class GraphView {
  /** `on` has `hover(id)`, `select(id)` and `changed()`. */
  constructor(stage, on) {
    this.on = on;
    this.stage = stage;
    this.view = { x: 0, y: 0, scale: 1 };
    this.root = drawn("g");
    this.svg = drawn("svg", { role: "group", "aria-label": "Execution graph", tabindex: "0" }, this.root);
    this.tip = element("div", { id: "tip", hidden: true });
    stage.append(this.svg, this.tip);
    this.listen();
  }

  draw(execution, isOn) {
    this.execution = execution;
    this.layout = layout(execution, isOn);
    const { items, headers, edges, bottom } = this.layout;
    this.root.replaceChildren();
    this.nodes = new Map();
    this.drawnEdges = [];
    const [lower, middle, upper] = [drawn("g"), drawn("g"), drawn("g")];
    for (const header of headers) {
      const x = middleX(header);
      lower.append(drawn("g", { class: "header" },
        drawn("text", { x, y: header.y + 14, "text-anchor": "middle" }, header.name)));
    }
    for (const item of items) middle.append(item.node ? this.nodeOf(item) : this.chipOf(item));
    this.drawEdges(edges, items, headers, lower, upper);
    this.root.append(lower, middle, upper);
    this.svg.classList.toggle("lively", items.length < MANY);
    this.box = this.boxOf(items, headers);
  }

  nodeOf(item) {
    const { node } = item;
    const alarm = node.highlighted ? " alarm" : "";
    const text = [drawn("text", { x: item.x + 10, y: item.y + 18.5 }, item.label)];
    if (item.place) {
      const place = { x: item.x + item.width - 7, y: item.y + 18.5, "text-anchor": "end", class: "place" };
      text.push(drawn("text", place, item.place));
    }
    const group = drawn("g", {
      class: `node ${node.kind}${alarm}`, role: "button", tabindex: "-1", "data-id": node.id,
      "aria-label": this.execution.describe(node).join(", "),
    }, drawn("rect", { x: item.x, y: item.y, width: item.width, height: item.height, rx: 7 }), text);
    this.nodes.set(node.id, group);
    return group;
  }

  chipOf(item) {
    const what = plural(item.chip.length, "event", "events");
    const group = drawn("g", {
      class: "node chip", role: "button", tabindex: "-1", "aria-label": `show ${what} that are folded away`,
    },
    drawn("rect", { x: item.x, y: item.y, width: item.width, height: item.height, rx: 10 }),
    drawn("text", { x: middleX(item), y: item.y + 14.5, "text-anchor": "middle" }, item.label));
    group.chip = item.chip;
    return group;
  }

  drawEdges(edges, items, headers, lower, upper) {
    const occupied = new Occupied();
    for (const item of items) occupied.add(item);
    for (const header of headers) occupied.add({ x: header.x, y: header.y, width: header.width, height: 22 });
    const router = new Router(headers);
    const routed = edges.map((edge) => ({ edge, curves: router.route(edge) }));
    // The names that matter take their places first.
    routed.sort((a, b) => Boolean(b.edge.highlighted) - Boolean(a.edge.highlighted));
    const groups = [];
    for (const { edge, curves } of routed) {
      const tone = colour(edge.names[0]);
      const strong = edge.highlighted ? " strong" : "";
      const own = edge.names.includes("race") ? " race" : edge.names.includes("waits for") ? " waits" : "";
      const d = pathOf(curves);
      const title = drawn("title", {}, this.titleOf(edge));
      const head = drawn("path", { class: "head", d: headOf(curves, edge.highlighted ? 11 : 9) });
      const ends = edge.names[0] === "race" ? [] : [head];
      const group = drawn("g", { class: `edge ${tone}${strong}${own}` }, drawn("path", { d }), ends,
        drawn("path", { class: "reach", d }, title));
      groups.push(group);
      let label;
      const rect = edge.text ? labelPlace(edge, curves, occupied) : undefined;
      if (rect) {
        occupied.add(rect);
        label = drawn("g", { class: `label ${tone}${strong}` },
          drawn("text", { x: rect.x + rect.width / 2, y: rect.y + 13, "text-anchor": "middle" }, edge.text));
        upper.append(label);
      }
      this.drawnEdges.push({ edge, group, label });
    }
    groups.reverse().forEach((group) => lower.append(group));
  }

  titleOf(edge) {
    const name = (item) => (item.node ? this.execution.nameOf(item.node) : item.label);
    const meaning = (relation) => page.relations.find((known) => known.name === relation)?.meaning;
    const names = edge.names.map((relation) => (meaning(relation) ? `${relation}: ${meaning(relation)}` : relation));
    return `${name(edge.from)} → ${name(edge.to)}\n${names.join("\n")}`;
  }

  boxOf(items, headers) {
    const box = this.root.getBBox();
    const isEmpty = !items.length && !headers.length;
    return isEmpty ? undefined : { x: box.x - 6, y: box.y - 6, width: box.width + 12, height: box.height + 12 };
  }

  /** The whole drawing in the window. With `least`, no smaller than that: then what matters is in the middle. */
  fit(least = 0) {
    if (!this.box) return;
    const { clientWidth: width, clientHeight: height } = this.stage;
    const pad = 18;
    const whole = Math.min((width - 2 * pad) / this.box.width, (height - 2 * pad) / this.box.height, 1.35);
    const scale = Math.max(whole, least, 0.001);
    let [x, y] = [this.box.x + this.box.width / 2, this.box.y + this.box.height / 2];
    if (scale > whole) {
      const matters = this.layout.items.filter((item) => item.node?.highlighted);
      const seen = matters.length ? matters : this.layout.items.slice(0, 1);
      if (this.box.width * scale > width) x = seen.reduce((sum, item) => sum + middleX(item), 0) / seen.length;
      if (this.box.height * scale > height) {
        y = matters.length
          ? seen.reduce((sum, item) => sum + middleY(item), 0) / seen.length
          : this.box.y + height / scale / 2 - pad / scale;
      }
    }
    this.view = { scale, x: width / 2 - x * scale, y: height / 2 - y * scale };
    this.isFitted = true;
    this.show();
  }

  show() {
    const { x, y, scale } = this.view;
    this.root.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  zoom(factor, at = [this.stage.clientWidth / 2, this.stage.clientHeight / 2]) {
    const scale = Math.min(6, Math.max(0.02, this.view.scale * factor));
    const ratio = scale / this.view.scale;
    this.isFitted = false;
    this.view = { scale, x: at[0] - (at[0] - this.view.x) * ratio, y: at[1] - (at[1] - this.view.y) * ratio };
    this.show();
  }

  pan(dx, dy) {
    this.isFitted = false;
    this.view.x += dx;
    this.view.y += dy;
    this.show();
  }

  /** Moves the drawing if an event is outside the window. */
  reveal(id) {
    const item = this.layout.itemOf.get(id);
    if (!item) return;
    const { x, y, scale } = this.view;
    const [left, top] = [item.x * scale + x, item.y * scale + y];
    const [right, bottom] = [left + item.width * scale, top + item.height * scale];
    const { clientWidth: width, clientHeight: height } = this.stage;
    const [h, v] = [Math.min(30, width / 4), Math.min(50, height / 4)];
    const dx = left < h ? h - left : right > width - h ? width - h - right : 0;
    const dy = top < v ? v - top : bottom > height - v ? height - v - bottom : 0;
    if (dx || dy) this.pan(dx, dy);
  }

  /** Marks what a place of the walk, the selection and the hovered event ask for. */
  mark({ place, current, selected, hovered }) {
    const { execution } = this;
    const isLater = (node) => !place.ended && node.at > place.steps;
    const focused = hovered ?? selected;
    for (const [id, group] of this.nodes) {
      const node = execution.byId.get(id);
      group.classList.toggle("later", isLater(node));
      group.classList.toggle("current", id === current);
      group.classList.toggle("selected", id === selected);
      group.classList.toggle("hover", id === hovered);
      group.setAttribute("aria-pressed", id === selected);
    }
    const told = execution.cycle.slice(0, place.all ? undefined : place.told + 1);
    const isTold = (edge, step) => edge.steps?.includes(step) || edge.from.node?.id === step.from &&
      edge.to.node?.id === step.to && edge.names.includes(step.relation);
    const isWalk = place.told >= 0 && !place.all;
    for (const { edge, group, label } of this.drawnEdges) {
      const ends = [edge.from.node, edge.to.node].filter(Boolean);
      const later = ends.some(isLater);
      const lit = isWalk && isTold(edge, execution.cycle[place.told]);
      const near = focused !== undefined && ends.some((node) => node.id === focused);
      const aside = !later && ((isWalk && !told.some((step) => isTold(edge, step))) ||
        (hovered !== undefined && !near));
      for (const part of [group, label].filter(Boolean)) {
        part.classList.toggle("later", later);
        part.classList.toggle("lit", lit);
        part.classList.toggle("near", near);
        part.classList.toggle("aside", aside);
      }
    }
  }

  listen() {
    const { svg } = this;
    const idOf = (target) => {
      const group = target.closest?.("g.node");
      return group?.dataset.id === undefined ? undefined : Number(group.dataset.id);
    };
    svg.addEventListener("pointerover", (event) => {
      const id = idOf(event.target);
      this.on.hover(id);
      this.showTip(id, event.target.closest?.("g.node"));
    });
    svg.addEventListener("pointerleave", () => {
      this.on.hover(undefined);
      this.tip.hidden = true;
    });
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const rect = svg.getBoundingClientRect();
      const amount = event.deltaMode ? event.deltaY * 30 : event.deltaY;
      this.zoom(Math.exp(-Math.max(-240, Math.min(240, amount)) * 0.0016),
        [event.clientX - rect.left, event.clientY - rect.top]);
    }, { passive: false });
    this.listenToPointers();
    const activate = (target) => {
      const group = target.closest?.("g.node");
      if (group?.chip) this.on.open(group.chip.map((node) => node.id));
      else this.on.select(idOf(target));
    };
    svg.addEventListener("click", (event) => !this.wasDragged && activate(event.target));
    svg.addEventListener("dblclick", () => this.fit());
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        activate(event.target === svg ? svg.querySelector(".node") : event.target);
      }
    });
    new ResizeObserver(() => this.execution && this.on.resized()).observe(this.stage);
  }

  /** One pointer drags, two zoom. */
  listenToPointers() {
    const { svg } = this;
    const pointers = new Map();
    svg.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.wasDragged = false;
    });
    svg.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      if (!this.wasDragged && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4 && pointers.size === 1) return;
      if (!this.wasDragged) svg.setPointerCapture(event.pointerId);
      this.wasDragged = true;
      svg.classList.add("dragged");
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const rect = svg.getBoundingClientRect();
        const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
        this.zoom(apart(now) / apart(before), [(now[0] + other[0]) / 2 - rect.left,
          (now[1] + other[1]) / 2 - rect.top]);
      }
      const share = other ? 0.5 : 1;
      this.pan((now[0] - before[0]) * share, (now[1] - before[1]) * share);
      pointers.set(event.pointerId, now);
    });
    const end = (event) => {
      pointers.delete(event.pointerId);
      svg.classList.remove("dragged");
    };
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, end);
  }

  showTip(id, group) {
    this.tip.hidden = !group;
    if (!group) return;
    const folded = () => {
      const whys = [...new Set(group.chip.map((node) => WHY_FOLDED[node.folded]))];
      return [`${plural(group.chip.length, "event", "events")} folded away: ${whys.join("; ")}`,
        ...group.chip.slice(0, 8).map((node) => node.label), ...(group.chip.length > 8 ? ["…"] : [])];
    };
    this.tip.textContent = (group.chip ? folded() : this.execution.describe(this.execution.byId.get(id))).join("\n");
    const [stage, node] = [this.stage.getBoundingClientRect(), group.getBoundingClientRect()];
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const left = Math.max(6, Math.min(node.left - stage.left, stage.width - width - 6));
    const below = node.bottom - stage.top + 8;
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${below + height > stage.height ? Math.max(6, node.top - stage.top - height - 8) : below}px`;
  }
}
