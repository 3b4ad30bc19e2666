package gridseg

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// ideal is the result of strokes without any rounding: the third oracle of Unite and
// Subtract. The strokes, one after another, set the material of a point by their winding
// numbers about it, which are exact. It is sampled along rows at half a step, on which no
// vertex lies: where each edge crosses one is a fraction of small integers.
//
// The rules of rounding give this law: a stroke rounds its edges where they cross grid lines,
// then where they cross each other, then where they cross the cell's content; each moves an
// edge by no more than half a step in x and y, and no point further from it changes sides. So
// after n strokes a point that is further than 3/2 + (n-k-1)/2 steps, in x or y, from every
// edge of each stroke k, and n/2 from every edge of a tile, has exactly the material of the oracle,
// or none. Along a surface that earlier strokes have moved, an edge is led up to a step
// aside, see weld. The bounds stay, because this leads the edge back to the line of the other
// strokes.
type ideal struct {
	o       Cell
	strokes []stroked
	swap    bool // columns for rows
}

type stroked struct {
	loops    [][]Point
	unite    bool
	material uint16
	tile     bool
}

// frac is n/d, d > 0, of up to some 40 and 20 bits.
type frac struct{ n, d int64 }

func (p frac) compare(q frac) int { return cmp.Compare(p.n*q.d, q.n*p.d) }

// event is where a row goes over an edge of the k-th set, which adds to its winding number.
type event struct {
	x frac
	k int
	n int
}

// edges calls do for the edges of loops, seen from the corner of o.
func (m *ideal) edges(loops [][]Point, o Cell, do func(a, b Point)) {
	at := func(v Point) Point {
		v = Point{X: v.X - int64(o.X)*Unit, Y: v.Y - int64(o.Y)*Unit}
		if m.swap {
			return Point{X: v.Y, Y: v.X}
		}
		return v
	}
	for _, loop := range loops {
		for i, a := range loop {
			do(at(a), at(loop[(i+1)%len(loop)]))
		}
	}
}

// overRows enters the events of an edge into rows: row j is at the height of j + 1/2.
func overRows(rows [][]event, low int64, a, b Point, k int) {
	n := 1
	if a.Y > b.Y {
		a, b, n = b, a, -1
	}
	dx, dy := b.X-a.X, b.Y-a.Y
	for j := max(a.Y, low); j < min(b.Y, low+int64(len(rows))); j++ {
		rows[j-low] = append(rows[j-low], event{frac{2*dy*a.X + (2*(j-a.Y)+1)*dx, 2 * dy}, k, n})
	}
}

// movedTo returns which x of a row at y/2 are no further than half/2 in x and in y from some
// point of a-b.
func movedTo(a, b Point, y, half int64) (lo, hi frac, ok bool) {
	if a.Y > b.Y {
		a, b = b, a
	}
	from, to := max(2*a.Y, y-half), min(2*b.Y, y+half)
	if from > to {
		return lo, hi, false
	}
	at := func(y int64) frac { // of a-b at the height y/2
		dx, dy := b.X-a.X, b.Y-a.Y
		return frac{2*dy*a.X + (y-2*a.Y)*dx, 2 * dy}
	}
	lo, hi = frac{min(a.X, b.X), 1}, frac{max(a.X, b.X), 1}
	if a.Y != b.Y {
		lo, hi = at(from), at(to)
		if lo.compare(hi) > 0 {
			lo, hi = hi, lo
		}
	}
	return frac{2*lo.n - half*lo.d, 2 * lo.d}, frac{2*hi.n + half*hi.d, 2 * hi.d}, true
}

// check compares g with the ideal on the rows from low to high, every stride-th. It
// returns the widest place, in steps, in which the two differ.
func (m *ideal) check(t rapid.TB, g *Grid, low, high int64, stride int) (worst float64) {
	t.Helper()
	n := len(m.strokes)
	want, got := make([][]event, high-low), make([][]event, high-low)
	for k, s := range m.strokes {
		m.edges(s.loops, m.o, func(a, b Point) { overRows(want, low, a, b, k) })
	}
	var held []uint16 // material + 1 of each polygon there is
	for c := range g.Tiles(everywhere) {
		for tile, loops := range g.Polygons(c.X, c.Y) {
			m.edges(loops, Cell{X: m.o.X - c.X, Y: m.o.Y - c.Y}, func(a, b Point) {
				overRows(got, low, a, b, len(held))
			})
			held = append(held, tile.Material+1)
		}
	}
	turns, there := make([]int, n), make([]int, len(held))
	for j := range want {
		if j%stride != 0 {
			continue
		}
		clear(turns)
		clear(there)
		row := slices.Clone(want[j])
		for _, e := range got[j] {
			row = append(row, event{e.x, n + e.k, e.n})
		}
		slices.SortFunc(row, func(p, q event) int { return p.x.compare(q.x) })
		var free []([2]frac) // near edges; made when it is first needed
		for i, e := range row {
			if e.k < n {
				turns[e.k] += e.n
			} else {
				there[e.k-n] += e.n
			}
			if i+1 == len(row) || e.x.compare(row[i+1].x) == 0 {
				continue
			}
			should, is := uint16(0), uint16(0)
			for k, s := range m.strokes {
				switch {
				case turns[k] == 0:
				case !s.unite:
					should = 0
				case should == 0:
					should = s.material + 1
				}
			}
			for k, w := range there {
				if w != 0 && is != 0 {
					t.Fatalf("polygons overlap in row %d", low+int64(j))
				}
				if w != 0 {
					is = held[k]
				}
			}
			if should == is {
				continue
			}
			if free == nil {
				free = m.free(2*(low+int64(j)) + 1)
			}
			x, to := e.x, row[i+1].x
			worst = max(worst, float64(to.n)/float64(to.d)-float64(x.n)/float64(x.d))
			for _, f := range free {
				if f[0].compare(x) <= 0 && f[1].compare(x) > 0 {
					x = f[1]
				}
			}
			if x.compare(to) < 0 {
				t.Fatalf("columns for rows %v: row %d, from %v to %v is %d, should be %d, and no edge is near %v\n%+v",
					m.swap, low+int64(j), e.x, to, is, should, x, m.strokes)
			}
		}
	}
	return worst
}

