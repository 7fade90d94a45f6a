"use strict";
// Draws a scene on a canvas: only what is in view, and only as much of it as can be seen at that size.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif';
const TITLE_FONT = `600 15px ${FONT}`;
const NOTE_FONT = `12.5px ${FONT}`;
const TITLE_HEIGHT = 24; // of the bar on an open module

/** The widths of texts as they will be drawn; a graph repeats its labels, so each is measured once. */
function textMeasure() {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text, bold) => {
    const key = (bold ? "b" : "n") + text;
    if (!known.has(key)) {
      context.font = bold ? TITLE_FONT : NOTE_FONT;
      known.set(key, context.measureText(text).width);
    }
    return known.get(key);
  };
}

/** The colours of style.css, under the names they have there. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const theme = {};
  for (const name of [
    "canvas",
    "ink",
    "soft-ink",
    "line",
    "box",
    "box-line",
    "root",
    "root-ink",
    "leaf",
    "leaf-line",
    "frame",
    "frame-line",
    "accent",
    "accent-soft",
    "folded",
    "folded-line",
    "bad",
    "bad-fill",
    "match",
    "done",
    "done-line",
    "hatch",
    "view-fill",
  ]) {
    theme[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())] = style
      .getPropertyValue(`--${name}`)
      .trim();
  }
  return theme;
}

/** Sets the canvas to its size on the page in device pixels; returns that ratio. */
function fitCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio));
  const height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  return ratio;
}

/**
 * `look` says what is special: selected and hovered items, `lit` pieces, `matches` and `current` as sets of items,
 * `done` items of a replay, `dim` when what does not match steps back.
 */
function drawScene(canvas, scene, view, theme, look) {
  const ratio = fitCanvas(canvas);
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = theme.canvas;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const window_ = visibleArea(canvas, view);
  for (const frame of scene.frames) if (meets(frame, window_)) drawFrame(context, frame, view, theme, look);
  drawPieces(context, scene.pieces, window_, view, theme.line, 1.3);
  drawPieces(context, [...look.lit], window_, view, theme.accent, 2.6);
  drawBoxes(
    context,
    scene.boxes.filter((box) => meets(box, window_)),
    view,
    theme,
    look,
  );
  for (const frame of titledFrames(scene, view))
    if (meets(frame, window_)) drawFrameTitle(context, frame, view, theme, look);
}

function visibleArea(canvas, view) {
  const margin = 8;
  return {
    left: (-margin - view.x) / view.scale,
    top: (-margin - view.y) / view.scale,
    right: (canvas.clientWidth + margin - view.x) / view.scale,
    bottom: (canvas.clientHeight + margin - view.y) / view.scale,
  };
}

function meets(box, area) {
  return box.x < area.right && box.x + box.w > area.left && box.y < area.bottom && box.y + box.h > area.top;
}

/** Adds a piece to the current path; when an S-curve is but a few pixels high, a straight line does. */
function tracePiece(context, points, coarse) {
  context.moveTo(points[0], points[1]);
  for (let at = 2; at < points.length; at += 2) {
    const [ax, ay, bx, by] = [points[at - 2], points[at - 1], points[at], points[at + 1]];
    if (ax === bx || coarse) context.lineTo(bx, by);
    else context.bezierCurveTo(ax, ay + (by - ay) * 0.5, bx, by - (by - ay) * 0.5, bx, by);
  }
}

function drawPieces(context, pieces, area, view, colour, width) {
  const coarse = view.scale < 0.2;
  const least = 1.5 / view.scale; // shorter than that on the screen, a line cannot be seen
  context.beginPath();
  const heads = [];
  for (const piece of pieces) {
    if (
      piece.left > area.right ||
      piece.right < area.left ||
      piece.top > area.bottom ||
      piece.bottom < area.top
    )
      continue;
    if (piece.bottom - piece.top < least && piece.right - piece.left < least) continue;
    tracePiece(context, piece.points, coarse);
    if (piece.count > 1) traceTwins(context, piece);
    if (piece.arrow && !coarse) heads.push(piece);
  }
  context.strokeStyle = colour;
  context.lineWidth = Math.max(width, 0.7 / view.scale);
  context.stroke();
  context.beginPath();
  for (const piece of heads) traceArrowhead(context, piece, width > 2 ? 1.3 : 1);
  context.fillStyle = colour;
  context.fill();
}

