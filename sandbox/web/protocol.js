// Decodes the server's binary messages, which protocol.go specifies.

const VERSION = 8;
const HELLO = 1, ERROR = 2, SHAPES = 3, REMOVED = 4, GROUND = 5, CHUNK = 6, FRAME = 7, PALETTE = 8, CHAIN = 9, DRAW = 10, STATUS = 11, PEOPLE = 12, POINTERS = 13, LENS = 20, NEWS = 21;
const TILE_BYTES = 12, SEGMENT_BYTES = 36;
const text = new TextDecoder();

// decode returns a message as {type, ...}. It throws an Error if the message is of another version
// of the protocol or of unknown type.
export function decode(buffer) {
  const v = new DataView(buffer);
  if (v.getUint8(1) !== VERSION) {
    throw new Error("the sandbox has version " + v.getUint8(1) + " of the protocol, this page has version " + VERSION + ": reload the page");
  }
  switch (v.getUint8(0)) {
    case HELLO: return { type: "hello", ...json(buffer) };
    case ERROR: return { type: "error", text: text.decode(new Uint8Array(buffer, 4)) };
    case SHAPES: return { type: "shapes", bodies: shapes(v) };
    case REMOVED: return { type: "removed", indices: Array.from({ length: v.getUint32(4, true) }, (_, i) => v.getUint32(8 + 4 * i, true)) };
    case GROUND: return { type: "ground", ...json(buffer) };
    case PALETTE: return { type: "palette", materials: json(buffer) };
    case CHUNK: return chunk(v);
    case CHAIN: return chain(v);
    case PEOPLE: return { type: "people", people: json(buffer) };
    case POINTERS: return { type: "pointers", pointers: pointers(v) };
    case STATUS: return { type: "status", status: { rest: "", repeats: false, worlds: 0, drives: 0, walks: false, ...json(buffer) } };
    case LENS: return { type: "lens", ...json(buffer) };
    case NEWS: return { type: "news", ...json(buffer) };
    case DRAW: return { type: "draw", ...drawList(v) };
    case FRAME: return { type: "frame", view: v, ...frame(v) };
  }
  throw new Error("unknown message " + v.getUint8(0));
}

function json(buffer) {
  return JSON.parse(text.decode(new Uint8Array(buffer, 4)));
}

function pointers(v) {
  return Array.from({ length: v.getUint32(4, true) }, (_, i) => ({ id: v.getUint32(8 + 20 * i, true), x: v.getFloat64(12 + 20 * i, true), y: v.getFloat64(20 + 20 * i, true) }));
}

function shapes(v) {
  const bodies = [];
  let o = 8;
  for (let n = v.getUint32(4, true); n > 0; n--) {
    const body = { index: v.getUint32(o, true), type: v.getUint8(o + 4), id: v.getFloat64(o + 8, true), shapes: [] };
    const count = v.getUint16(o + 6, true);
    o += 16;
    for (let k = 0; k < count; k++) {
      const shape = {
        segment: v.getUint8(o) === 2, color: v.getUint32(o + 4, true), radius: v.getFloat32(o + 8, true),
        x: v.getFloat64(o + 12, true), y: v.getFloat64(o + 20, true), points: [],
      };
      const points = v.getUint8(o + 1);
      o += 28;
      for (let i = 0; i < 2 * points; i++, o += 4) shape.points.push(v.getFloat32(o, true));
      body.shapes.push(shape);
    }
    bodies.push(body);
  }
  return bodies;
}

function chunk(v) {
  const nTiles = v.getUint32(16, true), nSegments = v.getUint32(20, true);
  const o = 28 + nTiles * TILE_BYTES, end = o + nSegments * SEGMENT_BYTES;
  return {
    type: "chunk", ground: v.getUint32(4, true), x: v.getInt32(8, true), y: v.getInt32(12, true),
    // The bytes are kept: tiles and polygons are decoded when they are first in view (see
    // eachTile); segments are copied to the graphics card (segments.js).
    tiles: v.buffer.slice(28, o), tileCount: nTiles,
    segments: v.buffer.slice(o, end), segmentCount: nSegments,
    polygons: v.buffer.slice(end), polygonCount: v.getUint32(24, true),
  };
}

function chain(v) {
  const count = v.getUint32(12, true), looks = [];
  let o = 40;
  for (let n = v.getUint32(16, true); n > 0; n--, o += 8) looks.push({ color: v.getUint32(o, true), speed: v.getFloat32(o + 4, true) });
  return {
    type: "chain", chain: v.getUint32(4, true), first: v.getUint32(8, true), looks,
    reach: v.getFloat32(20, true), x: v.getFloat64(24, true), y: v.getFloat64(32, true),
    segments: v.buffer.slice(o), segmentCount: count,
  };
}

