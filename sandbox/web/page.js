// The page: creates its parts and connects them.

import { connect } from "./socket.js";
import { Mirror } from "./mirror.js";
import { Camera } from "./camera.js";
import { Stage } from "./stage.js";
import { Toolbar, phone } from "./toolbar.js";
import { Tools } from "./tools.js";
import { listen } from "./keys.js";
import { Hints } from "./hints.js";
import { Timebar } from "./timebar.js";
import { People } from "./people.js";
import { Worlds, place } from "./worlds.js";
import { Menu } from "./menu.js";
import { Drive } from "./drive.js";
import { Gallery } from "./gallery.js";
import { Hover } from "./hover.js";
import { Inspector } from "./inspector.js";
import { Lens } from "./lens.js";
import { Flash } from "./flash.js";
import { Graph } from "./graph.js";
import { Settings } from "./settings.js";
import { Sparks } from "./sparks.js";
import { Sound } from "./sound.js";
import { Loading } from "./loading.js";
import { LENSES } from "./toolset.js";

const MARGIN = { left: 232, right: 16, top: 16, bottom: 44 }; // pixels under the panels
const PHONE_MARGIN = { left: 8, right: 8, top: 84, bottom: 120 };
const get = (id) => document.getElementById(id);

const mirror = new Mirror(), camera = new Camera(), hints = new Hints(get("hints"));
const show = { normals: false, ghosts: false, grid: true, layers: new Set(["joints"]) };
const errors = [];
let looked = null, asked = null, stage, placed = place();

function fit() {
  if (tools) tools.followed = null;
  camera.fit(mirror.view, phone.matches ? PHONE_MARGIN : MARGIN);
  camera.fitted = true;
  changed();
}

// goTo shows a place of a link; null is none.
function goTo(place) {
  if (!place) return;
  if (tools) tools.followed = null;
  Object.assign(camera, place);
  camera.zoom(1, camera.width / 2, camera.height / 2); // within the camera's limits
  camera.fitted = false;
  changed();
}

// changed requests a redraw.
function changed() {
  if (!stage) return;
  stage.invalidate();
  people.drawPointers();
  lens.draw();
  // The server sends positions relative to an origin near the view.
  const w = camera.width / camera.scale / 2, h = camera.height / camera.scale / 2;
  if (socket.state === "connected" && (!looked || outside(looked, w, h))) {
    looked = { x: camera.x, y: camera.y, w: 1.5 * w + 8, h: 1.5 * h + 8 };
    send({ do: "view", x: clamp(camera.x), y: clamp(camera.y), x0: clamp(looked.x - looked.w), y0: clamp(looked.y - looked.h), x1: clamp(looked.x + looked.w), y1: clamp(looked.y + looked.h) });
  }
  ask(false);
}

// outside reports whether the view, of half that width and height, has left a box, or is far smaller.
function outside(a, w, h) {
  return Math.abs(camera.x - a.x) + w > a.w || Math.abs(camera.y - a.y) + h > a.h || 4 * w < a.w - 8;
}

// ask requests the chosen layers of the debug draw, in a box around the view; again when the view leaves the
// box, or is far smaller.
function ask(always) {
  if (socket.state !== "connected" || mirror.layers.length === 0) return;
  const w = camera.width / camera.scale / 2, h = camera.height / camera.scale / 2, a = asked;
  if (!always && a && !outside(a, w, h)) return;
  asked = { x: camera.x, y: camera.y, w: 1.5 * w, h: 1.5 * h };
  const layers = mirror.layers.filter((name) => show.layers.has(name)).join(",");
  if (layers === "") mirror.draw({ items: [], x: 0, y: 0, cut: false });
  send({ do: "draw", layers, x0: clamp(asked.x - asked.w), y0: clamp(asked.y - asked.h), x1: clamp(asked.x + asked.w), y1: clamp(asked.y + asked.h) });
}

function clamp(v) {
  return Math.max(-(2 ** 30), Math.min(2 ** 30, v));
}

function send(command) {
  socket.send(command);
  hints.saw(command.do);
  if (command.do === "scene" || command.do === "reset") loading.begin(command.name ? command.name.replaceAll("_", " ") : "the scene");
}

