"use strict";
// The replay of a backward pass, one node at a time: where the pass is, what it says of each step, and the
// gradients that travel along the edges.

const PULSE = { period: 2400, travel: 1500 }; // milliseconds from one pulse to the next, and on the way

/** A gradient in one short line: its values if they are few, else its norm. */
function gradientText(stats) {
  if (!stats) return "";
  const flat = [stats.values].flat(Infinity);
  if (stats.values !== null && stats.values !== undefined && flat.length === 1) return numberText(flat[0]);
  if (stats.values !== null && stats.values !== undefined && flat.length > 1 && flat.length <= 4) {
    return `[${flat.map(numberText).join(", ")}]`;
  }
  return normText(stats);
}

function normText(stats) {
  return `‖g‖ = ${numberText(stats.norm)}`;
}

class Replay {
  /** `show()` is called when the step has changed. */
  constructor(graph, show) {
    this.graph = graph;
    this.steps = (graph.steps || []).map((step) => ({
      ...step,
      index: graph.indexOf.get(step.node),
      incoming: step.incoming || [],
      outgoing: step.outgoing || [],
    }));
    this.show = show;
    this.at = 0;
    this.open = false;
    this.playing = false;
    this.delay = 2200;
    this.since = 0; // when the step began, for the pulses
  }

  get step() {
    return this.open ? this.steps[this.at] : null;
  }

  /** Indices of nodes that the pass has left behind. */
  get done() {
    return this.open ? new Set(this.steps.slice(0, this.at).map((step) => step.index)) : new Set();
  }

  /** The gradients that have arrived at leaves by now: of each node's index the last. */
  get arrived() {
    const arrived = new Map();
    if (!this.open) return arrived;
    for (const step of this.steps.slice(0, this.at + 1)) {
      if (this.graph.nodes[step.index].kind === "leaf")
        arrived.set(step.index, step.incoming.find(Boolean) || null);
    }
    return arrived;
  }

  go(at) {
    const next = Math.max(0, Math.min(this.steps.length - 1, at));
    this.at = next;
    this.since = performance.now();
    this.show();
    if (this.playing) {
      if (this.at === this.steps.length - 1) this.pause();
      else this._wait();
    }
  }

  start() {
    this.open = true;
    this.go(0);
  }

  end() {
    this.pause();
    this.open = false;
    this.show();
  }

  play() {
    this.playing = true;
    if (this.at === this.steps.length - 1) this.go(0);
    else this._wait();
    this.show();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.show();
  }

  _wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.go(this.at + 1), this.delay);
  }
}

/** What the panel says of a step. */
function stepDetails(graph, replay, go) {
  const step = replay.step;
  const node = graph.nodes[step.index];
  const incoming = step.incoming.filter(Boolean);
  const details = [
    make("p", { class: "soft" }, `Step ${replay.at + 1} of ${replay.steps.length}`),
    make("h2", {}, node.label),
    make("p", { class: "kind" }, make("code", {}, node.name), node.module ? ` · ${node.module}` : ""),
    step.text ? make("p", { class: "lesson" }, step.text) : null,
    step.formula ? make("code", { class: "formula" }, step.formula) : null,
    ...section(
      node.kind === "leaf"
        ? "The gradient that arrives"
        : incoming.length > 1
          ? "Gradients that arrive"
          : "The gradient that arrives",
      ...flowsIn(step),
    ),
  ];
  if (node.kind !== "leaf") details.push(...section("What it passes on", ...flowsOut(graph, node, step, go)));
  details.push(
    make("details", {}, make("summary", {}, "All about this node"), ...nodeDetails(graph, node, go).slice(2)),
  );
  return details.filter(Boolean);
}

function flowsIn(step) {
  if (!step.incoming.some(Boolean)) return [make("p", { class: "soft" }, "None.")];
  return step.incoming.map((stats, nr) =>
    flowBlock(step.incoming.length > 1 ? `For result ${nr}` : "", stats),
  );
}

function flowsOut(graph, node, step, go) {
  const edges = new Map(node.out.map((edge) => [edge.inputNr, edge]));
  return step.outgoing.map((stats, nr) => {
    const edge = edges.get(nr);
    if (!edge) return null;
    const title = make("h4", {}, "To ", nodeLink(graph.nodes[edge.to], go, edge.outputNr));
    return flowBlock(title, stats);
  });
}

function flowBlock(title, stats) {
  const heading = typeof title === "string" ? (title ? make("h4", {}, title) : null) : title;
  if (!stats) return make("div", { class: "flow" }, heading, make("p", { class: "soft" }, "no gradient"));
  const values = valueTable(stats.values);
  const shape = make("span", { class: "soft" }, shapeText(stats));
  if (values) return make("div", { class: "flow" }, heading, values, shape);
  return make("div", { class: "flow" }, heading, ...statsBlock(stats));
}

