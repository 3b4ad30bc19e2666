// The bar of time: undo and redo, the last 20 s to go back to, the speed, and whether everything has come to rest.

const RATES = [[1 / 16, "1/16"], [1 / 8, "1/8"], [1 / 4, "1/4"], [1 / 2, "1/2"], [1, "1"], [2, "2"], [4, "4"]];
const STEPS = 60; // a second

export class Timebar {
  // bar is the element to fill.
  constructor(bar, mirror, send) {
    Object.assign(this, { bar, mirror, send, dragging: false });
    bar.innerHTML = `
      <button id="undo" type="button" title="Undo your last edit (Ctrl+Z)" aria-label="Undo">&#8630;</button>
      <button id="redo" type="button" title="Do it again (Ctrl+Y)" aria-label="Redo">&#8631;</button>
      <input id="past" type="range" step="1" aria-label="Go back up to 20 seconds" title="Go back up to 20 seconds">
      <output id="past-value" for="past"></output>
      <select id="rate" aria-label="Speed" title="Speed"></select>
      <label id="repeat-label" class="check" title="Start the scene again whenever it has come to rest"><input id="repeat" type="checkbox">Repeat</label>
      <span id="rest" role="status"></span>`;
    this.get = (id) => bar.querySelector("#" + id);
    this.get("rate").append(...RATES.map(([rate, text]) => new Option("\u00d7 " + text, rate)));
    this.get("undo").addEventListener("click", () => send({ do: "undo" }));
    this.get("redo").addEventListener("click", () => send({ do: "redo" }));
    this.get("rate").addEventListener("change", (e) => send({ do: "speed", rate: Number(e.target.value) }));
    this.get("repeat").addEventListener("change", (e) => send({ do: "repeat", all: e.target.checked }));
    const past = this.get("past");
    past.addEventListener("input", () => this.rewind(Number(past.value)));
    past.addEventListener("pointerdown", () => { this.dragging = true; });
    for (const end of ["pointerup", "pointercancel", "change"]) past.addEventListener(end, () => { this.dragging = false; this.refresh(); });
    bar.addEventListener("click", (e) => { // so that the space bar does not press it again
      const b = e.target.closest("button");
      if (b && e.detail > 0) b.blur();
    });
    addEventListener("keydown", (e) => this.key(e));
    this.refresh();
  }

  // rewind asks for a state, 20 times a second at most.
  rewind(step) {
    this.wanted = step;
    this.label(step);
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.send({ do: "rewind", n: this.wanted });
    }, 50);
  }

  // label shows how far a step lies back.
  label(step) {
    const { to } = this.mirror.status;
    const back = Math.max(0, Math.max(to, this.mirror.step) - step) / STEPS;
    this.get("past-value").textContent = back < 0.05 ? "now" : "\u2212" + back.toFixed(1) + " s";
  }

  key(e) {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || (e.target instanceof HTMLInputElement && e.target.type === "text")) return;
    const key = e.key.toLowerCase(), redo = key === "y" || (key === "z" && e.shiftKey);
    if (key !== "z" && !redo) return;
    e.preventDefault();
    this.send({ do: redo ? "redo" : "undo" });
  }

  // refresh shows the mirror's status.
  refresh() {
    const { get, mirror } = this, s = mirror.status;
    get("undo").disabled = s.undo === 0;
    get("redo").disabled = s.redo === 0;
    get("undo").title = "Undo your last edit (Ctrl+Z): " + s.undo;
    get("rate").value = String(s.rate);
    get("repeat").checked = Boolean(s.repeats);
    get("rest").textContent = mirror.stopped ? "" : s.rest === "over" ? "The scene is over" : s.rest ? "Everything is at rest" : "";
    this.moved();
  }

  // moved shows the step that has been reached.
  moved() {
    if (this.dragging) return;
    const past = this.get("past"), s = this.mirror.status;
    past.min = s.from;
    past.max = Math.max(s.to, this.mirror.step, s.from + 1);
    past.value = this.mirror.step;
    this.label(this.mirror.step);
  }
}
