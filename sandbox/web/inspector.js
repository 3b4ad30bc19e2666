// The panel of the selected object: what is known of it, and its properties to change.

// Each field: its name in LENS, its label, and its step. Those of a body are changed by "alter".
const BODY = [["mass", "Mass", 0.1], ["angle", "Angle", 0.1], ["vx", "Speed x", 0.5], ["vy", "Speed y", 0.5], ["spin", "Spin", 0.5], ["gravity", "Gravity", 0.1]];
const JOINT = [["motor", "Motor", 0.5], ["force", "Force", 1], ["hertz", "Spring Hz", 0.5], ["lower", "Lower", 0.1], ["upper", "Upper", 0.1]];
const TYPES = ["Static", "Kinematic", "Dynamic"];

export class Inspector {
  constructor(panel, { mirror, send }) {
    Object.assign(this, { panel, mirror, send });
    this.body = 0;
    this.joint = 0;
    this.form = panel.querySelector("form");
    this.facts = panel.querySelector("dl");
    this.title = panel.querySelector("h2");
    panel.querySelector("header button").addEventListener("click", () => this.close());
    this.form.addEventListener("submit", (e) => e.preventDefault());
    this.form.addEventListener("change", (e) => this.change(e.target));
    panel.querySelector("#inspect-delete").addEventListener("click", () => this.remove());
    panel.querySelector("#inspect-larger").addEventListener("click", () => this.alter("size", 1.25));
    panel.querySelector("#inspect-smaller").addEventListener("click", () => this.alter("size", 0.8));
    panel.querySelector("#inspect-turn").addEventListener("click", () => this.alter("angle", (this.object?.angle || 0) + Math.PI / 12));
  }

  // look selects what is at a place of the world.
  look(w) {
    this.body = this.joint = 0;
    this.shape = ""; // of the form, made anew when another kind of object comes
    this.asked = true;
    this.send({ do: "lens", name: "object", x: w.x, y: w.y });
  }

  again() {
    if (this.asked) this.send({ do: "lens", name: "object", off: true });
    this.hide();
  }

  close() {
    if (this.asked) this.send({ do: "lens", name: "object", off: true });
    this.hide();
  }

  hide() {
    this.asked = false;
    this.body = this.joint = 0;
    this.object = null;
    this.panel.hidden = true;
    this.onClose?.();
  }

  // show takes a picture of the lens "object".
  show(p) {
    if (!this.asked) return;
    this.body = p.body || 0;
    this.joint = p.joint || 0;
    this.object = p.object || null;
    this.panel.hidden = false;
    const names = this.object ? Object.keys(this.object).join() + this.body + "/" + this.joint : "none";
    if (names !== this.shape) this.build(names);
    this.title.textContent = this.object?.name || (this.joint ? "Joint" : this.body ? "Body" : "Ground");
    this.facts.replaceChildren(...(p.facts || []).flatMap((f) => [make("dt", { textContent: f.name }), make("dd", { textContent: f.value })]));
    for (const input of this.form.elements) {
      if (input === document.activeElement || !input.name || !this.object) continue;
      const v = this.object[input.name];
      if (input.type === "checkbox") input.checked = Boolean(v);
      else input.value = typeof v === "number" && input.type === "number" ? Number(v.toPrecision(5)) : v ?? "";
    }
  }

  // build makes the fields of the form.
  build(names) {
    this.shape = names;
    const rows = [];
    if (this.body) {
      rows.push(field("Name", make("input", { name: "name", type: "text", maxLength: 40, autocomplete: "off" })));
      rows.push(field("Type", list("type", TYPES.map((t, i) => [i, t]))));
      rows.push(field("Material", list("material", [[-1, "as made"], ...this.mirror.materials.map((m) => [m.index, m.name])])));
    }
    const fields = this.joint ? JOINT.filter(([name]) => name in this.object || name === "lower" || name === "upper") : this.body ? BODY : [];
    for (const [name, label, step] of fields) rows.push(field(label, make("input", { name, type: "number", step })));
    if (this.body) rows.push(field("Bullet", make("input", { name: "bullet", type: "checkbox" })));
    this.form.replaceChildren(...rows);
    this.panel.querySelector("#inspect-actions").hidden = !this.body && !this.joint;
    for (const id of ["larger", "smaller", "turn"]) this.panel.querySelector("#inspect-" + id).hidden = !this.body || (id !== "turn" && this.object.tiles > 0);
  }

  // change sends the new value of a field.
  change(input) {
    if (this.joint) {
      const v = (name) => Number(this.form.elements[name]?.value) || 0;
      this.send({ do: "tune", joint: this.joint, motor: v("motor"), force: v("force"), hertz: v("hertz"), lower: v("lower"), upper: v("upper") });
    } else if (input.name === "name") {
      this.send({ do: "label", body: this.body, text: input.value });
    } else {
      this.alter(input.name, input.type === "checkbox" ? Number(input.checked) : Number(input.value));
    }
    input.blur();
  }

  alter(kind, value) {
    if (this.body && Number.isFinite(value) && !(kind === "material" && value < 0)) this.send({ do: "alter", body: this.body, kind, value });
  }

  remove() {
    if (this.joint) {
      this.send({ do: "unjoin", joint: this.joint });
    } else if (this.body) {
      this.send({ do: "delete", body: this.body });
    }
    this.close();
  }
}

function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

function field(label, input) {
  const l = make("label", { textContent: label });
  input.id = "inspect-" + input.name;
  l.append(input);
  return l;
}

function list(name, options) {
  const s = make("select", { name });
  s.append(...options.map(([value, text]) => new Option(text, value)));
  return s;
}
