"use strict";
// What part of the scene is seen, and the gestures that move it: a point p of the scene is at p * scale + (x, y).

const ZOOM = { least: 0.01, most: 4, step: 1.25 };

class View {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 1;
  }

  toScene(x, y) {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  toScreen(x, y) {
    return { x: x * this.scale + this.x, y: y * this.scale + this.y };
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  /** Zooms so that what is at (x, y) on the screen stays there. */
  zoomAt(x, y, factor) {
    const scale = Math.max(ZOOM.least, Math.min(ZOOM.most, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
  }

  /** The whole scene, but never larger than life. */
  fit(scene, width, height) {
    const pad = 44;
    const scale = Math.min(
      (width - 2 * pad) / Math.max(scene.width, 1),
      (height - 2 * pad) / Math.max(scene.height, 1),
      1.15,
    );
    this.scale = Math.max(ZOOM.least, scale);
    this.x = (width - scene.width * this.scale) / 2;
    this.y = (height - scene.height * this.scale) / 2;
  }

  centre(box, width, height) {
    this.x = width / 2 - (box.x + box.w / 2) * this.scale;
    this.y = height / 2 - (box.y + box.h / 2) * this.scale;
  }

  /** Moves as little as needed to show `box`; what is far away comes to the middle. */
  bring(box, width, height, room) {
    if (this.shows(box, width, height, room)) return;
    const low = this.toScreen(box.x, box.y);
    const high = this.toScreen(box.x + box.w, box.y + box.h);
    const far = Math.max(-low.x / width, high.x / width - 1, -low.y / height, high.y / height - 1) > 0.3;
    const wide = high.x - low.x > width - 2 * room || high.y - low.y > height - 2 * room;
    if (far || wide) {
      this.centre(box, width, height);
      return;
    }
    this.move(
      Math.max(0, room - low.x) - Math.max(0, high.x - width + room),
      Math.max(0, room - low.y) - Math.max(0, high.y - height + room),
    );
  }

  /** Whether `box` can be seen whole, with some room around it. */
  shows(box, width, height, room) {
    const low = this.toScreen(box.x, box.y);
    const high = this.toScreen(box.x + box.w, box.y + box.h);
    return low.x >= room && low.y >= room && high.x <= width - room && high.y <= height - room;
  }
}

/**
 * Calls `on.pan(dx, dy)`, `on.zoom(x, y, factor)`, `on.click(x, y, event)`, `on.doubleClick(x, y)` and
 * `on.hover(x, y)` (null outside) for what mouse, pen and fingers do on `canvas`.
 */
function attachGestures(canvas, on) {
  const pointers = new Map();
  let travelled = 0;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [p, q] = [...pointers.values()];
    return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, size: Math.max(1, Math.hypot(p.x - q.x, p.y - q.y)) };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) travelled = 0;
    pointers.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = place(event);
    if (!pointers.has(event.pointerId)) {
      on.hover(now.x, now.y);
      return;
    }
    const before = pointers.get(event.pointerId);
    if (pointers.size === 1) {
      travelled += Math.hypot(now.x - before.x, now.y - before.y);
      pointers.set(event.pointerId, now);
      // A hand is never quite still: a few pixels are still a click.
      if (travelled > 4) {
        canvas.classList.add("dragged");
        on.pan(now.x - before.x, now.y - before.y);
      }
    } else {
      const from = spread();
      pointers.set(event.pointerId, now);
      const to = spread();
      travelled = Infinity;
      on.pan(to.x - from.x, to.y - from.y);
      on.zoom(to.x, to.y, to.size / from.size);
    }
  });
  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    canvas.classList.remove("dragged");
    if (event.type === "pointerup" && travelled <= 4) {
      const { x, y } = place(event);
      on.click(x, y, event);
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => on.hover(null, null));
  canvas.addEventListener("dblclick", (event) => {
    const { x, y } = place(event);
    on.doubleClick(x, y);
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = place(event);
      const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
      // Pinching on a touchpad comes as a wheel with Ctrl, in small steps.
      const speed = event.ctrlKey ? 0.01 : 0.0016;
      on.zoom(x, y, Math.exp(-Math.max(-300, Math.min(300, event.deltaY * unit)) * speed));
    },
    { passive: false },
  );
}

/** Lets `minimap` be pressed and dragged: `go(x, y)` gets the place on it. */
function attachMinimap(minimap, go) {
  const follow = (event) => {
    const box = minimap.getBoundingClientRect();
    go(event.clientX - box.left, event.clientY - box.top);
  };
  minimap.addEventListener("pointerdown", (event) => {
    minimap.setPointerCapture(event.pointerId);
    follow(event);
  });
  minimap.addEventListener("pointermove", (event) => {
    if (minimap.hasPointerCapture(event.pointerId)) follow(event);
  });
}
