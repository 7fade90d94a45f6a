"use strict";
// The x coordinates of a layered drawing: first row by row, near what each vertex is connected with; then long edges
// and chains without branches as straight blocks, as near to that as they go.

/**
 * x of the middle of each vertex: first row by row, as near as can be to what each vertex is connected with; then
 * what should be straight (long edges, and chains without branches) is made so, as near to that as it goes.
 */
function xCoordinates(net, layers) {
  const twigs = sideTwigs(net, layers);
  const loose = new Set([...twigs, ...trunkJoins(net)]);
  const wanted = rowCoordinates(net, layers, loose);
  const x = straightened(net, layers, straightBlocks(net, layers, loose), wanted);
  settleTwigs(net, layers, twigs, x);
  return x;
}

/**
 * The arcs to parameters beside a longer way down: the way stays straight, and the parameters hang to its left and
 * right. Twigs are at most two vertices long.
 */
function sideTwigs(net, layers) {
  const depth = new Float64Array(net.rank.length); // the longest way down, ports counting as endless
  for (const layer of [...layers].reverse()) {
    for (const v of layer) {
      if (net.pin[v]) depth[v] = Infinity;
      for (const arc of net.down[v]) depth[v] = Math.max(depth[v], depth[arc.b] + 1);
    }
  }
  const twigs = new Set();
  for (const arcs of net.down) {
    const deepest = arcs.reduce((most, arc) => Math.max(most, depth[arc.b]), 0);
    for (const arc of arcs) {
      if (depth[arc.b] <= 1 && depth[arc.b] < deepest && net.up[arc.b].length === 1) twigs.add(arc);
    }
  }
  return twigs;
}

/** The arcs that join a trunk, or leave it, from the side: the trunk itself is to be straight. */
function trunkJoins(net) {
  const isVirtual = (v) => v >= net.real;
  return net.arcs.filter((arc) => {
    if (isVirtual(arc.b) && !isVirtual(arc.a)) return net.up[arc.b].some((other) => isVirtual(other.a));
    return isVirtual(arc.a) && !isVirtual(arc.b) && net.down[arc.a].some((other) => isVirtual(other.b));
  });
}

/** Moves twigs as near to where they hang as their neighbours let them. */
function settleTwigs(net, layers, twigs, x) {
  const loose = new Map();
  for (const arc of twigs) {
    loose.set(arc.b, arc);
    for (const below of net.down[arc.b]) if (net.up[below.b].length === 1) loose.set(below.b, below);
  }
  for (const layer of layers) {
    for (const order of [layer.keys(), [...layer.keys()].reverse()]) {
      for (const at of order) {
        const v = layer[at];
        const arc = loose.get(v);
        if (!arc) continue;
        const low = at > 0 ? x[layer[at - 1]] + separation(net, layer[at - 1], v) : -Infinity;
        const high = at + 1 < layer.length ? x[layer[at + 1]] - separation(net, v, layer[at + 1]) : Infinity;
        x[v] = Math.max(low, Math.min(high, x[arc.a] + arc.aDx - arc.bDx));
      }
    }
  }
}

function extent(net, x) {
  let low = Infinity;
  let high = -Infinity;
  for (let v = 0; v < x.length; v++) {
    low = Math.min(low, x[v] - net.width[v] / 2);
    high = Math.max(high, x[v] + net.width[v] / 2);
  }
  return { low, high };
}

function separation(net, left, right) {
  const virtual = left >= net.real || right >= net.real || net.pin[left] || net.pin[right];
  return (net.width[left] + net.width[right]) / 2 + (virtual ? LAYOUT.edgeGap : LAYOUT.gap);
}

/**
 * What is to be straight: of each vertex the first one of its block, and how far it is shifted from the x of the block,
 * so that ends beside the middle come to lie one above the other.
 */
function straightBlocks(net, layers, loose) {
  const count = net.rank.length;
  const root = Int32Array.from({ length: count }, (_, v) => v);
  const shift = new Float64Array(count);
  const firm = (arcs) => arcs.filter((arc) => !loose.has(arc));
  const above = net.up.map(firm);
  const below = net.down.map(firm);
  for (const layer of layers) {
    let taken = -1; // blocks never cross: of two that would, the left one stays whole
    for (const v of layer) {
      if (above[v].length !== 1) continue;
      const arc = above[v][0];
      if (below[arc.a].length !== 1 || net.position[arc.a] <= taken) continue;
      taken = net.position[arc.a];
      root[v] = root[arc.a];
      shift[v] = shift[arc.a] + arc.aDx - arc.bDx;
    }
  }
  return { root, shift };
}

