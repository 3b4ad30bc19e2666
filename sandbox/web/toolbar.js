// The toolbar: its buttons, and the tool and options chosen.

import { path, turned } from "./tileshapes.js";
import { tintOf } from "./ground.js";
import { cssColor as layerColor } from "./marks.js";
import { LENSES, OPTIONS, STAMP_ICONS, TOOLS } from "./toolset.js";

const KIND_PATHS = { // in a square of side 1, y down
  box: "M0 0H1V1H0Z",
  circle: "M0 .5A.5 .5 0 1 1 1 .5A.5 .5 0 1 1 0 .5Z",
  capsule: "M.2 .25H.8A.25 .25 0 0 1 .8 .75H.2A.25 .25 0 0 1 .2 .25Z",
  rounded: "M.2 0H.8A.2 .2 0 0 1 1 .2V.8A.2 .2 0 0 1 .8 1H.2A.2 .2 0 0 1 0 .8V.2A.2 .2 0 0 1 .2 0Z",
  pentagon: "M.5 -.05L1.023 .33L.823 .945H.177L-.023 .33Z",
  tiles: "M0 0H.45V.45H0ZM.55 0H1V.45H.55ZM0 .55H.45V1H0ZM.55 .55H1V1H.55Z",
};
const KIND_NAMES = { box: "Box", circle: "Circle", capsule: "Capsule", rounded: "Rounded box", pentagon: "Pentagon", tiles: "Tiles: dig in it, build on it" };
const JOINT_NAMES = { revolute: "Hinge", distance: "Rod", weld: "Weld", prismatic: "Slider", wheel: "Wheel", motor: "Motor", gear: "Gear", ratchet: "Ratchet", filter: "No hit" };
const SECTIONS = ["drop", "stamp", "pose", "join", "paint", "brush", "bomb", "hollow", "layer", "material"];
// phone is a window so small that the toolbar is a bar at the bottom; style.css has the same condition.
export const phone = matchMedia("(max-width: 600px), (max-height: 420px)");
const get = (id) => document.getElementById(id);

export class Toolbar {
  // act has send, changed, fit; show is {normals, ghosts, grid}.
  constructor(mirror, show, act) {
    Object.assign(this, { mirror, show, act });
    this.tool = "drop";
    this.kind = "box";
    this.stamp = "car";
    this.size = 1;
    this.scale = 1;  // of stamps and copies
    this.angle = 0;  // of stamps and copies, radians
    this.radius = 1; // of the brush, in cells
    this.hollow = false; // areas are emptied, not filled
    this.fuse = false;   // bombs have a fuse
    this.shape = 1;
    this.turn = 0;
    this.material = 0;
    this.joint = "revolute";
    this.layer = 0; // layer to paint on, if the ground preserves layers
    this.makeTools();
    get("scene").addEventListener("change", (e) => act.send({ do: "scene", name: e.target.value }));
    get("pause").addEventListener("click", () => this.togglePause());
    get("step").addEventListener("click", (e) => this.step(e.shiftKey ? 10 : 1));
    get("reset").addEventListener("click", () => act.send({ do: "reset" }));
    get("turn").addEventListener("click", () => this.turnTile());
    get("mirror").addEventListener("click", () => this.mirrorTile());
    get("fit").addEventListener("click", () => act.fit());
    for (const id of ["show-keys", "close-keys"]) get(id).addEventListener("click", () => this.toggleKeys());
    get("debug").addEventListener("click", () => {
      get("marks").hidden = !get("marks").hidden;
      get("debug").setAttribute("aria-expanded", String(!get("marks").hidden));
    });
    get("fold").addEventListener("click", () => this.fold());
    get("tool-chip").addEventListener("click", () => this.fold());
    if (phone.matches) this.fold(); // it would cover half of a phone's screen
    this.slider("size", (v) => { this.size = v; });
    this.slider("scale", (v) => { this.scale = v; });
    this.slider("angle", (v) => { this.angle = v * Math.PI / 180; }, (v) => v + "\u00b0");
    this.slider("radius", (v) => { this.radius = v; });
    get("hollow").addEventListener("change", (e) => { this.hollow = e.target.checked; });
    get("fuse").addEventListener("change", (e) => { this.fuse = e.target.checked; });
    get("breaks").addEventListener("change", (e) => act.send({ do: "breaks", all: e.target.checked }));
    get("through").addEventListener("click", () => act.send({ do: "through", all: true }));
    for (const name of ["normals", "ghosts", "grid"]) {
      get("show-" + name).addEventListener("change", (e) => {
        show[name] = e.target.checked;
        act.changed();
      });
    }
    get("lens").append(...LENSES.map((l) => new Option(l.title, l.name)));
    get("lens").addEventListener("change", (e) => this.chooseLens(e.target.value));
    get("show-graph").addEventListener("change", (e) => act.graph(e.target.checked));
    // A clicked button loses the focus, so that the space bar does not press it again. A button
    // pressed by keyboard keeps it.
    get("panel").addEventListener("click", (e) => {
      const b = e.target.closest("button");
      if (b && e.detail > 0) b.blur();
    });
    this.choose(this.tool);
  }

