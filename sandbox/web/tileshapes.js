// The shapes of tiles: turned, triangulated, and as icons.

export class TileShapes {
  // list is the list of shapes of a GROUND message.
  constructor(list) {
    this.list = list;
    this.byID = new Map(list.map((s) => [s.id, s]));
    this.made = new Map();
  }

  // get returns {polygons, triangles, full} of a shape in a turn: triangles are x, y of three
  // corners each; full is true if the shape fills the cell.
  get(id, turn) {
    const key = id * 8 + turn;
    let made = this.made.get(key);
    if (!made) {
      const shape = this.byID.get(id);
      const polygons = shape ? shape.polygons.map((p) => turned(p, turn)) : [];
      made = { polygons, triangles: polygons.flatMap(triangulate), full: polygons.length === 1 && isSquare(polygons[0]) };
      this.made.set(key, made);
    }
    return made;
  }
}

// turned mirrors a polygon in x if bit 2 of turn is set, then turns it counter-clockwise by the
// number of quarter turns in bits 0 and 1.
export function turned(polygon, turn) {
  const out = [];
  for (let i = 0; i < polygon.length; i += 2) {
    let x = polygon[i], y = polygon[i + 1];
    if (turn & 4) x = 1 - x;
    for (let q = turn & 3; q > 0; q--) [x, y] = [1 - y, x];
    if (turn & 4) out.unshift(x, y); // mirroring reverses the winding
    else out.push(x, y);
  }
  return out;
}

function isSquare(p) {
  return p.length === 8 && p.every((v) => v === 0 || v === 1);
}

// path returns polygons as an SVG path in a square of side 1, y down.
export function path(polygons) {
  return polygons.map((p) => {
    let d = "";
    for (let i = 0; i < p.length; i += 2) d += (i ? "L" : "M") + p[i] + " " + (1 - p[i + 1]);
    return d + "Z";
  }).join("");
}

// triangulate triangulates a simple counter-clockwise polygon by ear clipping.
function triangulate(polygon) {
  const left = [];
  for (let i = 0; i < polygon.length; i += 2) left.push([polygon[i], polygon[i + 1]]);
  const out = [];
  while (left.length > 3) {
    const n = left.length;
    let ear = -1;
    for (let i = 0; i < n && ear < 0; i++) {
      const a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
      if (side(a, b, c) > 0 && !left.some((p) => p !== a && p !== b && p !== c && inside(p, a, b, c))) ear = i;
    }
    if (ear < 0) ear = left.findIndex((b, i) => side(left[(i + n - 1) % n], b, left[(i + 1) % n]) === 0);
    if (ear < 0) return out; // not simple
    const a = left[(ear + n - 1) % n], b = left[ear], c = left[(ear + 1) % n];
    if (side(a, b, c) > 0) out.push(...a, ...b, ...c);
    left.splice(ear, 1);
  }
  out.push(...left.flat());
  return out;
}

// side is positive if c is on the left of the line from a to b.
function side(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function inside(p, a, b, c) {
  return side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0;
}
