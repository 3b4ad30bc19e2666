package published

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/quarry2d/quarry/gridseg"
)

// both is one world in both algorithms.
type both struct {
	tb     Failer
	pub    *World
	grid   *gridseg.Grid
	shapes *gridseg.Shapes
	raw    map[gridseg.ShapeID][][][2]float64 // of shapes that come in floats
	tiles  map[Cell]gridseg.Tile
}

func newBoth(tb Failer, shapes *gridseg.Shapes) *both {
	return &both{
		tb: tb, pub: New(), grid: gridseg.New(shapes), shapes: shapes,
		raw: map[gridseg.ShapeID][][][2]float64{}, tiles: map[Cell]gridseg.Tile{},
	}
}

// polygons returns the polygons of a tile in world coordinates. Polygons of shapes that
// came in floats go as they came; at cell 0 nothing is added to them, so that a
// negative zero stays one.
func (b *both) polygons(c Cell, t gridseg.Tile) [][]Vec {
	at := func(cell int32, x float64) float64 {
		if cell == 0 {
			return x
		}
		return float64(cell) + x
	}
	var out [][]Vec
	if raw, ok := b.raw[t.Shape]; ok && t.Turn == 0 {
		for _, poly := range raw {
			var vs []Vec
			for _, p := range poly {
				vs = append(vs, Vec{at(c.X, p[0]), at(c.Y, p[1])})
			}
			out = append(out, vs)
		}
		return out
	}
	for _, poly := range b.shapes.Polygons(t.Shape, t.Turn) {
		var vs []Vec
		for _, p := range poly {
			vs = append(vs, Vec{at(c.X, float64(p.X)/gridseg.Unit), at(c.Y, float64(p.Y)/gridseg.Unit)})
		}
		out = append(out, vs)
	}
	return out
}

// set replaces the content of a cell by a tile; its block is its layer.
func (b *both) set(c Cell, t gridseg.Tile) {
	b.tb.Helper()
	if old, ok := b.tiles[c]; ok {
		for _, p := range b.polygons(c, old) {
			b.pub.Remove(c, p, int(old.Layer))
		}
		delete(b.tiles, c)
	}
	if t.Shape != 0 {
		for _, p := range b.polygons(c, t) {
			b.pub.Add(c, p, int(t.Layer))
		}
		b.tiles[c] = t
	}
	if err := b.grid.Set(c.X, c.Y, t); err != nil {
		b.tb.Fatal(err)
	}
}

func (b *both) resolve() gridseg.Delta {
	b.pub.Compute()
	return b.grid.Resolve()
}

// line is a segment of either, on the lattice.
type line struct {
	a, b, ghost1, ghost2 gridseg.Point
	has1, has2           bool
}

func compareLines(p, q line) int {
	return cmp.Or(
		cmp.Compare(p.a.X, q.a.X), cmp.Compare(p.a.Y, q.a.Y), cmp.Compare(p.b.X, q.b.X), cmp.Compare(p.b.Y, q.b.Y),
		cmp.Compare(p.ghost1.X, q.ghost1.X), cmp.Compare(p.ghost1.Y, q.ghost1.Y),
		cmp.Compare(p.ghost2.X, q.ghost2.X), cmp.Compare(p.ghost2.Y, q.ghost2.Y),
	)
}

// snap puts a float vertex on the lattice, so that rounding alone is no difference.
func snap(v Vec) gridseg.Point {
	return gridseg.Point{X: int64(math.Round(v[0] * gridseg.Unit)), Y: int64(math.Round(v[1] * gridseg.Unit))}
}

func (b *both) published() []line {
	var out []line
	for _, s := range b.pub.Segments() {
		l := line{a: snap(s.Start), b: snap(s.End)}
		if s.Ghost1 != nil {
			l.ghost1, l.has1 = snap(*s.Ghost1), true
		}
		if s.Ghost2 != nil {
			l.ghost2, l.has2 = snap(*s.Ghost2), true
		}
		out = append(out, l)
	}
	slices.SortFunc(out, compareLines)
	return out
}

func (b *both) quarry() []line {
	var out []line
	const lo, hi = math.MinInt32, math.MaxInt32
	for _, s := range b.grid.AppendSegments(nil, gridseg.Rect{MinX: lo, MinY: lo, MaxX: hi, MaxY: hi}) {
		out = append(out, line{s.A, s.B, s.Ghost1, s.Ghost2, s.HasGhost1, s.HasGhost2})
	}
	slices.SortFunc(out, compareLines)
	return out
}

// only returns the lines of p that q has not: both are sorted and may repeat.
func only(p, q []line) []line {
	q = slices.Clone(q)
	var out []line
	for _, l := range p {
		if i := slices.Index(q, l); i >= 0 {
			q = slices.Delete(q, i, i+1)
		} else {
			out = append(out, l)
		}
	}
	return out
}

// agree fails unless both give the same segments with the same ghosts.
func (b *both) agree(tb Failer) {
	tb.Helper()
	p, q := b.published(), b.quarry()
	if !slices.Equal(p, q) {
		tb.Fatalf("tiles %v\nonly published %v\nonly quarry    %v", b.tiles, only(p, q), only(q, p))
	}
}

// number writes a coordinate in cells, to a millionth.
func number(x int64) string {
	return strconv.FormatFloat(math.Round(float64(x)/gridseg.Unit*1e6)/1e6, 'f', -1, 64)
}

func point(p gridseg.Point) string { return number(p.X) + "," + number(p.Y) }

// String writes a line as "ghost1: a > b :ghost2", a dash for a ghost that is not
// there.
func (l line) String() string {
	ghost := func(p gridseg.Point, has bool) string {
		if !has {
			return "-"
		}
		return point(p)
	}
	return fmt.Sprintf("%s: %s > %s :%s", ghost(l.ghost1, l.has1), point(l.a), point(l.b), ghost(l.ghost2, l.has2))
}

// lookup returns a shape by its name.
func lookup(tb Failer, s *gridseg.Shapes, name string) gridseg.ShapeID {
	tb.Helper()
	id, ok := s.Lookup(name)
	if !ok {
		tb.Fatal("no shape ", name)
	}
	return id
}