  // makeTools makes a button for each tool.
  makeTools() {
    get("tools").replaceChildren(...TOOLS.map((t) => {
      const b = document.createElement("button");
      b.type = "button";
      b.id = "tool-" + t.name;
      b.title = `${t.title} (${t.key}): ${t.text}`;
      b.setAttribute("aria-label", t.title);
      b.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${t.icon}"/></svg>`;
      b.addEventListener("click", () => this.choose(t.name));
      return b;
    }));
  }

  // slider connects a slider with its value, which text describes.
  slider(id, set, text = (v) => v.toFixed(1)) {
    get(id).addEventListener("input", (e) => {
      set(Number(e.target.value));
      get(id + "-value").textContent = text(Number(e.target.value));
      this.act.changed();
    });
  }

  get kindPath() { return KIND_PATHS[this.kind] || KIND_PATHS.box; }

  get stampPath() { return STAMP_ICONS[this.stamp] || STAMP_ICONS.tower; }

  // tuning returns the motor, spring and limits of a new joint.
  tuning() {
    const v = (id) => Number(get("joint-" + id).value) || 0, limited = get("joint-limited").checked;
    const m = { motor: v("speed"), hertz: v("hertz") };
    return limited ? { ...m, lower: Math.min(v("lower"), v("upper")), upper: Math.max(v("lower"), v("upper")) } : m;
  }

  // polygons returns the polygons of the chosen tile shape in the chosen turn.
  polygons() {
    const shape = this.tileList().find((s) => s.id === this.shape);
    return shape ? shape.polygons.map((p) => turned(p, this.turn)) : [[0, 0, 1, 0, 1, 1, 0, 1]];
  }

  tileList() {
    const g = this.mirror.grounds[0];
    // A scene without a ground gets one with the first paint; until then only the full block is
    // known.
    return g && g.shapes.list.length ? g.shapes.list : [{ id: 1, name: "full", polygons: [[0, 0, 1, 0, 1, 1, 0, 1]] }];
  }

  choose(tool) {
    const chosen = TOOLS.find((t) => t.name === tool);
    this.tool = tool;
    for (const t of TOOLS) get("tool-" + t.name).setAttribute("aria-pressed", String(t.name === tool));
    for (const s of SECTIONS) get(s + "-options").hidden = !OPTIONS[tool].includes(s);
    get("tool-name").textContent = chosen.title;
    get("tool-text").textContent = chosen.text;
    get("chip-icon").setAttribute("d", chosen.icon);
    get("tool-chip").setAttribute("aria-label", "Tool: " + chosen.title + ". Show or hide its options");
    get("tool-" + tool).scrollIntoView({ block: "nearest", inline: "center" });
    this.drawLayers();
    this.act.chose?.(tool);
    this.act.changed();
  }

  // grow changes the radius of the brush.
  grow(by) {
    const slider = get("radius");
    slider.value = this.radius + by;
    slider.dispatchEvent(new Event("input"));
  }

  // rotate turns stamps, copies or tiles.
  rotate() {
    if (!OPTIONS[this.tool].includes("pose")) return this.turnTile();
    const slider = get("angle");
    slider.value = Number(slider.value) >= 180 ? -165 : Number(slider.value) + 15;
    slider.dispatchEvent(new Event("input"));
  }

  chooseLens(name) {
    get("lens").value = name;
    this.act.lens(name);
  }

  nextLens() {
    const i = LENSES.findIndex((l) => l.name === get("lens").value);
    this.chooseLens(LENSES[(i + 1) % LENSES.length].name);
  }

  togglePause() {
    this.act.send({ do: this.mirror.paused ? "resume" : "pause" });
  }

  step(n) {
    if (!this.mirror.paused) this.act.send({ do: "pause" });
    this.act.send({ do: "step", n });
  }

  toggleKeys() {
    const keys = get("keys");
    keys.hidden = !keys.hidden;
    get("show-keys").setAttribute("aria-expanded", String(!keys.hidden));
  }