function complain(text) {
  errors.push(text);
  if (errors.length > 100) errors.shift();
  const box = get("messages");
  let p = box.lastChild;
  if (p && p.dataset.text === text) { // a repeated message is counted
    p.dataset.times = Number(p.dataset.times) + 1;
    p.textContent = text + " (" + p.dataset.times + " times)";
    clearTimeout(p.timer);
  } else {
    p = document.createElement("p");
    p.dataset.text = p.textContent = text;
    p.dataset.times = 1;
    box.append(p);
  }
  while (box.children.length > 4) box.firstChild.remove();
  const shown = p;
  p.timer = setTimeout(() => shown.remove(), 6000);
}

function receive(m) {
  switch (m.type) {
    case "hello": {
      const other = m.scene !== mirror.scene;
      mirror.hello(m);
      toolbar.hello();
      timebar.refresh();
      lens.again();
      inspector.again();
      graph.again();
      send({ do: "news" });
      looked = null;
      get("stopped").hidden = true;
      ask(true);
      if (other) fit();
      goTo(placed); // the link tells where
      placed = null;
      break;
    }
    case "lens":
      if (m.lens === "phases") {
        graph.add(mirror.step, m.numbers);
        return;
      }
      lens.show(m);
      if (m.lens === "object") inspector.show(m);
      break;
    case "news":
      sparks.news(m);
      sound.news(m);
      flash.edits(m.edits || [], performance.now());
      if (flash.on) flicker();
      break;
    case "error":
      loading.end();
      if (m.text.startsWith("the world has stopped: ")) get("stopped-why").textContent = m.text.slice("the world has stopped: ".length);
      else complain(m.text);
      get("scene").value = mirror.scene; // if another scene was refused
      break;
    case "palette":
      mirror.palette(m);
      toolbar.drawMaterials();
      break;
    case "shapes": mirror.shapes(m); break;
    case "removed": mirror.removed(m); break;
    case "ground":
      mirror.ground(m);
      toolbar.drawShapes();
      break;
    case "chunk": mirror.chunk(m); break;
    case "chain": mirror.chain(m); break;
    case "people":
      mirror.people = m.people;
      people.refresh();
      break;
    case "pointers":
      mirror.pointers = m.pointers;
      break;
    case "status":
      mirror.status = m.status;
      timebar.refresh();
      people.refresh();
      worlds.refresh();
      drive.refresh();
      break;
    case "draw":
      if (show.layers.size > 0) mirror.draw(m); // else it was on its way when the last layer was hidden
      break;
    case "frame": {
      const was = mirror.paused, broke = mirror.breaks;
      mirror.frame(m);
      loading.end();
      get("stopped").hidden = !mirror.stopped;
      drive.follow();
      tools.follow();
      if (was !== mirror.paused || broke !== mirror.breaks || mirror.frames === 1) toolbar.refresh();
      status();
      timebar.moved();
      break;
    }
  }
  changed();
}

function state(name) {
  const c = get("connection");
  c.dataset.state = name;
  c.textContent = name === "lost" ? "connection lost" : name;
  get("lost").hidden = name !== "lost";
  document.body.classList.toggle("lost", name === "lost");
  if (name === "connected") {
    looked = asked = null;
    setTimeout(() => people.introduce()); // once there is a socket to send by
  }
  if (name === "connecting") loading.begin("the world");
  if (name === "lost") loading.end();
}

