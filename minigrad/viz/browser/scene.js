"use strict";
// The scene: what is drawn of a graph while some modules are folded. Every open module is laid out by itself, as
// a graph that edges enter through ports at the top and leave through ports at the bottom; in the module around
// it, it is one box. So no box ever lies over another, and no edge passes through a box it does not belong to.

const SCENE = {
  pad: 14,
  title: 30,
  nodeHeight: 46,
  minWidth: 76,
  maxWidth: 250,
  shelfGap: 60,
  rankGap: 34,
  replayGap: 66,
};

/**
 * `measure(text, bold)` is the width of a text. Returns `{boxes, frames, pieces, links, itemOf, width, height}`:
 * boxes are nodes and folded modules, frames are open modules, links are what is merged of the graph's edges.
 */
function buildScene(graph, folded, measure) {
  const scene = {
    boxes: [],
    frames: [],
    pieces: [],
    links: [],
    itemOf: new Array(graph.nodes.length),
    width: 0,
    height: 0,
  };
  const top = collectItems(graph, graph.tree, folded, measure, scene);
  scene.links = collectLinks(graph, scene);
  for (const link of scene.links) routeThroughLevels(link);
  // In a replay the gradients stand on the edges, and need room there.
  layoutLevel(top, graph.steps ? SCENE.replayGap : SCENE.rankGap);
  placeLevel(top, 0, 0, scene);
  markTwins(scene);
  scene.width = top.width;
  scene.height = top.height;
  for (const link of scene.links) {
    link.from.out.push(link);
    link.to.in.push(link);
  }
  return scene;
}

/** The level of `group`: its own nodes, its folded modules, and levels for those that are open. */
function collectItems(graph, group, folded, measure, scene) {
  const level = {
    kind: "frame",
    key: group.key,
    group,
    parent: null,
    items: [],
    edges: new Map(),
    ports: new Map(),
  };
  const entries = [
    ...group.own.map((index) => ({ index, first: index })),
    ...group.children.map((child) => ({ child, first: child.members[0] })),
  ];
  // In the order of the graph, whether node or module: that is the order operands come in.
  const place = rankOfOrder(graph);
  entries.sort((p, q) => place[p.first] - place[q.first]);
  for (const { index, child } of entries) {
    let item;
    if (child && !folded.has(child.id)) {
      item = collectItems(graph, child, folded, measure, scene);
      scene.frames.push(item);
    } else {
      item = child ? foldedItem(graph, child, measure) : nodeItem(graph.nodes[index], measure);
      for (const inside of child ? child.members : [index]) scene.itemOf[inside] = item;
      scene.boxes.push(item);
    }
    item.level = level;
    item.slot = level.items.length;
    level.items.push(item);
  }
  level.titleWidth = group.depth ? measure(groupTitle(group), true) + measure(group.type, false) + 62 : 0;
  return level;
}

function rankOfOrder(graph) {
  if (!graph.place) {
    graph.place = new Int32Array(graph.nodes.length);
    graph.order.forEach((index, at) => (graph.place[index] = at));
  }
  return graph.place;
}

function nodeItem(node, measure) {
  const title = clipText(labelInside(node), SCENE.maxWidth - 28, (text) => measure(text, true));
  const note = clipText(shapeNote(node), SCENE.maxWidth - 28, (text) => measure(text, false));
  const width = Math.max(measure(title, true), measure(note, false)) + 28;
  return boxItem({
    kind: "node",
    key: node.key,
    node,
    title,
    note,
    ...marksOf([node]),
    w: Math.max(SCENE.minWidth, Math.ceil(width)),
  });
}

function foldedItem(graph, group, measure) {
  const title = clipText(groupTitle(group), SCENE.maxWidth - 54, (text) => measure(text, true));
  const count = `${group.members.length} ${group.members.length === 1 ? "node" : "nodes"}`;
  const note = clipText(group.type ? `${group.type} · ${count}` : count, SCENE.maxWidth - 28, (text) =>
    measure(text, false),
  );
  const width = Math.max(measure(title, true) + 26, measure(note, false)) + 28;
  const marks = marksOf(group.members.map((index) => graph.nodes[index]));
  return boxItem({
    kind: "folded",
    key: group.key,
    group,
    title,
    note,
    ...marks,
    w: Math.max(SCENE.minWidth, Math.ceil(width)),
  });
}