/** Further edges between the same two nodes: lines beside the first. */
function traceTwins(context, piece) {
  for (let twin = 1; twin < Math.min(piece.count, 3); twin++) {
    const aside = twin % 2 ? 9 : -9;
    tracePiece(
      context,
      piece.points.map((value, at) => (at % 2 ? value : value + aside)),
      false,
    );
  }
}

function traceArrowhead(context, piece, size) {
  const points = piece.points;
  const n = points.length;
  for (let twin = 0; twin < Math.min(piece.count, 3); twin++) {
    const x = points[n - 2] + (twin === 0 ? 0 : twin % 2 ? 9 : -9);
    context.moveTo(x, points[n - 1]);
    context.lineTo(x - 4.2 * size, points[n - 1] - 8.5 * size);
    context.lineTo(x + 4.2 * size, points[n - 1] - 8.5 * size);
    context.closePath();
  }
}

function drawFrame(context, frame, view, theme, look) {
  context.beginPath();
  context.roundRect(frame.x, frame.y, frame.w, frame.h, 10);
  context.fillStyle = theme.frame;
  context.fill();
  context.strokeStyle = look.hovered === frame ? theme.accent : theme.frameLine;
  context.lineWidth = Math.max(1, 0.7 / view.scale);
  context.stroke();
}

/** How much larger than life the title of a frame is drawn: from afar, where what it would cover is illegible. */
function titleZoom(frame, view) {
  if (isLegible(view)) return 1;
  return Math.max(1, Math.min(0.8 / view.scale, frame.w / frame.titleWidth, (0.3 * frame.h) / TITLE_HEIGHT));
}

function frameTitleBox(frame, view) {
  const zoom = titleZoom(frame, view);
  return {
    x: frame.x + 4,
    y: frame.y + 4,
    w: Math.min(frame.w - 8, (frame.titleWidth - 8) * zoom),
    h: TITLE_HEIGHT * zoom,
  };
}

/** The frames whose titles are drawn: from afar those of outer modules go first, and no other is drawn over them. */
function titledFrames(scene, view) {
  if (isLegible(view)) return scene.frames;
  const large = scene.frames.filter((frame) => 15 * titleZoom(frame, view) * view.scale >= 6);
  large.sort((p, q) => p.group.depth - q.group.depth);
  const taken = [];
  return large.slice(0, 400).filter((frame) => {
    const box = frameTitleBox(frame, view);
    const free = taken.every(
      (other) =>
        !meets(box, { left: other.x, top: other.y, right: other.x + other.w, bottom: other.y + other.h }),
    );
    if (free) taken.push(box);
    return free;
  });
}

function drawFrameTitle(context, frame, view, theme, look) {
  const zoom = titleZoom(frame, view);
  const hovered = look.hovered === frame;
  context.save();
  context.translate(frame.x + 4, frame.y + 4);
  context.scale(zoom, zoom);
  const width = Math.min((frame.w - 8) / zoom, frame.titleWidth - 8);
  context.beginPath();
  context.roundRect(0, 0, width, TITLE_HEIGHT, 6);
  context.globalAlpha = 0.92;
  context.fillStyle = hovered ? theme.accentSoft : theme.canvas;
  context.fill();
  context.globalAlpha = 1;
  drawSign(context, 13, TITLE_HEIGHT / 2, false, theme);
  context.textBaseline = "middle";
  context.font = TITLE_FONT;
  context.fillStyle = theme.ink;
  const title = groupTitle(frame.group);
  context.fillText(title, 26, TITLE_HEIGHT / 2 + 1);
  const after = 26 + context.measureText(title).width + 8;
  context.font = NOTE_FONT;
  context.fillStyle = theme.softInk;
  context.fillText(frame.group.type, after, TITLE_HEIGHT / 2 + 1);
  context.restore();
}

/** The small + or - that says a module can be unfolded or folded. */
function drawSign(context, x, y, plus, theme) {
  context.beginPath();
  context.roundRect(x - 7, y - 7, 14, 14, 4);
  context.strokeStyle = theme.softInk;
  context.lineWidth = 1;
  context.moveTo(x - 3.5, y);
  context.lineTo(x + 3.5, y);
  if (plus) {
    context.moveTo(x, y - 3.5);
    context.lineTo(x, y + 3.5);
  }
  context.stroke();
}

