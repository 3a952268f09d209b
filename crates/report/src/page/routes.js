// The curves that edges are drawn as, and where their names stand.
"use strict";

const middleX = (item) => item.x + item.width / 2;
const middleY = (item) => item.y + item.height / 2;

/** Points of a Bézier curve of degree three. */
function pointOn([a, b, c, d], t) {
  const u = 1 - t;
  const mix = (i) => u * u * u * a[i] + 3 * u * u * t * b[i] + 3 * u * t * t * c[i] + t * t * t * d[i];
  return [mix(0), mix(1)];
}

const lineTo = (a, b) => {
  const at = (t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  return [a, at(1 / 3), at(2 / 3), b];
};
const sideways = (a, b) => {
  const reach = (b[0] - a[0]) / 2;
  return [a, [a[0] + reach, a[1]], [b[0] - reach, b[1]], b];
};

/** Finds routes one after the other, and keeps edges that meet at an event apart. */
class Router {
  constructor(headers) {
    this.headers = headers;
    this.ends = new Map();
    this.lanes = new Map();
  }

  route(edge) {
    const { from, to } = edge;
    if (from.rank === undefined && to.rank === undefined) return [this.bow(from, to)];
    if (from.rank === undefined) return this.downBeside(from, to);
    if (to.rank === undefined) return this.downBeside(to, from).reverse().map((curve) => [...curve].reverse());
    if (edge.straight) return [lineTo([middleX(from), from.y + from.height], [middleX(to), to.y])];
    if (from.rank === to.rank) return [this.within(from, to)];
    return this.across(from, to);
  }

  /** Where the next edge on a side of an event ends: its middle first, then by turns below and above. */
  attach(item, side) {
    const key = `${item.x} ${item.y} ${side}`;
    const count = this.ends.get(key) ?? 0;
    this.ends.set(key, count + 1);
    const step = Math.ceil(count / 2) * 7;
    const most = item.height / 2 - 4;
    const offset = Math.max(-most, Math.min(most, count % 2 ? step : -step));
    return [side === "left" ? item.x : item.x + item.width, middleY(item) + offset];
  }

  /** Lanes run beside a column, so that curves do not run behind the events above their end. */
  lane(rank, side) {
    const key = `${rank} ${side}`;
    const count = this.lanes.get(key) ?? 0;
    this.lanes.set(key, count + 1);
    return 14 + (count % 5) * 8;
  }

  downBeside(initial, item) {
    const start = [middleX(initial), initial.y + initial.height];
    const side = start[0] < middleX(item) ? "left" : "right";
    const end = this.attach(item, side);
    const header = this.headers[item.rank];
    const distance = this.lane(item.rank, side);
    const lane = side === "left" ? header.x - distance : header.x + header.width + distance;
    const [top, low] = [header.y + header.height, end[1] - 14];
    const first = Math.min(top, low);
    const reach = (first - start[1]) / 2;
    const curves = [[start, [start[0], start[1] + reach], [lane, first - reach], [lane, first]]];
    if (low > top) curves.push(lineTo([lane, top], [lane, low]));
    curves.push([[lane, low], [lane, end[1]], [lane, end[1]], end]);
    return curves;
  }

  within(from, to) {
    const side = from.rank === 0 ? "left" : "right";
    const [a, b] = [this.attach(from, side), this.attach(to, side)];
    if (from === to) [a[1], b[1]] = [middleY(from) - 9, middleY(from) + 9];
    const bow = 30 + Math.min(45, Math.abs(b[1] - a[1]) / 8);
    const x = side === "left" ? Math.min(a[0], b[0]) - bow : Math.max(a[0], b[0]) + bow;
    return [a, [x, a[1]], [x, b[1]], b];
  }

  across(from, to) {
    const forward = from.rank < to.rank;
    const a = this.attach(from, forward ? "right" : "left");
    const b = this.attach(to, forward ? "left" : "right");
    if (Math.abs(from.rank - to.rank) === 1) return [sideways(a, b)];
    // Past columns in between it runs in the space below or above their events.
    const y = b[1] < from.y ? from.y - 13 : from.y + from.height + 13;
    const edgeOf = (rank, left) => this.headers[rank].x + (left ? -6 : this.headers[rank].width + 6);
    const [enter, leave] = forward
      ? [edgeOf(from.rank + 1, true), edgeOf(to.rank - 1, false)]
      : [edgeOf(from.rank - 1, false), edgeOf(to.rank + 1, true)];
    return [sideways(a, [enter, y]), lineTo([enter, y], [leave, y]), sideways([leave, y], b)];
  }

  bow(from, to) {
    const low = Math.max(from.y + from.height, to.y + to.height) + 22;
    return [[middleX(from), from.y + from.height], [middleX(from), low], [middleX(to), low],
      [middleX(to), to.y + to.height]];
  }
}

const pathOf = (curves) => {
  const text = (point) => `${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
  return `M${text(curves[0][0])}${curves.map(([, b, c, d]) => ` C${text(b)} ${text(c)} ${text(d)}`).join("")}`;
};

/** An arrowhead at the end of the last curve. */
function headOf(curves, size) {
  const curve = curves.at(-1);
  const tip = curve[3];
  const back = pointOn(curve, 0.9);
  const length = Math.hypot(tip[0] - back[0], tip[1] - back[1]) || 1;
  const [dx, dy] = [(tip[0] - back[0]) / length, (tip[1] - back[1]) / length];
  const at = (along, aside) =>
    `${(tip[0] - dx * along - dy * aside).toFixed(1)} ${(tip[1] - dy * along + dx * aside).toFixed(1)}`;
  return `M${at(0, 0)} L${at(size, size * 0.45)} L${at(size, -size * 0.45)} Z`;
}

const overlaps = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Rectangles by the squares of the plane that they touch. */
class Occupied {
  constructor() {
    this.squares = new Map();
  }

  *keys(rect) {
    for (let x = Math.floor(rect.x / 64); x <= Math.floor((rect.x + rect.width) / 64); x++) {
      for (let y = Math.floor(rect.y / 64); y <= Math.floor((rect.y + rect.height) / 64); y++) yield x * 65536 + y;
    }
  }

  add(rect) {
    for (const key of this.keys(rect)) {
      if (!this.squares.has(key)) this.squares.set(key, []);
      this.squares.get(key).push(rect);
    }
  }

  isFree(rect) {
    for (const key of this.keys(rect)) {
      if (this.squares.get(key)?.some((other) => overlaps(rect, other))) return false;
    }
    return true;
  }
}

const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8, 0.14, 0.86];

/** Where the name of an edge stands: on its curve or beside it, where it covers nothing; else nowhere. */
function labelPlace(edge, curves, occupied) {
  const width = measure(edge.text, edge.highlighted ? BOLD : SANS) + 8;
  const bySize = [...curves].sort((a, b) => spread(b) - spread(a));
  for (const aside of [0, -14, 14, -27, 27]) {
    for (const curve of bySize) {
      for (const t of ALONG) {
        const [x, y] = pointOn(curve, t);
        const rect = { x: x - width / 2, y: y - 9 + aside, width, height: 18 };
        if (occupied.isFree(rect)) return rect;
      }
    }
  }
  return undefined;
}

const spread = ([a, , , d]) => Math.hypot(d[0] - a[0], d[1] - a[1]);
