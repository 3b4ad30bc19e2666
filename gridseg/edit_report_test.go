package gridseg

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// contents returns the polygons of every cell of g, copied, and the area of each material, summed over all
// cells polygon by polygon.
func contents(g *Grid) (cells map[Cell][]polygon, areas map[uint16]int64) {
	cells, areas = map[Cell][]polygon{}, map[uint16]int64{}
	for c := range g.Tiles(everywhere) {
		for t, loops := range g.Polygons(c.X, c.Y) {
			p := polygon{tile: t}
			for _, l := range loops {
				p.loops = append(p.loops, slices.Clone(l))
				areas[t.Material] += lattice.Area2(l)
			}
			cells[c] = append(cells[c], p)
		}
	}
	return cells, areas
}

// drawGround fills some cells at o with tiles and with cut polygons.
func drawGround(t *rapid.T, g *Grid, shapes *Shapes, o Cell) {
	for i := range int32(16) {
		tile := anyTile(shapes).Draw(t, "tile")
		tile.Material %= 4
		if err := g.Set(o.X+i%4, o.Y+i/4, tile); err != nil {
			t.Fatal(err)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "earlier") {
		loops := anyStroke(o, 4).Draw(t, "loops")
		a := Attr{Material: uint16(rapid.IntRange(0, 3).Draw(t, "material"))}
		if err := g.Subtract(loops); err != nil {
			t.Fatal(err)
		}
		if err := g.Unite(anyStroke(o, 4).Draw(t, "loops"), a); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReport: the report of a brush has exactly the cells whose content differs, in order, and the areas of
// the materials that an addition of all polygons of the world, before and after, gives. The brush does the
// same without it.
func TestReport(t *testing.T) {
	shapes := gallery(t)
	r := Report{Cells: []Cell{{X: 9, Y: 9}}, Areas: []MaterialArea{{9, 9, 9}}} // from an earlier edit
	rapid.Check(t, func(t *rapid.T) {
		o := rapid.SampledFrom([]Cell{{X: 0, Y: 0}, {X: -3, Y: 14}, {X: 1 << 30, Y: -1 << 30}}).Draw(t, "origin")
		g := New(shapes)
		drawGround(t, g, shapes, o)
		cells, areas := contents(g)
		loops := anyStroke(o, 4).Draw(t, "loops")
		plain := New(shapes)
		if all, ok := g.Bounds(); ok {
			if err := plain.Place(all.MinX, all.MinY, mustCopy(t, g, all)); err != nil {
				t.Fatal(err)
			}
		}
		var err, same error
		if a := (Attr{Material: 7}); rapid.Bool().Draw(t, "unite") {
			err, same = g.Unite(loops, a, ReportTo(&r)), plain.Unite(loops, a)
		} else {
			err, same = g.Subtract(loops, ReportTo(&r)), plain.Subtract(loops)
		}
		if err != nil || same != nil {
			t.Fatal(err, same)
		}
		after, left := contents(g)
		if other, _ := contents(plain); !maps.EqualFunc(after, other, equalPolys) {
			t.Fatal("the brush does something else with a report")
		}
		var want []Cell
		for c := range maps.Keys(cells) {
			if !equalPolys(cells[c], after[c]) {
				want = append(want, c)
			}
		}
		for c := range maps.Keys(after) {
			if cells[c] == nil {
				want = append(want, c)
			}
		}
		if slices.SortFunc(want, compareCells); !slices.Equal(r.Cells, want) {
			t.Fatalf("changed cells %v, want %v", r.Cells, want)
		}
		last := -1
		for _, a := range r.Areas {
			if int(a.Material) <= last {
				t.Fatalf("areas out of order: %+v", r.Areas)
			}
			last = int(a.Material)
			if d := areas[a.Material] - left[a.Material]; d == 0 || d != int64(a.Before)-int64(a.After) ||
				a.Removed() != float64(d)/float64(cellArea) {
				t.Fatalf("material %d: %+v, the world lost %d", a.Material, a, d)
			}
			delete(areas, a.Material)
			delete(left, a.Material)
		}
		if maps.DeleteFunc(left, func(m uint16, a int64) bool { return areas[m] == a }); len(left) > 0 {
			t.Fatalf("not reported: after the edit %v, before %v", left, areas)
		}
	})
}

func mustCopy(t *rapid.T, g *Grid, r Rect) *Stamp {
	s, err := g.Copy(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReportOfARefusedBrush: a refused brush leaves the report alone, and one without effect empties it.
func TestReportOfARefusedBrush(t *testing.T) {
	g := New(nil)
	r := Report{Cells: []Cell{{X: 1, Y: 2}}}
	if err := g.Subtract([][]Point{{{X: 0, Y: 0}}}, ReportTo(&r)); err == nil || len(r.Cells) != 1 {
		t.Errorf("%v: %+v", err, r)
	}
	if err := g.Subtract(loopsOf(t)(Circle(0, 0, 3)), ReportTo(&r)); err != nil || len(r.Cells) != 0 ||
		len(r.Areas) != 0 {
		t.Errorf("%v: %+v", err, r)
	}
}

// TestKeep: where each cell holds one tile, digging with Keep is digging, and then setting the kept tiles
// again; and building with it is building, and then doing so. A brush that keeps everything changes nothing
// of what is there, and one that keeps nothing is a plain one.
func TestKeep(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		o := Cell{X: -2, Y: -2}
		g, plain := New(shapes), New(shapes)
		modulus := uint16(rapid.IntRange(1, 4).Draw(t, "kept"))
		bedrock := func(_ Cell, t Tile) bool { return t.Material%modulus == 0 }
		none := rapid.Bool().Draw(t, "none")
		var kept []Cell
		var tiles []Tile
		for i := range int32(36) {
			tile := anyTile(shapes).Draw(t, "tile")
			c := Cell{X: o.X + i%6, Y: o.Y + i/6}
			for _, g := range []*Grid{g, plain} {
				if err := g.Set(c.X, c.Y, tile); err != nil {
					t.Fatal(err)
				}
			}
			if tile.Shape != 0 && !none && bedrock(c, tile) {
				kept, tiles = append(kept, c), append(tiles, tile)
			}
		}
		asked := func(c Cell, x Tile) bool {
			if x != g.Tile(c.X, c.Y) {
				t.Fatalf("asked about %+v in %v", x, c)
			}
			return !none && bedrock(c, x)
		}
		loops := anyStroke(o, 6).Draw(t, "loops")
		var r Report
		before, _ := contents(g)
		a := Attr{Material: 77}
		if rapid.Bool().Draw(t, "unite") {
			if err := g.Unite(loops, a, Keep(asked), ReportTo(&r)); err != nil {
				t.Fatal(err)
			}
			if err := plain.Unite(loops, a); err != nil {
				t.Fatal(err)
			}
		} else {
			if err := g.Subtract(loops, Keep(asked), ReportTo(&r)); err != nil {
				t.Fatal(err)
			}
			if err := plain.Subtract(loops); err != nil {
				t.Fatal(err)
			}
		}
		for k, c := range kept {
			if err := plain.Set(c.X, c.Y, tiles[k]); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(r.Cells, c) {
				t.Fatalf("the kept cell %v is reported", c)
			}
		}
		got, _ := contents(g)
		want, _ := contents(plain)
		if !maps.EqualFunc(got, want, equalPolys) {
			t.Fatal("differs from the edit with the kept tiles set again")
		}
		changed := 0
		for c := range before {
			if !equalPolys(before[c], got[c]) {
				changed++
			}
		}
		for c := range got {
			if before[c] == nil {
				changed++
			}
		}
		if changed != len(r.Cells) {
			t.Fatalf("%d cells changed, %d are reported", changed, len(r.Cells))
		}
	})
}

// TestKeepPolygons: in cells of several polygons the kept ones lose nothing but by rounding: at most a step
// along their outlines.
func TestKeepPolygons(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g := New(shapes)
		drawGround(t, g, shapes, Cell{})
		_, before := contents(g)
		reach := int64(0) // of the outlines of material 0
		for c := range g.Tiles(everywhere) {
			for x, loops := range g.Polygons(c.X, c.Y) {
				if x.Material == 0 {
					for _, loop := range loops {
						for i, a := range loop {
							d := lattice.Sub(loop[(i+1)%len(loop)], a)
							reach += max(d.X, -d.X) + max(d.Y, -d.Y)
						}
					}
				}
			}
		}
		for range 3 {
			if err := g.Subtract(anyStroke(Cell{}, 4).Draw(t, "loops"), Keep(func(_ Cell, t Tile) bool {
				return t.Material == 0
			})); err != nil {
				t.Fatal(err)
			}
		}
		_, after := contents(g)
		if d := before[0] - after[0]; max(d, -d) > 3*reach {
			t.Fatalf("%d halves of %d are gone, at most %d", d, before[0], 3*reach)
		}
		checkPolygons(t, g)
	})
}
