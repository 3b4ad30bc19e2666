// Handles the keyboard.

export function listen({ toolbar, tools, camera, act }) {
  const keys = {
    ".": () => toolbar.step(1), ">": () => toolbar.step(10), ":": () => toolbar.step(10),
    d: () => toolbar.choose("drop"), p: () => toolbar.choose("paint"), e: () => toolbar.choose("erase"),
    i: () => toolbar.choose("grab"), j: () => toolbar.choose("join"),
    c: () => toolbar.choose("dig"), u: () => toolbar.choose("build"),
    "[": () => toolbar.grow(-0.2), "]": () => toolbar.grow(0.2),
    b: () => toolbar.next("kind"), t: () => toolbar.next("shape"), o: () => toolbar.next("material"),
    r: () => toolbar.turnTile(), m: () => toolbar.mirrorTile(),
    x: () => tools.removeHere(), s: () => tools.throughHere(),
    n: () => toolbar.toggle("normals"), g: () => toolbar.toggle("ghosts"), l: () => toolbar.toggle("grid"),
    k: () => document.getElementById("breaks").click(),
    f: () => act.fit(), v: () => tools.followHere(), "?": () => toolbar.toggleKeys(), h: () => toolbar.fold(),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8),
    arrowleft: () => pan(60, 0), arrowright: () => pan(-60, 0), arrowup: () => pan(0, 60), arrowdown: () => pan(0, -60),
  };
  const zoom = (f) => { camera.zoom(f, camera.width / 2, camera.height / 2); act.changed(); };
  const pan = (x, y) => { camera.pan(x, y); act.changed(); };

  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || isField(e.target)) return;
    if (e.key === " ") {
      if (e.target instanceof HTMLButtonElement) return;
      e.preventDefault();
      if (!e.repeat) tools.space = { used: false };
      return;
    }
    const key = e.key.toLowerCase();
    if (key === "r" && e.shiftKey) {
      act.send({ do: "reset" });
      return;
    }
    if (key === "s" && e.shiftKey) {
      act.send({ do: "through", all: true });
      return;
    }
    if (key >= "1" && key <= "9") {
      toolbar.toggleMark(Number(key) - 1);
      return;
    }
    if (key === "escape" && !document.getElementById("keys").hidden) {
      toolbar.toggleKeys();
      return;
    }
    const f = keys[key];
    if (f) {
      e.preventDefault();
      f();
    }
  });
  addEventListener("keyup", (e) => {
    if (e.key !== " " || !tools.space) return;
    if (!tools.space.used) toolbar.togglePause(); // if used, it was held to move the view
    tools.space = null;
  });
  addEventListener("blur", () => { tools.space = null; });
}

// isField reports whether the element handles keys itself: lists and sliders.
function isField(target) {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
}
