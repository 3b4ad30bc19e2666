// The canvas: its size, its renderers, and its redraws.

import { open } from "./gl.js";
import { Backdrop } from "./backdrop.js";
import { Ground } from "./ground.js";
import { Chains } from "./chains.js";
import { Bodies } from "./bodies.js";
import { Marks } from "./marks.js";

export class Stage {
  constructor(canvas, mirror, camera, show) {
    Object.assign(this, { canvas, mirror, camera, show, due: false, drawn: 0 });
    this.gl = open(canvas);
    this.build();
    canvas.addEventListener("webglcontextlost", (e) => e.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.gl = open(canvas);
      this.build();
      this.invalidate();
    });
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  build() {
    this.backdrop = new Backdrop(this.gl);
    this.ground = new Ground(this.gl);
    this.chains = new Chains(this.ground.segments);
    this.bodies = new Bodies(this.gl);
    this.marks = new Marks(this.gl);
  }

  resize() {
    const wide = this.camera.width > this.camera.height;
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.camera.width = Math.max(1, this.canvas.clientWidth);
    this.camera.height = Math.max(1, this.canvas.clientHeight);
    this.canvas.width = Math.round(this.camera.width * this.ratio);
    this.canvas.height = Math.round(this.camera.height * this.ratio);
    this.invalidate();
    // resized is told of each resize, and whether the screen was turned.
    this.resized?.(wide !== this.camera.width > this.camera.height);
  }

  // invalidate requests a redraw at the screen's next frame.
  invalidate() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  draw() {
    const { gl, mirror, camera, show, ratio } = this;
    if (gl.isContextLost()) return;
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    this.backdrop.draw(camera, show.grid, ratio, document.documentElement.dataset.theme === "light");
    this.ground.forget(mirror);
    const visible = this.ground.draw(mirror, camera, ratio).concat(this.chains.draw(mirror, camera, ratio));
    this.bodies.draw(mirror, camera, ratio);
    this.ground.drawMarks(visible, camera, ratio, show.normals, show.ghosts);
    this.marks.draw(mirror, camera, ratio, show.layers);
    this.drawn++;
  }
}
