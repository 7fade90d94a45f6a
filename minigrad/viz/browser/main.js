"use strict";
// Starts the page and ties its parts together: what is folded, selected, searched and replayed, and drawing anew.

const FOLD_ABOVE = 300; // a graph of more nodes than that begins with its modules folded
const LEAST_FIT = 0.55; // a whole graph that would be smaller than that begins at its top instead,
const LEAST_FIT_REPLAY = 0.8; // and in a replay, read from the back of a room, sooner

class Page {
  constructor(graph) {
    this.graph = graph;
    this.measure = textMeasure();
    this.theme = readTheme();
    this.view = new View();
    this.folded = new Set();
    this.search = new Search(graph);
    this.replay = new Replay(graph, () => this.showReplay());
    this.selection = null; // {index} of a node or {group} of a module
    this.hovered = null;
    this.flows = [];
    this.timings = { layout: 0, draw: 0 };
    this.drawing = false;
    this.touched = false; // whether the reader has moved the view, which then is left as it is
    this.stage = byId("stage");
    this.canvas = byId("graph");
    this.describe();
    this.startFolded();
    this.layout();
    this.attach();
    this.home();
  }

  // What is drawn

  startFolded() {
    if (this.graph.nodes.length <= FOLD_ABOVE) return;
    for (const id of this.graph.groups.keys()) this.folded.add(id);
    // A single module around everything would leave but one box to be seen.
    for (
      let level = this.graph.tree;
      level.children.length === 1 && level.own.length < 4;
      level = level.children[0]
    ) {
      this.folded.delete(level.children[0].id);
    }
  }

  layout() {
    const start = performance.now();
    this.scene = buildScene(this.graph, this.folded, this.measure);
    this.timings.layout = performance.now() - start;
    this.groupBoxes = new Map(
      [...this.scene.boxes, ...this.scene.frames]
        .filter((item) => item.group)
        .map((item) => [item.group.id, item]),
    );
    this.hovered = null;
    this.refresh();
  }

  /** Lays out anew with `change` made to what is folded; the module `anchorId` stays where it is on the screen. */
  refold(change, anchorId) {
    const before = this.groupBoxes.get(anchorId);
    const place = before ? this.view.toScreen(before.x + before.w / 2, before.y) : null;
    change();
    this.layout();
    const after = this.groupBoxes.get(anchorId);
    if (place && after) {
      const now = this.view.toScreen(after.x + after.w / 2, after.y);
      this.view.move(place.x - now.x, place.y - now.y);
    } else this.home();
    this.showPanel();
    this.draw();
  }

  toggle(group) {
    const unfolds = this.folded.has(group.id);
    this.refold(() => (unfolds ? this.folded.delete(group.id) : this.folded.add(group.id)), group.id);
    this.say(
      `${groupTitle(group)} ${unfolds ? "unfolded" : "folded"}, ${this.scene.boxes.length} boxes drawn`,
    );
  }

  foldAll() {
    this.refold(() => {
      for (const id of this.graph.groups.keys()) this.folded.add(id);
    }, null);
  }

  unfoldAll() {
    this.refold(() => this.folded.clear(), null);
  }

  /** The box of the selection: the node's own, or that of the folded module that it is in. */
  itemOfSelection() {
    if (!this.selection) return null;
    const { group, index } = this.selection;
    return group
      ? this.groupBoxes.get(group.id) || this.scene.itemOf[group.members[0]]
      : this.scene.itemOf[index];
  }

