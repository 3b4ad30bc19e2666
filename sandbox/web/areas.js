// Areas of the ground: the cells of a rectangle and of a closed place, and the strokes of a hill.

const MOST = 3000;          // cells of a flood
const LARGEST = 4 * 4096;   // cells of a rectangle

// rectangle returns the cells between two corners, as x, y, x, y, ...; null if there are too many.
export function rectangle(a, b) {
  const x0 = Math.floor(Math.min(a.x, b.x)), x1 = Math.floor(Math.max(a.x, b.x));
  const y0 = Math.floor(Math.min(a.y, b.y)), y1 = Math.floor(Math.max(a.y, b.y));
  if ((x1 - x0 + 1) * (y1 - y0 + 1) > LARGEST) return null;
  const cells = [];
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) cells.push(x, y);
  return cells;
}

// flood returns the cells that a cell is connected with by sides: empty ones if it is empty, tiles if it is a tile; null
// if there are too many.
export function flood(mirror, ground, x, y) {
  const known = ground < mirror.grounds.length;
  const solid = (cx, cy) => known && mirror.tileAt(ground, cx, cy);
  const of = solid(x, y), seen = new Set([x + "," + y]), cells = [x, y];
  for (let i = 0; i < cells.length; i += 2) {
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const cx = cells[i] + dx, cy = cells[i + 1] + dy, key = cx + "," + cy;
      if (seen.has(key) || solid(cx, cy) !== of) continue;
      if (cells.length >= 2 * MOST) return null;
      seen.add(key);
      cells.push(cx, cy);
    }
  }
  return cells;
}

// hill returns the strokes of a hill, each x0, y0, x1, y1: upright lines under the curve of a cosine about the foot,
// x0, y0, as wide to both sides as the drag, and as high.
export function hill({ x0, y0, x1, y1 }, radius) {
  const wide = Math.max(1.5, Math.abs(x1 - x0)), high = Math.max(0.5, y1 - y0);
  const apart = Math.max(0.6 * radius, wide / 24), strokes = [];
  for (let x = -wide; x <= wide + 1e-6; x += apart) {
    const top = high * (0.5 + 0.5 * Math.cos(Math.PI * x / wide)) - radius;
    if (top > -radius + 0.1) strokes.push([x0 + x, y0 - radius, x0 + x, y0 + Math.max(top, -radius)]);
  }
  return strokes;
}
