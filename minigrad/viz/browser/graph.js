"use strict";
// The graph that the page shows: the payload checked and indexed, and its nodes put in a tree of modules.

/** Something is wrong with the data, in words for the reader of the page. */
class PayloadProblem extends Error {}

function parsePayload(text) {
  let payload;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    throw new PayloadProblem(`The data of this page is not valid JSON (${error.message}).`);
  }
  checkPayload(payload);
  return payload;
}

function checkPayload(payload) {
  const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const fail = (what) => {
    throw new PayloadProblem(`The data of this page is not a graph: ${what}.`);
  };
  if (!isRecord(payload)) fail("it is no record");
  for (const field of ["nodes", "edges"]) {
    if (!Array.isArray(payload[field])) fail(`"${field}" is no list`);
  }
  const ids = new Set();
  payload.nodes.forEach((node, at) => {
    if (!isRecord(node)) fail(`node number ${at} is no record`);
    if (node.id === undefined || node.id === null) fail(`node number ${at} has no "id"`);
    if (typeof node.name !== "string") fail(`node number ${at} has no "name"`);
    if (ids.has(node.id)) fail(`two nodes have the id ${node.id}`);
    ids.add(node.id);
  });
  payload.edges.forEach((edge, at) => {
    if (!isRecord(edge)) fail(`edge number ${at} is no record`);
    for (const end of ["from", "to"]) {
      if (!ids.has(edge[end])) fail(`edge number ${at} leads ${end} a node that is not there (${edge[end]})`);
    }
  });
  for (const field of ["steps", "roots"]) {
    if (payload[field] !== undefined && payload[field] !== null && !Array.isArray(payload[field])) {
      fail(`"${field}" is no list`);
    }
  }
  (payload.steps || []).forEach((step, at) => {
    if (!isRecord(step) || !ids.has(step.node)) fail(`step number ${at} is of a node that is not there`);
  });
}

class Graph {
  constructor(payload) {
    this.title = String(payload.title || "Autograd graph");
    this.version = payload.minigrad ? String(payload.minigrad) : "";
    this.moduleTypes = payload.modules || {};
    this.steps = payload.steps || null;
    this.nodes = payload.nodes.map((record, index) => this._node(record, index));
    this.indexOf = new Map(this.nodes.map((node) => [node.id, node.index]));
    for (const id of payload.roots || []) {
      const index = this.indexOf.get(id);
      if (index !== undefined && this.nodes[index].kind !== "leaf") this.nodes[index].kind = "root";
    }
    this.edges = payload.edges.map((edge, index) => ({
      index,
      from: this.indexOf.get(edge.from),
      to: this.indexOf.get(edge.to),
      outputNr: edge.output_nr || 0,
      inputNr: edge.input_nr || 0,
    }));
    for (const edge of this.edges) {
      this.nodes[edge.from].out.push(edge);
      this.nodes[edge.to].in.push(edge);
    }
    this.order = topologicalOrder(this.nodes);
    this.tree = buildTree(this);
    this.groups = new Map();
    const register = (group) => {
      this.groups.set(group.id, group);
      group.children.forEach(register);
    };
    this.tree.children.forEach(register);
  }

  _node(record, index) {
    const label = String(record.label || record.name);
    let module = String(record.module || "");
    if (record.kind === "leaf" && !module) module = this._moduleOfName(label);
    return {
      index,
      id: record.id,
      key: `n${index}`,
      kind: ["leaf", "root"].includes(record.kind) ? record.kind : "op",
      name: record.name,
      label,
      variable: String(record.variable || ""),
      module,
      moduleType: String(record.module_type || this.moduleTypes[module] || ""),
      outputs: record.outputs || [],
      inputs: record.inputs || [],
      saved: record.saved || [],
      attributes: record.attributes || {},
      source: record.source || null,
      // One per result; a node with one result has it under "gradient" alone.
      gradients: record.gradients || (record.gradient ? [record.gradient] : []),
      sequence: record.sequence,
      out: [],
      in: [],
      group: null,
    };
  }

