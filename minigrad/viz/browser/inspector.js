"use strict";
// `window.minigrad`: what tests and the curious may read of a page, and nothing that they could change.

/** Where things are on `page`, and what it shows. */
function inspector(page) {
  const place = ({ x, y, w, h }) => ({ x, y, w, h });
  return Object.freeze({
    get boxes() {
      return page.scene.boxes.map((box) => ({
        kind: box.kind,
        id: box.node ? box.node.id : box.group.id,
        title: box.title,
        note: box.note,
        gradient: box.gradient,
        badge: box.badge,
        ...place(box),
      }));
    },
    get frames() {
      return page.scene.frames.map((frame) => ({
        id: frame.group.id,
        title: groupTitle(frame.group),
        ...place(frame),
      }));
    },
    get links() {
      const name = (box) => (box.node ? box.node.id : box.group.id);
      return page.scene.links.map((link) => ({
        from: name(link.from),
        to: name(link.to),
        edges: link.edges.length,
      }));
    },
    /** The corners of the curves that the edge between two boxes is drawn with, x and y in turn. */
    route(number) {
      return piecesOf(page.scene, page.scene.links[number]).map((piece) => [...piece.points]);
    },
    get view() {
      return { x: page.view.x, y: page.view.y, scale: page.view.scale };
    },
    get state() {
      return {
        selected: page.selection
          ? page.selection.group
            ? page.selection.group.id
            : page.graph.nodes[page.selection.index].id
          : null,
        matches: page.search.matches.map((index) => page.graph.nodes[index].id),
        match: page.search.at,
        folded: [...page.folded],
        replaying: page.replay.open,
        playing: page.replay.playing,
        step: page.replay.open ? page.replay.at : null,
        lit: page.look.lit.size,
      };
    },
    get timings() {
      return { ...page.timings };
    },
    /** Milliseconds that drawing the scene takes now. */
    redraw() {
      page.drawNow(performance.now());
      return page.timings.draw;
    },
  });
}
