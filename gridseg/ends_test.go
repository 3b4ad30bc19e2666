package gridseg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/quarry2d/quarry/internal/lattice"
)

// The cells of an int32 end at rows and columns -2^31 and 2^31-1. There x+1 wraps, and a loop with x <= MaxX never
// ends. Whatever a grid does in the 32x32 cells at a corner of the world, it must do in any other 32x32 cells.

const endsSide = 32

// corners are the lower left cells of 32x32 cells: the four corners of the world, and a place inside.
var worldCorners = [...]Cell{
	{X: 0, Y: 0},
	{X: math.MinInt32, Y: math.MinInt32},
	{X: math.MaxInt32 - endsSide + 1, Y: math.MinInt32},
	{X: math.MinInt32, Y: math.MaxInt32 - endsSide + 1},
	{X: math.MaxInt32 - endsSide + 1, Y: math.MaxInt32 - endsSide + 1},
}

// rectAt returns the function that places a rectangle relative to c.
func rectAt(c Cell) func(x0, y0, x1, y1 int32) Rect {
	return func(x0, y0, x1, y1 int32) Rect {
		return Rect{MinX: c.X + x0, MinY: c.Y + y0, MaxX: c.X + x1, MaxY: c.Y + y1}
	}
}

func pointAt(c Cell, p Point) Point {
	return Point{X: lattice.OriginOf(c).X + p.X, Y: lattice.OriginOf(c).Y + p.Y}
}

func backPoint(c Cell, p Point) Point {
	return Point{X: p.X - lattice.OriginOf(c).X, Y: p.Y - lattice.OriginOf(c).Y}
}

func backCell(c Cell, d Cell) Cell { return Cell{X: d.X - c.X, Y: d.Y - c.Y} }

func backRect(c Cell, r Rect) Rect {
	return Rect{MinX: r.MinX - c.X, MinY: r.MinY - c.Y, MaxX: r.MaxX - c.X, MaxY: r.MaxY - c.Y}
}

// backSegment returns a segment relative to c.
func backSegment(c Cell, s Segment) Segment {
	s.A, s.B = backPoint(c, s.A), backPoint(c, s.B)
	s.ID.Cell = backCell(c, s.ID.Cell)
	if s.HasGhost1 {
		s.Ghost1, s.Prev.Cell = backPoint(c, s.Ghost1), backCell(c, s.Prev.Cell)
	}
	if s.HasGhost2 {
		s.Ghost2, s.Next.Cell = backPoint(c, s.Ghost2), backCell(c, s.Next.Cell)
	}
	return s
}

// endsEdit makes a random edit in the 32x32 cells from o on, and returns a text of its error.
func endsEdit(g *Grid, r *rand.Rand, o Cell) string {
	any := func() (x, y int32) { return o.X + r.Int32N(endsSide), o.Y + r.Int32N(endsSide) }
	box := func() (x0, y0, x1, y1 int32) {
		x0, y0 = r.Int32N(endsSide), r.Int32N(endsSide)
		return x0, y0, min(endsSide-1, x0+r.Int32N(6)), min(endsSide-1, y0+r.Int32N(6))
	}
	tile := func() Tile {
		return Tile{
			Shape: ShapeID(r.IntN(5)), Turn: Turn(r.IntN(8)), Layer: uint8(r.IntN(2)),
			Material: uint16(r.IntN(3)),
		}
	}
	loop := func(side int64) [][]Point { // a triangle
		at := Point{X: r.Int64N(side), Y: r.Int64N(side)}
		b, c := Point{X: r.Int64N(side), Y: r.Int64N(side)}, Point{X: r.Int64N(side), Y: r.Int64N(side)}
		if lattice.Cross(lattice.Sub(b, at), lattice.Sub(c, at)) < 0 {
			b, c = c, b
		}
		return [][]Point{{at, b, c}}
	}
	wide := func() [][]Point {
		ps := loop(endsSide * Unit)
		for i := range ps[0] {
			ps[0][i] = pointAt(o, ps[0][i])
		}
		return ps
	}
	err := error(nil)
	switch x, y := any(); r.IntN(13) {
	case 0, 1:
		err = g.Set(x, y, tile())
	case 2:
		err = g.Clear(x, y)
	case 3, 4:
		err = g.Fill(rectAt(o)(box()), tile())
	case 5:
		err = g.Add(x, y, loop(Unit+1), Attr{Material: 1})
	case 6:
		err = g.Remove(x, y, loop(Unit+1))
	case 7:
		err = g.Unite(wide(), Attr{Layer: uint8(r.IntN(2))})
	case 8:
		var rep Report
		if err = g.Subtract(wide(), ReportTo(&rep)); err == nil {
			for k := range rep.Cells {
				rep.Cells[k] = backCell(o, rep.Cells[k])
			}
			return fmt.Sprint(rep)
		}
	case 9:
		var s *Stamp
		if s, err = g.Copy(rectAt(o)(box())); err == nil {
			w, h := s.Size()
			err = g.Place(o.X+r.Int32N(endsSide+1-int32(w)), o.Y+r.Int32N(endsSide+1-int32(h)), s)
		}
	case 10:
		x0, y0, x1, y1 := box()
		err = g.Move(rectAt(o)(x0, y0, x1, y1), r.Int32N(endsSide-x1+x0)-x0, r.Int32N(endsSide-y1+y0)-y0)
	case 11:
		as := Unloaded(r.IntN(2))
		var data []byte
		if data, err = g.Unload(Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}, as); err == nil {
			var s *Stamp
			if s, err = g.Copy(rectAt(o)(0, 0, endsSide-1, endsSide-1)); err == nil {
				err = g.Place(o.X, o.Y, s)
			}
			if err == nil {
				_, err = g.Load(data)
			}
		}
	case 12:
		saved := g.Engine(lattice.Key{}).Save()
		err = g.Fill(rectAt(o)(box()), tile())
		g.Engine(lattice.Key{}).Restore(saved)
	}
	if err != nil {
		return "refused"
	}
	return ""
}

