// The others in the world: their names, colours and pointers, what each did last, and what they ask an owner for.

const COLORS = ["#f0a04b", "#5cadf0", "#ed7071", "#73cc8f", "#c28fed", "#f0cc61", "#61cccc", "#ed94bf"];
const DEEDS = { // what a command does, in the past
  add: "dropped a body", remove: "removed a body", through: "let bodies fall through", paint: "painted", erase: "erased", dig: "dug", build: "built",
  breaks: "let loose ground fall or hang", grab: "dragged a body", join: "joined bodies", undo: "undid an edit", redo: "redid an edit", drive: "drives", board: "boarded", leave: "got off",
  pause: "paused", resume: "resumed", step: "made a step", rewind: "went back", speed: "changed the speed", repeat: "chose to repeat or not", reset: "reset the world", scene: "chose a scene",
};
const WISHES = { pause: "to pause", resume: "to resume", step: "a single step", rewind: "to go back", speed: "another speed", repeat: "to repeat the scene or not", reset: "to reset the world", scene: "another scene" };
const STORE = "quarry.name", POINT_EVERY = 60; // ms

export class People {
  constructor(panel, layer, canvas, { mirror, camera, send }) {
    Object.assign(this, { panel, layer, mirror, camera, send, marks: new Map(), told: 0 });
    this.name = "";
    try { this.name = localStorage.getItem(STORE) || ""; } catch { /* a name for this page */ }
    panel.innerHTML = `<ul></ul><input type="text" maxlength="24" aria-label="Your name" placeholder="Your name"><div class="asks" role="alert"></div>`;
    const input = panel.querySelector("input");
    input.value = this.name;
    input.addEventListener("change", () => {
      this.name = input.value;
      try { localStorage.setItem(STORE, this.name); } catch { /* it is forgotten */ }
      this.introduce();
    });
    input.addEventListener("keydown", (e) => {
      if (e.key === "Enter") input.blur();
      e.stopPropagation(); // letters are no shortcuts here
    });
    canvas.addEventListener("pointermove", (e) => this.point(e.clientX, e.clientY));
    canvas.addEventListener("pointerleave", () => this.point(null));
  }

  // introduce tells the others one's name.
  introduce() {
    this.send({ do: "name", name: this.name });
  }

  // point tells the others where this page points, if there are others.
  point(px, py) {
    if (this.mirror.people.length < 2) return;
    this.at = px === null ? { do: "point", all: true } : { do: "point", ...this.camera.toWorld(px, py) };
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (Math.abs(this.at.x || 0) < 2 ** 30 && Math.abs(this.at.y || 0) < 2 ** 30) this.send(this.at);
    }, POINT_EVERY);
  }

  color(id) {
    return COLORS[id % COLORS.length];
  }

  refresh() {
    const { people, status } = this.mirror;
    this.panel.hidden = people.length < 2 && status.role === "own";
    this.panel.querySelector("ul").replaceChildren(...people.map((p) => {
      const item = document.createElement("li"), dot = document.createElement("i"), deed = document.createElement("small");
      dot.style.background = this.color(p.id);
      deed.textContent = p.did ? DEEDS[p.did] || p.did : p.role;
      item.title = p.name + " may " + p.role;
      item.append(dot, p.name + (p.id === status.you ? " (you)" : ""), deed);
      return item;
    }));
    const asks = status.role === "own" ? people.filter((p) => p.ask) : [];
    const key = JSON.stringify(asks.map((p) => p.ask));
    if (key === this.asked) return; // the buttons stay where they are
    this.asked = key;
    this.panel.querySelector(".asks").replaceChildren(...asks.map((p) => {
      const box = document.createElement("div");
      box.className = "ask";
      box.textContent = p.name + " asks " + (WISHES[p.asks] || "for " + p.asks) + (p.scene ? ": " + p.scene : "") + " ";
      for (const [text, all] of [["Yes", true], ["No", false]]) {
        const b = Object.assign(document.createElement("button"), { type: "button", textContent: text });
        b.addEventListener("click", () => this.send({ do: "answer", n: p.ask, all }));
        box.append(b);
      }
      return box;
    }));
  }

  // shown are the pointers of the others, with their names.
  shown() {
    const names = new Map(this.mirror.people.map((p) => [p.id, p.name]));
    return this.mirror.pointers.filter((p) => p.id !== this.mirror.status.you && names.has(p.id)).map((p) => ({ ...p, name: names.get(p.id) }));
  }

  drawPointers() {
    const seen = new Set();
    for (const p of this.shown()) {
      seen.add(p.id);
      let mark = this.marks.get(p.id);
      if (!mark) {
        mark = document.createElement("div");
        mark.innerHTML = `<svg viewBox="0 0 16 16"><path d="M1 1L6 14L8.5 8.5L14 6Z"/></svg><span></span>`;
        mark.querySelector("path").style.fill = mark.querySelector("span").style.background = this.color(p.id);
        this.layer.append(mark);
        this.marks.set(p.id, mark);
      }
      mark.querySelector("span").textContent = p.name;
      const at = this.camera.toScreen(p.x, p.y);
      mark.style.transform = `translate(${at.x}px, ${at.y}px)`;
    }
    for (const [id, mark] of this.marks) {
      if (seen.has(id)) continue;
      mark.remove();
      this.marks.delete(id);
    }
  }
}
