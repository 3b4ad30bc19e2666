// Hints for somebody's first minute: three things to try. Each goes away for good once it is done.

const HINTS = [ // the command that does it, and the text, with keys in brackets
  ["dig", "Dig a tunnel: choose Dig [C] and drag through the ground"],
  ["grab", "Throw a body: choose Grab [I], drag it, and let go"],
  ["breaks", "Let loose ground fall: with Dig, tick it [K], and cut a pillar"],
];
const touch = matchMedia("(pointer: coarse)"); // a screen without keys
const STORE = "quarry.hints";

export class Hints {
  constructor(list) {
    this.list = list;
    this.done = new Set();
    try { // a browser may refuse its store
      for (const name of JSON.parse(localStorage.getItem(STORE) || "[]")) this.done.add(name);
    } catch { /* all are shown */ }
    list.querySelector("button").addEventListener("click", () => HINTS.forEach(([name]) => this.saw(name)));
    touch.addEventListener("change", () => this.draw());
    this.draw();
  }

  // saw notes that a command was given.
  saw(name) {
    if (this.done.has(name) || !HINTS.some((h) => h[0] === name)) return;
    this.done.add(name);
    try { localStorage.setItem(STORE, JSON.stringify([...this.done])); } catch { /* they come again */ }
    this.draw();
  }

  draw() {
    const left = HINTS.filter(([name]) => !this.done.has(name));
    this.list.hidden = left.length === 0;
    const item = ([, text]) => Object.assign(document.createElement("li"), { textContent: worded(text) });
    this.list.querySelector("ul").replaceChildren(...left.map(item));
  }
}

// worded returns a hint as it is shown: with its keys, or on a touch screen without.
function worded(text) {
  return touch.matches ? text.replace(/ \[.\]/g, "") : text.replace(/\[(.)\]/g, "($1)");
}