  fold() {
    const folded = get("panel").classList.toggle("folded");
    get("fold").setAttribute("aria-expanded", String(!folded));
    get("fold").textContent = folded ? "+" : "\u2212";
  }

  toggle(name) {
    get("show-" + name).click();
  }

  turnTile() {
    this.turn = (this.turn & 4) | ((this.turn + 1) & 3);
    this.drawShapes();
  }

  mirrorTile() {
    this.turn ^= 4;
    this.drawShapes();
  }

  next(what) {
    if (what === "kind") {
      const kinds = this.tool === "stamp" ? this.mirror.stamps : this.mirror.kinds, now = this.tool === "stamp" ? "stamp" : "kind";
      this[now] = kinds[(kinds.indexOf(this[now]) + 1) % kinds.length];
      this.drawKinds();
    } else if (what === "material") {
      const list = this.mirror.materials;
      this.material = list[(list.findIndex((m) => m.index === this.material) + 1) % list.length].index;
      this.drawMaterials();
    } else {
      const list = this.tileList();
      this.shape = list[(list.findIndex((s) => s.id === this.shape) + 1) % list.length].id;
      this.drawShapes();
    }
  }

  // hello shows the scenes, kinds and materials of the server.
  hello() {
    const m = this.mirror;
    const groups = [];
    for (const s of m.scenes) {
      if (groups.at(-1)?.label !== s.group) groups.push(Object.assign(document.createElement("optgroup"), { label: s.group }));
      const o = new Option(s.name.replaceAll("_", " "), s.name, false, s.name === m.scene);
      o.title = s.doc;
      groups.at(-1).append(o);
    }
    get("scene").replaceChildren(...groups);
    get("about").textContent = (m.scenes.find((s) => s.name === m.scene) || { doc: "" }).doc;
    // The number of a material differs between scenes; keep the name.
    const same = m.materials.find((x) => x.name === this.materialName);
    this.material = same ? same.index : 0;
    this.drawMaterials();
    this.drawKinds();
    this.drawJoints();
    this.drawMarks();
    this.drawShapes();
  }

  drawKinds() {
    fill(get("kinds"), this.mirror.kinds.map((kind) => ({
      id: "kind-" + kind, name: KIND_NAMES[kind] || kind, d: KIND_PATHS[kind] || KIND_PATHS.box, pressed: kind === this.kind,
      press: () => { this.kind = kind; this.drawKinds(); },
    })));
    fill(get("stamps"), this.mirror.stamps.map((kind) => ({
      id: "stamp-" + kind, name: kind[0].toUpperCase() + kind.slice(1), d: STAMP_ICONS[kind] || STAMP_ICONS.tower, pressed: kind === this.stamp, line: true,
      press: () => { this.stamp = kind; this.drawKinds(); },
    })));
    get("stamp-value").textContent = this.stamp;
    this.act.changed();
  }

  // drawJoints lists the kinds of joint.
  drawJoints() {
    get("joints").replaceChildren(...this.mirror.jointKinds.map((kind) => {
      const b = document.createElement("button");
      b.type = "button";
      b.id = "joint-" + kind;
      b.textContent = JOINT_NAMES[kind] || kind;
      b.title = kind;
      b.setAttribute("aria-pressed", String(kind === this.joint));
      b.addEventListener("click", () => { this.joint = kind; this.drawJoints(); });
      return b;
    }));
  }

  // drawMarks lists the layers of the debug draw that the server sends: those from "joints" on.
  drawMarks() {
    const names = this.mirror.layers;
    this.marks = names.slice(Math.max(0, names.indexOf("joints")));
    get("marks").replaceChildren(...this.marks.map((name, i) => {
      const label = document.createElement("label"), box = document.createElement("input"), key = document.createElement("i");
      label.className = "check";
      label.title = "Show " + name + " (" + (i + 1) + ")";
      box.type = "checkbox";
      box.id = "show-" + name;
      box.checked = this.show.layers.has(name);
      key.className = "key";
      key.style.background = layerColor(name);
      box.addEventListener("change", () => {
        if (box.checked) this.show.layers.add(name);
        else this.show.layers.delete(name);
        this.act.ask();
        this.act.changed();
      });
      label.append(box, key, name);
      return label;
    }));
  }

  // toggleMark toggles a layer of the debug draw by its number, from 0.
  toggleMark(i) {
    if (this.marks && this.marks[i]) this.toggle(this.marks[i]);
  }

