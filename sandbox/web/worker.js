// The world of a page without a server: runs Go's program, and keeps the world in the browser. A page is "quarry site".
//
// ?scene=NAME begins that scene; without it the world goes on where it was, and ?world=NAME is another world to keep.

importScripts("wasm_exec.js");

const TICK = 1000 / 60, LATE = 100, EVERY = 2000; // ms: between ticks, most to catch up, between two saves
const query = new URL(self.location).searchParams;
const world = query.get("world") || "last";
const early = []; // messages that came before the program ran
self.onmessage = (e) => early.push(e);

// worlds opens the store of worlds: a table of snapshots by name.
function worlds() {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open("quarry", 1);
    open.onupgradeneeded = () => open.result.createObjectStore("worlds");
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(open.error);
  });
}

// access makes one access to the table and returns its result. Where the browser has no store, as in some private windows,
// nothing is kept.
async function access(mode, use) {
  try {
    const db = await worlds();
    return await new Promise((resolve, reject) => {
      const request = use(db.transaction("worlds", mode).objectStore("worlds"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}

// program compiles and starts Go's program.
async function program() {
  const go = new Go();
  const answer = await fetch("quarry.wasm");
  if (!answer.ok) throw new Error("quarry.wasm: " + answer.status + " " + answer.statusText);
  const module = answer.headers.get("Content-Type") === "application/wasm"
    ? await WebAssembly.compileStreaming(answer) : await WebAssembly.compile(await answer.arrayBuffer());
  go.run(await WebAssembly.instantiate(module, go.importObject));
}

async function save() {
  const bytes = self.quarrySave();
  if (bytes) await access("readwrite", (table) => table.put(bytes, world));
}

// run calls the program 60 times a second. Between two calls other events come in, even when steps take longer.
function run() {
  let due = performance.now();
  const loop = () => {
    self.quarryTick();
    const now = performance.now();
    due = Math.max(due + TICK, now - LATE);
    setTimeout(loop, Math.max(0, due - now));
  };
  loop();
}

(async () => {
  try {
    self.quarryScene = query.get("scene") || "";
    if (!self.quarryScene) self.quarrySaved = await access("readonly", (table) => table.get(world));
    await program();
    const command = self.onmessage; // the program's
    self.onmessage = (e) => (e.data === "save" ? save() : command(e));
    for (const e of early) self.onmessage(e);
    self.postMessage("ready");
    run();
    setInterval(save, EVERY);
  } catch (e) {
    self.postMessage("The world cannot be started: " + e.message);
  }
})();