function isLegible(view) {
  return view.scale >= 0.4;
}

function drawBoxes(context, boxes, view, theme, look) {
  if (!isLegible(view)) return drawSpecks(context, boxes, view, theme, look);
  const hatch = hatchPattern(context, theme);
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const box of boxes) {
    context.globalAlpha = look.dim && !look.matches.has(box) && look.selected !== box ? 0.42 : 1;
    drawHalo(context, box, view, theme, look);
    drawBoxShape(context, box, view, theme, look, hatch);
    drawBoxText(context, box, theme, look);
    if (box.badge) drawBadge(context, box.x + box.w - 3, box.y + 3, box.badge, theme.bad, theme.rootInk);
    if (look.notes.has(box)) drawNote(context, box, look.notes.get(box), theme);
  }
  context.globalAlpha = 1;
  context.textAlign = "start";
}

/** From afar nodes are plain rectangles, drawn colour by colour. */
function drawSpecks(context, boxes, view, theme, look) {
  const byColour = new Map();
  for (const box of boxes) {
    const colour = speckColour(box, theme, look);
    if (!byColour.has(colour)) byColour.set(colour, []);
    byColour.get(colour).push(box);
  }
  const least = 1.6 / view.scale;
  for (const [colour, group] of byColour) {
    context.fillStyle = colour;
    for (const box of group) {
      const grow =
        look.matches.has(box) || look.current === box || look.selected === box ? 3 / view.scale : 0;
      const w = Math.max(box.w, least) + grow;
      const h = Math.max(box.h, least) + grow;
      context.fillRect(box.x - grow / 2, box.y - grow / 2, w, h);
    }
  }
}

function speckColour(box, theme, look) {
  if (look.current === box || look.selected === box) return theme.accent;
  if (look.matches.has(box)) return theme.match;
  if (box.gradient === "nan") return theme.bad;
  if (look.done.has(box)) return theme.doneLine;
  if (box.kind === "folded") return theme.foldedLine;
  return box.node.kind === "root" ? theme.root : box.node.kind === "leaf" ? theme.leafLine : theme.boxLine;
}

function drawHalo(context, box, view, theme, look) {
  const ring = (colour, width, away) => {
    context.beginPath();
    context.roundRect(box.x - away, box.y - away, box.w + 2 * away, box.h + 2 * away, radiusOf(box) + away);
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
  };
  const thick = Math.max(3, 2 / view.scale);
  if (look.matches.has(box)) ring(theme.match, thick + 1, 3.5);
  if (look.selected === box) ring(theme.accent, thick, 2.5);
  if (look.current === box) ring(theme.accent, thick + 2, 4);
}

function radiusOf(box) {
  return box.kind === "node" && box.node.kind === "leaf" ? box.h / 2 : 8;
}

function drawBoxShape(context, box, view, theme, look, hatch) {
  const radius = radiusOf(box);
  const [fill, line] = boxColours(box, theme, look);
  if (box.kind === "folded") {
    // A second sheet behind the first: there is more inside.
    context.beginPath();
    context.roundRect(box.x + 4, box.y + 4, box.w, box.h, radius);
    context.fillStyle = fill;
    context.strokeStyle = line;
    context.lineWidth = 1.2;
    context.fill();
    context.stroke();
  }
  context.beginPath();
  context.roundRect(box.x, box.y, box.w, box.h, radius);
  context.fillStyle = fill;
  context.fill();
  if (box.gradient === "zero") {
    context.fillStyle = hatch;
    context.fill();
  }
  context.strokeStyle = look.hovered === box ? theme.accent : line;
  context.lineWidth = Math.max(box.gradient === "nan" ? 2.4 : 1.3, 0.7 / view.scale);
  context.stroke();
}

function boxColours(box, theme, look) {
  if (box.gradient === "nan") return [theme.badFill, theme.bad];
  if (look.done.has(box)) return [theme.done, theme.doneLine];
  if (box.kind === "folded") return [theme.folded, theme.foldedLine];
  if (box.node.kind === "root") return [theme.root, theme.root];
  return box.node.kind === "leaf" ? [theme.leaf, theme.leafLine] : [theme.box, theme.boxLine];
}

