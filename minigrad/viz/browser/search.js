"use strict";
// Search: which nodes a text matches, and the walk from one match to the next.

/** What a node is called, in lower case. */
function nameText(node) {
  return [node.label, node.name, node.variable].join("\n").toLowerCase();
}

/** All that can be searched of a node, in lower case. */
function searchText(node) {
  const tensors = [...node.outputs, ...node.inputs].filter(Boolean);
  const shapes = tensors.flatMap((tensor) => [shapeText(tensor), (tensor.shape || []).join("x")]);
  const source = node.source
    ? [node.source.text, node.source.function, `${node.source.file}:${node.source.line}`]
    : [];
  return [nameText(node), node.module, node.moduleType, ...shapes, ...source].join("\n").toLowerCase();
}

class Search {
  constructor(graph) {
    this.graph = graph;
    this.names = null;
    this.texts = null;
    this.query = "";
    this.matches = []; // indices of nodes
    this.at = -1;
  }

  /** Nodes that have all words of the query in them, first those that are called so. */
  look(query) {
    const { nodes, order } = this.graph;
    this.names ||= nodes.map(nameText);
    this.texts ||= nodes.map(searchText);
    this.query = query.trim();
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => words.every((word) => text.includes(word));
    const found = words.length ? order.filter((index) => has(this.texts[index])) : [];
    this.matches = [
      ...found.filter((index) => has(this.names[index])),
      ...found.filter((index) => !has(this.names[index])),
    ];
    this.at = -1;
  }

  /** The index of the next match (or the one before, if `step` is -1), round the end. */
  walk(step) {
    const count = this.matches.length;
    if (!count) return null;
    this.at = this.at < 0 ? (step > 0 ? 0 : count - 1) : (this.at + step + count) % count;
    return this.matches[this.at];
  }

  get summary() {
    if (!this.query) return "";
    if (!this.matches.length) return "no match";
    return this.at < 0 ? `${this.matches.length} found` : `${this.at + 1} of ${this.matches.length}`;
  }
}
