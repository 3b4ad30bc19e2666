// The world of a page without a server: runs Go's program, and keeps the world in the browser. A page is "quarry site".
//
// ?scene=NAME begins that scene; without it the world goes on where it was, and ?world=NAME is another world to keep.

importScripts("wasm_exec.js");

const TICK = 1000 / 60, LATE = 100, EVERY = 2000; // ms: between ticks, most to catch up, between two saves
const MAP = /\.(tmx|tmj|ldtk|json|png)$/i;
const query = new URL(self.location).searchParams;
const world = query.get("world") || "last";
const early = []; // messages that came before the program ran
self.onmessage = (e) => early.push(e);

// worlds opens the store of worlds: a table of snapshots by name, and one of pictures.
function worlds() {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open("quarry", 2);
    open.onupgradeneeded = () => {
      for (const name of ["worlds", "pictures"]) if (!open.result.objectStoreNames.contains(name)) open.result.createObjectStore(name);
    };
    open.onsuccess = () => resolve(open.result);
    open.onerror = () => reject(open.error);
  });
}

// access makes one access to the table and returns its result. Where the browser has no store, as in some private windows,
// nothing is kept.
async function access(mode, use, store = "worlds") {
  try {
    const db = await worlds();
    return await new Promise((resolve, reject) => {
      const request = use(db.transaction(store, mode).objectStore(store));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}

// fetched fetches a module. A server that does not compress is asked for the file of gzip beside it.
async function fetched(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(name + ": " + answer.status + " " + answer.statusText);
  if (answer.headers.get("Content-Encoding") || !self.DecompressionStream) return answer;
  answer.body.cancel();
  const packed = await fetch(name + ".gz");
  if (!packed.ok) return fetch(name);
  const unpacked = packed.headers.get("Content-Encoding"); // the browser has unpacked it
  const body = unpacked ? packed.body : packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": "application/wasm" } });
}

// compile compiles a module.
async function compile(name) {
  const answer = await fetched(name);
  return answer.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

// program starts Go's program. The module of the kernels works on its memory, and is called by it, so each of the two needs the
// other first: Go's imports are functions that call the kernels once these are there. A browser without SIMD refuses the
// kernels; Go's own code then takes their place.
async function program() {
  const go = new Go(), kernels = {}, calls = {};
  const [main, simd] = await Promise.all([compile("quarry.wasm"), compile("kernels.wasm").catch(() => null)]);
  for (const i of WebAssembly.Module.imports(main)) {
    if (i.module === "quarry") calls[i.name] = (a, b, c, d, e) => kernels[i.name](a, b, c, d, e);
  }
  const instance = await WebAssembly.instantiate(main, { ...go.importObject, quarry: calls });
  if (simd) {
    Object.assign(kernels, (await WebAssembly.instantiate(simd, { go: { mem: instance.exports.mem } })).exports);
    self.quarryKernels = true;
  }
  go.run(instance);
}

async function save() {
  const bytes = self.quarrySave();
  if (bytes) await access("readwrite", (table) => table.put(bytes, world));
}

// load opens files, a list of {name, bytes}, as the present world: a snapshot, or a map with its tilesets and pictures.
// Another program, maps.wasm, reads maps: the first map fetches it.
async function load(files) {
  if (files.some((f) => MAP.test(f.name)) && !self.quarryMap) {
    const go = new Go();
    go.run(await WebAssembly.instantiate(await compile("maps.wasm"), go.importObject));
  }
  const error = self.quarryOpen(files.map((f) => f.name), files.map((f) => f.bytes));
  if (error) throw new Error(error);
}

// calls are what the page may ask for. The world "last" is the present one.
const calls = {
  async list() {
    const names = await access("readonly", (table) => table.getAllKeys()) || [];
    return Promise.all(names.filter((name) => name !== "last").map(async (name) => ({ name, picture: await access("readonly", (table) => table.get(name), "pictures") })));
  },
  async keep(name, picture) {
    if (name === "last") throw new Error("keep: the name last is that of the present world");
    const bytes = self.quarrySnapshot();
    if (!bytes) throw new Error("keep: a world that has stopped cannot be kept");
    await access("readwrite", (table) => table.put(bytes, name));
    await access("readwrite", (table) => table.put(picture, name), "pictures");
    if (!(await access("readonly", (table) => table.getKey(name)))) throw new Error("keep: this browser keeps nothing");
  },
  async open(name) {
    const bytes = await access("readonly", (table) => table.get(name));
    if (!bytes) throw new Error("open: there is no world " + name);
    await load([{ name: "world.world", bytes }]);
  },
  async forget(name) {
    for (const store of ["worlds", "pictures"]) await access("readwrite", (table) => table.delete(name), store);
  },
  export: async () => self.quarrySnapshot(),
  import: async (files) => load(files),
};

async function answer({ call, name, args }) {
  try {
    self.postMessage({ reply: call, value: await calls[name](...args) });
  } catch (e) {
    self.postMessage({ reply: call, error: e.message });
  }
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
    self.onmessage = (e) => {
      if (e.data.call) answer(e.data);
      else if (e.data === "save") save();
      else command(e);
    };
    for (const e of early) self.onmessage(e);
    self.postMessage("ready");
    run();
    setInterval(save, EVERY);
  } catch (e) {
    self.postMessage("The world cannot be started: " + e.message);
  }
})();
