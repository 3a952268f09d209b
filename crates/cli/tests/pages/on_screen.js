// What is on the screen: names and events that cover each other, and those outside of the window of the drawing.
(() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((shape) => {
    const { left, top, right, bottom } = shape.getBoundingClientRect();
    return { text: shape.textContent || shape.parentNode.textContent, left, top, right, bottom };
  });
  const nodes = boxes("#stage .node rect");
  const names = boxes("#stage .label text");
  const slack = 0.5;
  const meet = (a, b) =>
    a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom;
  const all = [...nodes, ...names];
  const overlaps = [];
  all.forEach((a, i) => all.slice(i + 1).forEach((b) => meet(a, b) && overlaps.push(`${a.text} | ${b.text}`)));
  const stage = document.querySelector("#stage").getBoundingClientRect();
  const shapes = [...all, ...boxes("#stage .edge path:not(.reach)"), ...boxes("#stage .header text")];
  const isOutside = (box) => box.left < stage.left || box.top < stage.top || box.right > stage.right || box.bottom > stage.bottom;
  return { nodes: nodes.length, names: names.length, overlaps, outside: shapes.filter(isOutside).map((box) => box.text) };
})()