function boxItem(fields) {
  return {
    gradient: "",
    badge: "",
    ...fields,
    h: SCENE.nodeHeight,
    x: 0,
    y: 0,
    in: [],
    out: [],
    level: null,
    slot: 0,
  };
}

/** What marks a box: a module is marked if a node in it is; it counts as zero only if all in it that is known is. */
function marksOf(nodes) {
  const states = nodes.filter((node) => node.gradients.some(Boolean)).map(nodeGradientState);
  const zero = states.length > 0 && states.every((state) => state === "zero");
  const overwritten = nodes.some((node) => node.saved.some(isOverwritten));
  return { gradient: states.includes("nan") ? "nan" : zero ? "zero" : "", badge: overwritten ? "!" : "" };
}

function shapeNote(node) {
  const first = node.outputs[0];
  if (!first) return node.name === node.label ? "" : node.name;
  const more = node.outputs.length > 1 ? ` +${node.outputs.length - 1}` : "";
  return shapeText(first) + more;
}

function shapeText(tensor) {
  return tensor ? `${tensor.dtype || ""}[${(tensor.shape || []).join(", ")}]` : "none";
}

/** `text` with its middle left out if it is too wide: the end of a dotted name tells most. */
function clipText(text, most, width) {
  if (width(text) <= most) return text;
  let low = 1;
  let high = text.length;
  const shorten = (keep) =>
    `${text.slice(0, Math.floor(keep / 3))}…${text.slice(text.length - Math.ceil((2 * keep) / 3))}`;
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    if (width(shorten(keep)) <= most) low = keep;
    else high = keep - 1;
  }
  return shorten(low);
}

/** The graph's edges between different boxes; several between the same two are one link. */
function collectLinks(graph, scene) {
  const links = new Map();
  for (const edge of graph.edges) {
    const from = scene.itemOf[edge.from];
    const to = scene.itemOf[edge.to];
    if (from === to) continue;
    const key = `${from.key} ${to.key}`;
    if (!links.has(key)) links.set(key, { key, from, to, edges: [], parts: [] });
    links.get(key).edges.push(edge);
  }
  return [...links.values()];
}

function levelsAbove(item) {
  const levels = [];
  for (let level = item.level; level; level = level.level) levels.push(level);
  return levels;
}

/** Notes in each level that `link` passes the edge it needs there: out of open modules, across, and in again. */
function routeThroughLevels(link) {
  const above = levelsAbove(link.from);
  const below = levelsAbove(link.to);
  const common = above.find((level) => below.includes(level));
  const inner = link.to.key; // edges that lead to the same box share ports, as they share trunks
  let from = link.from;
  for (const level of above.slice(0, above.indexOf(common))) {
    levelEdge(level, from, portOf(level, "bottom", inner), link);
    from = level;
  }
  const entered = below.slice(0, below.indexOf(common)).reverse();
  const ends = [...entered, link.to];
  levelEdge(common, from, ends[0], link);
  entered.forEach((level, at) => levelEdge(level, portOf(level, "top", inner), ends[at + 1], link));
}

function portOf(level, pin, target) {
  const key = `${pin} ${target}`;
  if (!level.ports.has(key))
    level.ports.set(key, { kind: "port", key, pin, target, x: 0, slot: level.ports.size });
  return level.ports.get(key);
}

function levelEdge(level, from, to, link) {
  const key = `${from.key} | ${to.key} | ${link.to.key}`;
  let edge = level.edges.get(key);
  if (!edge) {
    edge = { from, to, target: link.to, slot: level.edges.size };
    level.edges.set(key, edge);
  }
  link.parts.push({ level, edge });
}

