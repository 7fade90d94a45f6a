"use strict";
// A layered drawing of one directed graph, after Sugiyama, Tagawa and Toda (1981): ranks by longest path, long
// edges through virtual nodes, fewer crossings by barycentres, then the coordinates (coordinates.js).
// Edges of one key that are longer than one rank share their virtual nodes: a tensor used a thousand times
// gets one trunk that a thousand edges join, not a thousand lines. Nothing here is random.

const LAYOUT = {
  gap: 22, // between two boxes side by side
  edgeGap: 12, // beside a virtual node
  virtualLimit: 120000,
  sweeps: 12,
  drift: 240, // what is straightened may come to lie so far from where it was wanted
  rounds: 7, // of straightening
  bend: 16, // so much of a bend is straightened even where the graph is dense
};

/**
 * The graph must have no circle. Vertices are `{w, h, pin, ported}`: `pin` is "top", "bottom" or null, `ported` tells
 * whether edges must end exactly where they say. Edges are `{from, to, fromDx, toDx, key}`: numbers
 * of vertices, the distance of each end from the middle of its vertex, and what edges share a trunk. Between two
 * ranks there are at least `rankGap` pixels.
 * Returns `{width, height, x, y, pieces, firstPiece, lastPiece}`: x of the middle and y of the top of each vertex;
 * a piece is a curve between two branchings, and says which pieces come before and after it.
 */
function layered(vertices, edges, rankGap) {
  const flow = edges.map((edge, index) => ({ ...edge, index }));
  const rank = ranks(vertices, flow);
  const net = properNet(vertices, flow, rank);
  const layers = orderLayers(net);
  const x = xCoordinates(net, layers);
  const rows = yCoordinates(net, layers, x, rankGap);
  return drawn(net, x, rows, vertices, edges);
}

/** The longest path that leads to each vertex; what is pinned to the top or bottom has a rank of its own there. */
function ranks(vertices, flow) {
  const count = vertices.length;
  const out = Array.from({ length: count }, () => []);
  const missing = new Int32Array(count);
  for (const edge of flow) {
    out[edge.from].push(edge.to);
    missing[edge.to]++;
  }
  const first = vertices.some((vertex) => vertex.pin === "top") ? 1 : 0;
  const rank = new Int32Array(count);
  const queue = [];
  for (let v = 0; v < count; v++) {
    rank[v] = vertices[v].pin === "top" ? 0 : first;
    if (!missing[v]) queue.push(v);
  }
  for (let at = 0; at < queue.length; at++) {
    for (const to of out[queue[at]]) {
      rank[to] = Math.max(rank[to], rank[queue[at]] + 1);
      if (--missing[to] === 0) queue.push(to);
    }
  }
  let last = -1;
  for (let v = 0; v < count; v++) if (vertices[v].pin !== "bottom") last = Math.max(last, rank[v]);
  for (let v = 0; v < count; v++) if (vertices[v].pin === "bottom") rank[v] = last + 1;
  return rank;
}

/**
 * The graph with virtual vertices, so that each arc leads from one rank to the next. A trunk gathers the edges of
 * one key, which lead to one vertex. Where that alone would need too many virtual vertices, edges of one source
 * share a trunk instead if that source has more of them, and what is left over is drawn straight through.
 */