/** Points along `pieces`, close enough together to look like the curve, with the length up to each. */
function samplePath(pieces) {
  const path = [];
  let length = 0;
  const add = (x, y) => {
    const last = path[path.length - 1];
    if (last) length += Math.hypot(x - last.x, y - last.y);
    path.push({ x, y, length });
  };
  for (const { points } of pieces) {
    for (let at = 0; at + 3 < points.length; at += 2) {
      const [ax, ay, bx, by] = points.slice(at, at + 4);
      const parts = ax === bx ? 1 : 14;
      for (let part = 0; part <= parts; part++) {
        const t = part / parts;
        // The cubic that drawScene draws: its inner points lie half way down.
        const smooth = t * t * (3 - 2 * t);
        add(
          ax + (bx - ax) * smooth,
          ay + (by - ay) * (1.5 * t * (1 - t) * (1 - t) + 1.5 * t * t * (1 - t) + t * t * t),
        );
      }
    }
  }
  return path;
}

function pointAt(path, share) {
  const wanted = share * path[path.length - 1].length;
  let at = 1;
  while (at < path.length - 1 && path[at].length < wanted) at++;
  const [a, b] = [path[at - 1], path[at]];
  const part = b.length > a.length ? (wanted - a.length) / (b.length - a.length) : 0;
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
}

/** Draws the pulses on the way and what they carry; `now` is null where motion is not wanted. */
function drawFlows(canvas, flows, view, theme, now) {
  const ratio = fitCanvas(canvas);
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (!flows.length) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const { path } of flows) if (now !== null) drawPulse(context, path, view, theme, now);
  const zoom = Math.max(0.85, Math.min(1.5, view.scale));
  const labelled = flows.filter((flow) => flow.text).sort((p, q) => endOf(p).x - endOf(q).x);
  const taken = [];
  labelled.forEach((flow, at) => {
    // The labels of edges on the left stand on their left, those of the others on their right.
    const side = at < (labelled.length - 1) / 2 ? -1 : 1;
    drawFlowLabel(context, flow, side, view, theme, zoom, taken);
  });
}

function endOf({ path }) {
  return path[path.length - 1];
}

function drawPulse(context, path, view, theme, time) {
  const share = (time % PULSE.period) / PULSE.travel;
  if (share > 1) return;
  const eased = share * share * (3 - 2 * share);
  const radius = Math.max(4, 6 * view.scale);
  for (const [behind, alpha] of [
    [0.09, 0.25],
    [0.045, 0.5],
    [0, 1],
  ]) {
    const point = pointAt(path, Math.max(0, eased - behind));
    const at = view.toScreen(point.x, point.y);
    context.globalAlpha = alpha * Math.min(1, 8 * (1 - share));
    context.beginPath();
    context.arc(at.x, at.y, radius * (1 - behind * 3), 0, 2 * Math.PI);
    context.fillStyle = theme.accent;
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The boxes that a label on the first part of a way might come to lie on. */
function boxesNear(scene, path) {
  const reach = path.filter(({ length }) => length < 500);
  const [left, right] = [
    Math.min(...reach.map(({ x }) => x)) - 300,
    Math.max(...reach.map(({ x }) => x)) + 300,
  ];
  const [top, bottom] = [
    Math.min(...reach.map(({ y }) => y)) - 40,
    Math.max(...reach.map(({ y }) => y)) + 40,
  ];
  return scene.boxes.filter((box) => meets(box, { left, top, right, bottom }));
}

/** A label beside an edge: near its middle, or wherever along its first part it covers no box and no other label. */
function drawFlowLabel(context, flow, side, view, theme, zoom, taken) {
  context.font = `600 ${14 * zoom}px ${FONT}`;
  const w = context.measureText(flow.text).width + 14 * zoom;
  const h = 22 * zoom;
  const at = labelPlace(flow, side, view, w, h, 9 * zoom, taken);
  taken.push(at);
  context.beginPath();
  context.roundRect(at.x, at.y, w, h, h / 2);
  context.fillStyle = theme.accentSoft;
  context.strokeStyle = theme.accent;
  context.lineWidth = 1;
  context.fill();
  context.stroke();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  context.fillText(flow.text, at.x + w / 2, at.y + h / 2 + 1);
}

function labelPlace({ path, near }, side, view, w, h, away, taken) {
  const length = path[path.length - 1].length;
  const most = Math.min(1, 450 / length);
  const boxes = near.map((box) => ({
    ...view.toScreen(box.x, box.y),
    w: box.w * view.scale,
    h: box.h * view.scale,
  }));
  let best = null;
  for (const share of [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.2, 0.8]) {
    const point = pointAt(path, share * most);
    const middle = view.toScreen(point.x, point.y);
    for (const turn of [side, -side]) {
      const place = { x: middle.x + turn * (w / 2 + away) - w / 2, y: middle.y - h / 2, w, h };
      const area = { left: place.x - 2, top: place.y - 2, right: place.x + w + 2, bottom: place.y + h + 2 };
      const covered = [...boxes, ...taken].filter((other) => meets(other, area)).length;
      if (!covered) return place;
      if (!best || covered < best.covered) best = { ...place, covered };
    }
  }
  return best;
}