// flicker draws until no cell flashes.
function flicker() {
  if (flickers) return;
  flickers = true;
  const loop = () => {
    flickers = flash.busy(performance.now());
    lens.draw();
    if (flickers) requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
}
let flickers = false;

function status() {
  const s = mirror.stats;
  for (const name of ["bodies", "awake", "touching", "tiles"]) get("stat-" + name).textContent = s[name].toLocaleString("en");
  get("stat-segments").textContent = (s.segments + s.chainSegments).toLocaleString("en");
  get("stat-chain-segments").textContent = s.chainSegments.toLocaleString("en");
  get("chain-count").hidden = s.chainSegments === 0;
  get("stat-ms").textContent = mirror.stepMS.toFixed(mirror.stepMS < 1 ? 3 : 1);
  get("stat-step").textContent = mirror.step.toLocaleString("en");
}

const loading = new Loading(get("loading"));
loading.begin("the world");
const settings = new Settings(() => {
  for (const name of ["effects", "shake", "sound"]) get("set-" + name).checked = settings[name];
  get("set-theme").value = settings.set.theme;
  changed();
});
const flash = new Flash(mirror);
const lens = new Lens(get("overlay"), get("lens-card"), LENSES, { camera, send, flash });
lens.onClose = () => { toolbar.chooseLens(""); lens.endRay(); };
const inspector = new Inspector(get("inspector"), { mirror, send });
inspector.onClose = () => { lens.pictures.delete("object"); changed(); };
const graph = new Graph(get("graph"), send);
const sparks = new Sparks(get("sparks"), { mirror, camera, settings, shaken: [get("canvas"), get("overlay"), get("sparks")] });
const sound = new Sound(settings, camera);
const act = {
  send, changed, fit, ask: () => ask(true), graph: (on) => graph.toggle(on),
  lens: (name) => { lens.choose(name); if (tools) lens.point(tools.cursor); },
  chose: (tool) => { if (tool !== "ray") lens.endRay(); },
};
const toolbar = new Toolbar(mirror, show, act);
const people = new People(get("people"), get("pointers"), get("canvas"), { mirror, camera, send });
const timebar = new Timebar(get("timebar"), mirror, send);
let tools;
const socket = connect(receive, state);

const worlds = new Worlds(get("worlds"), mirror, camera, socket, { send, complain });
const drive = new Drive(get("drive"), { mirror, camera, send, tools: () => tools, choice: toolbar });
const gallery = new Gallery(get("gallery"), mirror, send);
new Menu(get("menu"), [
  { id: "menu-gallery", text: "Scenes", title: "All scenes, with pictures", press: () => gallery.toggle() },
  { id: "menu-walk", text: "Walk", title: "Walk with a character, or get off (Y: drive the body under the pointer)", press: () => drive.toggle() },
  { id: "menu-worlds", text: "Worlds", title: "Keep this world under a name, or go on with another", press: () => worlds.toggle() },
  { id: "menu-share", text: "Share", title: "Copy a link to this place", press: () => worlds.share() },
  { id: "menu-picture", text: "Picture", title: "Download a picture of the view", press: () => worlds.picture() },
  { id: "menu-gif", text: "GIF", title: "Download the next three seconds of the view as a GIF", press: () => worlds.film() },
]);

try {
  stage = new Stage(get("canvas"), mirror, camera, show);
} catch (e) {
  complain(e.message);
  throw e;
}
worlds.stage = stage;
tools = new Tools(get("canvas"), new Hover(get("hover")), {
  mirror, camera, choice: toolbar, send, selected: inspector, complain, lensed: () => lens.name !== "" && lens.name !== "edits", drawRay: (line) => lens.ray(line),
  moved: () => { if (tools && tools.at) lens.point(tools.cursor); },
  changed: () => {
    const c = tools.cell();
    get("stat-cell").textContent = c ? "cell " + c.x + ", " + c.y : "";
    changed();
  },
});
settings.apply();
for (const name of ["effects", "shake", "sound"]) get("set-" + name).addEventListener("change", (e) => settings.put(name, e.target.checked));
get("set-theme").addEventListener("change", (e) => settings.put("theme", e.target.value));
get("show-settings").addEventListener("click", () => {
  get("settings").hidden = !get("settings").hidden;
  get("show-settings").setAttribute("aria-expanded", String(!get("settings").hidden));
});
addEventListener("hashchange", () => goTo(place())); // a link with another place, pasted into this page
stage.resized = (turned) => { if (mirror.frames > 0 && (camera.fitted || turned)) fit(); };
listen({ toolbar, tools, camera, act });
act.changed = () => {
  tools.drawHover();
  changed();
};

function widthOf({ points, radius }) {
  const xs = points.filter((_, i) => i % 2 === 0);
  return Math.max(...xs) - Math.min(...xs) + 2 * radius;
}

// State for tests, read-only.
window.quarry = Object.freeze({
  get state() {
    return Object.freeze({
      connection: socket.state, scene: mirror.scene, step: mirror.step, paused: mirror.paused, frames: mirror.frames,
      breaks: mirror.breaks, stopped: mirror.stopped, drawn: stage.drawn, due: stage.due, tool: toolbar.tool, following: tools.followed ? tools.followed.id : 0, kind: toolbar.kind, radius: toolbar.radius, material: toolbar.material, layer: toolbar.layer, shape: toolbar.shape, turn: toolbar.turn,
      materials: Object.freeze(mirror.materials.map((m) => Object.freeze({ ...m }))), shown: Object.freeze({ ...show, layers: [...show.layers] }), joint: toolbar.joint, hellos: mirror.hellos, stamp: toolbar.stamp, lens: lens.name, selected: inspector.body || inspector.joint, light: settings.light, effects: settings.effects, shake: settings.shake, fitted: Boolean(camera.fitted),
      particles: sparks.made, sparking: sparks.list.length > 0 || sparks.force > 0, shaken: sparks.shook, sounds: sound.played, audio: sound.audio ? sound.audio.state : "none", flashed: flash.count, samples: graph.samples.length, loadings: loading.shown, grabbing: tools.stroke !== null && tools.stroke.tool === "grab", errors: Object.freeze([...errors]), stepMS: mirror.stepMS,
      people: Object.freeze(mirror.people.map((p) => Object.freeze({ ...p }))), pointers: Object.freeze(people.shown()), status: Object.freeze({ ...mirror.status }), ...mirror.stats, scale: camera.scale,
    });
  },
  // bodies are {id, type, awake, x, y, angle, size} of every body with shapes; size is the width of the first.
  get bodies() {
    return mirror.bodies.filter((b) => b && b.placed && b.shapes.length).map((b) => ({
      id: b.id, type: ["static", "kinematic", "dynamic"][b.type], awake: b.awake, x: b.x, y: b.y, angle: Math.atan2(b.s, b.c), size: widthOf(b.shapes[0]),
    }));
  },
  body(id) { return this.bodies.find((b) => b.id === id) || null; },
  // tiles is the number of tiles received.
  get tiles() {
    let n = 0;
    for (const g of mirror.grounds) for (const c of g.chunks.values()) n += c.tileCount;
    return n;
  },
  // grounds are {x, y, angle, tiles} of every ground with tiles.
  get grounds() {
    return mirror.grounds.map((g) => ({
      x: g.frame.x, y: g.frame.y, angle: Math.atan2(g.frame.s, g.frame.c), tiles: [...g.chunks.values()].reduce((n, c) => n + c.tileCount, 0),
    })).filter((g) => g.tiles > 0);
  },
  // chains is the number of segments received of each chain.
  get chains() {
    return mirror.chains.map((c) => c.pieces.reduce((n, p) => n + p.segmentCount, 0));
  },
  // draw has the items of the last DRAW, with points in the world and names of layers.
  get draw() {
    const d = mirror.drawList;
    return d.items.map((i) => ({ layer: mirror.layers[i.layer], form: i.form, asleep: i.asleep, kind: mirror.jointKinds[i.kind - 1] || "", points: i.points.map((v, k) => v + (k % 2 ? d.y : d.x)) }));
  },
  // lens has the facts of a lens by its name, and how many marks of each role it shows.
  lens(name) {
    const p = lens.pictures.get(name), roles = {};
    for (const m of (p && p.marks) || []) roles[m.role] = (roles[m.role] || 0) + 1;
    return p ? { facts: Object.fromEntries((p.facts || []).map((f) => [f.name, f.value])), roles, object: p.object || null, body: p.body || 0, joint: p.joint || 0, drawn: lens.count } : null;
  },
  get link() { return worlds.link(); },
  get marks() { return stage.marks.count || 0; },
  worldToScreen(x, y) { return camera.toScreen(x, y); },
  screenToWorld(x, y) { return camera.toWorld(x, y); },
});
