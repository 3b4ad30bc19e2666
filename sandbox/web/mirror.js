// A copy of the world, updated by messages.

import { eachBody, eachTile } from "./protocol.js";
import { TileShapes } from "./tileshapes.js";

const PLACE_UNIT = 4096; // a cell, in FRAME

export class Mirror {
  constructor() {
    this.scene = "";
    this.scenes = [];
    this.kinds = [];
    this.jointKinds = [];
    this.stamps = [];
    this.lenses = [];
    this.layers = [];     // names of the layers of a debug draw
    this.materials = [];  // {index, name, color, speed, way}
    this.byIndex = new Map();
    this.maxCells = 1;
    this.maxStroke = 1;
    this.chunkCells = 1;
    this.view = [-10, -10, 10, 10];
    this.people = [];     // of PEOPLE
    this.pointers = [];   // of POINTERS
    this.forget();
  }

  // forget drops the world, at the start of a scene.
  forget() {
    this.bodies = [];     // by index; undefined for a free index
    this.bodiesRev = (this.bodiesRev || 0) + 1; // grows when bodies or shapes are added or removed
    this.grounds = [];    // {shapes, preserve, frame, chunks}
    this.chains = [];     // {frame, pieces}
    this.chainsRev = (this.chainsRev || 0) + 1; // grows when a piece is added or removed
    this.chunksRev = (this.chunksRev || 0) + 1; // grows when a chunk arrives
    this.paletteRev = (this.paletteRev || 0) + 1; // grows when a material changes
    this.step = 0;
    this.stepMS = 0;
    this.paused = false;
    this.stopped = false; // the scene or a command failed: nothing moves any more
    this.breaks = false; // parts of standing grounds that nothing holds fall
    this.drawList = { items: [], x: 0, y: 0, cut: false }; // the last DRAW
    this.status = { undo: 0, redo: 0, from: 0, to: 0, rate: 1, rest: "", repeats: false, you: 0, role: "own", worlds: 0, drives: 0, walks: false }; // of STATUS
    this.frames = 0;
    this.stats = { bodies: 0, awake: 0, contacts: 0, touching: 0, points: 0, segments: 0, tiles: 0, chainSegments: 0 };
  }

  hello(m) {
    this.forget();
    this.hellos = (this.hellos || 0) + 1;
    Object.assign(this, {
      scene: m.scene, scenes: m.scenes, kinds: m.kinds, jointKinds: m.jointKinds, layers: m.layers,
      stamps: m.stamps, lenses: m.lenses, maxBrush: m.maxBrush, maxCells: m.maxCells, maxStroke: m.maxStroke, chunkCells: m.chunk, view: m.view,
    });
    this.palette(m);
  }

  palette(m) {
    this.materials = m.materials;
    this.byIndex = new Map(m.materials.map((x) => [x.index, x]));
    this.paletteRev++;
  }

  shapes(m) {
    for (const b of m.bodies) {
      const old = this.bodies[b.index];
      const at = old && old.id === b.id ? old : { x: 0, y: 0, c: 1, s: 0, awake: true, placed: false };
      this.bodies[b.index] = { id: b.id, type: b.type, shapes: b.shapes, track: {}, x: at.x, y: at.y, c: at.c, s: at.s, awake: at.awake, placed: at.placed };
    }
    this.bodiesRev++;
  }

  removed(m) {
    for (const i of m.indices) this.bodies[i] = undefined;
    this.bodiesRev++;
  }

  groundAt(index) {
    while (this.grounds.length <= index) {
      this.grounds.push({ shapes: new TileShapes([]), preserve: [], frame: { x: 0, y: 0, c: 1, s: 0 }, chunks: new Map() });
    }
    return this.grounds[index];
  }

  ground(m) {
    const g = this.groundAt(m.ground);
    if (!m.shapes) g.chunks.clear(); // the ground was removed
    g.shapes = new TileShapes(m.shapes || []);
    g.preserve = m.preserve || [];
    this.chunksRev++;
  }

  chunk(m) {
    this.groundAt(m.ground).chunks.set(m.x + "," + m.y, m);
    this.chunksRev++;
  }

  // hasTile reports whether ground k has a tile in the cell of a point of the world, or in a cell beside it.
  hasTile(k, w, beside = false) {
    const g = this.toGround(k, w), x = Math.floor(g.x), y = Math.floor(g.y);
    if (this.tileAt(k, x, y)) return true;
    return beside && (this.tileAt(k, x - 1, y) || this.tileAt(k, x + 1, y) || this.tileAt(k, x, y - 1) || this.tileAt(k, x, y + 1));
  }

