// The lens that the pointer carries, and its drawing over the world.

const EACH = 60; // ms between two places sent

export class Lens {
  // svg is the drawing, card the text beside it, list the lenses of toolset.js.
  constructor(svg, card, list, { camera, send, flash }) {
    Object.assign(this, { svg, card, list, camera, send, flash });
    this.name = "";
    this.pictures = new Map(); // by the name of the lens: the last LENS message
    this.last = null;          // the place sent last
    this.count = 0;            // elements of the drawing
    card.querySelector("button").addEventListener("click", () => this.onClose());
  }

  // choose takes another lens; "" none.
  choose(name) {
    if (this.name && this.name !== "edits") this.send({ do: "lens", name: this.name, off: true });
    this.pictures.delete(this.name);
    this.name = name;
    this.last = null;
    this.flash.on = name === "edits";
    this.write();
    this.draw();
  }

  // point moves the lens to a place of the world.
  point(w) {
    if (!this.name || this.name === "edits") return;
    const l = this.last;
    if (l && Math.hypot(w.x - l.x, w.y - l.y) * this.camera.scale < 2) return;
    this.wanted = w;
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (!this.name || this.name === "edits") return;
      this.last = this.wanted;
      this.send({ do: "lens", name: this.name, x: this.last.x, y: this.last.y });
    }, l ? EACH : 0);
  }

  // ray shows the cells along a line. It stays until the tool changes.
  ray(line) {
    this.rayLine = line;
    if (this.rayTimer) return;
    this.rayTimer = setTimeout(() => {
      this.rayTimer = 0;
      if (this.rayLine) this.send({ do: "lens", name: "ray", ...this.rayLine });
    }, EACH);
  }

  endRay() {
    if (!this.rayLine) return;
    this.rayLine = null;
    this.send({ do: "lens", name: "ray", off: true });
    this.pictures.delete("ray");
    this.write();
    this.draw();
  }

  // again asks for everything again: a new world, or a new connection, knows of no lens.
  again() {
    this.pictures.clear();
    if (this.last && this.name) this.send({ do: "lens", name: this.name, x: this.last.x, y: this.last.y });
    if (this.rayLine) this.send({ do: "lens", name: "ray", ...this.rayLine });
    this.write();
  }

  // show takes a picture of the server's.
  show(m) {
    if (m.lens !== "object" && m.lens !== this.name && !(m.lens === "ray" && this.rayLine)) return; // it was on its way
    this.pictures.set(m.lens, m);
    this.write();
  }

  // write writes the facts of the pointer's lens, or of the ray.
  write() {
    const about = this.list.find((l) => l.name === this.name), p = this.pictures.get(this.name || "ray") || this.pictures.get("ray");
    this.card.hidden = !this.name && !p;
    if (this.card.hidden) return;
    const [title, text, facts] = [this.card.querySelector("h2"), this.card.querySelector("p"), this.card.querySelector("dl")];
    title.textContent = this.name ? about.title : "Ray";
    text.textContent = this.name ? about.text : "The cells that the ray visits, in order, up to its hit.";
    facts.replaceChildren(...((p && p.facts) || []).slice(0, 14).flatMap((f) => [make("dt", f.name), make("dd", f.value)]));
  }

  draw() {
    if (this.pictures.size === 0 && !this.flash.on && this.count === 0) return;
    const out = [];
    for (const p of this.pictures.values()) for (const m of p.marks || []) out.push(this.mark(m));
    out.push(this.flash.draw(this.camera));
    this.svg.innerHTML = out.join("");
    this.count = this.svg.childElementCount;
  }

  // mark returns the SVG of a mark. Its text is escaped.
  mark({ form, role, points, text }) {
    const at = [];
    for (let i = 0; i < points.length; i += 2) at.push(this.camera.toScreen(points[i], points[i + 1]));
    const [p, q] = at, color = /^color c(\d+)$/.exec(role);
    // A golden angle between two hues keeps all 32 apart.
    const hue = color ? ` color="hsl(${(Number(color[1]) * 137.5) % 360} 85% 55%)"` : "";
    const kind = `class="${form} ${role.replace(/[^a-z0-9 -]/g, "")}"` + hue;
    switch (form) {
      case "dot": return `<circle ${kind} cx="${p.x}" cy="${p.y}" r="4"/>`;
      case "ring": return `<circle ${kind} cx="${p.x}" cy="${p.y}" r="8"/>`;
      case "text": return `<text ${kind} x="${p.x}" y="${p.y}">${escaped(text || "")}</text>`;
      case "arrow": return `<path ${kind} d="M${p.x} ${p.y}L${q.x} ${q.y}${head(p, q)}"/>`;
      case "line": return `<path ${kind} d="M${p.x} ${p.y}L${q.x} ${q.y}"/>`;
    }
    return `<path ${kind} d="${at.map((v, i) => (i ? "L" : "M") + v.x.toFixed(1) + " " + v.y.toFixed(1)).join("")}Z"/>`;
  }
}

// head returns the head of an arrow from p to q.
function head(p, q) {
  const dx = q.x - p.x, dy = q.y - p.y, n = Math.hypot(dx, dy);
  if (n < 1) return "";
  const k = Math.min(8, 0.4 * n) / n, x = dx * k, y = dy * k;
  return `M${q.x - x - 0.5 * y} ${q.y - y + 0.5 * x}L${q.x} ${q.y}L${q.x - x + 0.5 * y} ${q.y - y - 0.5 * x}`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function make(tag, text) {
  return Object.assign(document.createElement(tag), { textContent: text });
}