  /** The module that a parameter called `layers.0.weight` belongs to, if there is one of that name. */
  _moduleOfName(name) {
    for (let at = name.lastIndexOf("."); at > 0; at = name.lastIndexOf(".", at - 1)) {
      const path = name.slice(0, at);
      if (Object.hasOwn(this.moduleTypes, path)) return path;
    }
    return "";
  }
}

/** Indices of the nodes, each after all that lead to it: as they are given, which is the order of a backward pass, if that will do. */
function topologicalOrder(nodes) {
  if (nodes.every((node) => node.out.every((edge) => edge.to > node.index)))
    return nodes.map((node) => node.index);
  const missing = nodes.map((node) => node.in.length);
  const order = nodes.filter((node) => node.in.length === 0).map((node) => node.index);
  for (let at = 0; at < order.length; at++) {
    for (const edge of nodes[order[at]].out) {
      if (--missing[edge.to] === 0) order.push(edge.to);
    }
  }
  if (order.length < nodes.length) {
    throw new PayloadProblem(
      "The data of this page is not a graph of a backward pass: its edges form a circle.",
    );
  }
  return order;
}

/**
 * The tree of modules. A group is one call of a module: a module that runs, hands over to others and runs
 * again is two groups, for a single box would have to lie both above and below the others. So groups never lead
 * to each other in a circle.
 */
function buildTree(graph) {
  const root = {
    id: "",
    path: "",
    parent: null,
    depth: 0,
    call: 1,
    calls: 1,
    type: graph.moduleTypes[""] || "",
  };
  fillGroup(graph, root, graph.order);
  return root;
}

function fillGroup(graph, group, members) {
  group.members = members;
  group.own = [];
  group.children = [];
  const byPath = new Map();
  for (const index of members) {
    const path = childPath(group.path, graph.nodes[index].module);
    if (path !== null && !byPath.has(path)) byPath.set(path, []);
    if (path !== null) byPath.get(path).push(index);
  }
  const keys = new Map(members.map((index) => [index, `own ${index}`]));
  for (const [path, inside] of byPath) {
    for (const [index, call] of callNumbers(graph, members, inside)) keys.set(index, `${path} ${call}`);
  }
  splitCircles(graph, members, keys);
  for (const [path, inside] of byPath) {
    const calls = new Map();
    for (const index of inside) {
      if (!calls.has(keys.get(index))) calls.set(keys.get(index), []);
      calls.get(keys.get(index)).push(index);
    }
    addCalls(graph, group, path, [...calls.values()]);
  }
  const grouped = new Set(group.children.flatMap((child) => child.members));
  group.own = members.filter((index) => !grouped.has(index));
  for (const index of group.own) graph.nodes[index].group = group;
}

/** Adds a child for each call of a module; but a box around a single node would tell nothing. */
function addCalls(graph, group, path, calls) {
  const shown = calls.filter((call) => call.length > 1);
  const name = path.slice(group.path.length ? group.path.length + 1 : 0);
  shown.forEach((call, at) => {
    const child = {
      id: `${group.id}/${name}${at ? `#${at + 1}` : ""}`,
      path,
      parent: group,
      depth: group.depth + 1,
      call: shown.length - at, // backward meets the last call first
      calls: shown.length,
      type: graph.moduleTypes[path] || graph.nodes[call[0]].moduleType,
    };
    child.key = `g${child.id}`;
    group.children.push(child);
    fillGroup(graph, child, call);
  });
}

/** The next dotted path on the way from `above` to `path`, or null if `path` does not lie below `above`. */
function childPath(above, path) {
  if (!path || path === above || (above && !path.startsWith(`${above}.`))) return null;
  const end = path.indexOf(".", above ? above.length + 1 : 0);
  return end < 0 ? path : path.slice(0, end);
}

