// Worlds: those that are kept under names, the present one as a file, files that are dropped, links, and a picture of the view.

import { pictureOf } from "./picture.js";
import { recordGIF } from "./gif.js";

const get = (id) => document.getElementById(id);

export class Worlds {
  // act has send, complain and fit; stage is set later.
  constructor(panel, mirror, camera, socket, act) {
    Object.assign(this, { panel, mirror, camera, socket, act, rev: -1 });
    panel.innerHTML = `<header><h2>Worlds</h2><button type="button" class="close" aria-label="Close">&times;</button></header>
      <form><input id="world-name" type="text" maxlength="40" aria-label="Name of the world" placeholder="Name of this world" pattern="[\\p{L}\\p{N} _\\-]+" required><button id="keep" type="submit">Keep</button></form>
      <ul id="worlds-list" class="cards"></ul>
      <p>Drop a .world, .tmx, .tmj, .ldtk, .png or .db file on the page to play on it.</p>
      <div class="row"><button id="download" type="button">Download this world</button><label class="button">Open files<input id="upload" type="file" multiple hidden></label></div>`;
    panel.querySelector(".close").addEventListener("click", () => this.toggle(false));
    panel.querySelector("form").addEventListener("submit", (e) => {
      e.preventDefault();
      this.keep(get("world-name").value.trim());
    });
    panel.addEventListener("keydown", (e) => {
      if (e.key === "Escape") this.toggle(false);
      e.stopPropagation(); // letters are no shortcuts here
    });
    get("download").addEventListener("click", () => this.download());
    get("upload").addEventListener("change", (e) => this.open([...e.target.files]));
    addEventListener("dragover", (e) => e.preventDefault());
    addEventListener("drop", (e) => {
      e.preventDefault();
      if (e.dataTransfer.files.length) this.open([...e.dataTransfer.files]);
    });
  }

  get local() { return Boolean(this.socket.worker); }

  toggle(open = this.panel.hidden) {
    this.panel.hidden = !open;
    if (open) {
      this.list();
      get("world-name").focus();
    }
  }

  // refresh lists the worlds again if the list has changed.
  refresh() {
    const { worlds } = this.mirror.status;
    if (worlds === this.rev) return;
    this.rev = worlds;
    if (!this.panel.hidden) this.list();
  }

  async list() {
    const list = await this.try(async () => (this.local ? this.socket.call("list") : (await this.ask("worlds")).json())) || [];
    get("worlds-list").replaceChildren(...list.map((w) => {
      const item = document.createElement("li"), b = document.createElement("button"), img = document.createElement("img"), x = document.createElement("button");
      img.alt = "";
      if (this.local) img.src = w.picture || "icon.svg";
      else img.src = this.address("worlds/" + encodeURIComponent(w.name) + ".png") + "#" + w.saved;
      b.type = x.type = "button";
      b.append(img, w.name);
      b.title = "Go on with " + w.name;
      b.addEventListener("click", () => this.goOn(w.name));
      x.className = "forget";
      x.textContent = "\u00d7";
      x.title = "Forget " + w.name;
      x.setAttribute("aria-label", "Forget " + w.name);
      x.addEventListener("click", () => this.forget(w.name));
      item.append(b, x);
      return item;
    }));
  }

  async keep(name) {
    if (!this.local) {
      this.act.send({ do: "keep", name });
      return;
    }
    await this.try(async () => this.socket.call("keep", name, await pictureOf(this.stage, 320)));
    this.list();
  }

  async goOn(name) {
    if (this.local) await this.try(() => this.socket.call("open", name));
    else this.act.send({ do: "open", name });
  }

  async forget(name) {
    if (!this.local) {
      this.act.send({ do: "forget", name });
      return;
    }
    await this.try(() => this.socket.call("forget", name));
    this.list();
  }

  async download() {
    if (!this.local) {
      save(this.address("world"), "");
      return;
    }
    const bytes = await this.try(() => this.socket.call("export"));
    if (bytes) save(URL.createObjectURL(new Blob([bytes])), this.mirror.scene.replace(/\W+/g, "_") + ".world");
  }

  // open makes files the present world.
  async open(files) {
    await this.try(async () => {
      if (this.local) {
        const list = await Promise.all(files.map(async (f) => ({ name: f.name, bytes: new Uint8Array(await f.arrayBuffer()) })));
        await this.socket.call("import", list);
        return;
      }
      const form = new FormData();
      for (const f of files) form.append("files", f, f.name);
      await this.ask("world", { method: "POST", body: form });
    });
  }

  // address adds the token of the page's link to an address of the server.
  address(path) {
    const t = new URL(location).searchParams.get("token");
    return path + (t ? "?token=" + encodeURIComponent(t) : "");
  }

  async ask(path, options) {
    const answer = await fetch(this.address(path), options);
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }

  async try(f) {
    try {
      return await f();
    } catch (e) {
      this.act.complain(e.message);
    }
  }

  // link returns an address that opens the same place in the same view.
  link() {
    const url = new URL(location), c = this.camera;
    url.searchParams.delete("token");
    if (this.local && !url.searchParams.get("world")) url.searchParams.set("scene", this.mirror.scene);
    url.hash = [c.x.toFixed(2), c.y.toFixed(2), c.scale.toFixed(2)].join(",");
    return String(url);
  }

  async share() {
    const link = this.link();
    try {
      await navigator.clipboard.writeText(link);
      this.act.complain("The link to this place is copied");
    } catch {
      this.act.complain(link);
    }
  }

  async picture() {
    const url = await this.try(() => pictureOf(this.stage));
    if (url) save(url, this.mirror.scene.replace(/\W+/g, "_") + ".png");
  }

  async film() {
    if (this.filming) return;
    this.filming = true;
    const gif = await this.try(() => recordGIF(this.stage, (left) => this.act.complain("Recording: " + left + " s")));
    this.filming = false;
    if (gif) save(URL.createObjectURL(gif), this.mirror.scene.replace(/\W+/g, "_") + ".gif");
  }
}

// place returns the place that the page's link tells, or null.
export function place() {
  const [x, y, scale] = location.hash.slice(1).split(",").map(Number);
  return [x, y, scale].every(Number.isFinite) && scale > 0 && Math.abs(x) < 2 ** 30 && Math.abs(y) < 2 ** 30 ? { x, y, scale } : null;
}

function save(url, name) {
  const a = Object.assign(document.createElement("a"), { href: url, download: name });
  a.click();
}
