package gridseg

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestAppendBlockRows: the rows are the whole blocks, in order, each row as wide as it can be; the cells are the
// others.
func TestAppendBlockRows(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g, _ := anyGrid(t, shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		if rapid.Bool().Draw(t, "filled") {
			// reversed at the end of the world
			_ = g.Fill(Rect{MinX: o.X, MinY: o.Y, MaxX: o.X + 30, MaxY: o.Y + 2}, Tile{Shape: Full})
		}
		r := anyPart(t, o, worldSide)
		rows, cells := g.Engine(lattice.Key{}).AppendBlockRows(nil, nil, r)
		var want []Rect
		var others []Cell
		for c := range g.Tiles(r) {
			if areaOfCell(g, c) != cellArea || g.Tile(c.X, c.Y).Shape != Full {
				continue
			}
			if n := len(want); n > 0 && want[n-1].MinY == c.Y && int64(want[n-1].MaxX)+1 == int64(c.X) {
				want[n-1].MaxX = c.X
			} else {
				want = append(want, Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y})
			}
		}
		for c := range g.Tiles(r) {
			if !slices.ContainsFunc(rows, func(r Rect) bool { return r.Contains(c) }) {
				others = append(others, c)
			}
		}
		if !slices.Equal(cells, others) {
			t.Fatalf("cells %v, want %v", cells, others)
		}
		for _, w := range want {
			if !slices.ContainsFunc(rows, func(r Rect) bool {
				return r.Contains(Cell{X: w.MinX, Y: w.MinY}) && r.Contains(Cell{X: w.MaxX, Y: w.MaxY})
			}) {
				t.Fatalf("rows %v, without %v", rows, w)
			}
		}
		for k, row := range rows {
			if g.SolidArea(row) != Area(int64(row.MaxX)-int64(row.MinX)+1)*cellArea || row.MinY != row.MaxY {
				t.Fatalf("the row %v is not solid", row)
			}
			if k > 0 && (rows[k-1].MinY > row.MinY || rows[k-1].MinY == row.MinY && int64(rows[k-1].MaxX)+
				1 >= int64(row.MinX)) {
				t.Fatalf("rows %v and %v", rows[k-1], row)
			}
		}
	})
}

func areaOfCell(g *Grid, c Cell) Area {
	return g.SolidArea(Rect{MinX: c.X, MinY: c.Y, MaxX: c.X, MaxY: c.Y})
}
