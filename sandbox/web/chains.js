// Draws chains: the line, a strip on its solid side, and belts.

import { eachSegment } from "./protocol.js";
import { tintOf } from "./ground.js";

export class Chains {
  // segments is the renderer of the ground's segments.
  constructor(segments) {
    this.segments = segments;
    this.meshes = new Map(); // piece of the mirror -> mesh
    this.rev = -1;
  }

  // forget frees the meshes of pieces that the mirror no longer has.
  forget(mirror) {
    if (this.rev === mirror.chainsRev) return;
    this.rev = mirror.chainsRev;
    const kept = new Set();
    for (const c of mirror.chains) for (const piece of c.pieces) kept.add(piece);
    for (const [piece, mesh] of this.meshes) {
      if (kept.has(piece)) continue;
      this.segments.free(mesh.lines);
      this.meshes.delete(piece);
    }
  }

  mesh(piece) {
    let m = this.meshes.get(piece);
    if (m) return m;
    const speeds = new Float32Array(piece.segmentCount), tones = new Float32Array(3 * piece.segmentCount);
    eachSegment(piece, (i, material) => {
      const look = piece.looks[material] || { color: 0, speed: 0 };
      speeds[i] = look.speed;
      tones.set(tintOf(look.color, material).map((x) => x / 255), 3 * i);
    });
    m = { lines: this.segments.put(piece, speeds, tones) };
    this.meshes.set(piece, m);
    return m;
  }

  // draw draws the pieces in view and returns them for drawMarks.
  draw(mirror, camera, ratio) {
    this.forget(mirror);
    const visible = [], reach = Math.hypot(camera.width, camera.height) / camera.scale / 2 + 1;
    for (const { frame: f, pieces } of mirror.chains) {
      for (const p of pieces) {
        const x = f.x + f.c * p.x - f.s * p.y - camera.x, y = f.y + f.s * p.x + f.c * p.y - camera.y;
        if (Math.hypot(x, y) < reach + p.reach) visible.push({ place: [x, y, f.c, f.s], mesh: this.mesh(p) });
      }
    }
    if (visible.length === 0) return visible;
    this.segments.draw(visible, camera, ratio, "solid");
    this.segments.draw(visible, camera, ratio, "surface");
    if (visible.some((v) => v.mesh.lines.belts)) this.segments.draw(visible, camera, ratio, "belts", mirror.step / 60);
    return visible;
  }
}
