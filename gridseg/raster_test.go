package gridseg

import (
	"slices"

	"pgregory.net/rapid"
)

// raster is the second oracle of Unite and Subtract, exact and global: the ground as a
// dense field of triangles. The two diagonals of a square of the step part it into four
// triangles. So all lines along the axes and at 45 degrees through its corners run along
// edges of triangles and cross each other in their vertices, which are lattice points. A
// stroke with such edges only is never rounded, and has every triangle wholly or not at
// all. The contents of a cell and the surface follow from the triangles by the
// definitions of Unite and Subtract alone: nothing is read back from the grid, and no
// code is shared with it.
type raster struct {
	base  Point // of square (0, 0)
	step  int64
	n     int        // squares on a side
	part  []int      // of each triangle, the part it belongs to: an index into parts
	parts []rasterly // the first stands for air
}

// rasterly is a part of a cell, by its triangles.
type rasterly struct {
	tile  Tile
	loops [][]Point // as added; of tiles and polygons that no stroke has changed
}

// A node is a vertex of triangles, in half steps from base; an arm one of the eight ways
// that an edge leaves it, counter-clockwise from +x.
type node struct{ x, y int }

var arms = [8]node{{2, 0}, {1, 1}, {0, 2}, {-1, 1}, {-2, 0}, {-1, -1}, {0, -2}, {1, -1}}

// arrow is a directed edge of a triangle.
type arrow struct {
	from node
	arm  int
}

func (v node) plus(arm int) node { return node{v.x + arms[arm].x, v.y + arms[arm].y} }

// quarters are the triangles of a square, lower, right, upper, left: the corner that each
// begins with, and the step to the square beyond its long side.
var quarters = [4]struct{ corner, beyond node }{
	{node{0, 0}, node{0, -1}},
	{node{2, 0}, node{1, 0}},
	{node{2, 2}, node{0, 1}},
	{node{0, 2}, node{-1, 0}},
}

func newRaster(base Point, step int64, n int) *raster {
	return &raster{base, step, n, make([]int, 4*n*n), make([]rasterly, 1)}
}

func (r *raster) point(v node) Point {
	return Point{X: r.base.X + int64(v.x)*r.step/2, Y: r.base.Y + int64(v.y)*r.step/2}
}

// square returns the square of triangle k.
func (r *raster) square(k int) node { return node{k / 4 % r.n, k / 4 / r.n} }

// cellAt returns the cell of triangle k.
func (r *raster) cellAt(k int) Cell {
	q := r.square(k)
	return Cell{X: int32((r.base.X + int64(q.x)*r.step) >> 12), Y: int32((r.base.Y + int64(q.y)*r.step) >> 12)}
}

// sides returns the three edges of triangle k, counter-clockwise, and the triangle beyond
// each, or -1.
func (r *raster) sides(k int) (out [3]arrow, beyond [3]int) {
	q, s := k%4, r.square(k)
	at := node{2*s.x + quarters[q].corner.x, 2*s.y + quarters[q].corner.y}
	out[0] = arrow{at, 2 * q}
	out[1] = arrow{at.plus(2 * q), (2*q + 3) % 8}
	out[2] = arrow{node{2*s.x + 1, 2*s.y + 1}, (2*q + 5) % 8}
	o := node{s.x + quarters[q].beyond.x, s.y + quarters[q].beyond.y}
	beyond[0] = -1
	if o.x >= 0 && o.y >= 0 && o.x < r.n && o.y < r.n {
		beyond[0] = 4*(o.y*r.n+o.x) + (q+2)%4
	}
	beyond[1], beyond[2] = k-q+(q+1)%4, k-q+(q+3)%4
	return out, beyond
}