function layoutLevel(level, rankGap) {
  for (const item of level.items) if (item.kind === "frame") layoutLevel(item, rankGap);
  const inside = level.group.depth > 0;
  const ports = [...level.ports.values()];
  const vertices = [...level.items, ...ports];
  const number = new Map(vertices.map((vertex, at) => [vertex, at]));
  const edges = [...level.edges.values()].map((edge) => ({
    from: number.get(edge.from),
    to: number.get(edge.to),
    fromDx: portOffset(edge.from, "bottom", edge.target),
    toDx: portOffset(edge.to, "top", edge.target),
    key: edge.target.key,
  }));
  const sizes = vertices.map((vertex) => ({
    w: vertex.kind === "port" ? 4 : vertex.w,
    h: vertex.kind === "port" ? 0 : vertex.h,
    pin: vertex.kind === "port" ? vertex.pin : null,
    ported: vertex.kind === "frame",
  }));
  level.plan = inside ? layered(sizes, edges, rankGap) : layeredApart(sizes, edges, rankGap);
  level.vertices = vertices;
  const pad = inside ? SCENE.pad : 0;
  const entered = ports.some((port) => port.pin === "top");
  const left = ports.some((port) => port.pin === "bottom");
  level.width = level.w = Math.max(level.plan.width + 2 * pad, level.titleWidth);
  level.dx = (level.w - level.plan.width) / 2;
  level.dy = inside && !entered ? SCENE.title + 8 : 0;
  // Ports lie on the frame itself: the first rank below them keeps clear of the title.
  if (entered) {
    const lowest = Math.min(...level.items.map((_, at) => level.plan.y[at]));
    level.lift = Math.max(0, SCENE.title + 8 - lowest);
  } else level.lift = 0;
  level.height = level.h = level.dy + level.lift + level.plan.height + (inside && !left ? pad : 0);
  ports.forEach((port, at) => (port.x = level.dx + level.plan.x[level.items.length + at]));
}

function portOffset(end, pin, target) {
  return end.kind === "frame" ? end.ports.get(`${pin} ${target.key}`).x - end.w / 2 : 0;
}

/** Parts of the graph that no edge connects are laid out each by itself, and set on shelves side by side. */
function layeredApart(sizes, edges, rankGap) {
  const part = sizes.map((_, at) => at);
  const find = (at) => {
    while (part[at] !== at) at = part[at] = part[part[at]];
    return at;
  };
  for (const edge of edges) {
    const [p, q] = [find(edge.from), find(edge.to)];
    part[Math.max(p, q)] = Math.min(p, q);
  }
  const parts = new Map();
  sizes.forEach((_, at) => {
    const root = find(at);
    if (!parts.has(root)) parts.set(root, { members: [], edges: [] });
    parts.get(root).members.push(at);
  });
  edges.forEach((edge, at) => parts.get(find(edge.from)).edges.push(at));
  const plans = [...parts.values()].map((one) => {
    const number = new Map(one.members.map((vertex, at) => [vertex, at]));
    const inside = one.edges.map((at) => ({
      ...edges[at],
      from: number.get(edges[at].from),
      to: number.get(edges[at].to),
    }));
    return {
      ...one,
      plan: layered(
        one.members.map((at) => sizes[at]),
        inside,
        rankGap,
      ),
    };
  });
  return onShelves(plans, sizes.length, edges.length);
}

