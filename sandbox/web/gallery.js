// The gallery: all scenes in groups, with pictures and a sentence each.

export class Gallery {
  constructor(panel, mirror, send) {
    Object.assign(this, { panel, mirror, send });
    panel.innerHTML = `<header><h2>Scenes</h2><button type="button" class="close" aria-label="Close">&times;</button></header><div></div>`;
    panel.querySelector(".close").addEventListener("click", () => this.toggle(false));
    panel.addEventListener("keydown", (e) => e.key === "Escape" && this.toggle(false));
  }

  toggle(open = this.panel.hidden) {
    this.panel.hidden = !open;
    if (!open) return;
    this.draw();
    this.panel.querySelector(".cards button").focus();
  }

  draw() {
    const parts = [];
    let cards, group;
    for (const s of this.mirror.scenes) {
      if (s.group !== group) {
        group = s.group;
        cards = Object.assign(document.createElement("ul"), { className: "cards" });
        parts.push(Object.assign(document.createElement("h3"), { textContent: group }), cards);
      }
      const item = document.createElement("li"), b = document.createElement("button"), doc = document.createElement("small");
      const img = Object.assign(document.createElement("img"), { alt: "", loading: "lazy", src: "scenes/" + encodeURIComponent(s.name) + ".png" });
      b.type = "button";
      b.dataset.scene = s.name;
      doc.textContent = s.doc;
      b.append(img, s.name.replaceAll("_", " "), doc);
      b.addEventListener("click", () => {
        this.send({ do: "scene", name: s.name });
        this.toggle(false);
      });
      item.append(b);
      cards.append(item);
    }
    this.panel.querySelector("div").replaceChildren(...parts);
  }
}