// endsState is a grid as a game sees it, relative to o.
func endsState(t *testing.T, g *Grid, o Cell, r *rand.Rand) []any {
	t.Helper()
	all := rectAt(o)(0, 0, endsSide-1, endsSide-1)
	var out []any
	add := func(name string, v any) { out = append(out, name, v) }
	segments := func(list []Segment) (to []Segment) {
		for _, s := range list {
			to = append(to, backSegment(o, s))
		}
		return to
	}
	add("segments", segments(g.AppendSegments(nil, lattice.EveryCell)))
	add("segments in", segments(g.AppendSegments(nil, all)))
	b, some := g.Bounds()
	in, _ := g.BoundsIn(all)
	if some {
		add("bounds", []Rect{backRect(o, b), backRect(o, in)})
	}
	add("area", []any{g.SolidArea(lattice.EveryCell), g.SolidArea(all), g.Engine(lattice.Key{}).AnySolid(all)})
	x, y := r.Int32N(endsSide), r.Int32N(endsSide)
	part := rectAt(o)(x, y, min(x+3, endsSide-1), min(y+3, endsSide-1))
	add("part", []any{g.SolidArea(part), g.Engine(lattice.Key{}).AnySolid(part)})
	for cell, tile := range g.Tiles(lattice.EveryCell) {
		add("tile", []any{backCell(o, cell), tile})
		for tile, loops := range g.Polygons(cell.X, cell.Y) {
			add("polygon", []any{tile, loops})
		}
	}
	for _, line := range g.Outlines(all) {
		for _, p := range line.Points {
			add("outline", backPoint(o, p))
		}
	}
	rows, cells := g.Engine(lattice.Key{}).AppendBlockRows(nil, nil, lattice.EveryCell)
	for _, q := range rows {
		add("row", backRect(o, q))
	}
	for _, q := range cells {
		add("cell", backCell(o, q))
	}
	if !g.Engine(lattice.Key{}).Preserves() {
		var runs Runs
		runs.Gather(g, all)
		for _, q := range runs.List {
			add("run", []Point{backPoint(o, q.A), backPoint(o, q.B)})
		}
	}
	var along []Rect
	ox, oy := float64(o.X), float64(o.Y)
	g.Engine(lattice.Key{}).RowsAlong(ox, oy, ox+endsSide, oy+endsSide, 1, lattice.EveryCell, func(q Rect) bool {
		along = append(along, backRect(o, q))
		return false
	})
	slices.SortFunc(along, func(a, b Rect) int { return byRow(Cell{X: a.MinX, Y: a.MinY}, Cell{X: b.MinX, Y: b.MinY}) })
	add("along", along)
	for range 4 {
		// Halves and quarters, which are exact at the ends, too.
		px, py := ox+float64(r.IntN(4*endsSide+1))/4, oy+float64(r.IntN(4*endsSide+1))/4
		dx, dy := float64(r.IntN(17)-8), float64(r.IntN(17)-8)
		add("solid", g.Solid(px, py))
		if n, ok := g.Nearest(px, py, 8); ok {
			add("nearest", []any{math.Round((n.X-ox)*1e4) / 1e4, math.Round((n.Y-oy)*1e4) / 1e4, backSegment(o,
				n.Segment)})
		}
		for _, h := range g.Engine(lattice.Key{}).AppendRayHits(nil, px, py, dx, dy) {
			add("ray", []any{h.Fraction, backSegment(o, h.Segment)})
		}
	}
	for _, m := range g.Engine(lattice.Key{}).AppendMoments(nil) {
		add("moments", []any{
			m.Material, m.Area, math.Round((m.X-ox)*1e4) / 1e4, math.Round((m.Y-oy)*1e4) / 1e4,
			math.Round(m.Inertia*1e6) / 1e6,
		})
	}
	p := g.Parts()
	for _, q := range [][]Part{p.Append(nil), p.allLoose(nil)} {
		for _, of := range q {
			var list []Cell
			for _, c := range cellsOfPart(p, of) {
				list = append(list, backCell(o, c))
			}
			add("part", []any{of.Area, backRect(o, of.Cells), backCell(o, of.First), of.Anchored, list})
		}
	}
	data := g.AppendBinary(nil)
	again, err := ReadGrid(data, g.Shapes())
	if err != nil {
		t.Fatal(err)
	}
	if again.Hash() != g.Hash() {
		t.Fatal("the grid read again has another hash")
	}
	add("bytes", len(data))
	return out
}

