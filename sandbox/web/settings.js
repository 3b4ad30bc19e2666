// What the player has set: effects, sound, shaking, and the theme. The browser keeps it.

const STORE = "quarry.settings";
const still = matchMedia("(prefers-reduced-motion: reduce)"), light = matchMedia("(prefers-color-scheme: light)");

export class Settings {
  // changed is called after each change.
  constructor(changed) {
    this.changed = changed;
    this.set = { effects: null, shake: null, sound: true, theme: "auto" }; // null: as the system says
    try { // a browser may refuse its store
      Object.assign(this.set, JSON.parse(localStorage.getItem(STORE) || "{}"));
    } catch { /* as above */ }
    for (const media of [still, light]) media.addEventListener("change", () => this.apply());
  }

  // Without a choice, a system that asks for little motion gets none.
  get effects() { return this.set.effects ?? !still.matches; }
  get shake() { return this.effects && (this.set.shake ?? !still.matches); }
  get sound() { return this.set.sound; }
  get light() { return this.set.theme === "light" || (this.set.theme === "auto" && light.matches); }

  put(name, value) {
    this.set[name] = value;
    try { localStorage.setItem(STORE, JSON.stringify(this.set)); } catch { /* until the page is left */ }
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.light ? "light" : "dark";
    document.querySelector('meta[name="theme-color"]').content = this.light ? "#e8edf4" : "#12161e";
    this.changed();
  }
}
