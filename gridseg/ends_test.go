package gridseg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// The cells of an int32 end at rows and columns -2^31 and 2^31-1. There x+1 wraps, and a loop with x <= MaxX never
// ends. Whatever a grid does in the 32x32 cells at a corner of the world, it must do in any other 32x32 cells.

const endsSide = 32

// corners are the lower left cells of 32x32 cells: the four corners of the world, and a place inside.
var worldCorners = [...]Cell{
	{0, 0},
	{math.MinInt32, math.MinInt32},
	{math.MaxInt32 - endsSide + 1, math.MinInt32},
	{math.MinInt32, math.MaxInt32 - endsSide + 1},
	{math.MaxInt32 - endsSide + 1, math.MaxInt32 - endsSide + 1},
}

func (c Cell) rect(x0, y0, x1, y1 int32) Rect { return Rect{c.X + x0, c.Y + y0, c.X + x1, c.Y + y1} }

func (c Cell) point(p Point) Point { return Point{c.origin().X + p.X, c.origin().Y + p.Y} }

func (c Cell) back(p Point) Point { return Point{p.X - c.origin().X, p.Y - c.origin().Y} }

func (c Cell) backCell(d Cell) Cell { return Cell{d.X - c.X, d.Y - c.Y} }

func (c Cell) backRect(r Rect) Rect {
	return Rect{r.MinX - c.X, r.MinY - c.Y, r.MaxX - c.X, r.MaxY - c.Y}
}

// backSegment returns a segment relative to c.
func (c Cell) backSegment(s Segment) Segment {
	s.A, s.B = c.back(s.A), c.back(s.B)
	s.ID.Cell = c.backCell(s.ID.Cell)
	if s.HasGhost1 {
		s.Ghost1, s.Prev.Cell = c.back(s.Ghost1), c.backCell(s.Prev.Cell)
	}
	if s.HasGhost2 {
		s.Ghost2, s.Next.Cell = c.back(s.Ghost2), c.backCell(s.Next.Cell)
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
		return Tile{Shape: ShapeID(r.IntN(5)), Turn: Turn(r.IntN(8)), Layer: uint8(r.IntN(2)), Material: uint16(r.IntN(3))}
	}
	loop := func(side int64) [][]Point { // a triangle
		at := Point{r.Int64N(side), r.Int64N(side)}
		b, c := Point{r.Int64N(side), r.Int64N(side)}, Point{r.Int64N(side), r.Int64N(side)}
		if cross(sub(b, at), sub(c, at)) < 0 {
			b, c = c, b
		}
		return [][]Point{{at, b, c}}
	}
	wide := func() [][]Point {
		ps := loop(endsSide * Unit)
		for i := range ps[0] {
			ps[0][i] = o.point(ps[0][i])
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
		err = g.Fill(o.rect(box()), tile())
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
				rep.Cells[k] = o.backCell(rep.Cells[k])
			}
			return fmt.Sprint(rep)
		}
	case 9:
		var s *Stamp
		if s, err = g.Copy(o.rect(box())); err == nil {
			w, h := s.Size()
			err = g.Place(o.X+r.Int32N(endsSide+1-int32(w)), o.Y+r.Int32N(endsSide+1-int32(h)), s)
		}
	case 10:
		x0, y0, x1, y1 := box()
		err = g.Move(o.rect(x0, y0, x1, y1), r.Int32N(endsSide-x1+x0)-x0, r.Int32N(endsSide-y1+y0)-y0)
	case 11:
		as := Unloaded(r.IntN(2))
		var data []byte
		if data, err = g.Unload(Rect{x, y, x, y}, as); err == nil {
			var s *Stamp
			if s, err = g.Copy(o.rect(0, 0, endsSide-1, endsSide-1)); err == nil {
				err = g.Place(o.X, o.Y, s)
			}
			if err == nil {
				_, err = g.Load(data)
			}
		}
	case 12:
		saved := g.Save()
		err = g.Fill(o.rect(box()), tile())
		g.Restore(saved)
	}
	if err != nil {
		return "refused"
	}
	return ""
}