/** For each of the nodes `inside` of a module the number of the call: how often a path has entered the module by then. */
function callNumbers(graph, members, inside) {
  const isInside = new Set(inside);
  const calls = new Map();
  for (const index of members) {
    let number = isInside.has(index) ? 1 : 0;
    for (const edge of graph.nodes[index].in) {
      const before = calls.get(edge.from) || 0;
      number = Math.max(
        number,
        before && isInside.has(index) && !isInside.has(edge.from) ? before + 1 : before,
      );
    }
    calls.set(index, number);
  }
  return inside.map((index) => [index, calls.get(index)]);
}

/**
 * Calls of different modules may still lead to each other and back, and then cannot be drawn one below the other.
 * Those are split by how often a path has gone from one to another: that number never falls along an edge.
 */
function splitCircles(graph, members, keys) {
  const tangled = tangledKeys(graph, members, keys);
  if (!tangled.size) return;
  const changes = new Map();
  for (const index of members.filter((one) => tangled.has(keys.get(one)))) {
    let number = 0;
    for (const edge of graph.nodes[index].in) {
      if (changes.has(edge.from))
        number = Math.max(number, changes.get(edge.from) + (keys.get(edge.from) === keys.get(index) ? 0 : 1));
    }
    changes.set(index, number);
  }
  for (const [index, number] of changes) keys.set(index, `${keys.get(index)} ${number}`);
}

/** The keys that lie on a circle of edges between keys, or between two such circles. */
function tangledKeys(graph, members, keys) {
  const left = new Set(keys.values());
  const neighbours = { in: new Map(), out: new Map() };
  for (const key of left) {
    neighbours.in.set(key, new Set());
    neighbours.out.set(key, new Set());
  }
  for (const index of members) {
    for (const edge of graph.nodes[index].out) {
      const [from, to] = [keys.get(index), keys.get(edge.to)];
      if (to === undefined || from === to) continue;
      neighbours.out.get(from).add(to);
      neighbours.in.get(to).add(from);
    }
  }
  // What nothing leads to, or what leads to nothing, is on no circle; and so on without it.
  for (const [before, after] of [
    ["in", "out"],
    ["out", "in"],
  ]) {
    const missing = new Map(
      [...left].map((key) => [
        key,
        [...neighbours[before].get(key)].filter((other) => left.has(other)).length,
      ]),
    );
    const free = [...left].filter((key) => missing.get(key) === 0);
    while (free.length) {
      const key = free.pop();
      left.delete(key);
      for (const other of neighbours[after].get(key)) {
        if (!left.has(other)) continue;
        missing.set(other, missing.get(other) - 1);
        if (missing.get(other) === 0) free.push(other);
      }
    }
  }
  return left;
}

/** What a name becomes inside the box of its module, where the module's path need not be repeated. */
function labelInside(node) {
  const prefix = node.group && node.group.path ? `${node.group.path}.` : "";
  return prefix && node.label.startsWith(prefix) ? node.label.slice(prefix.length) : node.label;
}

function groupTitle(group) {
  const above = group.parent && group.parent.path;
  const name = above ? group.path.slice(above.length + 1) : group.path;
  return group.calls > 1 ? `${name} (call ${group.call} of ${group.calls})` : name;
}

/** The state of all gradients of a node: "nan" if one has such entries, "zero" if all that are known are zero. */
function nodeGradientState(node) {
  const states = node.gradients.filter(Boolean).map(gradientState);
  if (states.includes("nan")) return "nan";
  return states.length && states.every((state) => state === "zero") ? "zero" : "";
}

/** "nan" for a gradient with NaN or infinite entries, "zero" for one that is zero everywhere, else "". */
function gradientState(stats) {
  if (!stats) return "";
  if (stats.nans > 0 || stats.infs > 0) return "nan";
  return stats.zeros === 1 || (stats.min === 0 && stats.max === 0) ? "zero" : "";
}

/** Whether a saved tensor was written to after it was saved, so that backward would refuse it. */
function isOverwritten(saved) {
  return (
    !saved.freed &&
    saved.version !== undefined &&
    saved.current !== undefined &&
    saved.version !== saved.current
  );
}
