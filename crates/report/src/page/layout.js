// Where things stand: initial values on top, one column a thread, time downwards.
"use strict";

const NODE_HEIGHT = 28;
const ROW = 58;
const SMALLEST_GAP = 92;
const LONGEST_LABEL = 46;
/** Relations along which events come later; a read before a write says nothing of when. */
const ORDERING = new Set([PO, "rf", "mo", "sw", "waits for"]);

const measure = (() => {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text, font) => {
    const key = `${font}|${text}`;
    if (!known.has(key)) {
      context.font = font;
      known.set(key, context.measureText(text).width);
    }
    return known.get(key);
  };
})();
const MONO = '13px "DejaVu Sans Mono", "SF Mono", Menlo, Consolas, "Liberation Mono", monospace';
const SANS = '12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif';
const BOLD = `bold ${SANS}`;

const cut = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

/** What is drawn: events, and for each stretch of folded events of a thread a chip that opens them. */
function items(execution) {
  const all = [];
  const initial = execution.nodes.filter((node) => node.thread === undefined);
  const chipOf = (nodes, column) => ({ chip: nodes, column, text: `⋯ ${nodes.length}` });
  for (const node of initial) if (!execution.isFolded(node)) all.push({ node, column: undefined });
  const closed = initial.filter((node) => execution.isFolded(node));
  if (closed.length) {
    const text = `⋯ ${plural(closed.length, "initial value", "initial values")}`;
    all.push({ ...chipOf(closed, undefined), text });
  }
  const pending = new Map();
  for (const node of execution.nodes) {
    if (node.thread === undefined) continue;
    const chip = pending.get(node.thread);
    if (!execution.isFolded(node)) {
      pending.delete(node.thread);
      all.push({ node, column: node.thread });
    } else if (chip) {
      chip.chip.push(node);
      chip.text = `⋯ ${chip.chip.length}`;
    } else {
      const made = chipOf([node], node.thread);
      pending.set(node.thread, made);
      all.push(made);
    }
  }
  for (const item of all) {
    const { node } = item;
    item.label = node ? cut(node.label, LONGEST_LABEL) : item.text;
    item.place = node?.span ? `:${node.span.line}` : "";
    const place = item.place ? measure(item.place, MONO) * 0.82 + 8 : 0;
    item.width = node ? measure(item.label, MONO) + 22 + place : measure(item.label, SANS) + 16;
    item.height = node ? NODE_HEIGHT : 20;
  }
  return all;
}

/** Items with their places, the headers of the columns, and the edges between items that are shown. */
function layout(execution, isOn) {
  const shown = items(execution);
  const itemOf = new Map();
  for (const item of shown) for (const node of item.chip ?? [item.node]) itemOf.set(node.id, item);
  const edges = shownEdges(execution, shown, itemOf, isOn);
  const rows = rowsOf(shown, edges, execution.threads.length);

  const used = execution.threads.map((_, thread) => shown.some((item) => item.column === thread));
  const headers = execution.threads
    .map((name, thread) => ({ name: cut(name, 34), thread }))
    .filter((header) => used[header.thread]);
  headers.forEach((header, i) => (header.rank = i));
  const rankOf = new Map(headers.map((header) => [header.thread, header.rank]));
  for (const item of shown) item.rank = item.column === undefined ? undefined : rankOf.get(item.column);
  for (const header of headers) {
    const own = shown.filter((item) => item.column === header.thread);
    header.width = own.reduce((width, item) => Math.max(width, item.width), measure(header.name, `bold ${MONO}`) + 16);
  }
  const gaps = gapsOf(headers, edges);
  const width = headers.reduce((sum, header, i) => sum + header.width + (i ? gaps[i] : 0), 0);

  let y = placeInitial(shown, edges, headers, Math.max(width, 320));
  let x = 0;
  for (const [i, header] of headers.entries()) {
    x += i ? gaps[i] : 0;
    Object.assign(header, { x, y, height: 34 });
    x += header.width;
  }
  y += 44;
  const deepest = Math.max(0, ...rows.values());
  const tops = [];
  // A row of chips alone needs less room.
  for (let row = 0; row <= deepest; row++) tops.push(0);
  const isTall = tops.map(() => false);
  for (const [item, row] of rows) if (item.node) isTall[row] = true;
  tops.forEach((_, row) => {
    tops[row] = y;
    y += isTall[row] ? ROW : 36;
  });
  for (const [item, row] of rows) {
    const header = headers[item.rank];
    item.x = header.x + (header.width - item.width) / 2;
    item.y = tops[row] + (NODE_HEIGHT - item.height) / 2;
  }
  return { items: shown, itemOf, headers, edges, bottom: y - ROW + NODE_HEIGHT };
}