/**
 * x with the blocks straight. In a dense graph one block pushes the next, over and over, and all drift apart: what
 * ends up far from where it was wanted is cut in two and placed again. If that does not help, nothing is pushed.
 */
function straightened(net, layers, { root, shift }, wanted) {
  const pairs = neighbourPairs(net, layers);
  const parts = root.slice();
  for (let round = 0; round < LAYOUT.rounds; round++) {
    const x = placeBlocks(net, pairs, { root: parts, shift }, wanted);
    const far = new Set();
    for (let v = 0; v < x.length; v++) if (Math.abs(x[v] - wanted[v]) > LAYOUT.drift) far.add(parts[v]);
    if (!far.size) return smoothed(net, layers, { root, shift }, x);
    for (const block of blockMembers(net, parts, far)) {
      const half = Math.ceil(block.length / 2);
      block.forEach((v, at) => (parts[v] = block[at < half ? 0 : half]));
    }
  }
  return smoothed(net, layers, { root, shift }, wanted.slice());
}

/** The vertices of the blocks that begin with one of `roots`, from top to bottom. */
function blockMembers(net, root, roots) {
  const members = new Map();
  for (let v = 0; v < root.length; v++) {
    if (roots && !roots.has(root[v])) continue;
    if (!members.has(root[v])) members.set(root[v], []);
    members.get(root[v]).push(v);
  }
  return [...members.values()].map((block) => block.sort((p, q) => net.rank[p] - net.rank[q]));
}

/** Takes small bends out of blocks where the neighbours leave room for that. */
function smoothed(net, layers, { root, shift }, x) {
  const room = (v) => {
    const layer = layers[net.rank[v]];
    const at = net.position[v];
    return {
      low: at > 0 ? x[layer[at - 1]] + separation(net, layer[at - 1], v) : -Infinity,
      high: at + 1 < layer.length ? x[layer[at + 1]] - separation(net, v, layer[at + 1]) : Infinity,
    };
  };
  const straighten = (run) => {
    let [low, high, sum] = [-Infinity, Infinity, 0];
    for (const v of run) {
      const free = room(v);
      low = Math.max(low, free.low - shift[v]);
      high = Math.min(high, free.high - shift[v]);
      sum += x[v] - shift[v];
    }
    if (low > high) return;
    const place = Math.max(low, Math.min(high, sum / run.length));
    for (const v of run) x[v] = place + shift[v];
  };
  for (const block of blockMembers(net, root, null)) {
    let run = [];
    for (const v of block) {
      if (run.length && Math.abs(x[v] - shift[v] - x[run[0]] + shift[run[0]]) > LAYOUT.bend) {
        straighten(run);
        run = [];
      }
      run.push(v);
    }
    straighten(run);
  }
  return x;
}

/**
 * Blocks as near to the places of their vertices in `wanted` as the order lets them: once none is left of its place,
 * once none is right of it, and the mean of both.
 */
