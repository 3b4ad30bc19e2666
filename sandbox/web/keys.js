// Handles the keyboard.

import { TOOLS } from "./toolset.js";

export function listen({ toolbar, tools, camera, act }) {
  const keys = {
    ".": () => toolbar.step(1), ">": () => toolbar.step(10), ":": () => toolbar.step(10),
    "[": () => toolbar.grow(-0.2), "]": () => toolbar.grow(0.2),
    b: () => toolbar.next("kind"), t: () => toolbar.next("shape"), o: () => toolbar.next("material"),
    r: () => toolbar.rotate(), m: () => toolbar.mirrorTile(), z: () => toolbar.nextLens(),
    x: () => tools.removeHere(), s: () => tools.throughHere(),
    n: () => toolbar.toggle("normals"), g: () => toolbar.toggle("ghosts"), l: () => toolbar.toggle("grid"),
    k: () => document.getElementById("breaks").click(),
    f: () => act.fit(), v: () => tools.followHere(), "?": () => toolbar.toggleKeys(), h: () => toolbar.fold(),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8),
    arrowleft: () => pan(60, 0), arrowright: () => pan(-60, 0), arrowup: () => pan(0, 60), arrowdown: () => pan(0, -60),
  };
  const shifted = { r: () => act.send({ do: "reset" }), s: () => act.send({ do: "through", all: true }) };
  for (const t of TOOLS) {
    const key = t.key.toLowerCase();
    if (key.startsWith("shift+")) shifted[key.at(-1)] = () => toolbar.choose(t.name);
    else keys[key] = () => toolbar.choose(t.name);
  }
  const zoom = (f) => { camera.fitted = false; camera.zoom(f, camera.width / 2, camera.height / 2); act.changed(); };
  const pan = (x, y) => { camera.fitted = false; camera.pan(x, y); tools.keyMoved(); act.changed(); };

  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || isField(e.target)) return;
    if (e.key === " ") {
      if (e.target instanceof HTMLButtonElement) return;
      e.preventDefault();
      if (!e.repeat) tools.space = { used: false };
      return;
    }
    if (e.key === "Enter") {
      if (e.target instanceof HTMLButtonElement || e.target instanceof HTMLInputElement) return;
      e.preventDefault();
      if (!e.repeat) tools.pressKey();
      return;
    }
    const key = e.key.toLowerCase();
    if (key >= "1" && key <= "9") {
      toolbar.toggleMark(Number(key) - 1);
      return;
    }
    if (key === "escape") {
      escape();
      return;
    }
    const f = (e.shiftKey && shifted[key]) || keys[key];
    if (f) {
      e.preventDefault();
      f();
    }
  });
  addEventListener("keyup", (e) => {
    if (e.key === "Enter") tools.releaseKey();
    if (e.key !== " " || !tools.space) return;
    if (!tools.space.used) toolbar.togglePause(); // if used, it was held to move the view
    tools.space = null;
  });
  addEventListener("blur", () => { tools.space = null; });

  // escape closes what is open: a drag, the list of keys, the selection, the lens.
  function escape() {
    if (tools.stroke) tools.end(true);
    else if (!document.getElementById("keys").hidden) toolbar.toggleKeys();
    else if (!document.getElementById("inspector").hidden) tools.selected.close();
    else toolbar.chooseLens("");
    tools.drawHover();
  }
}

// isField reports whether the element handles keys itself: lists and sliders.
function isField(target) {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}
