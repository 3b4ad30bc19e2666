// Driving: a character, a car or a ship by keys or by fingers. The view follows what is driven.

const LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8;
const KEYS = { a: LEFT, arrowleft: LEFT, d: RIGHT, arrowright: RIGHT, w: UP, arrowup: UP, " ": UP, s: DOWN, arrowdown: DOWN };
const AHEAD = 1.5, DIG = 0.95, BUILD = 0.5; // cells
const REPEAT = 120; // ms between two strokes of a key that is held

export class Drive {
  // tools returns the page's Tools.
  constructor(pad, { mirror, camera, send, tools, choice }) {
    Object.assign(this, { pad, mirror, camera, send, tools, choice, held: new Map(), keys: 0, facing: 1, body: 0, last: 0 });
    const buttons = [["left", "\u2190", LEFT], ["right", "\u2192", RIGHT], ["up", "\u2191", UP], ["down", "\u2193", DOWN]];
    for (const [name, text, key] of buttons) this.button(name, text, (down) => this.press("pad" + key, down ? key : 0));
    this.button("dig", "Dig", (down) => down && this.dig());
    this.button("build", "Build", (down) => down && this.build());
    this.button("leave", "Get off", (down) => down && this.send({ do: "leave" }));
    // Before the page's own keys.
    addEventListener("keydown", (e) => this.key(e, true), true);
    addEventListener("keyup", (e) => this.key(e, false), true);
    addEventListener("blur", () => this.releaseAll());
  }

  button(name, text, act) {
    const b = Object.assign(document.createElement("button"), { type: "button", id: "drive-" + name, textContent: text });
    if (text.length > 1) b.className = "small";
    b.setAttribute("aria-label", name);
    const set = (down) => {
      b.classList.toggle("down", down);
      act(down);
    };
    b.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      b.setPointerCapture(e.pointerId);
      set(true);
    });
    for (const end of ["pointerup", "pointercancel"]) b.addEventListener(end, () => set(false));
    this.pad.append(b);
  }

  get driving() { return this.mirror.status.drives !== 0; }

  // toggle puts a character into the middle of the view, or ends the drive.
  toggle() {
    if (this.driving) this.send({ do: "leave" });
    else this.send({ do: "board", x: this.camera.x, y: this.camera.y, all: true });
  }

  // key handles a key. It takes the keys that drive from the page.
  key(e, down) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement && e.target.type === "text" || e.target instanceof HTMLSelectElement) return;
    const key = e.key.toLowerCase();
    if (!this.driving) {
      if (down && key === "y" && !e.repeat) {
        const at = this.tools().at, w = at ? this.camera.toWorld(at.x, at.y) : this.camera;
        this.send({ do: "board", x: w.x, y: w.y });
      }
      return;
    }
    const bit = KEYS[key];
    if (bit) {
      if (!e.repeat) this.press(key, down ? bit : 0);
    } else if (key === "e" || key === "q") {
      if (down && performance.now() - this.last > REPEAT) key === "e" ? this.dig() : this.build();
    } else if (key === "escape" || key === "y") {
      if (down && !e.repeat) this.send({ do: "leave" });
    } else {
      return;
    }
    e.preventDefault();
    e.stopImmediatePropagation();
  }

  // press holds a key down, or with bit 0 releases it.
  press(name, bit) {
    if (bit) this.held.set(name, bit);
    else this.held.delete(name);
    let keys = 0;
    for (const b of this.held.values()) keys |= b;
    if (keys & LEFT) this.facing = -1;
    if (keys & RIGHT) this.facing = 1;
    if (keys === this.keys) return;
    this.keys = keys;
    if (this.driving) this.send({ do: "drive", keys });
    this.look();
  }

  releaseAll() {
    this.held.clear();
    this.press("", 0);
  }

  place() {
    return this.mirror.bodies.find((b) => b && b.id === this.body && b.placed);
  }

  // stroke digs or builds on the ground from one point to another, as one edit.
  stroke(command) {
    this.last = performance.now();
    this.send({ ...command, hold: true });
    this.send({ do: "release" });
  }

  // dig digs ahead of the character, or up or down with that key: a tunnel in which it has room.
  dig() {
    const b = this.place();
    if (!b) return;
    const x = b.x, y = b.y + 0.85, to = this.keys & DOWN ? { x1: x, y1: y - AHEAD } : this.keys & UP ? { x1: x, y1: y + AHEAD } : { x1: x + AHEAD * this.facing, y1: y };
    this.stroke({ do: "dig", x0: x, y0: y, ...to, radius: DIG, all: true });
  }

  // build lays a step ahead of the character's feet: at their height, or with a key above or below.
  build() {
    const b = this.place();
    if (!b) return;
    const x = b.x + this.facing * 1.1, y = b.y - BUILD + (this.keys & UP ? 1 : this.keys & DOWN ? -1 : 0);
    const { layer, material } = this.choice;
    this.stroke({ do: "build", x0: x, y0: y, x1: x + 0.6 * this.facing, y1: y, radius: BUILD, ground: this.mirror.groundUnder({ x: b.x, y: b.y - 0.1 }), layer, material });
  }

  // look lets the view follow again.
  look() {
    const b = this.place(), tools = this.tools();
    if (b && tools) tools.followed = b;
  }

  // follow starts to follow a body once it is there.
  follow() {
    if (this.driving && !this.seen && this.place()) {
      this.seen = true;
      this.look();
    }
  }

  refresh() {
    const { drives, walks } = this.mirror.status;
    this.pad.hidden = drives === 0;
    for (const name of ["dig", "build"]) this.pad.querySelector("#drive-" + name).hidden = !walks;
    document.getElementById("menu-walk").textContent = drives ? "Get off" : "Walk";
    if (drives === this.body) return;
    this.body = drives;
    this.seen = false;
    if (drives) {
      this.follow();
      if (this.keys) this.send({ do: "drive", keys: this.keys });
    } else if (this.tools()) {
      this.tools().followed = null;
      this.releaseAll();
    }
  }
}
