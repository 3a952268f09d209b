// The list of executions, by their final states.
"use strict";

/** Final memory and variables in words. */
function finalState(execution) {
  if (execution.state) return execution.state.map(([name, value]) => `${name} = ${value}`).join("  ");
  const cells = [...memoryAfter(execution, Infinity)]
    .filter(([name]) => matters(execution, name))
    .map(([name, id]) => `${name} = ${execution.byId.get(id).written}`);
  const variables = [...knowledgeAfter(execution, Infinity)].flatMap(([thread, known]) =>
    [...known.variables].map(([name, { value }]) => `${thread}:${name} = ${value}`));
  return [...variables, ...cells].join("  ");
}

/** So many drawings in the list can be made at once. */
const MOST_THUMBNAILS = 60;

class ListView {
  constructor(section, go) {
    this.go = go;
    this.groups = section.querySelector("#groups");
    this.filter = section.querySelector("#filter");
    this.filter.addEventListener("input", () => this.show());
    const states = new Map();
    for (const execution of executions) {
      const state = page.grouped ? finalState(execution) : execution.kind;
      if (!states.has(state)) states.set(state, []);
      states.get(state).push(execution);
    }
    this.made = [...states].map(([state, members]) => this.groupOf(state, members));
    this.groups.append(...this.made.map(({ box }) => box));
  }

  groupOf(state, members) {
    const satisfies = members[0].satisfies === true ? [element("span", { class: "satisfied" }, " ✓")] : [];
    const head = element("summary", {}, element("code", {}, state || "no shared memory"), " ",
      element("span", { class: "count" }, `(${members.length})`), satisfies);
    const items = members.map((execution) => {
      const picture = executions.length <= MOST_THUMBNAILS ? thumbnail(execution) : "";
      const act = { class: "item", "data-number": execution.number, onclick: () => this.go(execution.number) };
      return element("button", act, execution.title, picture);
    });
    const box = element("details", { open: members.length <= 12 || members.includes(executions[0]) }, head, items);
    return { box, state, items };
  }

  show() {
    const wanted = this.filter.value.replace(/\s+/g, "").toLowerCase();
    for (const { box, state } of this.made) box.hidden = !state.replace(/\s+/g, "").toLowerCase().includes(wanted);
  }

  mark(number) {
    for (const { box, items } of this.made) {
      for (const item of items) {
        const isCurrent = Number(item.dataset.number) === number;
        if (isCurrent) {
          box.open = true;
          item.setAttribute("aria-current", "true");
          item.scrollIntoView({ block: "nearest" });
        } else {
          item.removeAttribute("aria-current");
        }
      }
    }
  }
}

/** The drawing without its words. */
function thumbnail(execution) {
  const { items, headers, edges, bottom } = layout(execution, (name) => ["po", "rf", "mo"].includes(name));
  const router = new Router(headers);
  const right = Math.max(1, ...items.map((item) => item.x + item.width));
  const svg = drawn("svg", { viewBox: `-40 -6 ${right + 80} ${bottom + 12}`, "aria-hidden": "true" });
  for (const edge of edges) {
    svg.append(drawn("path", { class: colour(edge.names[0]), d: pathOf(router.route(edge)), fill: "none",
      stroke: "currentColor", "stroke-width": 5 }));
  }
  for (const item of items) {
    svg.append(drawn("rect", { x: item.x, y: item.y, width: item.width, height: item.height, rx: 6,
      fill: "currentColor", opacity: item.node ? 0.35 : 0.15 }));
  }
  return svg;
}
