"use strict";
// The keyboard: what keys do, in the whole page and while the graph has the focus.

const KEYS = [
  ["Drag", "move the graph"],
  ["Wheel, pinch, + and −", "zoom"],
  ["0", "show the whole graph"],
  ["1", "actual size"],
  ["↑ ↓", "along the edges: to what used a node, to its operands"],
  ["← →", "to the node beside (in a replay: one step)"],
  ["Enter", "details of the node; in the search: the next match"],
  ["F, double click", "fold or unfold the module"],
  ["/", "search"],
  ["Space, Home, End", "in a replay: play or pause, first, last step"],
  ["Escape", "close the details"],
];

class Keyboard {
  constructor(page) {
    this.page = page;
    this.replayKeys = {
      ArrowLeft: () => page.stepTo(page.replay.at - 1),
      ArrowRight: () => page.stepTo(page.replay.at + 1),
      Home: () => page.stepTo(0),
      End: () => page.stepTo(page.replay.steps.length - 1),
      " ": () => page.playOrPause(),
    };
    document.addEventListener("keydown", (event) => this.pageKey(event));
    page.canvas.addEventListener("keydown", (event) => this.graphKey(event));
  }

  /** Keys that work wherever the focus is, except where text is typed. */
  pageKey(event) {
    const target = event.target;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      typing ||
      byId("help").open
    )
      return;
    const pressesButton =
      event.key === " " && target instanceof HTMLElement && target.closest("button, summary");
    const act =
      (this.page.replay.open && !pressesButton && this.replayKeys[event.key]) ||
      {
        "/": () => byId("search").select(),
        "?": () => byId("help").showModal(),
        "+": () => this.page.zoomBy(ZOOM.step),
        "=": () => this.page.zoomBy(ZOOM.step),
        "-": () => this.page.zoomBy(1 / ZOOM.step),
        0: () => this.page.fit(),
        1: () => this.page.zoomBy(1 / this.page.view.scale),
        Escape: () => this.page.closePanel(),
      }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Keys that work while the graph has the focus. */
  graphKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.page.scene.boxes.length) return;
    if (this.page.replay.open && this.replayKeys[event.key]) return;
    const act = {
      ArrowDown: () => this.moveAlong("out", "to"),
      ArrowUp: () => this.moveAlong("in", "from"),
      ArrowLeft: () => this.moveAside(-1),
      ArrowRight: () => this.moveAside(1),
      Enter: () => this.enter(),
      f: () => this.foldSelected(),
      F: () => this.foldSelected(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  startOfKeys() {
    const step = this.page.replay.step;
    return this.page.itemOfSelection() || (step ? this.page.scene.itemOf[step.index] : null);
  }

  moveAlong(side, end) {
    const item = this.startOfKeys();
    if (!item || !item[side])
      this.moveTo(
        item
          ? this.page.scene.itemOf[item.group.members[0]]
          : this.page.scene.itemOf[this.page.graph.order[0]],
      );
    else if (item[side].length) this.moveTo(item[side][0][end]);
  }

  /** To the nearest box on the left or right at about the same height. */
  moveAside(direction) {
    const item = this.startOfKeys();
    if (!item) {
      this.moveTo(this.page.scene.itemOf[this.page.graph.order[0]]);
      return;
    }
    let best = null;
    for (const box of this.page.scene.boxes) {
      const away = direction * (box.x + box.w / 2 - item.x - item.w / 2);
      if (box === item || away <= 0 || Math.abs(box.y - item.y) > 60) continue;
      const cost = away + 3 * Math.abs(box.y - item.y);
      if (!best || cost < best.cost) best = { box, cost };
    }
    if (best) this.moveTo(best.box);
  }

  moveTo(box) {
    this.page.selectItem(box);
    this.page.reveal(box);
  }

  enter() {
    if (!this.page.itemOfSelection())
      this.moveTo(this.startOfKeys() || this.page.scene.itemOf[this.page.graph.order[0]]);
    byId("panel").focus();
  }

  foldSelected() {
    if (!this.page.selection) return;
    const group = this.page.selection.group || this.page.graph.nodes[this.page.selection.index].group;
    if (!group || !group.depth) return;
    this.page.selection = { group };
    this.page.toggle(group);
  }
}
