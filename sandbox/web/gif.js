// A moving picture of the view: a GIF with a fixed palette of 6 x 7 x 6 colours.

const WIDTH = 480, EACH = 80, SECONDS = 3; // pixels; ms a frame
const REDS = 6, GREENS = 7, BLUES = 6;

// recordGIF returns the next seconds of the view as a GIF; told is called with the seconds left.
export async function recordGIF(stage, told) {
  const { canvas } = stage, width = Math.min(WIDTH, canvas.width);
  const height = Math.max(1, Math.round(width * canvas.height / canvas.width));
  const small = Object.assign(document.createElement("canvas"), { width, height });
  const context = small.getContext("2d", { willReadFrequently: true });
  const gif = new GIF(width, height);
  const count = Math.round(SECONDS * 1000 / EACH), from = performance.now();
  for (let k = 0; k < count; k++) {
    if (k * EACH % 1000 < EACH) told(SECONDS - Math.floor(k * EACH / 1000));
    stage.draw(); // the browser keeps the drawing until the end of this task only
    context.drawImage(canvas, 0, 0, width, height);
    gif.add(context.getImageData(0, 0, width, height).data);
    await new Promise((done) => setTimeout(done, Math.max(0, from + (k + 1) * EACH - performance.now())));
  }
  return gif.end();
}

// GIF writes frames that show for EACH ms, again and again.
export class GIF {
  constructor(width, height) {
    Object.assign(this, { width, height, bytes: [] });
    this.text("GIF89a");
    this.words(width, height);
    this.bytes.push(0xf7, 0, 0); // a palette of 256 colours
    for (let i = 0; i < 256; i++) {
      const r = Math.floor(i / (GREENS * BLUES)), g = Math.floor(i / BLUES) % GREENS, b = i % BLUES;
      const channels = [[r, REDS], [g, GREENS], [b, BLUES]];
      this.bytes.push(...channels.map(([v, n]) => Math.min(255, Math.round(v * 255 / (n - 1)))));
    }
    this.bytes.push(0x21, 0xff, 11);
    this.text("NETSCAPE2.0");
    this.bytes.push(3, 1, 0, 0, 0); // for ever
  }

  text(s) {
    for (const c of s) this.bytes.push(c.charCodeAt(0));
  }

  words(...list) {
    for (const v of list) this.bytes.push(v & 255, v >> 8);
  }

  // add adds a frame, given its pixels as red, green, blue, alpha.
  add(rgba) {
    const pixels = new Uint8Array(this.width * this.height);
    const near = (v, n) => Math.round(v * (n - 1) / 255);
    for (let i = 0, at = 0; i < pixels.length; i++, at += 4) {
      pixels[i] = (near(rgba[at], REDS) * GREENS + near(rgba[at + 1], GREENS)) * BLUES + near(rgba[at + 2], BLUES);
    }
    this.bytes.push(0x21, 0xf9, 4, 0);
    this.words(EACH / 10);
    this.bytes.push(0, 0, 0x2c);
    this.words(0, 0, this.width, this.height);
    this.bytes.push(0, 8);
    const packed = compress(pixels);
    for (let i = 0; i < packed.length; i += 255) {
      const part = packed.slice(i, i + 255);
      this.bytes.push(part.length);
      for (const b of part) this.bytes.push(b);
    }
    this.bytes.push(0);
  }

  end() {
    this.bytes.push(0x3b);
    return new Blob([new Uint8Array(this.bytes)], { type: "image/gif" });
  }
}

// compress is GIF's LZW of bytes.
function compress(pixels) {
  const CLEAR = 256, END = 257, out = [];
  let codes = new Map(), next = END + 1, size = 9, bits = 0, held = 0;
  const put = (code) => {
    bits |= code << held;
    for (held += size; held >= 8; held -= 8, bits >>>= 8) out.push(bits & 255);
  };
  put(CLEAR);
  let code = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = code << 8 | pixels[i], known = codes.get(key);
    if (known !== undefined) {
      code = known;
      continue;
    }
    put(code);
    codes.set(key, next);
    if (next === 1 << size) size++; // the reader makes its codes one later
    if (next++ === 4095) {
      put(CLEAR);
      codes = new Map();
      next = END + 1;
      size = 9;
    }
    code = pixels[i];
  }
  put(code);
  put(END);
  if (held > 0) out.push(bits & 255);
  return out;
}
