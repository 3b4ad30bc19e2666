// Flashes the cells of edits: those that changed, and those around, of which the segments are made again.

const LASTS = 900, MOST = 300; // ms; cells

export class Flash {
  constructor(mirror) {
    Object.assign(this, { mirror, on: false, cells: [], count: 0 });
  }

  // edits takes the edits of a NEWS message.
  edits(list, now) {
    if (!this.on) return;
    for (const { ground, cells: [x0, y0, x1, y1] } of list) {
      for (let y = y0 - 1; y <= y1 + 1; y++) {
        for (let x = x0 - 1; x <= x1 + 1 && this.cells.length < MOST; x++) {
          this.count++;
          this.cells.push({ ground, x, y, until: now + LASTS, dirty: x >= x0 && x <= x1 && y >= y0 && y <= y1 });
        }
      }
    }
  }

  // busy reports whether some cells still flash.
  busy(now) {
    this.cells = this.cells.filter((c) => c.until > now);
    return this.cells.length > 0;
  }

  draw(camera) {
    if (!this.on) return "";
    const now = performance.now();
    return this.cells.map((c) => {
      const f = this.mirror.frameOf(c.ground), at = (x, y) => camera.toScreen(f.x + f.c * x - f.s * y, f.y + f.s * x + f.c * y);
      const d = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([dx, dy], k) => { const p = at(c.x + dx, c.y + dy); return (k ? "L" : "M") + p.x.toFixed(1) + " " + p.y.toFixed(1); }).join("");
      return `<path class="area ${c.dirty ? "dirty" : "beside"}" opacity="${Math.max(0, (c.until - now) / LASTS).toFixed(2)}" d="${d}Z"/>`;
    }).join("");
  }
}
