// Says "Loading" while something takes longer than a moment.

const MOMENT = 200; // ms

export class Loading {
  constructor(element) {
    this.element = element;
    this.shown = 0; // times
  }

  // begin says what is awaited, unless it is there in a moment.
  begin(what) {
    this.what = what;
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.shown++;
      this.element.querySelector("span").textContent = this.what;
      this.element.hidden = false;
    }, MOMENT);
  }

  end() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.element.hidden = true;
  }
}
