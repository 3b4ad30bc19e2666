// Dust where ground is dug, sparks of impacts, and the shaking of explosions, on a canvas over the world.

import { tintOf } from "./ground.js";
import { eachTile } from "./protocol.js";

const MOST = 600; // particles
const GRAVITY = 14;

export class Sparks {
  // shaken are the elements that an explosion shakes.
  constructor(canvas, { mirror, camera, settings, shaken }) {
    Object.assign(this, { canvas, mirror, camera, settings, shaken });
    this.list = [];
    this.made = 0;  // particles so far
    this.shook = 0; // explosions that shook the view
    this.force = 0; // of the shaking, in pixels
  }

  // news takes a NEWS message, before the chunks that its edits change.
  news({ hits = [], edits = [], blasts = [] }) {
    if (!this.settings.effects) return;
    for (const e of edits) this.dust(e);
    for (const h of hits) if (h.speed > 2.5) this.impact(h);
    for (const b of blasts) this.blast(b);
    this.start();
  }

  dust({ ground, cells: [x0, y0, x1, y1] }) {
    const tiles = this.tilesIn(ground, x0, y0, x1, y1), f = this.mirror.frameOf(ground), n = Math.min(14, tiles.length * 3);
    for (let k = 0; k < n; k++) {
      const t = tiles[k % tiles.length], x = t.x + Math.random(), y = t.y + Math.random();
      this.add({ x: f.x + f.c * x - f.s * y, y: f.y + f.s * x + f.c * y, vx: 2 * random(), vy: 1 + 2 * Math.random(), size: 0.06 + 0.1 * Math.random(), lasts: 0.7, color: t.color });
    }
  }

  // tilesIn returns tiles of some cells, with their colours.
  tilesIn(ground, x0, y0, x1, y1) {
    const out = [], size = this.mirror.chunkCells, chunks = this.mirror.grounds[ground]?.chunks;
    if (!chunks) return out;
    for (const c of chunks.values()) {
      if (c.x > x1 || c.y > y1 || c.x + size <= x0 || c.y + size <= y0) continue;
      eachTile(c, (column, row, shape, turn, material, tint) => {
        const x = c.x + column, y = c.y + row;
        if (x < x0 || x > x1 || y < y0 || y > y1 || out.length >= 12) return;
        out.push({ x, y, color: tintOf(tint, material).map((v) => Math.min(255, v + 40)).join() });
      });
    }
    return out;
  }

  impact({ x, y, speed, impulse, colors }) {
    const n = Math.min(10, Math.round(speed * Math.min(1, 0.3 + impulse / 10))), color = colors.find((c) => c) || 0;
    const hot = speed > 9;
    for (let k = 0; k < n; k++) {
      this.add({
        x, y, vx: 0.35 * speed * random(), vy: 0.35 * speed * Math.abs(random()), size: hot ? 0.05 : 0.08, lasts: 0.25 + 0.3 * Math.random(), hot,
        color: hot ? "255,214,140" : color ? tintOf(color, 0).join() : "205,198,184",
      });
    }
  }

  blast({ x, y, radius }) {
    for (let k = 0; k < 60; k++) {
      const a = 6.283 * Math.random(), v = (2 + 5 * Math.random()) * radius;
      this.add({ x, y, vx: v * Math.cos(a), vy: v * Math.sin(a), size: 0.1 + 0.14 * Math.random(), lasts: 0.5 + 0.5 * Math.random(), hot: true, color: k % 3 ? "255,170,70" : "120,112,104" });
    }
    this.add({ x, y, vx: 0, vy: 0, size: radius, lasts: 0.35, ring: true, color: "255,236,190" });
    if (!this.settings.shake) return;
    this.shook++;
    this.force = Math.min(14, this.force + 3 * radius);
  }

  add(p) {
    if (this.list.length >= MOST) this.list.shift();
    this.made++;
    this.list.push({ ...p, age: 0 });
  }

  // start draws until nothing is left to draw.
  start() {
    if (this.running || (this.list.length === 0 && this.force === 0)) return;
    this.running = true;
    let before = performance.now();
    const loop = (now) => {
      const dt = Math.min(0.05, Math.max(0, now - before) / 1000);
      before = now;
      this.move(dt);
      this.draw();
      this.running = this.list.length > 0 || this.force > 0;
      if (this.running) requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  move(dt) {
    for (const p of this.list) {
      p.age += dt;
      if (p.ring) continue;
      p.vy -= GRAVITY * dt;
      p.x += p.vx * dt;
      p.y += p.vy * dt;
    }
    this.list = this.list.filter((p) => p.age < p.lasts);
    this.force = this.force > 0.4 ? this.force * Math.exp(-7 * dt) : 0;
    const shift = this.force ? `translate(${(this.force * random()).toFixed(1)}px, ${(this.force * random()).toFixed(1)}px)` : "";
    for (const e of this.shaken) e.style.transform = shift;
  }

  draw() {
    const { canvas, camera } = this, ratio = Math.min(2, devicePixelRatio || 1);
    const w = Math.round(camera.width * ratio), h = Math.round(camera.height * ratio);
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    const g = canvas.getContext("2d");
    g.clearRect(0, 0, w, h);
    for (const p of this.list) {
      const at = camera.toScreen(p.x, p.y), left = 1 - p.age / p.lasts, r = Math.max(0.8, p.size * camera.scale) * ratio;
      if (p.ring) {
        g.strokeStyle = `rgba(${p.color},${left})`;
        g.lineWidth = 3 * ratio * left;
        g.beginPath();
        g.arc(at.x * ratio, at.y * ratio, r * (1 + 1.5 * (1 - left)), 0, 6.2832);
        g.stroke();
      } else {
        g.fillStyle = `rgba(${p.color},${Math.min(1, 1.6 * left)})`;
        g.fillRect(at.x * ratio - r / 2, at.y * ratio - r / 2, r, r);
      }
    }
  }
}

// random returns a number from -1 to 1.
function random() {
  return 2 * Math.random() - 1;
}