  /** Works out what is special in the drawing now, and draws it. */
  refresh() {
    const { scene } = this;
    const boxOf = (index) => scene.itemOf[index];
    const step = this.replay.step;
    const done = this.replay.done;
    const whole = (box) =>
      box.kind === "folded" ? box.group.members.every((index) => done.has(index)) : done.has(box.node.index);
    this.look = {
      selected: this.itemOfSelection(),
      hovered: this.hovered,
      matches: new Set(this.search.matches.map(boxOf)),
      dim: this.search.matches.length > 0,
      current: step ? boxOf(step.index) : null,
      done: done.size ? new Set(scene.boxes.filter(whole)) : new Set(),
      notes: new Map(),
      lit: new Set(),
    };
    for (const [index, stats] of this.replay.arrived) {
      const box = boxOf(index);
      if (box.kind === "node") this.look.notes.set(box, [gradientText(stats), stats ? normText(stats) : ""]);
    }
    this.flows = step ? this.flowsOf(step) : [];
    const lead =
      this.hovered && this.hovered.kind !== "frame" ? this.hovered : step ? null : this.look.selected;
    const light = (pieces) => pieces.forEach((piece) => this.look.lit.add(piece));
    for (const link of lead && lead.in ? [...lead.in, ...lead.out] : []) light(piecesOf(scene, link));
    for (const { pieces } of this.flows) light(pieces);
    this.draw();
  }

  /** The ways that gradients of a step go along the edges drawn, and what they carry. */
  flowsOf(step) {
    const box = this.scene.itemOf[step.index];
    const flows = new Map();
    for (const edge of this.graph.nodes[step.index].out) {
      const link = box.out.find((one) => one.to === this.scene.itemOf[edge.to]);
      if (!link) continue;
      const text = gradientText(step.outgoing[edge.inputNr]);
      if (flows.has(link)) {
        if (text) flows.get(link).text += `, ${text}`;
        continue;
      }
      const pieces = piecesOf(this.scene, link);
      const path = samplePath(pieces);
      if (path.length > 1) flows.set(link, { pieces, path, text, near: boxesNear(this.scene, path) });
    }
    return [...flows.values()];
  }