func TestEndsOfTheWorld(t *testing.T) {
	for seed := range uint64(6) {
		var want []any
		var wantTold []string
		for _, o := range worldCorners {
			r := rand.New(rand.NewPCG(seed, 29))
			g := New(nil)
			if r.IntN(2) == 0 {
				if err := g.Preserve(0, 1); err != nil {
					t.Fatal(err)
				}
			}
			g.Engine(lattice.Key{}).TrackMoments()
			g.Parts().SetAnchors([]Rect{rectAt(o)(0, 0, 3, 3), rectAt(o)(20, 0, endsSide-1, 8)}, 0)
			var told []string
			for range 40 {
				told = append(told, endsEdit(g, r, o))
				if r.IntN(4) == 0 {
					g.Resolve()
				}
			}
			g.Clear(o.X, o.Y) // whatever lies beyond must not be moved here
			g.Resolve()
			got := endsState(t, g, o, r)
			if o == worldCorners[0] {
				want, wantTold = got, told
				continue
			}
			if d := gocmp.Diff(wantTold, told); d != "" {
				t.Fatalf("seed %d: at %v edits answer in another way (-at the origin +here):\n%s", seed, o, d)
			}
			if !reflect.DeepEqual(want, got) {
				d := gocmp.Diff(want, got)
				t.Fatalf("seed %d: at %v the grid differs (-at the origin +here):\n%s", seed, o, d)
			}
		}
	}
}

// TestEndsJoinExtract moves a grid to each corner of the world by Join, and takes its parts off.
func TestEndsJoinExtract(t *testing.T) {
	from := New(nil)
	for _, c := range []Cell{{X: 3, Y: 3}, {X: 4, Y: 3}, {X: 6, Y: 3}, {X: 6, Y: 6}, {X: 9, Y: 3}} {
		if err := from.Set(c.X, c.Y, Tile{Shape: Ramp}); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range worldCorners {
		g := New(nil)
		if err := g.Join(from, 1, 0, float64(o.X), float64(o.Y)); err != nil {
			t.Fatal(o, err)
		}
		p := g.Parts()
		list := p.Append(nil)
		var first []Cell
		for k, sub := range p.Extract(list) {
			first = append(first, backCell(o, list[k].First))
			if sub.SolidArea(lattice.EveryCell) != list[k].Area {
				t.Errorf("at %v part %d has the area %d, extracted %d", o, k, list[k].Area,
					sub.SolidArea(lattice.EveryCell))
			}
		}
		if want := []Cell{{X: 3, Y: 3}, {X: 4, Y: 3}, {X: 6, Y: 3}, {X: 9, Y: 3}, {X: 6, Y: 6}}; !slices.Equal(first,
			want) {
			t.Errorf("at %v the parts begin at %v, not %v", o, first, want)
		}
	}
}