  tileAt(k, x, y) {
    const size = this.chunkCells, left = Math.floor(x / size) * size, low = Math.floor(y / size) * size;
    const chunk = this.grounds[k].chunks.get(left + "," + low);
    if (!chunk) return false;
    if (!chunk.cells) {
      chunk.cells = new Set();
      eachTile(chunk, (column, row) => chunk.cells.add(row * size + column));
    }
    return chunk.cells.has((y - low) * size + x - left);
  }

  // frameOf returns the frame of ground k.
  frameOf(k) {
    return k < this.grounds.length ? this.grounds[k].frame : { x: 0, y: 0, c: 1, s: 0 };
  }

  // toGround maps a point of the world to the frame of ground k.
  toGround(k, w) {
    const f = this.frameOf(k);
    const dx = w.x - f.x, dy = w.y - f.y;
    return { x: f.c * dx + f.s * dy, y: f.c * dy - f.s * dx };
  }

  // groundUnder returns the number of the ground that is edited at a point: the last with a tile there, or else with
  // a tile beside it, the first ground before the others.
  groundUnder(w) {
    for (let k = this.grounds.length - 1; k >= 0; k--) if (this.hasTile(k, w)) return k;
    for (let k = 0; k < this.grounds.length; k++) if (this.hasTile(k, w, true)) return k;
    return 0;
  }

  // bodyUnder returns the newest body with a shape at a point, or null. Tiles do not count.
  bodyUnder(w) {
    let best = null;
    for (const b of this.bodies) {
      if (b && b.placed && b.type !== 0 && (!best || b.id > best.id) && covers(b, w)) best = b;
    }
    return best;
  }

  // bodyOf returns the body of an id, or null.
  bodyOf(id) {
    return this.bodies.find((b) => b && b.id === id) || null;
  }

  chainAt(index) {
    while (this.chains.length <= index) this.chains.push({ frame: { x: 0, y: 0, c: 1, s: 0 }, pieces: [] });
    return this.chains[index];
  }

  chain(m) {
    const c = this.chainAt(m.chain);
    if (m.first === 0) c.pieces = [];
    if (m.segmentCount > 0) c.pieces.push(m);
    this.chainsRev++;
  }

  draw(m) {
    this.drawList = m;
  }

  frame(m) {
    this.step = m.step;
    this.stepMS = m.stepMS;
    this.paused = m.paused;
    this.breaks = m.breaks;
    this.stopped = m.stopped;
    this.stats = m.stats;
    this.frames++;
    for (const g of m.grounds) (g.chain ? this.chainAt(g.index) : this.groundAt(g.index)).frame = g.frame;
    eachBody(m, (index, awake, whole, x, y, angle) => {
      const b = this.bodies[index];
      if (!b) return;
      const t = b.track;
      if (whole) {
        Object.assign(t, { x, y, angle, dx: 0, dy: 0, turn: 0 });
      } else {
        t.dx += x;
        t.dy += y;
        t.turn = (t.turn + angle) << 16 >> 16;
        t.x += t.dx;
        t.y += t.dy;
        t.angle = (t.angle + t.turn) & 65535;
      }
      b.x = t.x / PLACE_UNIT;
      b.y = t.y / PLACE_UNIT;
      const a = t.angle * Math.PI / 32768;
      b.c = Math.cos(a);
      b.s = Math.sin(a);
      b.awake = awake;
      b.placed = true;
    });
  }
}

// covers reports whether a shape of a body contains a point of the world.
function covers(b, w) {
  const dx = w.x - b.x, dy = w.y - b.y, x = b.c * dx + b.s * dy, y = b.c * dy - b.s * dx;
  return b.shapes.some((s) => inHull(s, x - s.x, y - s.y));
}

// inHull reports whether a point, relative to the centre of a shape, is in the hull of the shape's points or within its
// radius of it.
function inHull({ points: p, radius }, x, y) {
  let inside = p.length > 4, near = Infinity;
  for (let i = 0; i < p.length; i += 2) {
    const k = (i + 2) % p.length, ax = p[i], ay = p[i + 1], ex = p[k] - ax, ey = p[k + 1] - ay;
    if (ex * (y - ay) < ey * (x - ax)) inside = false;
    const t = Math.max(0, Math.min(1, ((x - ax) * ex + (y - ay) * ey) / Math.max(ex * ex + ey * ey, 1e-12)));
    near = Math.min(near, Math.hypot(x - ax - t * ex, y - ay - t * ey));
  }
  return inside || near <= radius;
}
