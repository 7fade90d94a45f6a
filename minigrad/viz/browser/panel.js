"use strict";
// The panel at the side: everything that is known of one node, or of one folded module. All text from the data
// goes in as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** A new element with attributes (functions become listeners) and children (texts or elements; null is left out). */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A number as short as four digits tell it; NaN and infinities come as texts. */
function numberText(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value).replace("inf", "∞").replace("-", "−");
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value).replace("-", "−");
  const size = Math.abs(value);
  const text =
    size !== 0 && (size < 1e-3 || size >= 1e6)
      ? value.toExponential(2)
      : String(Number(value.toPrecision(4)));
  return text.replace(/-/g, "−");
}

function bytesText(count) {
  if (count === null || count === undefined) return "";
  if (count < 1024) return `${count} ${count === 1 ? "byte" : "bytes"}`;
  const power = Math.min(4, Math.floor(Math.log2(count) / 10));
  return `${numberText(Number((count / 1024 ** power).toPrecision(3)))} ${["", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

function fact(name, ...value) {
  return [make("dt", {}, name), make("dd", {}, ...value)];
}

function section(title, ...content) {
  const inside = content.flat().filter(Boolean);
  return inside.length ? [make("h3", {}, title), ...inside] : [];
}

/** What the panel says of `node`; `go` leads to another node, given its index. */
function nodeDetails(graph, node, go) {
  const kinds = {
    leaf: "leaf: gradients are gathered here",
    root: "root: the backward pass starts here",
    op: "operation",
  };
  return [
    make("h2", {}, node.label),
    make("p", { class: "kind" }, make("code", {}, node.name), ` · ${kinds[node.kind]}`),
    ...nodeWarnings(node),
    make("dl", { class: "facts wide" }, ...placeFacts(node)),
    ...section(
      node.kind === "leaf" ? "Tensor" : "Result",
      ...node.outputs.map((output, nr) => tensorLine(output, node.outputs.length > 1 ? `${nr}` : "")),
    ),
    ...section("Operands", ...operandLines(graph, node, go)),
    ...section("Used by", ...userLines(graph, node, go)),
    ...section("Saved for backward", ...node.saved.map(savedItem)),
    ...section("Attributes", attributeList(node.attributes)),
    ...gradientSections(node),
    ...sourceSection(node.source),
  ];
}

function nodeWarnings(node) {
  const warnings = [];
  const overwritten = node.saved.filter(isOverwritten);
  if (overwritten.length) {
    const names = overwritten.map((saved) => saved.name).join(", ");
    warnings.push(
      `Saved ${names} ${overwritten.length > 1 ? "were" : "was"} written to since: backward would fail.`,
    );
  }
  if (node.gradients.some((stats) => gradientState(stats) === "nan"))
    warnings.push("The gradient has NaN or infinite entries.");
  if (node.gradients.some((stats) => gradientState(stats) === "zero"))
    warnings.push("The gradient is zero everywhere.");
  return warnings.map((text) => make("p", { class: "warning" }, text));
}

function placeFacts(node) {
  const facts = [];
  if (node.variable && node.variable !== node.label) facts.push(...fact("Name", node.variable));
  if (node.module || node.moduleType) {
    facts.push(
      ...fact(
        "Module",
        node.module || "outermost",
        node.moduleType ? make("span", { class: "soft" }, ` ${node.moduleType}`) : null,
      ),
    );
  }
  if (node.sequence !== null && node.sequence !== undefined)
    facts.push(...fact("Sequence number", String(node.sequence)));
  return facts;
}

function tensorLine(tensor, name) {
  return make(
    "p",
    {},
    name ? make("span", { class: "soft" }, `${name}: `) : null,
    make("code", {}, tensor ? shapeText(tensor) : "shape not known"),
  );
}

function operandLines(graph, node, go) {
  const edges = new Map(node.out.map((edge) => [edge.inputNr, edge]));
  const count = Math.max(node.inputs.length, ...node.out.map((edge) => edge.inputNr + 1), 0);
  return Array.from({ length: count }, (_, nr) => {
    const edge = edges.get(nr);
    const shape = node.inputs[nr] ? make("code", {}, shapeText(node.inputs[nr])) : null;
    const from = edge
      ? nodeLink(graph.nodes[edge.to], go, edge.outputNr)
      : make("span", { class: "soft" }, "no gradient goes there");
    return make("p", {}, make("span", { class: "soft" }, `${nr}: `), shape, shape ? " from " : "", from);
  });
}

function userLines(graph, node, go) {
  const most = 12;
  const lines = node.in
    .slice(0, most)
    .map((edge) =>
      make(
        "p",
        {},
        nodeLink(graph.nodes[edge.from], go, 0),
        make("span", { class: "soft" }, `, operand ${edge.inputNr}`),
      ),
    );
  if (node.in.length > most) lines.push(make("p", { class: "soft" }, `and ${node.in.length - most} more`));
  return lines;
}

function nodeLink(node, go, outputNr) {
  const text = outputNr ? `${node.label}, result ${outputNr}` : node.label;
  return make("button", { type: "button", class: "link", click: () => go(node.index) }, text);
}

function savedItem(saved) {
  const overwritten = isOverwritten(saved);
  const state = saved.freed
    ? make("p", { class: "freed" }, "freed: backward has used it already")
    : saved.packed
      ? make("p", { class: "freed" }, "packed by hooks: not looked into")
      : make("p", { class: "soft" }, versionText(saved));
  return make(
    "div",
    { class: "item" },
    make(
      "div",
      { class: "top" },
      make("strong", {}, saved.name),
      make("code", {}, saved.shape ? shapeText(saved) : ""),
    ),
    state,
    saved.value ? make("code", { class: "soft" }, saved.value) : null,
    overwritten
      ? make(
          "p",
          { class: "warning" },
          `Written to since: backward would fail. It was saved at version ${saved.version} and is at version ${saved.current} now.`,
        )
      : null,
  );
}

function versionText(saved) {
  const version = saved.version === null || saved.version === undefined ? "" : `version ${saved.version}`;
  return [bytesText(saved.bytes), version].filter(Boolean).join(", ");
}

function attributeList(attributes) {
  const entries = Object.entries(attributes);
  if (!entries.length) return null;
  return make(
    "dl",
    { class: "facts" },
    ...entries.flatMap(([name, value]) => fact(name, make("code", {}, String(value)))),
  );
}

function gradientSections(node) {
  if (node.gradients.length < 2) return section("Gradient", ...node.gradients.flatMap(statsBlock));
  return node.gradients.flatMap((stats, nr) =>
    stats ? section(`Gradient of result ${nr}`, ...statsBlock(stats)) : [],
  );
}

/** Numbers, histogram and, if there are few, the values of a gradient. */
function statsBlock(stats) {
  if (!stats) return [];
  const shape = make("p", {}, make("code", {}, shapeText(stats)));
  if ([stats.values].flat(Infinity).length === 1 && stats.values !== null && stats.values !== undefined) {
    return [shape, make("p", { class: "number" }, numberText([stats.values].flat(Infinity)[0]))];
  }
  const number = (name, text, bad = false) =>
    make(
      "div",
      {},
      make("span", { class: "name" }, name),
      make("span", { class: bad ? "number bad" : "number" }, text),
    );
  const rows = [
    number("min", numberText(stats.min)),
    number("mean", numberText(stats.mean)),
    number("max", numberText(stats.max)),
    number("norm", numberText(stats.norm)),
    number("std", numberText(stats.std)),
    number(
      "zeros",
      stats.zeros === null || stats.zeros === undefined ? "–" : `${numberText(100 * stats.zeros)}%`,
    ),
  ];
  if (stats.nans) rows.push(number("NaN", numberText(stats.nans), true));
  if (stats.infs) rows.push(number("infinite", numberText(stats.infs), true));
  return [shape, make("div", { class: "stats" }, ...rows), histogram(stats), valueTable(stats.values)].filter(
    Boolean,
  );
}

function histogram(stats) {
  const counts = Array.isArray(stats.histogram) ? stats.histogram : [];
  const most = Math.max(0, ...counts);
  if (!most || stats.min === stats.max) return null;
  const picture = document.createElementNS(SVG, "svg");
  const put = (tag, attributes) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    picture.append(element);
  };
  picture.setAttribute("viewBox", `0 0 ${counts.length * 10} 60`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  picture.setAttribute(
    "aria-label",
    `Histogram from ${numberText(stats.min)} to ${numberText(stats.max)}: ${counts.join(", ")}`,
  );
  counts.forEach((count, at) => {
    const height = count ? Math.max(1.5, (58 * count) / most) : 0;
    put("rect", { x: at * 10 + 0.6, y: 59 - height, width: 8.8, height });
  });
  put("line", { x1: 0, x2: counts.length * 10, y1: 59.5, y2: 59.5 });
  const ends = make(
    "div",
    { class: "ends number" },
    make("span", {}, numberText(stats.min)),
    make("span", {}, numberText(stats.max)),
  );
  return make("figure", { class: "histogram" }, picture, ends);
}

/** Values as a table: rows are the last dimension; of more than two dimensions each matrix has a table. */
function valueTable(values) {
  if (values === null || values === undefined) return null;
  if (!Array.isArray(values)) return make("p", { class: "number" }, numberText(values));
  const depth = (list) => (Array.isArray(list) ? 1 + (list.length ? depth(list[0]) : 0) : 0);
  const dimensions = depth(values);
  if (dimensions > 2) return make("div", {}, ...values.map(valueTable));
  const rows = dimensions === 1 ? [values] : values;
  const cell = (value) =>
    make("td", { class: typeof value === "number" ? "number" : "number bad" }, numberText(value));
  return make(
    "div",
    { class: "values", tabindex: "0", role: "group", "aria-label": "Values" },
    make("table", {}, make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell))))),
  );
}

function sourceSection(source) {
  if (!source) return [];
  const where = `${source.file}, line ${source.line}${source.function ? `, in ${source.function}` : ""}`;
  const stack =
    source.stack && source.stack.length
      ? make(
          "details",
          {},
          make("summary", {}, "How the program came there"),
          make("pre", { class: "code" }, source.stack.join("\n")),
        )
      : null;
  return section(
    "Made by the line",
    make("p", { class: "soft" }, where),
    source.text ? make("pre", { class: "code" }, source.text) : null,
    stack,
  );
}

/** What the panel says of a module. */
function groupDetails(graph, group, folded, actions) {
  const counts = new Map();
  for (const index of group.members) {
    const name = graph.nodes[index].kind === "leaf" ? "leaf" : graph.nodes[index].label;
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  const common = [...counts].sort((p, q) => q[1] - p[1]).slice(0, 10);
  const bytes = group.members.reduce(
    (sum, index) => sum + graph.nodes[index].saved.reduce((more, saved) => more + (saved.bytes || 0), 0),
    0,
  );
  return [
    make("h2", {}, groupTitle(group)),
    make(
      "p",
      { class: "kind" },
      group.type ? make("code", {}, group.type) : null,
      group.type ? " · module" : "module",
    ),
    make(
      "dl",
      { class: "facts wide" },
      ...fact("Path", group.path),
      ...fact("Nodes", String(group.members.length)),
      ...(group.children.length ? fact("Modules inside", String(group.children.length)) : []),
      ...(bytes ? fact("Saved for backward", bytesText(bytes)) : []),
    ),
    make("button", { type: "button", class: "wide", click: actions.toggle }, folded ? "Unfold" : "Fold"),
    ...section(
      "What is in it",
      make("dl", { class: "facts" }, ...common.flatMap(([name, count]) => fact(name, `× ${count}`))),
    ),
  ];
}
