// Handles the pointer on the canvas: gives a drag to the chosen tool (strokes.js), moves the view, zooms.

import { STROKES } from "./strokes.js";

export class Tools {
  // choice is the Toolbar; selected is the Inspector; hover draws what is under the pointer.
  constructor(canvas, hover, { mirror, camera, choice, send, changed, selected, drawRay, complain, moved, lensed }) {
    Object.assign(this, { canvas, hover, mirror, camera, choice, send, changed, selected, drawRay, complain, moved, lensed });
    this.followed = null;      // the body that the view follows
    this.pointers = new Map(); // pressed pointers, by id
    this.at = null;            // position of the pointer in pixels
    this.stroke = null;        // the tool's drag in progress
    this.space = null;         // while the space bar is down: {used}
    this.cells = [];           // painted and not yet sent
    this.brushed = null;       // the stroke not yet sent: {tool, x0, y0, x1, y1}
    const on = (type, f, options) => canvas.addEventListener(type, f, options);
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", (e) => this.up(e));
    on("pointerleave", () => { this.at = null; this.drawHover(); });
    on("contextmenu", (e) => e.preventDefault());
    on("wheel", (e) => this.wheel(e), { passive: false });
  }

  down(e) {
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(e.pointerId);
    this.shift = e.shiftKey;
    const p = { x: e.clientX, y: e.clientY, pan: e.button !== 0 || this.space !== null };
    if (this.space) this.space.used = true;
    this.pointers.set(e.pointerId, p);
    if (this.pointers.size === 2) { // a second finger: move and zoom instead
      this.end(true);
      for (const q of this.pointers.values()) q.pan = true;
    }
    this.at = p;
    if (!p.pan) this.begin(p.x, p.y);
    this.canvas.classList.toggle("panning", p.pan);
    this.drawHover();
  }

  move(e) {
    const p = this.pointers.get(e.pointerId);
    if (p && p.pan) {
      this.pan(e, p);
    } else if (p && this.stroke) {
      // The browser coalesces moves; a stroke needs all of them.
      const all = e.getCoalescedEvents ? e.getCoalescedEvents() : [];
      for (const m of all.length ? all : [e]) this.go(m.clientX, m.clientY);
    }
    if (p) { p.x = e.clientX; p.y = e.clientY; }
    this.at = { x: e.clientX, y: e.clientY };
    this.drawHover();
    this.changed();
  }

  up(e) {
    this.pointers.delete(e.pointerId);
    if (this.pointers.size === 0) {
      this.end();
      this.canvas.classList.remove("panning");
      if (e.pointerType === "touch") this.at = null; // a finger that is lifted points at nothing
      this.drawHover();
    }
  }

  // end ends the drag of a tool; one that a second finger or Escape interrupts makes no joint or line.
  end(interrupted = false) {
    const s = this.stroke;
    if (!s) return;
    this.stroke = null;
    s.end(interrupted);
  }

  pan(e, p) {
    this.followed = null;
    this.camera.fitted = false;
    const others = [...this.pointers.entries()].filter(([id]) => id !== e.pointerId);
    if (others.length === 0) {
      this.camera.pan(e.clientX - p.x, e.clientY - p.y);
      return;
    }
    const o = others[0][1]; // two fingers: half of the motion, and the change of their distance
    const before = Math.hypot(p.x - o.x, p.y - o.y), after = Math.hypot(e.clientX - o.x, e.clientY - o.y);
    this.camera.pan((e.clientX - p.x) / 2, (e.clientY - p.y) / 2);
    if (before > 10 && after > 10) this.camera.zoom(after / before, (e.clientX + o.x) / 2, (e.clientY + o.y) / 2);
  }

  wheel(e) {
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 18 : e.deltaMode === 2 ? 300 : 1;
    this.camera.fitted = false;
    this.camera.zoom(Math.exp(-Math.max(-240, Math.min(240, e.deltaY * lines)) * 0.0016), e.clientX, e.clientY);
    this.drawHover();
    this.changed();
  }

  // begin starts the drag of a tool.
  begin(px, py) {
    this.end(true);
    this.stroke = new STROKES[this.choice.tool](this, this.choice.tool, this.camera.toWorld(px, py));
    this.stroke.begin();
  }

  go(px, py) {
    const s = this.stroke, w = this.camera.toWorld(px, py);
    if (s.go(w) === false) return;
    s.x = w.x;
    s.y = w.y;
  }

  // pressKey begins a drag by keyboard, at the pointer or the middle of the view; keyMoved moves it with the view, and
  // releaseKey ends it.
  pressKey() {
    if (this.stroke) return;
    if (!this.at) this.at = { x: this.camera.width / 2, y: this.camera.height / 2 };
    this.byKey = true;
    this.begin(this.at.x, this.at.y);
    this.drawHover();
  }

  keyMoved() {
    if (this.byKey && this.stroke) this.go(this.at.x, this.at.y);
  }

  releaseKey() {
    if (!this.byKey) return;
    this.byKey = false;
    this.end();
    this.drawHover();
  }

  // cursor is the place of the pointer, or the middle of the view, in the world.
  get cursor() {
    return this.at ? this.camera.toWorld(this.at.x, this.at.y) : { x: this.camera.x, y: this.camera.y };
  }

