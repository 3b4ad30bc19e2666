// The part of the world that the canvas shows.

const LEAST = 0.02, MOST = 400; // pixels a cell

export class Camera {
  constructor() {
    this.x = 0; this.y = 0;        // the world point at the centre
    this.scale = 24;               // CSS pixels a cell
    this.width = 1; this.height = 1; // CSS pixels
  }

  toScreen(x, y) {
    return { x: this.width / 2 + (x - this.x) * this.scale, y: this.height / 2 - (y - this.y) * this.scale };
  }

  toWorld(px, py) {
    return { x: this.x + (px - this.width / 2) / this.scale, y: this.y - (py - this.height / 2) / this.scale };
  }

  // fit shows the box [least x, least y, greatest x, greatest y] inside of the margins, in pixels,
  // which the panels cover.
  fit(box, margin) {
    const w = Math.max(box[2] - box[0], 1e-3), h = Math.max(box[3] - box[1], 1e-3);
    const free = { w: this.width - margin.left - margin.right, h: this.height - margin.top - margin.bottom };
    this.scale = clamp(Math.min(free.w / w, free.h / h));
    this.x = (box[0] + box[2]) / 2 - (margin.left - margin.right) / 2 / this.scale;
    this.y = (box[1] + box[3]) / 2 + (margin.top - margin.bottom) / 2 / this.scale;
  }

  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
  }

  // zoom changes the scale about a pixel.
  zoom(factor, px, py) {
    const at = this.toWorld(px, py);
    this.scale = clamp(this.scale * factor);
    const now = this.toWorld(px, py);
    this.x += at.x - now.x;
    this.y += at.y - now.y;
  }
}

function clamp(scale) {
  return Math.min(MOST, Math.max(LEAST, scale));
}