function drawBoxText(context, box, theme, look) {
  const middle = box.x + box.w / 2;
  const inverse =
    box.kind === "node" && box.node.kind === "root" && box.gradient !== "nan" && !look.done.has(box);
  let textMiddle = middle;
  if (box.kind === "folded") {
    drawSign(context, box.x + 18, box.y + (box.note ? 17 : box.h / 2), true, theme);
    textMiddle = middle + 12;
  }
  const cover = box.gradient === "zero" ? theme.box : null;
  context.font = TITLE_FONT;
  fillTextOn(
    context,
    box.title,
    textMiddle,
    box.y + (box.note ? 17 : box.h / 2 + 1),
    inverse ? theme.rootInk : theme.ink,
    cover,
  );
  if (!box.note) return;
  context.font = NOTE_FONT;
  fillTextOn(context, box.note, middle, box.y + 34, inverse ? theme.rootInk : theme.softInk, cover);
}

/** A text, with an outline in the colour of the ground where it stands on hatching. */
function fillTextOn(context, text, x, y, colour, cover) {
  if (cover) {
    context.strokeStyle = cover;
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeText(text, x, y);
  }
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function drawBadge(context, x, y, text, colour, ink) {
  context.beginPath();
  context.arc(x, y, 9, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
  context.font = TITLE_FONT;
  context.fillStyle = ink;
  context.fillText(text, x, y + 1);
}

/** The gradient that has arrived, under a box: the first of the texts that is not much wider than the box. */
function drawNote(context, box, texts, theme) {
  context.font = NOTE_FONT;
  const widths = texts.map((text) => context.measureText(text).width + 14);
  const fits = widths.findIndex((width) => width <= box.w + 18);
  const at = fits < 0 ? texts.length - 1 : fits;
  if (!texts[at]) return;
  const x = box.x + box.w / 2;
  const y = box.y + box.h + 13;
  context.beginPath();
  context.roundRect(x - widths[at] / 2, y - 10, widths[at], 20, 10);
  context.fillStyle = theme.accent;
  context.fill();
  context.fillStyle = theme.rootInk;
  context.fillText(texts[at], x, y + 1);
}

function hatchPattern(context, theme) {
  if (hatchPattern.colour !== theme.hatch) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.strokeStyle = theme.hatch;
    pen.lineWidth = 1.6;
    pen.beginPath();
    for (const start of [-8, 0, 8]) {
      pen.moveTo(start, 8);
      pen.lineTo(start + 8, 0);
    }
    pen.stroke();
    hatchPattern.tile = tile;
    hatchPattern.colour = theme.hatch;
  }
  return context.createPattern(hatchPattern.tile, "repeat");
}

/** The whole scene, small, drawn once per layout; the frame of what is in view is drawn over it each time. */
function drawMinimap(canvas, scene, view, theme, stage) {
  const ratio = fitCanvas(canvas);
  const scale = Math.min((canvas.clientWidth - 12) / scene.width, (canvas.clientHeight - 12) / scene.height);
  const x = (canvas.clientWidth - scene.width * scale) / 2;
  const y = (canvas.clientHeight - scene.height * scale) / 2;
  const context = canvas.getContext("2d");
  if (canvas.sceneDrawn !== scene || canvas.themeDrawn !== theme) {
    const picture = document.createElement("canvas");
    picture.width = canvas.width;
    picture.height = canvas.height;
    const pen = picture.getContext("2d");
    pen.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    const plain = { matches: new Set(), done: new Set(), current: null, selected: null };
    for (const frame of scene.frames) {
      pen.fillStyle = theme.frameLine;
      pen.globalAlpha = 0.4;
      pen.fillRect(frame.x, frame.y, frame.w, frame.h);
    }
    pen.globalAlpha = 1;
    drawSpecks(pen, scene.boxes, { scale }, theme, plain);
    Object.assign(canvas, { picture, sceneDrawn: scene, themeDrawn: theme });
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(canvas.picture, 0, 0);
  const area = visibleArea(stage, view);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.beginPath();
  context.rect(
    x + area.left * scale,
    y + area.top * scale,
    (area.right - area.left) * scale,
    (area.bottom - area.top) * scale,
  );
  context.fillStyle = theme.viewFill;
  context.fill();
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.5;
  context.stroke();
  return { x, y, scale };
}