function properNet(vertices, flow, rank) {
  const net = {
    real: vertices.length,
    width: vertices.map((vertex) => vertex.w),
    height: vertices.map((vertex) => vertex.h),
    pin: vertices.map((vertex) => vertex.pin),
    ported: vertices.map((vertex) => vertex.ported),
    rank: Array.from(rank),
    arcs: [],
    direct: [],
    flow,
    firstArc: new Int32Array(flow.length).fill(-1),
    lastArc: new Int32Array(flow.length).fill(-1),
  };
  const long = flow.filter((edge) => rank[edge.to] - rank[edge.from] > 1);
  const bundles = chooseBundles(long, rank);
  const arcOf = new Map(); // the arc of each pair of ends, so that edges in common are one
  const arc = (a, b, aDx, bDx, mark, order) => {
    const name = `${a} ${b} ${aDx} ${bDx} ${mark}`;
    let index = arcOf.get(name);
    if (index === undefined) {
      index = net.arcs.length;
      arcOf.set(name, index);
      net.arcs.push({ a, b, aDx, bDx, order, next: -1, before: -1 });
    }
    return index;
  };
  const virtual = (at) => {
    net.width.push(2);
    net.height.push(0);
    net.pin.push(null);
    net.rank.push(at);
    return net.rank.length - 1;
  };
  for (const edge of flow) {
    if (rank[edge.to] - rank[edge.from] > 1) continue;
    const index = arc(edge.from, edge.to, edge.fromDx, edge.toDx, edge.key, edge.index);
    net.firstArc[edge.index] = net.lastArc[edge.index] = index;
  }
  for (const bundle of bundles) {
    if (bundle.direct) {
      net.direct.push(...bundle.edges);
      continue;
    }
    const byTarget = bundle.by === "target";
    const level = new Map();
    const at = (r) => {
      if (!level.has(r)) level.set(r, virtual(r));
      return level.get(r);
    };
    for (const edge of bundle.edges) {
      const from = rank[edge.from];
      const to = rank[edge.to];
      let before = -1;
      for (let r = from; r < to; r++) {
        const index = arc(
          r === from ? edge.from : at(r),
          r + 1 === to ? edge.to : at(r + 1),
          r === from ? edge.fromDx : 0,
          r + 1 === to ? edge.toDx : 0,
          bundle.name,
          edge.index,
        );
        const known = net.arcs[index].next >= 0 || net.arcs[index].before >= 0;
        if (r === from) net.firstArc[edge.index] = index;
        if (r + 1 === to) net.lastArc[edge.index] = index;
        if (byTarget) {
          if (before >= 0) net.arcs[before].next = index;
          // What follows on the trunk is there already, once an edge has joined it.
          if (known) {
            net.lastArc[edge.index] = bundle.last;
            break;
          }
          if (r + 1 === to) bundle.last = index;
        } else if (before >= 0) net.arcs[index].before = before;
        before = index;
      }
    }
  }
  return net;
}

function chooseBundles(long, rank) {
  const span = (edge) => rank[edge.to] - rank[edge.from] - 1;
  const gather = (edges, by) => {
    const bundles = new Map();
    for (const edge of edges) {
      const name = by === "target" ? `t ${edge.to} ${edge.key}` : `s ${edge.from} ${edge.fromDx}`;
      if (!bundles.has(name)) bundles.set(name, { name, by, edges: [], size: 0, last: -1, direct: false });
      const bundle = bundles.get(name);
      bundle.edges.push(edge);
      bundle.size = Math.max(bundle.size, span(edge));
    }
    // Longest edge first: those that follow only have to join it.
    for (const bundle of bundles.values())
      bundle.edges.sort((p, q) => span(q) - span(p) || p.index - q.index);
    return [...bundles.values()];
  };
  const total = (bundles) => bundles.reduce((sum, bundle) => sum + bundle.size, 0);
  let bundles = gather(long, "target");
  if (total(bundles) > LAYOUT.virtualLimit) {
    const leaving = new Map();
    const arriving = new Map();
    for (const edge of long) {
      leaving.set(edge.from, (leaving.get(edge.from) || 0) + span(edge));
      arriving.set(edge.to, (arriving.get(edge.to) || 0) + span(edge));
    }
    const bySource = (edge) => leaving.get(edge.from) > arriving.get(edge.to);
    bundles = [
      ...gather(
        long.filter((edge) => !bySource(edge)),
        "target",
      ),
      ...gather(long.filter(bySource), "source"),
    ];
  }
  let left = LAYOUT.virtualLimit;
  for (const bundle of [...bundles].sort((p, q) => p.size - q.size)) {
    left -= bundle.size;
    bundle.direct = left < 0;
  }
  return bundles;
}

/** The vertices of each rank from left to right, with few crossings. */
function orderLayers(net) {
  const count = net.rank.length;
  net.down = Array.from({ length: count }, () => []);
  net.up = Array.from({ length: count }, () => []);
  for (const arc of net.arcs) {
    net.down[arc.a].push(arc);
    net.up[arc.b].push(arc);
  }
  for (const arcs of net.down) arcs.sort((p, q) => p.order - q.order); // operands from left to right
  const layers = firstOrder(net);
  const position = new Float64Array(count);
  const number = (layer) => layer.forEach((v, at) => (position[v] = at));
  layers.forEach(number);
  // Ends that lie beside the middle of a wide box count as a little to the left or right of it.
  const endAt = (v, dx) => position[v] + (net.width[v] > 0 ? (0.9 * dx) / net.width[v] : 0);
  const crossings = () => {
    let sum = 0;
    for (let r = 0; r + 1 < layers.length; r++) sum += gapCrossings(net, layers[r], endAt);
    return sum;
  };
  let best = crossings();
  let kept = layers.map((layer) => layer.slice());
  let idle = 0;
  const sweeps = count > 15000 ? 6 : LAYOUT.sweeps;
  for (let sweep = 0; sweep < sweeps && best > 0 && idle < 4; sweep++) {
    const downwards = sweep % 2 === 0;
    for (let step = 1; step < layers.length; step++) {
      const layer = layers[downwards ? step : layers.length - 1 - step];
      sortByBarycentre(net, layer, downwards, endAt);
      number(layer);
    }
    if (count < 4000) transpose(net, layers, position, endAt);
    const now = crossings();
    if (now < best) {
      best = now;
      kept = layers.map((layer) => layer.slice());
      idle = 0;
    } else idle++;
  }
  kept.forEach(number);
  net.position = position;
  net.endAt = endAt;
  return kept;
}

