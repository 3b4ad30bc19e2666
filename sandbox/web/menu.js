// The menu: buttons for the panels of the page.

export class Menu {
  // items are {id, text, title, press}.
  constructor(nav, items) {
    nav.replaceChildren(...items.map(({ id, text, title, press }) => {
      const b = Object.assign(document.createElement("button"), { type: "button", id, textContent: text, title });
      b.addEventListener("click", (e) => {
        if (e.detail > 0) b.blur(); // so that the space bar does not press it again
        press();
      });
      return b;
    }));
  }
}