function onShelves(plans, vertexCount, edgeCount) {
  const area = plans.reduce(
    (sum, { plan }) => sum + (plan.width + SCENE.shelfGap) * (plan.height + SCENE.shelfGap),
    0,
  );
  const widest = Math.max(1.6 * Math.sqrt(area), ...plans.map(({ plan }) => plan.width));
  const whole = {
    width: 0,
    height: 0,
    x: new Array(vertexCount),
    y: new Array(vertexCount),
    pieces: [],
    firstPiece: new Int32Array(edgeCount).fill(-1),
    lastPiece: new Int32Array(edgeCount).fill(-1),
  };
  let x = 0;
  let y = 0;
  let shelf = 0;
  for (const { plan, members, edges } of plans) {
    if (x > 0 && x + plan.width > widest) {
      x = 0;
      y += shelf + SCENE.shelfGap;
      shelf = 0;
    }
    const base = whole.pieces.length;
    members.forEach((vertex, at) => {
      whole.x[vertex] = plan.x[at] + x;
      whole.y[vertex] = plan.y[at] + y;
    });
    for (const piece of plan.pieces) {
      whole.pieces.push({
        ...piece,
        points: piece.points.map((value, at) => value + (at % 2 ? y : x)),
        next: piece.next < 0 ? -1 : piece.next + base,
        before: piece.before < 0 ? -1 : piece.before + base,
      });
    }
    edges.forEach((edge, at) => {
      whole.firstPiece[edge] = plan.firstPiece[at] < 0 ? -1 : plan.firstPiece[at] + base;
      whole.lastPiece[edge] = plan.lastPiece[at] < 0 ? -1 : plan.lastPiece[at] + base;
    });
    whole.width = Math.max(whole.width, x + plan.width);
    shelf = Math.max(shelf, plan.height);
    whole.height = Math.max(whole.height, y + plan.height);
    x += plan.width + SCENE.shelfGap;
  }
  return whole;
}

/** Gives everything in `level`, whose top left corner is at (x, y), its place in the scene. */
function placeLevel(level, x, y, scene) {
  const left = x + level.dx;
  const top = y + level.dy + level.lift;
  level.items.forEach((item, at) => {
    item.x = left + level.plan.x[at] - item.w / 2;
    item.y = top + level.plan.y[at];
    if (item.kind === "frame") placeLevel(item, item.x, item.y, scene);
  });
  level.base = scene.pieces.length;
  const arrives = new Map(); // pieces that end at the box they lead to carry the arrowhead
  for (const edge of level.edges.values()) {
    if (edge.to === edge.target) arrives.set(level.plan.lastPiece[edge.slot], edge.to);
  }
  level.plan.pieces.forEach((piece, at) => {
    const points = piece.points.map((value, i) => value + (i % 2 ? top : left));
    reachPorts(level, points, y);
    scene.pieces.push({
      points,
      level,
      next: piece.next < 0 ? null : piece.next,
      before: piece.before < 0 ? null : piece.before,
      arrow: arrives.has(at),
      count: 1,
      ...bounds(points),
    });
  });
}

/** Draws what comes from a port down from the frame itself, past the title. */
function reachPorts(level, points, y) {
  if (!level.lift || points[1] > y + level.lift + 0.5) return;
  if (points[0] === points[2]) points[1] = y;
  else points.unshift(points[0], y);
}

/** Several edges between two nodes that lie one below the other are drawn side by side. */
function markTwins(scene) {
  for (const link of scene.links) {
    if (link.edges.length < 2 || link.from.kind !== "node" || link.to.kind !== "node") continue;
    const route = piecesOf(scene, link);
    if (route.length === 1) route[0].count = link.edges.length;
  }
}

function bounds(points) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let at = 0; at < points.length; at += 2) {
    box.left = Math.min(box.left, points[at]);
    box.right = Math.max(box.right, points[at]);
    box.top = Math.min(box.top, points[at + 1]);
    box.bottom = Math.max(box.bottom, points[at + 1]);
  }
  return box;
}

/** The pieces that `link` runs along, from its upper box to the lower one. */
function piecesOf(scene, link) {
  const route = [];
  for (const { level, edge } of link.parts) {
    const piece = (at) => scene.pieces[level.base + at];
    const first = level.plan.firstPiece[edge.slot];
    const last = level.plan.lastPiece[edge.slot];
    const part = [];
    if (first < 0) continue;
    // A trunk that leads to one vertex is followed forwards, one that comes from one vertex backwards.
    let at = first;
    while (at !== null && at !== last) {
      part.push(piece(at));
      at = piece(at).next;
    }
    if (at === last) part.push(piece(last));
    else {
      part.length = 0;
      for (at = last; at !== null; at = piece(at).before) part.push(piece(at));
      part.reverse();
    }
    route.push(...part);
  }
  return route;
}