/** Depth first from the top: a tree comes out without any crossing. */
function firstOrder(net) {
  const layers = [];
  const seen = new Uint8Array(net.rank.length);
  const place = (v) => {
    seen[v] = 1;
    (layers[net.rank[v]] ||= []).push(v);
  };
  const tops = [...net.rank.keys()].sort((p, q) => net.rank[p] - net.rank[q] || p - q);
  for (const top of tops) {
    if (seen[top]) continue;
    place(top);
    const path = [[top, 0]];
    while (path.length) {
      const here = path[path.length - 1];
      const arc = net.down[here[0]][here[1]++];
      if (!arc) path.pop();
      else if (!seen[arc.b]) {
        place(arc.b);
        path.push([arc.b, 0]);
      }
    }
  }
  return Array.from(layers, (layer) => layer || []);
}

function sortByBarycentre(net, layer, downwards, endAt) {
  const value = (v) => {
    let sum = 0;
    const arcs = downwards ? net.up[v] : net.down[v];
    const share = 0.9 / (net.width[v] || 1);
    for (const arc of arcs)
      sum += downwards ? endAt(arc.a, arc.aDx) - share * arc.bDx : endAt(arc.b, arc.bDx) - share * arc.aDx;
    return sum / arcs.length;
  };
  // What has no neighbour there (no value) keeps its place; the others are sorted among the places they have.
  const values = layer.map(value);
  const movable = [...layer.keys()].filter((at) => !Number.isNaN(values[at]));
  const sorted = movable.slice().sort((p, q) => values[p] - values[q] || p - q);
  const moved = sorted.map((at) => layer[at]);
  movable.forEach((at, i) => (layer[at] = moved[i]));
}

/** How often the arcs below `layer` cross: the inversions of their lower ends, in the order of the upper ones. */
function gapCrossings(net, layer, endAt) {
  const ends = [];
  for (const v of layer) for (const arc of net.down[v]) ends.push([endAt(v, arc.aDx), endAt(arc.b, arc.bDx)]);
  ends.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  return inversions(Float64Array.from(ends, (end) => end[1]));
}

function inversions(values) {
  const buffer = new Float64Array(values.length);
  let count = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let low = 0; low < values.length; low += 2 * width) {
      const middle = Math.min(low + width, values.length);
      const high = Math.min(low + 2 * width, values.length);
      let left = low;
      let right = middle;
      for (let at = low; at < high; at++) {
        if (left < middle && (right >= high || values[left] <= values[right])) buffer[at] = values[left++];
        else {
          count += middle - left;
          buffer[at] = values[right++];
        }
      }
    }
    values.set(buffer);
  }
  return count;
}

/** Swaps neighbours as long as that takes crossings away. */
function transpose(net, layers, position, endAt) {
  const between = (arcs, others, end) => {
    let sum = 0;
    for (const p of arcs) for (const q of others) if (end(p) > end(q)) sum++;
    return sum;
  };
  const lower = (arc) => endAt(arc.b, arc.bDx);
  const upper = (arc) => endAt(arc.a, arc.aDx);
  for (let round = 0, better = true; better && round < 6; round++) {
    better = false;
    for (const layer of layers) {
      for (let at = 0; at + 1 < layer.length; at++) {
        const v = layer[at];
        const w = layer[at + 1];
        const degree = net.up[v].length * net.up[w].length + net.down[v].length * net.down[w].length;
        if (degree > 4000) continue;
        const now = between(net.up[v], net.up[w], upper) + between(net.down[v], net.down[w], lower);
        if (now === 0) continue;
        const then = between(net.up[w], net.up[v], upper) + between(net.down[w], net.down[v], lower);
        if (then < now) {
          layer[at] = w;
          layer[at + 1] = v;
          position[w] = at;
          position[v] = at + 1;
          better = true;
        }
      }
    }
  }
}

