// Triangulates polygons with holes by trapezoids: a horizontal sweep line stops at every vertex;
// between two stops the solid is a row of trapezoids between neighbouring edges, which do not
// cross.

// fill returns x, y of three corners for each triangle. Loops are x, y, x, y, ...; points with a
// non-zero winding number are solid. A trapezoid whose two edges continue above a stop continues
// too, so that there are few for each vertex.
export function fill(loops) {
  const edges = edgesOf(loops), out = [];
  const stops = [...new Set(edges.flatMap((e) => [e.y0, e.y1]))].sort((a, b) => a - b);
  let active = [], next = 0, open = new Map(); // left edge -> {left, right, from}
  for (let i = 0; i + 1 < stops.length; i++) {
    const low = stops[i], high = stops[i + 1], middle = (low + high) / 2;
    active = active.filter((e) => e.y1 > low);
    while (next < edges.length && edges[next].y0 <= low) active.push(edges[next++]);
    for (const e of active) e.x = at(e, middle);
    active.sort((a, b) => a.x - b.x || a.way - b.way);
    const now = new Map();
    let wound = 0, left = null;
    for (const e of active) {
      const before = wound;
      wound += e.way;
      if (before === 0) {
        left = e;
      } else if (wound === 0 && e.x > left.x) {
        const old = open.get(left);
        const goesOn = old && old.right === e;
        now.set(left, goesOn ? old : { left, right: e, from: low });
        if (goesOn) open.delete(left);
      }
    }
    for (const t of open.values()) close(out, t, low);
    open = now;
  }
  for (const t of open.values()) close(out, t, stops[stops.length - 1]);
  return out;
}

// edgesOf returns the edges that are not horizontal, sorted by their lower ends.
function edgesOf(loops) {
  const edges = [];
  for (const p of loops) {
    for (let i = 0, j = p.length - 2; i < p.length; j = i, i += 2) {
      const up = p[j + 1] < p[i + 1];
      if (p[j + 1] === p[i + 1]) continue;
      const [a, b] = up ? [j, i] : [i, j];
      edges.push({ x0: p[a], y0: p[a + 1], x1: p[b], y1: p[b + 1], way: up ? -1 : 1, x: 0 });
    }
  }
  return edges.sort((a, b) => a.y0 - b.y0);
}

// at returns the x of an edge at height y; its ends are exact.
function at(e, y) {
  if (y >= e.y1) return e.x1;
  return e.x0 + (e.x1 - e.x0) * ((y - e.y0) / (e.y1 - e.y0));
}

// close appends the triangles of a trapezoid that ends at height to.
function close(out, t, to) {
  const a = at(t.left, t.from), b = at(t.right, t.from), c = at(t.right, to), d = at(t.left, to);
  if (b > a) out.push(a, t.from, b, t.from, c, to);
  if (c > d) out.push(a, t.from, c, to, d, to);
}
