package gridseg

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// clips reports whether the straight line from (ax, ay) to (bx, by) meets the box, borders
// included: the range of the line's parameter is cut by one side of the box after another.
func clips(ax, ay, bx, by, x0, y0, x1, y1 float64) bool {
	from, to := 0.0, 1.0
	for _, k := range [2][4]float64{{ax, bx - ax, x0, x1}, {ay, by - ay, y0, y1}} {
		at, way, lo, hi := k[0], k[1], k[2], k[3]
		if way == 0 {
			if at < lo || at > hi {
				return false
			}
			continue
		}
		t0, t1 := (lo-at)/way, (hi-at)/way
		from, to = max(from, min(t0, t1)), min(to, max(t0, t1))
	}
	return from <= to
}

// toLine returns the distance from (x, y) to the straight line from (ax, ay) to (bx, by).
func toLine(x, y, ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = max(0, min(1, ((x-ax)*dx+(y-ay)*dy)/l))
	}
	return math.Hypot(x-ax-t*dx, y-ay-t*dy)
}

// fromCell returns the distance of a cell from such a line.
func fromCell(c Cell, ax, ay, bx, by float64) float64 {
	x, y := float64(c.X), float64(c.Y)
	if clips(ax, ay, bx, by, x, y, x+1, y+1) {
		return 0
	}
	d := math.Inf(1)
	for _, p := range [4][2]float64{{x, y}, {x + 1, y}, {x, y + 1}, {x + 1, y + 1}} {
		d = min(d, toLine(p[0], p[1], ax, ay, bx, by))
	}
	// The line may end nearest to a side of the cell.
	for _, p := range [2][2]float64{{ax, ay}, {bx, by}} {
		d = min(d, math.Hypot(max(x-p[0], p[0]-x-1, 0), max(y-p[1], p[1]-y-1, 0)))
	}
	return d
}

// TestRowsAlong compares the walk along a line with a test of each cell that has segments:
// the rows cover every such cell within the distance of the line, and none twice. Each row
// is of one chunk, in the rectangle, has segments, and is near the line. The walk ends when
// the callback says so, and its order does not depend on the order of edits.
func TestRowsAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := int32(1) << rapid.IntRange(1, 20).Draw(t, "bits")
		ox := rapid.SampledFrom([]int32{0, -7, 1 << 20, math.MinInt32 + 40, math.MaxInt32 - 40 - 2*side}).Draw(t, "ox")
		oy := rapid.SampledFrom([]int32{0, 5, -1 << 20, math.MinInt32 + 40, math.MaxInt32 - 40 - 2*side}).Draw(t, "oy")
		coordinate := rapid.Int32Range(0, side-1)
		at := rapid.Custom(func(t *rapid.T) Cell {
			return Cell{X: ox + coordinate.Draw(t, "x"), Y: oy + coordinate.Draw(t, "y")}
		})
		cells := rapid.SliceOfN(at, 0, 40).Draw(t, "cells")
		blocks := rapid.SliceOfN(at, 0, 3).Draw(t, "blocks") // their inner cells have no segments
		build := func() *Grid {
			g := New(nil)
			for _, c := range cells {
				if err := g.Set(c.X, c.Y, Tile{Shape: Full}); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range blocks {
				if err := g.Fill(Rect{MinX: c.X, MinY: c.Y, MaxX: c.X + 19, MaxY: c.Y + 4},
					Tile{Shape: Full}); err != nil {
					t.Fatal(err)
				}
			}
			g.Resolve()
			return g
		}
		g := build()
		end := rapid.Custom(func(t *rapid.T) float64 {
			x := rapid.Float64Range(-0.5, 1.5).Draw(t, "share") * float64(side)
			if rapid.Bool().Draw(t, "whole") {
				x = math.Floor(x)
			}
			return x
		})
		ax, ay := float64(ox)+end.Draw(t, "ax"), float64(oy)+end.Draw(t, "ay")
		bx, by := float64(ox)+end.Draw(t, "bx"), float64(oy)+end.Draw(t, "by")
		switch rapid.IntRange(0, 3).Draw(t, "line") {
		case 0:
			bx = ax
		case 1:
			by = ay + rapid.Float64Range(-1, 1).Draw(t, "rise")*0.01
		}
		beside := rapid.SampledFrom([]float64{0, 1.0 / 256, 0.5, 3}).Draw(t, "beside")
		r := Rect{MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32, MaxY: math.MaxInt32}
		if rapid.Bool().Draw(t, "part") {
			a, b := at.Draw(t, "corner"), at.Draw(t, "corner")
			r = Rect{MinX: min(a.X, b.X), MinY: min(a.Y, b.Y), MaxX: max(a.X, b.X), MaxY: max(a.Y, b.Y)}
		}

		var rows []Rect
		if g.Engine(lattice.Key{}).RowsAlong(ax, ay, bx, by, beside, r, func(r Rect) bool {
			rows = append(rows, r)
			return false
		}) {
			t.Fatal("true, though do returned false")
		}
		met := map[Cell]bool{}
		for _, row := range rows {
			if row.MinY != row.MaxY || row.MinX > row.MaxX || row.MinX>>4 != row.MaxX>>4 {
				t.Fatalf("%v is not a row of one chunk", row)
			}
			if row.MinX < r.MinX || row.MaxX > r.MaxX || row.MinY < r.MinY || row.MaxY > r.MaxY {
				t.Fatalf("row %v is not in %v", row, r)
			}
			if len(g.AppendSegments(nil, row)) == 0 {
				t.Fatalf("row %v has no segments", row)
			}
			for x := row.MinX; x <= row.MaxX; x++ {
				c := Cell{X: x, Y: row.MinY}
				if met[c] {
					t.Fatalf("cell %v comes twice", c)
				}
				met[c] = true
			}
			out := 2*beside + 1e-6
			if !clips(ax, ay, bx, by, float64(row.MinX)-out, float64(row.MinY)-out, float64(row.MaxX)+1+out,
				float64(row.MinY)+1+out) {
				t.Fatalf("row %v is far from the line (%v, %v) to (%v, %v)", row, ax, ay, bx, by)
			}
		}
		const slack = 1e-5 // more than float64 rounds at 1<<31
		for _, s := range g.AppendSegments(nil, r) {
			c := s.ID.Cell
			x, y := float64(c.X), float64(c.Y)
			near := fromCell(c, ax, ay, bx, by) <= beside-slack
			if beside == 0 { // a cell that the line only touches may be missing
				near = clips(ax, ay, bx, by, x+slack, y+slack, x+1-slack, y+1-slack)
			}
			if !met[c] && near {
				t.Fatalf("cell %v is missing, %v from the line (%v, %v) to (%v, %v)", c, fromCell(c, ax, ay, bx, by),
					ax, ay, bx, by)
			}
		}

		slices.Reverse(cells)
		var again []Rect
		build().Engine(lattice.Key{}).RowsAlong(ax, ay, bx, by, beside, r, func(r Rect) bool {
			again = append(again, r)
			return false
		})
		if !slices.Equal(rows, again) {
			t.Fatalf("%v, and %v after other edits", rows, again)
		}
		if len(rows) > 0 {
			last, n := rapid.IntRange(1, len(rows)).Draw(t, "last"), 0
			if !g.Engine(lattice.Key{}).RowsAlong(ax, ay, bx, by, beside, r, func(Rect) bool {
				n++
				return n == last
			}) || n != last {
				t.Fatalf("%d rows, told to end at row %d", n, last)
			}
		}
	})
}