// free returns where on the row at y/2 rounding may have moved an edge, by their lower ends.
func (m *ideal) free(y int64) (out [][2]frac) {
	n := int64(0) // strokes after this one
	for k := len(m.strokes) - 1; k >= 0; k-- {
		s := m.strokes[k]
		half := n
		if !s.tile {
			half += 3
			n++
		}
		m.edges(s.loops, m.o, func(a, b Point) {
			if lo, hi, ok := movedTo(a, b, y, half); ok {
				out = append(out, [2]frac{lo, hi})
			}
		})
	}
	slices.SortFunc(out, func(p, q [2]frac) int { return p[0].compare(q[0]) })
	return out
}

// do strikes g and remembers it.
func (m *ideal) do(t *rapid.T, g *Grid, loops [][]Point, unite bool, material uint16) {
	var err error
	if unite {
		err = g.Unite(loops, Attr{Material: material})
	} else {
		err = g.Subtract(loops)
	}
	if err != nil {
		t.Fatal(err)
	}
	m.strokes = append(m.strokes, stroked{loops, unite, material, false})
}

// TestUniteNear strikes small loops on each other round the corner of four cells, a few
// steps wide, where hardly an edge is not rounded, and looks at every row and column.
func TestUniteNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, m := New(nil), &ideal{}
		half := rapid.SampledFrom([]int64{4, 9, 24}).Draw(t, "half")
		for range rapid.IntRange(1, 6).Draw(t, "strokes") {
			var loops [][]Point
			for range rapid.IntRange(1, 2).Draw(t, "loops") {
				var loop []Point
				for range rapid.IntRange(3, 7).Draw(t, "vertices") {
					loop = append(loop, Point{X: rapid.Int64Range(-half, half).Draw(t, "x"), Y: rapid.Int64Range(-half,
						half).Draw(t, "y")})
				}
				loops = append(loops, loop)
			}
			m.do(t, g, loops, rapid.IntRange(0, 2).Draw(t, "unite") > 0,
				uint16(rapid.IntRange(0, 1).Draw(t, "material")))
		}
		for _, m.swap = range []bool{false, true} {
			m.check(t, g, -half-3, half+3, 1)
		}
		g.Resolve()
		worldOf(g).check(t, g)
	})
}

// TestBrushNear does so with brushes of the common size on tiles, at all places of the
// world, and looks at every row and column when soaking, else at some.
func TestBrushNear(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		const side = 3
		g := New(shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		m := &ideal{o: o}
		for i := range int32(side * side) {
			x, y, tile := o.X+i%side, o.Y+i/side, anyTile(shapes).Draw(t, "tile")
			tile.Layer, tile.User = 0, 0
			if err := g.Set(x, y, tile); err != nil {
				t.Fatal(err)
			}
			var loops [][]Point
			for _, loop := range shapes.Polygons(tile.Shape, tile.Turn) {
				var far []Point
				for _, v := range loop {
					far = append(far, Point{X: v.X + int64(x)*Unit, Y: v.Y + int64(y)*Unit})
				}
				loops = append(loops, far)
			}
			m.strokes = append(m.strokes, stroked{loops, true, tile.Material, true})
		}
		for range rapid.IntRange(1, 4).Draw(t, "strokes") {
			m.do(t, g, anyStroke(o, side).Draw(t, "loops"), rapid.Bool().Draw(t, "unite"),
				uint16(rapid.IntRange(0, 1).Draw(t, "material")))
		}
		stride := 61
		if soak() {
			stride = 1
		}
		for _, m.swap = range []bool{false, true} {
			m.check(t, g, -2*Unit, (side+2)*Unit, stride)
		}
		g.Resolve()
		worldOf(g).check(t, g)
	})
}