function placeBlocks(net, pairs, { root, shift }, wanted) {
  const count = net.rank.length;
  // The pairs of each left block lie one after the other in `after`, from start[block] on.
  const start = new Int32Array(count + 1);
  const missing = new Int32Array(count);
  for (let at = 0; at < pairs.left.length; at++) {
    start[root[pairs.left[at]] + 1]++;
    missing[root[pairs.right[at]]]++;
  }
  for (let v = 0; v < count; v++) start[v + 1] += start[v];
  const fill = start.slice();
  const after = new Int32Array(pairs.left.length);
  for (let at = 0; at < pairs.left.length; at++) after[fill[root[pairs.left[at]]]++] = at;
  const distance = (at) => pairs.gap[at] + shift[pairs.left[at]] - shift[pairs.right[at]];
  const size = new Float64Array(count);
  const low = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    size[root[v]]++;
    low[root[v]] += wanted[v] - shift[v];
  }
  const order = [];
  for (let v = 0; v < count; v++) {
    if (root[v] !== v) continue;
    low[v] /= size[v];
    if (!missing[v]) order.push(v);
  }
  const high = low.slice();
  for (let next = 0; next < order.length; next++) {
    const from = order[next];
    for (let i = start[from]; i < start[from + 1]; i++) {
      const to = root[pairs.right[after[i]]];
      high[to] = Math.max(high[to], high[from] + distance(after[i]));
      if (--missing[to] === 0) order.push(to);
    }
  }
  for (let next = order.length - 1; next >= 0; next--) {
    const from = order[next];
    for (let i = start[from]; i < start[from + 1]; i++) {
      low[from] = Math.min(low[from], low[root[pairs.right[after[i]]]] - distance(after[i]));
    }
  }
  return Float64Array.from({ length: count }, (_, v) => (low[root[v]] + high[root[v]]) / 2 + shift[v]);
}

/** All neighbours in a row, and the distance that they keep. */
function neighbourPairs(net, layers) {
  const pairs = { left: [], right: [], gap: [] };
  for (const layer of layers) {
    for (let at = 0; at + 1 < layer.length; at++) {
      pairs.left.push(layer[at]);
      pairs.right.push(layer[at + 1]);
      pairs.gap.push(separation(net, layer[at], layer[at + 1]));
    }
  }
  return pairs;
}

/** x of each vertex by sweeps over the rows: each row as near to the rows above and below as its order lets it. */
function rowCoordinates(net, layers, loose) {
  const x = new Float64Array(net.rank.length);
  for (const layer of layers) {
    let at = 0;
    layer.forEach((v, i) => (at = x[v] = i ? at + separation(net, layer[i - 1], v) : 0));
    for (const v of layer) x[v] -= at / 2;
  }
  const isVirtual = (v) => v >= net.real;
  const weigh = (arc) =>
    loose.has(arc)
      ? 0.05
      : isVirtual(arc.a) && isVirtual(arc.b)
        ? 8
        : isVirtual(arc.a) || isVirtual(arc.b)
          ? 2
          : 1;
  for (const arc of net.arcs) arc.weight = weigh(arc);
  const sweeps = x.length > 30000 ? 3 : 5;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const layer of layers) settleRow(net, layer, x, true, false);
    for (const layer of [...layers].reverse()) settleRow(net, layer, x, false, true);
  }
  for (const layer of layers) settleRow(net, layer, x, true, true);
  return x;
}

/**
 * Moves a row to where the weighted squares of the distances to its neighbours are least: an isotonic regression,
 * solved by pooling vertices that press against each other (Ayer et al., 1955).
 */
function settleRow(net, layer, x, up, down) {
  const pools = [];
  let offset = 0; // of a vertex from the first of the row, if all stand side by side
  for (let i = 0; i < layer.length; i++) {
    const v = layer[i];
    if (i) offset += separation(net, layer[i - 1], v);
    let sum = 0;
    let weight = 0;
    if (up) {
      for (const arc of net.up[v]) {
        sum += arc.weight * (x[arc.a] + arc.aDx - arc.bDx);
        weight += arc.weight;
      }
    }
    if (down) {
      for (const arc of net.down[v]) {
        sum += arc.weight * (x[arc.b] + arc.bDx - arc.aDx);
        weight += arc.weight;
      }
    }
    if (!weight) {
      // Nothing pulls there: stay, unless pushed.
      weight = 0.01;
      sum = weight * x[v];
    }
    const pool = { first: i, sum: sum - weight * offset, weight };
    for (
      let before = pools[pools.length - 1];
      before && before.sum / before.weight > pool.sum / pool.weight;
      before = pools[pools.length - 1]
    ) {
      pool.first = before.first;
      pool.sum += before.sum;
      pool.weight += before.weight;
      pools.pop();
    }
    pools.push(pool);
  }
  let along = 0;
  pools.forEach((pool, at) => {
    const end = at + 1 < pools.length ? pools[at + 1].first : layer.length;
    for (let i = pool.first; i < end; i++) {
      if (i) along += separation(net, layer[i - 1], layer[i]);
      x[layer[i]] = pool.sum / pool.weight + along;
    }
  });
}
