// A copy of the world, updated by messages.

import { eachBody } from "./protocol.js";
import { TileShapes } from "./tileshapes.js";

export class Mirror {
  constructor() {
    this.scene = "";
    this.scenes = [];
    this.kinds = [];
    this.jointKinds = [];
    this.layers = [];     // names of the layers of a debug draw
    this.materials = [];  // {index, name, color, speed, way}
    this.byIndex = new Map();
    this.maxCells = 1;
    this.maxStroke = 1;
    this.chunkCells = 1;
    this.view = [-10, -10, 10, 10];
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
    this.drawList = { items: [], x: 0, y: 0, cut: false }; // the last DRAW
    this.frames = 0;
    this.stats = { bodies: 0, awake: 0, contacts: 0, touching: 0, points: 0, segments: 0, tiles: 0, chainSegments: 0 };
  }

  hello(m) {
    this.forget();
    Object.assign(this, {
      scene: m.scene, scenes: m.scenes, kinds: m.kinds, jointKinds: m.jointKinds, layers: m.layers,
      maxCells: m.maxCells, maxStroke: m.maxStroke, chunkCells: m.chunk, view: m.view,
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
      this.bodies[b.index] = { id: b.id, type: b.type, shapes: b.shapes, x: at.x, y: at.y, c: at.c, s: at.s, awake: at.awake, placed: at.placed };
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
    g.shapes = new TileShapes(m.shapes);
    g.preserve = m.preserve || [];
    this.chunksRev++;
  }

  chunk(m) {
    this.groundAt(m.ground).chunks.set(m.x + "," + m.y, m);
    this.chunksRev++;
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
    this.stats = m.stats;
    this.frames++;
    for (const g of m.grounds) (g.chain ? this.chainAt(g.index) : this.groundAt(g.index)).frame = g.frame;
    eachBody(m, (index, awake, x, y, c, s) => {
      const b = this.bodies[index];
      if (!b) return;
      b.x = x; b.y = y; b.c = c; b.s = s; b.awake = awake; b.placed = true;
    });
  }
}