  select(w) { this.selected.look(w); }

  removeHere() {
    if (this.at) this.send({ do: "remove", ...this.cursor });
  }

  throughHere() {
    if (this.at) this.send({ do: "through", ...this.cursor });
  }

  // followHere makes the view follow the body nearest to the pointer, or stops following.
  followHere() {
    if (this.followed) {
      this.followed = null;
      return;
    }
    const w = this.cursor;
    let best = Infinity;
    for (const b of this.mirror.bodies) {
      const d = b && b.placed && b.type !== 0 && (b.shapes.length || b.type === 2) ? Math.hypot(b.x - w.x, b.y - w.y) : Infinity;
      if (d < best) {
        best = d;
        this.followed = b;
      }
    }
    this.follow();
  }

  // follow moves the view to the followed body.
  follow() {
    const b = this.followed && this.mirror.bodies.find((o) => o && o.id === this.followed.id);
    this.followed = b || null;
    if (!b) return;
    this.camera.fitted = false;
    this.camera.x = b.x;
    this.camera.y = b.y;
    this.drawHover();
    this.changed();
  }

  // paint adds the cells on the line from a to b of a stroke, and sends them within 16 ms.
  paint(stroke, a, b) {
    const p = this.mirror.toGround(stroke.ground, a), q = this.mirror.toGround(stroke.ground, b);
    for (const [x, y] of cellsAlong(p.x, p.y, q.x, q.y)) {
      const key = x + "," + y;
      if (stroke.seen.has(key)) continue;
      stroke.seen.add(key);
      this.cells.push(x, y);
    }
    this.tool = stroke.tool;
    this.ground = stroke.ground;
    if (this.cells.length >= 2 * this.mirror.maxCells) this.flush();
    else if (!this.timer) this.timer = setTimeout(() => this.flush(), 16);
  }

  // brush digs or builds along the line from a to b. It joins successive lines that are too short
  // for their corner to be seen, and sends them within 16 ms.
  brush({ tool, ground }, a, b) {
    const s = this.brushed;
    if (s && s.tool === tool && Math.hypot(b.x - s.x0, b.y - s.y0) < 0.25 * this.choice.radius) {
      s.x1 = b.x;
      s.y1 = b.y;
    } else {
      if (s) this.flush();
      this.brushed = { tool, ground, x0: a.x, y0: a.y, x1: b.x, y1: b.y };
    }
    if (!this.timer) this.timer = setTimeout(() => this.flush(), 16);
  }

  // sendBrush sends a part of a stroke, in lines of at most the server's maxStroke. With hold, no ground breaks until
  // the release at the end of the drag: the whole stroke is one edit.
  sendBrush({ tool, ground, x0, y0, x1, y1 }) {
    const { radius, layer, material } = this.choice, dx = x1 - x0, dy = y1 - y0;
    const n = Math.min(100, Math.max(1, Math.ceil(Math.hypot(dx, dy) / (0.99 * this.mirror.maxStroke))));
    for (let i = 0; i < n; i++) {
      const f = i / n, t = (i + 1) / n;
      const m = { do: tool, x0: x0 + f * dx, y0: y0 + f * dy, x1: x0 + t * dx, y1: y0 + t * dy, radius, hold: true };
      this.send(tool === "build" ? { ...m, ground, layer, material } : { ...m, all: true });
    }
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    const c = this.choice;
    if (this.brushed) this.sendBrush(this.brushed);
    this.brushed = null;
    while (this.cells.length) {
      const cells = this.cells.splice(0, 2 * this.mirror.maxCells);
      if (this.tool === "erase") this.send({ do: "erase", ground: this.ground, cells, hold: true });
      else this.send({ do: "paint", ground: this.ground, cells, hold: true, shape: c.shape, turn: c.turn, layer: c.layer, material: c.material });
    }
  }

  // cell returns the cell under the pointer and its ground, or null.
  cell() {
    if (!this.at) return null;
    const w = this.camera.toWorld(this.at.x, this.at.y), ground = this.stroke ? this.stroke.ground : this.mirror.groundUnder(w);
    const g = this.mirror.toGround(ground, w);
    return { ground, x: Math.floor(g.x), y: Math.floor(g.y) };
  }

  // drawHover shows the shape of the tool under the pointer.
  drawHover() {
    this.hover.draw(this);
    this.moved();
  }
}

// cellsAlong yields the cells on the line from (x, y) to (x2, y2) in order, each sharing a side
// with the previous.
function* cellsAlong(x, y, x2, y2) {
  let cx = Math.floor(x), cy = Math.floor(y);
  const dx = x2 - x, dy = y2 - y, sx = Math.sign(dx), sy = Math.sign(dy);
  let left = Math.abs(Math.floor(x2) - cx) + Math.abs(Math.floor(y2) - cy);
  let tx = dx ? (sx > 0 ? cx + 1 - x : x - cx) / Math.abs(dx) : Infinity;
  let ty = dy ? (sy > 0 ? cy + 1 - y : y - cy) / Math.abs(dy) : Infinity;
  yield [cx, cy];
  for (; left > 0; left--) {
    if (tx < ty) { cx += sx; tx += 1 / Math.abs(dx); } else { cy += sy; ty += 1 / Math.abs(dy); }
    yield [cx, cy];
  }
}