// endsState is a grid as a game sees it, relative to o.
func endsState(t *testing.T, g *Grid, o Cell, r *rand.Rand) []any {
	t.Helper()
	all := o.rect(0, 0, endsSide-1, endsSide-1)
	var out []any
	add := func(name string, v any) { out = append(out, name, v) }
	segments := func(list []Segment) (to []Segment) {
		for _, s := range list {
			to = append(to, o.backSegment(s))
		}
		return to
	}
	add("segments", segments(g.AppendSegments(nil, everyCell)))
	add("segments in", segments(g.AppendSegments(nil, all)))
	b, some := g.Bounds()
	in, _ := g.BoundsIn(all)
	if some {
		add("bounds", []Rect{o.backRect(b), o.backRect(in)})
	}
	add("area", []any{g.SolidArea(everyCell), g.SolidArea(all), g.AnySolid(all), g.AllSolid(all)})
	x, y := r.Int32N(endsSide), r.Int32N(endsSide)
	part := o.rect(x, y, min(x+3, endsSide-1), min(y+3, endsSide-1))
	add("part", []any{g.SolidArea(part), g.AllSolid(part), g.AnySolid(part)})
	for cell, tile := range g.Tiles(everyCell) {
		add("tile", []any{o.backCell(cell), tile})
		for tile, loops := range g.Polygons(cell.X, cell.Y) {
			add("polygon", []any{tile, loops})
		}
	}
	for _, line := range g.Outlines(all) {
		for _, p := range line.Points {
			add("outline", o.back(p))
		}
	}
	rows, cells := g.AppendBlockRows(nil, nil, everyCell)
	for _, q := range rows {
		add("row", o.backRect(q))
	}
	for _, q := range cells {
		add("cell", o.backCell(q))
	}
	if !g.Preserves() {
		var runs Runs
		runs.Gather(g, all)
		for _, q := range runs.List {
			add("run", []Point{o.back(q.A), o.back(q.B)})
		}
	}
	var along []Rect
	ox, oy := float64(o.X), float64(o.Y)
	g.RowsAlong(ox, oy, ox+endsSide, oy+endsSide, 1, everyCell, func(q Rect) bool {
		along = append(along, o.backRect(q))
		return false
	})
	slices.SortFunc(along, func(a, b Rect) int { return byRow(Cell{a.MinX, a.MinY}, Cell{b.MinX, b.MinY}) })
	add("along", along)
	for range 4 {
		// Halves and quarters, which are exact at the ends, too.
		px, py := ox+float64(r.IntN(4*endsSide+1))/4, oy+float64(r.IntN(4*endsSide+1))/4
		dx, dy := float64(r.IntN(17)-8), float64(r.IntN(17)-8)
		add("solid", g.Solid(px, py))
		if n, ok := g.Nearest(px, py, 8); ok {
			add("nearest", []any{math.Round((n.X-ox)*1e4) / 1e4, math.Round((n.Y-oy)*1e4) / 1e4, o.backSegment(n.Segment)})
		}
		for _, h := range g.AppendRayHits(nil, px, py, dx, dy) {
			add("ray", []any{h.Fraction, o.backSegment(h.Segment)})
		}
	}
	for _, m := range g.AppendMoments(nil) {
		add("moments", []any{m.Material, m.Area, math.Round((m.X-ox)*1e4) / 1e4, math.Round((m.Y-oy)*1e4) / 1e4, math.Round(m.Inertia*1e6) / 1e6})
	}
	p := g.Parts()
	for _, q := range [][]Part{p.Append(nil), p.AppendLoose(nil)} {
		for _, of := range q {
			var list []Cell
			for _, c := range p.AppendCells(nil, of) {
				list = append(list, o.backCell(c))
			}
			add("part", []any{of.Area, o.backRect(of.Cells), o.backCell(of.First), of.Anchored, list})
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
			g.TrackMoments()
			g.Parts().SetAnchors([]Rect{o.rect(0, 0, 3, 3), o.rect(20, 0, endsSide-1, 8)}, 0)
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
	for _, c := range []Cell{{3, 3}, {4, 3}, {6, 3}, {6, 6}, {9, 3}} {
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
			first = append(first, o.backCell(list[k].First))
			if sub.SolidArea(everyCell) != list[k].Area {
				t.Errorf("at %v part %d has the area %d, extracted %d", o, k, list[k].Area, sub.SolidArea(everyCell))
			}
		}
		if want := []Cell{{3, 3}, {4, 3}, {6, 3}, {9, 3}, {6, 6}}; !slices.Equal(first, want) {
			t.Errorf("at %v the parts begin at %v, not %v", o, first, want)
		}
	}
}