/** The top and bottom of each rank; wide curves get more room between two ranks. */
function yCoordinates(net, layers, x, rankGap) {
  const top = [];
  const bottom = [];
  let y = 0;
  layers.forEach((layer, r) => {
    if (r > 0) {
      let widest = 0;
      for (const v of layer) {
        for (const arc of net.up[v]) widest = Math.max(widest, Math.abs(x[arc.a] + arc.aDx - x[v] - arc.bDx));
      }
      const byPort = layer.some((v) => net.pin[v]) || layers[r - 1].some((v) => net.pin[v]);
      y += (byPort ? 0.6 : 1) * rankGap + Math.min(110, 0.06 * widest);
    }
    top.push(y);
    for (const v of layer) y = Math.max(y, top[r] + net.height[v]);
    bottom.push(y);
  });
  return { top, bottom, height: y };
}

function drawn(net, x, rows, vertices, edges) {
  const { low, high } = extent(net, x);
  const left = Number.isFinite(low) ? low : 0;
  const pieces = [];
  const pieceOf = new Int32Array(net.arcs.length).fill(-1);
  const inner = (v) => v >= net.real && net.up[v].length === 1 && net.down[v].length === 1;
  net.arcs.forEach((arc, index) => (arc.index = index));
  for (const start of net.arcs) {
    if (inner(start.a)) continue;
    const points = [];
    let arc = start;
    for (;;) {
      pieceOf[arc.index] = pieces.length;
      arcPoints(net, arc, x, rows, left, points);
      if (!inner(arc.b)) break;
      arc = net.down[arc.b][0];
    }
    pieces.push({ points, next: arc.index, before: start.index });
  }
  for (const piece of pieces) {
    const follow = net.arcs[piece.next].next;
    const before = net.arcs[piece.before].before;
    piece.next = follow < 0 ? -1 : pieceOf[follow];
    piece.before = before < 0 ? -1 : pieceOf[before];
  }
  const firstPiece = new Int32Array(edges.length).fill(-1);
  const lastPiece = new Int32Array(edges.length).fill(-1);
  for (const edge of net.flow) {
    if (net.firstArc[edge.index] < 0) continue;
    firstPiece[edge.index] = pieceOf[net.firstArc[edge.index]];
    lastPiece[edge.index] = pieceOf[net.lastArc[edge.index]];
  }
  for (const edge of net.direct) {
    const points = [];
    const arc = { a: edge.from, b: edge.to, aDx: edge.fromDx, bDx: edge.toDx };
    arcPoints(net, arc, x, rows, left, points);
    firstPiece[edge.index] = lastPiece[edge.index] = pieces.length;
    pieces.push({ points, next: -1, before: -1 });
  }
  return {
    width: Number.isFinite(low) ? high - low : 0,
    height: rows.height,
    x: vertices.map((_, v) => x[v] - left),
    y: vertices.map((_, v) => rows.top[net.rank[v]]),
    pieces,
    firstPiece,
    lastPiece,
  };
}

/** Adds the points of an arc: between two of them at different x lies an S-curve that is vertical at both ends. */
function arcPoints(net, arc, x, rows, left, points) {
  let ax = x[arc.a] + arc.aDx - left;
  let bx = x[arc.b] + arc.bDx - left;
  const tilt = bx - ax;
  // Edges leave a small box, and reach it, a little to the side they go; straight ones stay in the middle.
  const lean = (v) => {
    if (v >= net.real || net.pin[v] || net.ported[v] || Math.abs(tilt) < 1) return 0;
    const most = Math.max(0, Math.min(net.width[v] / 2 - 16, 44));
    return Math.max(-most, Math.min(most, 0.14 * tilt));
  };
  ax += lean(arc.a);
  bx -= lean(arc.b);
  const top = rows.top[net.rank[arc.a]];
  const ranksBottom = rows.bottom[net.rank[arc.a]];
  const add = (px, py) => {
    const n = points.length;
    if (n >= 2 && points[n - 2] === px && points[n - 1] === py) return;
    // Three points on one vertical line need only two.
    if (n >= 4 && points[n - 2] === px && points[n - 4] === px) points[n - 1] = py;
    else points.push(px, py);
  };
  add(ax, arc.a >= net.real ? top : top + net.height[arc.a]);
  add(ax, ranksBottom);
  add(bx, rows.top[net.rank[arc.b]]);
}