  /** Asks for a drawing at the browser's next frame. */
  draw() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame((now) => {
      this.drawing = false;
      this.drawNow(now);
    });
  }

  drawNow(now) {
    const start = performance.now();
    drawScene(this.canvas, this.scene, this.view, this.theme, this.look);
    this.drawOverlays(now);
    byId("zoom").textContent = `${Math.round(100 * this.view.scale)}%`;
    this.timings.draw = performance.now() - start;
  }

  drawOverlays(now) {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    drawFlows(byId("pulse"), this.flows, this.view, this.theme, still ? null : now - this.replay.since);
    const minimap = byId("minimap");
    const { scene, view, canvas } = this;
    const everything = { x: 0, y: 0, w: scene.width, h: scene.height };
    minimap.hidden =
      !scene.boxes.length || view.shows(everything, canvas.clientWidth, canvas.clientHeight, 0);
    if (!minimap.hidden && minimap.clientWidth)
      this.minimapPlace = drawMinimap(minimap, scene, view, this.theme, canvas);
    if (this.flows.length && !still && !this.pulsing) {
      this.pulsing = true;
      requestAnimationFrame(() => this.pulse());
    }
  }

  /** Pulses are on a canvas of their own: the graph below need not be drawn again for them. */
  pulse() {
    this.pulsing = false;
    if (!this.flows.length) return;
    drawFlows(byId("pulse"), this.flows, this.view, this.theme, performance.now() - this.replay.since);
    this.pulsing = true;
    requestAnimationFrame(() => this.pulse());
  }

  // Where the view is

  /** The whole graph if it can be read then, else its top. */
  home() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.view.fit(this.scene, width, height);
    const least = this.replay.open ? LEAST_FIT_REPLAY : LEAST_FIT;
    if (this.view.scale < least && this.scene.boxes.length) {
      const top = this.scene.boxes.reduce((best, box) => (box.y < best.y ? box : best));
      this.view.scale = least + 0.25;
      this.view.centre(top, width, height);
      this.view.move(0, 50 - this.view.toScreen(0, top.y).y);
    }
    this.draw();
  }

  fit() {
    this.view.fit(this.scene, this.canvas.clientWidth, this.canvas.clientHeight);
    this.draw();
  }

  zoomBy(factor) {
    this.zoomAt(this.canvas.clientWidth / 2, this.canvas.clientHeight / 2, factor);
  }

  zoomAt(x, y, factor) {
    this.touched = true;
    this.view.zoomAt(x, y, factor);
    this.draw();
  }

  pan(dx, dy) {
    this.touched = true;
    this.view.move(dx, dy);
    this.hideTip();
    this.draw();
  }

  /** Brings a box (if there is one) into view, large enough to be read, with `room` around it. */
  reveal(box, room = 50) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (box && this.view.scale < 0.5) {
      this.view.scale = 0.9;
      this.view.centre(box, width, height);
    } else if (box) this.view.bring(box, width, height, room);
    this.draw();
  }

  // Selection and the panel

  select(selection) {
    this.selection = selection;
    this.refresh();
    this.showPanel();
    if (selection) this.say(this.spoken(selection));
  }

  selectNode(index) {
    this.unfoldAround(index);
    this.select({ index });
    this.reveal(this.scene.itemOf[index]);
  }

  selectItem(item) {
    this.select(item.kind === "node" ? { index: item.node.index } : { group: item.group });
  }

  /** Unfolds the modules that a node is hidden in. */
  unfoldAround(index) {
    const hidden = [];
    for (let group = this.graph.nodes[index].group; group && group.depth; group = group.parent) {
      if (this.folded.has(group.id)) hidden.push(group.id);
    }
    if (!hidden.length) return;
    this.refold(() => hidden.forEach((id) => this.folded.delete(id)), hidden[hidden.length - 1]);
  }

  spoken({ index, group }) {
    if (group) return `module ${groupTitle(group)}, ${group.members.length} nodes`;
    const node = this.graph.nodes[index];
    return `${node.label}, ${node.name}, ${shapeNote(node)}, ${node.in.length} edges in, ${node.out.length} out`;
  }

  showPanel() {
    const panel = byId("panel");
    const wasHidden = panel.hidden;
    const content = this.panelContent();
    panel.hidden = !content;
    panel.classList.toggle("replaying", Boolean(content && this.replay.open));
    if (content) {
      const close = make(
        "button",
        { type: "button", class: "close", "aria-label": "Close the details", click: () => this.closePanel() },
        "✕",
      );
      panel.replaceChildren(...(this.selection ? [close] : []), ...content); // a replay has its step there always
      panel.scrollTop = 0;
    }
    if (wasHidden !== panel.hidden) this.keepInView();
  }

  panelContent() {
    const go = (index) => this.selectNode(index);
    if (this.selection && this.selection.group) {
      const { group } = this.selection;
      return groupDetails(this.graph, group, this.folded.has(group.id), { toggle: () => this.toggle(group) });
    }
    if (this.selection) return nodeDetails(this.graph, this.graph.nodes[this.selection.index], go);
    return this.replay.step ? stepDetails(this.graph, this.replay, go) : null;
  }

  closePanel() {
    this.select(null);
    this.canvas.focus();
  }

  /** When the room for the graph has changed: a view that the reader has not moved is found anew. */
  keepInView() {
    if (!this.touched) this.home();
    this.reveal(this.stepArea() || this.look.selected, 10);
  }

  // Replay

  showReplay() {
    const { replay } = this;
    byId("replay").hidden = !replay.open;
    byId("start-replay").hidden = replay.open || !replay.steps.length;
    const play = byId("play");
    play.textContent = replay.playing ? "Pause" : "Play";
    byId("step-count").textContent = `Step ${replay.at + 1} of ${replay.steps.length}`;
    byId("step-slider").value = replay.at;
    byId("first-step").disabled = byId("back-step").disabled = replay.at === 0;
    byId("last-step").disabled = byId("next-step").disabled = replay.at === replay.steps.length - 1;
    this.selection = null;
    this.refresh();
    this.showPanel();
    showLegend(this.graph, this.replay.open);
    this.reveal(this.stepArea(), 24);
    if (replay.step) {
      const node = this.graph.nodes[replay.step.index];
      this.say(`Step ${replay.at + 1}: ${node.label}. ${replay.step.text || ""}`);
    }
  }

  stepTo(at) {
    if (this.replay.playing) this.replay.pause();
    this.replay.go(at);
  }

  playOrPause() {
    if (this.replay.playing) this.replay.pause();
    else this.replay.play();
  }

  /** The current box with the ways that lead on from it, as far as they are to be seen with it. */
  stepArea() {
    const box = this.look.current;
    if (!box) return null;
    const below = Math.min(box.out.length ? 230 : 70, (0.6 * this.canvas.clientHeight) / this.view.scale);
    return { x: box.x - 30, y: box.y - 30, w: box.w + 60, h: box.h + 30 + below };
  }

  // Search

  find(query) {
    this.search.look(query);
    this.showFound();
    this.refresh();
  }

  walkMatches(step) {
    const index = this.search.walk(step);
    this.showFound();
    if (index !== null) this.selectNode(index);
  }

  showFound() {
    byId("found").textContent = this.search.summary;
    byId("next-match").disabled = byId("previous-match").disabled = !this.search.matches.length;
    byId("next-match").hidden = byId("previous-match").hidden = !this.search.query;
  }

  // Around the graph

  describe() {
    const { graph } = this;
    document.title = graph.title;
    byId("title").textContent = graph.title;
    byId("title").title = graph.title;
    const several = (count, one) => `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
    byId("counts").textContent =
      `${several(graph.nodes.length, "node")}, ${several(graph.edges.length, "edge")}`;
    byId("counts").title = graph.version ? `minigrad ${graph.version}` : "";
    this.canvas.setAttribute("aria-label", `${graph.title}: ${byId("counts").textContent}`);
    byId("empty").hidden = graph.nodes.length > 0;
    byId("fold-all").hidden = byId("unfold-all").hidden = graph.groups.size === 0;
    byId("start-replay").hidden = !this.replay.steps.length;
    byId("step-slider").max = Math.max(0, this.replay.steps.length - 1);
    const terms = KEYS.flatMap(([key, what]) => [make("dt", {}, key), make("dd", {}, what)]);
    byId("help").append(
      make("h2", {}, "Keys and gestures"),
      make("dl", {}, ...terms),
      make("form", { method: "dialog" }, make("button", {}, "Close")),
    );
    showLegend(this.graph, this.replay.open);
  }

  say(text) {
    byId("said").textContent = text;
  }

  // What the reader does

  attach() {
    attachGestures(this.canvas, {
      pan: (dx, dy) => this.pan(dx, dy),
      zoom: (x, y, factor) => this.zoomAt(x, y, factor),
      click: (x, y) => this.click(x, y),
      doubleClick: (x, y) => this.doubleClick(x, y),
      hover: (x, y) => this.hover(x, y),
    });
    attachMinimap(byId("minimap"), (x, y) => {
      const { scale, x: left, y: top } = this.minimapPlace;
      this.touched = true;
      this.view.centre(
        { x: (x - left) / scale, y: (y - top) / scale, w: 0, h: 0 },
        this.canvas.clientWidth,
        this.canvas.clientHeight,
      );
      this.draw();
    });
    new ResizeObserver(() => this.keepInView()).observe(this.stage);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.theme = readTheme();
      this.draw();
    });
    this.keyboard = new Keyboard(this);
    this.attachBar();
    this.attachReplay();
  }

  attachBar() {
    const press = (id, act) => byId(id).addEventListener("click", act);
    press("fold-all", () => this.foldAll());
    press("unfold-all", () => this.unfoldAll());
    press("zoom-in", () => this.zoomBy(ZOOM.step));
    press("zoom-out", () => this.zoomBy(1 / ZOOM.step));
    press("zoom-reset", () => this.zoomBy(1 / this.view.scale));
    press("fit", () => this.fit());
    press("show-help", () => byId("help").showModal());
    press("start-replay", () => this.replay.start());
    press("previous-match", () => this.walkMatches(-1));
    byId("search").addEventListener("input", (event) => this.find(event.target.value));
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.shiftKey) {
        event.preventDefault();
        this.walkMatches(-1);
      }
      if (event.key === "Escape") {
        event.target.value = "";
        this.find("");
        this.canvas.focus();
      }
    });
    byId("finder").addEventListener("submit", (event) => {
      event.preventDefault();
      this.walkMatches(1);
    });
  }

  attachReplay() {
    const { replay } = this;
    const press = (id, act) => byId(id).addEventListener("click", act);
    press("first-step", () => this.stepTo(0));
    press("back-step", () => this.stepTo(replay.at - 1));
    press("next-step", () => this.stepTo(replay.at + 1));
    press("last-step", () => this.stepTo(replay.steps.length - 1));
    press("play", () => this.playOrPause());
    press("end-replay", () => replay.end());
    byId("step-slider").addEventListener("input", (event) => this.stepTo(Number(event.target.value)));
    byId("speed").addEventListener("change", (event) => (replay.delay = Number(event.target.value)));
  }

  /** The box, or the frame by its title, at a place on the canvas. */
  itemAt(x, y) {
    const point = this.view.toScene(x, y);
    const slack = 3 / this.view.scale;
    const holds = (box) =>
      point.x >= box.x - slack &&
      point.x <= box.x + box.w + slack &&
      point.y >= box.y - slack &&
      point.y <= box.y + box.h + slack;
    return (
      this.scene.boxes.find(holds) ||
      titledFrames(this.scene, this.view).find((frame) => holds(frameTitleBox(frame, this.view))) ||
      null
    );
  }

  click(x, y) {
    this.canvas.focus();
    this.hideTip();
    const item = this.itemAt(x, y);
    if (!item) {
      if (this.selection) this.select(null);
      return;
    }
    this.touched = true; // what has been clicked stays under the mouse, for a second click, when the panel opens
    const onSign = item.kind === "folded" && this.view.toScene(x, y).x < item.x + 30;
    if (item.kind === "frame" || onSign) this.toggle(item.group);
    else this.selectItem(item);
  }

  doubleClick(x, y) {
    const item = this.itemAt(x, y);
    if (item && item.kind === "folded") this.toggle(item.group);
  }

  hover(x, y) {
    const item = x === null ? null : this.itemAt(x, y);
    this.canvas.classList.toggle("over", Boolean(item));
    if (item === this.hovered) return;
    this.hovered = item;
    this.refresh();
    if (item && item.kind !== "frame") this.showTip(item);
    else this.hideTip();
  }

  showTip(item) {
    const tip = byId("tip");
    const node = item.node;
    const lines = node
      ? [
          node.variable && node.variable !== node.label ? `${node.label} (${node.variable})` : node.label,
          `${node.name}  ${shapeNote(node)}`,
          node.source ? node.source.text : "",
        ]
      : [
          `${item.group.path}  ${item.group.type}`,
          `${item.group.members.length} nodes; double click unfolds`,
        ];
    tip.textContent = lines.filter(Boolean).join("\n");
    tip.hidden = false;
    // To the right of the box, or to its left if there is no room.
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { x, y } = this.view.toScreen(item.x + item.w, item.y + item.h / 2);
    const fits = x + 12 + tip.offsetWidth < width;
    const left = fits ? x + 12 : x - item.w * this.view.scale - 12 - tip.offsetWidth;
    const top = Math.min(y - tip.offsetHeight / 2, height - tip.offsetHeight - 4);
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  }

  hideTip() {
    byId("tip").hidden = true;
  }
}

function byId(id) {
  return document.getElementById(id);
}

/** Says in the page itself what went wrong: nobody who reads it has a console open. */
function showProblem(text) {
  const problem = byId("problem");
  problem.hidden = false;
  problem.textContent = problem.textContent ? `${problem.textContent}\n${text}` : text;
}

function start() {
  window.addEventListener("error", (event) =>
    showProblem(`Something went wrong in this page: ${event.message}`),
  );
  window.addEventListener("unhandledrejection", (event) =>
    showProblem(`Something went wrong in this page: ${event.reason}`),
  );
  try {
    const payload = parsePayload(byId("graph-data").textContent);
    const page = new Page(new Graph(payload));
    Object.defineProperty(window, "minigrad", { value: inspector(page) });
    if (page.replay.steps.length) page.replay.start();
  } catch (error) {
    const known = error instanceof PayloadProblem;
    showProblem(known ? error.message : `Something went wrong in this page: ${error.message}`);
    if (!known) console.error(error);
  }
}

start();
