// What the page is about: the object in the page, and each execution with what follows from it.
"use strict";

const page = JSON.parse(document.getElementById("data").textContent);
const PO = "po";

/** An element; text is always text, never markup. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  return fill(made, attributes, children);
}

function drawn(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return made;
}

const plural = (number, one, many) => `${number} ${number === 1 ? one : many}`;

/** `line 4`, or `queue.h:4` where there are several files. */
function placeText(span) {
  if (!span) return "";
  return page.sources.filter(Boolean).length === 1 ? `line ${span.line}`
    : `${shortName(page.sources[span.file].name)}:${span.line}`;
}

const shortName = (name) => name.split("/").pop();

const WHY_FOLDED = {
  start: "how threads start and end",
  library: "in library code",
  unread: "an initial value that nobody reads",
  unneeded: "not needed for the finding",
};

/** An execution with indices over its nodes. */
class Execution {
  constructor(data, number) {
    Object.assign(this, data);
    this.number = number;
    this.steps ??= [];
    this.cycle ??= [];
    this.orders ??= [];
    this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.stepOf = new Map();
    this.steps.forEach((step, i) => step.event !== undefined && this.stepOf.set(step.event, i));
    // A step that the steps do not have comes after them: the stale one, or the one that fails.
    for (const node of this.nodes) {
      node.column = node.thread;
      node.at = node.kind === "initial" ? 0 : (this.stepOf.has(node.id) ? this.stepOf.get(node.id) + 1 : undefined);
    }
    this.placeUnnumbered();
    this.hasEnd = this.cycle.length > 0 || this.nodes.some((node) => node.at > this.steps.length);
    this.order = new Map();
    for (const [, writes] of this.orders) writes.forEach((write, i) => this.order.set(write, i));
    this.pairs = merged(this.edges);
    this.open = new Set();
    this.folded = this.nodes.some((node) => node.folded);
  }

  /** Events that no step shows happen with the next one of their thread; behind the last step, at the end. */
  placeUnnumbered() {
    const next = new Map();
    for (const node of [...this.nodes].reverse()) {
      if (node.at !== undefined) {
        next.set(node.thread, node.at);
      } else {
        node.at = next.get(node.thread) ?? (node.folded ? this.steps.length : this.steps.length + 1);
      }
    }
  }

  /** The places that one can walk to: the start, each step, the end, each edge of the cycle. */
  get lastPlace() {
    return this.steps.length + (this.hasEnd ? 1 : 0) + this.cycle.length;
  }

  /** Of a place, the steps that have been taken, and the edge of the cycle that is told. */
  place(at) {
    const steps = Math.min(at, this.steps.length);
    const told = at - this.steps.length - 1;
    return { steps, ended: at > this.steps.length, told: told > 0 ? told - 1 : -1, all: at === this.lastPlace };
  }

  isFolded(node) {
    return node.folded !== undefined && !this.open.has(node.id);
  }

  foldedNodes() {
    return this.nodes.filter((node) => this.isFolded(node));
  }

  describe(node) {
    const reads = this.edges.find((edge) => edge.relation === "rf" && edge.to === node.id);
    const parts = [
      node.thread === undefined ? "initial value" : this.threads[node.thread],
      node.text || node.label,
      node.text && node.text !== node.label ? node.label : "",
      reads ? `reads from ${this.nameOf(this.byId.get(reads.from))}` : "",
      placeText(node.span),
      node.folded ? `folded away at first: ${WHY_FOLDED[node.folded]}` : "",
    ];
    return parts.filter(Boolean);
  }

  nameOf(node) {
    if (!node) return "";
    if (node.thread === undefined) return `the initial value ${node.label}`;
    return `${node.text || node.label} of ${this.threads[node.thread]}`;
  }
}

/** Edges between the same two events are one, with several names. Program order stays by itself. */
function merged(edges) {
  const pairs = new Map();
  for (const edge of edges) {
    const key = `${edge.from} ${edge.to} ${edge.relation === PO}`;
    const pair = pairs.get(key) ?? { from: edge.from, to: edge.to, relations: [], highlighted: false };
    if (!pair.relations.includes(edge.relation)) pair.relations.push(edge.relation);
    pair.highlighted ||= edge.highlighted === true;
    pairs.set(key, pair);
  }
  const rank = (name) => page.relations.findIndex((relation) => relation.name === name);
  for (const pair of pairs.values()) pair.relations.sort((a, b) => rank(a) - rank(b));
  return [...pairs.values()];
}

/** The class that gives a relation its colour. */
function colour(name) {
  if (name === "waits for") return "r-waits";
  return page.relations.some((relation) => relation.name === name && relation.known) ? `r-${name}` : "r-other";
}

const executions = page.executions.map((data, i) => new Execution(data, i));