/** Merged edges whose ends are shown and one of whose relations is on; program order runs through chips. */
function shownEdges(execution, shown, itemOf, isOn) {
  const edges = [];
  const place = new Map(shown.map((item, i) => [item, i]));
  for (const pair of execution.pairs) {
    const [from, to] = [itemOf.get(pair.from), itemOf.get(pair.to)];
    if (!from?.node || !to?.node || pair.relations[0] === PO) continue;
    // The initial value is always the first in modification order, and program order decides within a thread.
    const isImplied = from.column === undefined || (from.column === to.column && place.get(from) < place.get(to));
    const says = (name) => !["mo", "fr"].includes(name) || pair.highlighted || !isImplied;
    const names = pair.relations.filter((name) => (isOn(name) && says(name)) ||
      (pair.highlighted && isInCycle(execution, pair, name)));
    if (names.length) edges.push({ ...pair, from, to, names, text: names.join(", ") });
  }
  if (isOn(PO)) {
    const last = new Map();
    for (const to of shown) {
      if (to.column === undefined) continue;
      const from = last.get(to.column);
      last.set(to.column, to);
      if (!from) continue;
      // A step of the cycle may skip events: it is all edges between its two.
      const steps = execution.cycle.filter((step) => step.relation === PO && isBetween(place, step, from, to, itemOf));
      edges.push({ from, to, names: [PO], text: "", straight: true, highlighted: steps.length > 0, steps });
    }
  }
  return edges;
}

function isBetween(place, step, from, to, itemOf) {
  const [start, end] = [itemOf.get(step.from), itemOf.get(step.to)];
  return start?.column === from.column && end?.column === from.column &&
    place.get(start) <= place.get(from) && place.get(to) <= place.get(end);
}

function isInCycle(execution, pair, name) {
  return name === "race" || name === "waits for" ||
    execution.cycle.some((edge) => edge.from === pair.from && edge.to === pair.to && edge.relation === name);
}

/** An event stands below the one before it in its thread, and below earlier ones that an edge comes from. */
function rowsOf(shown, edges, threads) {
  const position = new Map(shown.map((item, i) => [item, i]));
  const sources = shown.map(() => []);
  for (const { from, to, names } of edges) {
    const isOrdered = names.some((name) => ORDERING.has(name));
    const isForward = from.column !== undefined && position.get(from) < position.get(to);
    if (isOrdered && isForward) sources[position.get(to)].push(from);
  }
  const rows = new Map();
  const free = new Array(threads).fill(0);
  shown.forEach((item, i) => {
    if (item.column === undefined) return;
    const below = sources[i].reduce((row, from) => Math.max(row, rows.get(from) + 1), 0);
    rows.set(item, Math.max(free[item.column], below));
    free[item.column] = rows.get(item) + 1;
  });
  return rows;
}

/** Room between columns: the names of the edges that cross must fit. */
function gapsOf(headers, edges) {
  const gaps = headers.map(() => SMALLEST_GAP);
  const counts = headers.map(() => 0);
  for (const { from, to, text } of edges) {
    if (from.rank === undefined || to.rank === undefined || from.rank === to.rank) continue;
    const [low, high] = [Math.min(from.rank, to.rank), Math.max(from.rank, to.rank)];
    for (let gap = low + 1; gap <= high; gap++) {
      counts[gap] += 1;
      gaps[gap] = Math.max(gaps[gap], measure(text, BOLD) + 56);
    }
  }
  return gaps.map((gap, i) => gap + Math.min(70, Math.max(0, counts[i] - 2) * 5));
}

/** Initial values above the columns that read them, in lines no wider than the threads. Returns where threads begin. */
function placeInitial(shown, edges, headers, width) {
  const initial = shown.filter((item) => item.column === undefined);
  if (!initial.length) return 0;
  const wish = new Map();
  for (const item of initial) {
    const ranks = edges.flatMap(({ from, to }) => (from === item ? [to.rank] : to === item ? [from.rank] : []))
      .filter((rank) => rank !== undefined);
    wish.set(item, ranks.length ? ranks.reduce((a, b) => a + b) / ranks.length : headers.length);
  }
  initial.sort((a, b) => Boolean(a.chip) - Boolean(b.chip) || wish.get(a) - wish.get(b));
  const lines = [[]];
  let taken = 0;
  for (const item of initial) {
    if (taken && taken + 26 + item.width > width) {
      lines.push([]);
      taken = 0;
    }
    taken += (taken ? 26 : 0) + item.width;
    lines.at(-1).push(item);
  }
  const total = headers.reduce((sum, header) => sum + header.width, 0);
  const middle = Math.max(width, total) / 2;
  let y = 0;
  for (const line of lines) {
    const taken = line.reduce((sum, item) => sum + item.width, 26 * (line.length - 1));
    let x = middle - taken / 2;
    for (const item of line) {
      item.x = x;
      item.y = y + (NODE_HEIGHT - item.height) / 2;
      x += item.width + 26;
    }
    y += NODE_HEIGHT + 16;
  }
  return y + 14;
}
