// The graph of the milliseconds that each stage of a step took, over the last ten seconds.

import { PHASES } from "./toolset.js";

const SAMPLES = 600; // steps: ten seconds

export class Graph {
  constructor(box, send) {
    Object.assign(this, { box, send, samples: [], last: -1 });
    this.canvas = box.querySelector("canvas");
    this.legend = box.querySelector("ul");
    this.top = box.querySelector("output");
    this.legend.replaceChildren(...PHASES.map(([name, color]) => {
      const li = document.createElement("li"), key = document.createElement("i"), value = document.createElement("b");
      key.style.background = color;
      li.append(key, name, value);
      return li;
    }));
  }

  get open() { return !this.box.hidden; }

  toggle(on) {
    this.box.hidden = !on;
    this.samples = [];
    this.send({ do: "lens", name: "phases", off: !on });
  }

  again() {
    if (this.open) this.send({ do: "lens", name: "phases" });
  }

  // add takes the times of a step, one for each of PHASES.
  add(step, numbers) {
    if (!this.open || step === this.last) return;
    this.last = step;
    this.samples.push(numbers);
    if (this.samples.length > SAMPLES) this.samples.shift();
    this.draw();
  }

  draw() {
    const { canvas, samples } = this, ratio = Math.min(2, devicePixelRatio || 1);
    const w = canvas.width = Math.round(canvas.clientWidth * ratio), h = canvas.height = Math.round(canvas.clientHeight * ratio);
    const g = canvas.getContext("2d");
    const most = Math.max(1, ...samples.map((s) => s.reduce((a, b) => a + b, 0)));
    const scale = h / (1.1 * most), dx = w / SAMPLES, left = w - samples.length * dx;
    let base = new Float64Array(samples.length);
    PHASES.forEach(([, color], k) => {
      const top = base.map((y, i) => y + samples[i][k]);
      g.beginPath();
      for (let i = 0; i < samples.length; i++) g.lineTo(left + i * dx, h - scale * top[i]);
      for (let i = samples.length - 1; i >= 0; i--) g.lineTo(left + i * dx, h - scale * base[i]);
      g.fillStyle = color;
      g.fill();
      base = top;
    });
    if (most > 8) { // the time of a frame
      g.fillStyle = "#ffffff66";
      g.fillRect(0, h - scale * (1000 / 60), w, ratio);
    }
    // The means of a second: a browser's clock is coarser than a stage of a small world.
    const last = samples.slice(-60), mean = (k) => last.reduce((sum, s) => sum + s[k], 0) / last.length;
    [...this.legend.children].forEach((li, k) => { li.querySelector("b").textContent = mean(k).toFixed(3); });
    this.top.textContent = most.toFixed(1) + " ms";
  }
}