  drawShapes() {
    const list = this.tileList();
    if (!list.some((s) => s.id === this.shape)) this.shape = list[0].id;
    fill(get("shapes"), list.slice(0, 40).map((s) => ({
      id: "shape-" + s.id, name: s.name, d: path(s.polygons.map((p) => turned(p, this.turn))), pressed: s.id === this.shape,
      press: () => { this.shape = s.id; this.drawShapes(); },
    })));
    get("mirror").setAttribute("aria-pressed", String((this.turn & 4) !== 0));
    get("turn").textContent = "Turn " + 90 * (this.turn & 3) + "\u00b0";
    this.drawLayers();
    this.act.changed();
  }

  // drawLayers lists the layers to paint on, if the ground preserves layers.
  drawLayers() {
    const g = this.mirror.grounds[0], preserve = g ? g.preserve : [];
    const layers = [...new Set([0, ...preserve.flat()])].sort((a, b) => a - b).slice(0, 12);
    if (!layers.includes(this.layer)) this.layer = 0;
    get("layer-options").hidden = preserve.length === 0 || !OPTIONS[this.tool].includes("layer");
    get("layers").replaceChildren(...layers.map((n) => {
      const against = preserve.filter((p) => p.includes(n)).map(([a, b]) => (a === n ? b : a));
      const b = document.createElement("button");
      b.type = "button";
      b.id = "layer-" + n;
      b.textContent = String(n);
      b.title = against.length ? `Layer ${n} keeps its faces against ${against.join(", ")}` : `Layer ${n} keeps no faces`;
      b.setAttribute("aria-pressed", String(n === this.layer));
      b.addEventListener("click", () => {
        this.layer = n;
        for (const o of get("layers").children) o.setAttribute("aria-pressed", String(o === b));
        this.act.changed();
      });
      return b;
    }));
  }

  // drawMaterials shows a swatch for each material: its colour, and an arrow for a belt or one-way
  // tile.
  drawMaterials() {
    const list = this.mirror.materials;
    fill(get("materials"), list.map((m) => ({
      id: "material-" + m.index, name: m.name, d: "M0 0H1V1H0Z", pressed: m.index === this.material, color: cssColor(m), mark: markOf(m),
      press: () => { this.material = m.index; this.drawMaterials(); },
    })));
    this.materialName = (list.find((m) => m.index === this.material) || { name: "" }).name;
    get("material-value").textContent = this.materialName;
    this.act.changed();
  }

  // refresh shows whether the world is paused, and whether loose ground falls.
  refresh() {
    get("breaks").checked = this.mirror.breaks;
    const b = get("pause");
    b.textContent = this.mirror.paused ? "Play" : "Pause";
    b.classList.toggle("on", this.mirror.paused);
  }
}

// cssColor returns a material's colour; see colorOf in ground.js.
function cssColor(m) {
  const [r, g, b] = tintOf(m.color, m.index);
  return `rgb(${r}, ${g}, ${b})`;
}

const ARROWS = { right: "M.2 .25L.5 .5L.2 .75M.5 .25L.8 .5L.5 .75", left: "M.8 .25L.5 .5L.8 .75M.5 .25L.2 .5L.5 .75", up: "M.25 .75L.5 .45L.75 .75M.12 .22H.88", down: "M.25 .25L.5 .55L.75 .25M.12 .78H.88" };

// markOf returns the arrow of a swatch: the direction of a belt on a floor, or in which bodies
// pass.
function markOf(m) {
  if (m.way === "left" || m.way === "right") return ARROWS[m.way] + (m.way === "left" ? "M.12 .12V.88" : "M.88 .12V.88");
  if (m.way) return ARROWS[m.way];
  if (m.speed) return m.speed > 0 ? ARROWS.right : ARROWS.left;
  return "";
}

// fill replaces the icon buttons of a group and keeps the focus.
function fill(group, items) {
  const focused = document.activeElement && document.activeElement.id;
  group.replaceChildren(...items.map((item) => {
    const b = document.createElement("button");
    b.type = "button";
    b.id = item.id;
    b.title = item.name;
    b.setAttribute("aria-label", item.name);
    b.setAttribute("aria-pressed", String(item.pressed));
    b.innerHTML = `<svg viewBox="${item.line ? "0 0 24 24" : "-.12 -.12 1.24 1.24"}" aria-hidden="true"><path/></svg>`;
    b.querySelector("path").setAttribute("d", item.d);
    if (item.line) b.querySelector("path").setAttribute("class", "line");
    if (item.color) b.querySelector("path").style.fill = item.color;
    if (item.mark) b.querySelector("svg").insertAdjacentHTML("beforeend", `<path class="mark" d="${item.mark}"/>`);
    b.addEventListener("click", item.press);
    return b;
  }));
  if (focused && items.some((i) => i.id === focused)) document.getElementById(focused).focus();
}