// turns returns how often loops wind round the middle of triangle k: the sum of the
// crossings of a ray to +x. Six times as large, the middle is a lattice point, and on no
// line.
func (r *raster) turns(loops [][]Point, k int) (n int) {
	s := r.square(k)
	mid := [4][2]int64{{3, 1}, {5, 3}, {3, 5}, {1, 3}}[k%4]
	x, y := (6*int64(s.x)+mid[0])*r.step, (6*int64(s.y)+mid[1])*r.step
	for _, loop := range loops {
		for i := range loop {
			a, b := loop[i], loop[(i+1)%len(loop)]
			ax, ay := 6*(a.X-r.base.X), 6*(a.Y-r.base.Y)
			bx, by := 6*(b.X-r.base.X), 6*(b.Y-r.base.Y)
			up := 1
			if ay > by {
				ax, ay, bx, by, up = bx, by, ax, ay, -1
			}
			// Nothing is at the height of y but the inside of an edge. An edge that is
			// not level climbs by as much as it goes aside, or straight up.
			if ay < y && y < by {
				at := ax
				switch {
				case bx > ax:
					at += y - ay
				case bx < ax:
					at -= y - ay
				}
				if at > x {
					n += up
				}
			}
		}
	}
	return n
}

// set is Grid.Set of a tile with the given outlines.
func (r *raster) set(c Cell, tile Tile, loops [][]Point) {
	far := make([][]Point, len(loops))
	for i, loop := range loops {
		for _, v := range loop {
			far[i] = append(far[i], Point{X: v.X + int64(c.X)*Unit, Y: v.Y + int64(c.Y)*Unit})
		}
	}
	r.parts = append(r.parts, rasterly{tile, loops})
	for k := range r.part {
		if r.cellAt(k) != c {
			continue
		}
		r.part[k] = 0
		if r.turns(far, k) != 0 {
			r.part[k] = len(r.parts) - 1
		}
	}
}

// unite is Grid.Unite: in each cell where triangles become solid, these and the solid
// triangles of the same attributes become one new part.
func (r *raster) unite(loops [][]Point, a Attr) {
	fresh := map[Cell]int{}
	for k, p := range r.part {
		if p == 0 && r.turns(loops, k) != 0 {
			c := r.cellAt(k)
			if fresh[c] == 0 {
				r.parts = append(r.parts, rasterly{tile: Tile{Layer: a.Layer, Material: a.Material, User: a.User}})
				fresh[c] = len(r.parts) - 1
			}
			r.part[k] = fresh[c]
		}
	}
	for k, p := range r.part {
		t := r.parts[p].tile
		if f := fresh[r.cellAt(k)]; f != 0 && p != 0 && (Attr{t.Layer, t.Material, t.User}) == a {
			r.part[k] = f
		}
	}
}

// subtract is Grid.Subtract: a cut tile becomes a polygon with the same attributes.
func (r *raster) subtract(loops [][]Point) {
	for k, p := range r.part {
		if p != 0 && r.turns(loops, k) != 0 {
			r.part[k] = 0
			t := &r.parts[p]
			t.tile.Shape, t.tile.Turn, t.loops = 0, 0, nil
		}
	}
}

// outline returns the loops of a part that strokes have made, local to its cell.
func (r *raster) outline(p int, c Cell) [][]Point {
	out := map[node]*[8]bool{}
	var begin []node
	for k, q := range r.part {
		if q != p {
			continue
		}
		edges, beyond := r.sides(k)
		for i, e := range edges {
			if beyond[i] < 0 || r.part[beyond[i]] != p {
				if out[e.from] == nil {
					out[e.from] = &[8]bool{}
				}
				out[e.from][e.arm] = true
				begin = append(begin, e.from)
			}
		}
	}
	var loops [][]Point
	for _, v := range begin {
		for arm := range 8 {
			if !out[v][arm] {
				continue
			}
			// Once round the same solid: at each vertex the next way clockwise from where
			// it came. Where it comes by a vertex again, a loop is parted from it.
			path := []node{}
			for u := v; out[u] != nil && out[u][arm]; {
				path = append(path, u)
				out[u][arm] = false
				u = u.plus(arm)
				if i := slices.Index(path, u); i >= 0 {
					loops = append(loops, r.corners(path[i:], c))
					path = path[:i]
				}
				back := arm + 4
				for turn := 1; turn <= 8; turn++ {
					if arm = (back - turn + 8) % 8; out[u][arm] {
						break
					}
				}
			}
		}
	}
	return loops
}

// corners returns the points of a loop at which it turns.
func (r *raster) corners(loop []node, c Cell) (out []Point) {
	n := len(loop)
	for i, v := range loop {
		u, w := loop[(i+n-1)%n], loop[(i+1)%n]
		if (v.x-u.x)*(w.y-v.y) != (v.y-u.y)*(w.x-v.x) {
			p := r.point(v)
			out = append(out, Point{X: p.X - int64(c.X)*Unit, Y: p.Y - int64(c.Y)*Unit})
		}
	}
	return out
}