// eachTile calls visit(column, row, shape, turn, material, color) for each tile of a chunk.
export function eachTile(chunk, visit) {
  const v = new DataView(chunk.tiles);
  for (let o = 0; o < v.byteLength; o += TILE_BYTES) {
    visit(v.getUint8(o), v.getUint8(o + 1), v.getUint16(o + 2, true), v.getUint8(o + 4), v.getUint16(o + 6, true), v.getUint32(o + 8, true));
  }
}

// eachSegment calls visit(i, material) for each segment of a chunk or of a CHAIN message.
export function eachSegment(chunk, visit) {
  const v = new DataView(chunk.segments);
  for (let i = 0; i < chunk.segmentCount; i++) visit(i, v.getUint16(SEGMENT_BYTES * i + 34, true));
}

// eachPolygon calls visit(column, row, loops, material, color) for each polygon of a chunk; a loop
// is x, y, x, y, ... from 0 to 1.
export function eachPolygon(chunk, visit) {
  const v = new DataView(chunk.polygons);
  let o = 0;
  for (let n = chunk.polygonCount; n > 0; n--) {
    const column = v.getUint8(o), row = v.getUint8(o + 1), material = v.getUint16(o + 4, true), color = v.getUint32(o + 8, true);
    const loops = [];
    let count = v.getUint16(o + 6, true);
    for (o += 12; count > 0; count--) {
      const loop = [];
      let words = 2 * v.getUint16(o, true);
      for (o += 2; words > 0; words--, o += 2) loop.push(v.getUint16(o, true) / 4096);
      loops.push(loop);
    }
    visit(column, row, loops, material, color);
  }
}

// drawList returns the items of a DRAW: {layer, form, asleep, points}, points relative to x, y.
function drawList(v) {
  const items = [];
  let o = 24;
  for (let n = v.getUint32(4, true); n > 0; n--) {
    const item = { layer: v.getUint8(o), form: v.getUint8(o + 1), asleep: (v.getUint8(o + 3) & 1) !== 0, kind: v.getUint8(o + 3) >> 4, points: [] };
    const count = v.getUint8(o + 2);
    o += 4;
    for (let i = 0; i < 2 * count; i++, o += 4) item.points.push(v.getFloat32(o, true));
    items.push(item);
  }
  return { items, x: v.getFloat64(8, true), y: v.getFloat64(16, true), cut: (v.getUint16(2, true) & 1) !== 0 };
}

const STATS = ["bodies", "awake", "contacts", "touching", "points", "segments", "tiles", "chainSegments"];

function frame(v) {
  const stats = {};
  STATS.forEach((name, i) => { stats[name] = v.getUint32(36 + 4 * i, true); });
  const grounds = [];
  let o = 76;
  for (let n = v.getUint32(68, true); n > 0; n--, o += 40) {
    grounds.push({
      index: v.getUint32(o, true), chain: v.getUint32(o + 4, true) === 1,
      frame: { x: v.getFloat64(o + 8, true), y: v.getFloat64(o + 16, true), c: v.getFloat64(o + 24, true), s: v.getFloat64(o + 32, true) },
    });
  }
  return {
    paused: (v.getUint16(2, true) & 1) !== 0, breaks: (v.getUint16(2, true) & 2) !== 0, stopped: (v.getUint16(2, true) & 4) !== 0, seq: v.getUint32(4, true), step: v.getFloat64(8, true),
    stepMS: v.getFloat32(32, true), stats, grounds, bodiesAt: o, bodyCount: v.getUint32(72, true),
  };
}

// eachBody calls place(index, awake, whole, x, y, angle) for each body of a frame; the numbers are the differences that
// protocol.go describes.
export function eachBody(f, place) {
  const v = f.view;
  let o = f.bodiesAt, index = -1;
  const uvarint = () => {
    let x = 0, unit = 1, b;
    do {
      b = v.getUint8(o++);
      x += (b & 127) * unit;
      unit *= 128;
    } while (b > 127);
    return x;
  };
  const varint = () => {
    const x = uvarint();
    return x % 2 ? -(x + 1) / 2 : x / 2;
  };
  for (let n = f.bodyCount; n > 0; n--) {
    const head = uvarint();
    index += Math.floor(head / 4) + 1;
    place(index, (head & 1) !== 0, (head & 2) !== 0, varint(), varint(), varint());
  }
}