// fill enters the expected contents of every cell into the first oracle. It numbers the
// parts again, so that a whole cell is one tile.
func (r *raster) fill(w *world) {
	clear(w.tiles)
	clear(w.parts)
	held := map[Cell][]int{}
	for k, p := range r.part {
		if c := r.cellAt(k); p != 0 && !slices.Contains(held[c], p) {
			held[c] = append(held[c], p)
		}
	}
	for c, ps := range held {
		var parts []part
		for _, p := range ps {
			loops := r.parts[p].loops
			if loops == nil {
				loops = r.outline(p, c)
			}
			parts = append(parts, part{r.parts[p].tile, loops})
		}
		w.lay(c, parts)
	}
}

// check compares g, resolved, with r: the contents of each cell, part by part; then
// segments and links, by the first oracle; then the surface, triangle by triangle.
func (r *raster) check(t rapid.TB, g *Grid, w *world) {
	t.Helper()
	r.fill(w)
	cells := 0
	for c, tile := range g.Tiles(everywhere) {
		cells++
		if want := w.tiles[c]; tile != want {
			t.Fatalf("%v holds %+v, want %+v", c, tile, want)
		}
		if !samePolygons(g, c, w.partsOf(c)) && tile.Shape == Patch {
			var got []part
			for tile, loops := range g.Polygons(c.X, c.Y) {
				got = append(got, part{tile, loops})
			}
			t.Fatalf("%v holds\n%+v, want\n%+v", c, got, w.partsOf(c))
		}
	}
	if cells != len(w.tiles) {
		t.Fatalf("%d cells hold something, want %d", cells, len(w.tiles))
	}
	w.check(t, g)
	if len(w.preserve) == 0 {
		r.checkSurface(t, g, w)
	}
}

// checkSurface: laid end to end, the segments are the edges of triangles with solid on
// their left alone, each once and with the attributes of that solid; their ends are
// vertices of parts, and between its ends none has one.
func (r *raster) checkSurface(t rapid.TB, g *Grid, w *world) {
	t.Helper()
	vertex := map[Point]bool{}
	for c := range w.tiles {
		for _, p := range w.partsOf(c) {
			for _, loop := range p.loops {
				for _, v := range loop {
					vertex[Point{X: v.X + int64(c.X)*Unit, Y: v.Y + int64(c.Y)*Unit}] = true
				}
			}
		}
	}
	surface := map[[2]Point]int{}
	for k, p := range r.part {
		edges, beyond := r.sides(k)
		for i, e := range edges {
			if p != 0 && (beyond[i] < 0 || r.part[beyond[i]] == 0) {
				surface[[2]Point{r.point(e.from), r.point(e.from.plus(e.arm))}] = p
			}
		}
	}
	for _, s := range g.AppendSegments(nil, everywhere) {
		dx, dy := s.B.X-s.A.X, s.B.Y-s.A.Y
		long := r.step
		if dx != 0 && dy != 0 {
			long = r.step / 2
		}
		dx, dy = dx/max(dx, -dx, dy, -dy)*long, dy/max(dx, -dx, dy, -dy)*long
		for at := s.A; at != s.B; {
			to := Point{X: at.X + dx, Y: at.Y + dy}
			p, ok := surface[[2]Point{at, to}]
			if !ok {
				t.Fatalf("%v-%v of %+v is no surface, or twice", at, to, s)
			}
			tile := r.parts[p].tile
			if (Attr{tile.Layer, tile.Material, tile.User}) != (Attr{s.Tile.Layer, s.Tile.Material, s.Tile.User}) {
				t.Fatalf("%v-%v of %+v lies on %+v", at, to, s, tile)
			}
			if vertex[at] != (at == s.A) || vertex[to] != (to == s.B) {
				t.Fatalf("%+v is cut where no vertex is, or not where one is: %v, %v", s, at, to)
			}
			delete(surface, [2]Point{at, to})
			at = to
		}
	}
	for e := range surface {
		t.Fatalf("%v is surface without a segment", e)
	}
}
