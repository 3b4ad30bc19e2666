package gridseg

import (
	"slices"
	"testing"
)

// TestLargeFill compares the short way that a fill takes through the inside of solid
// ground with tiles set and resolved row by row.
func TestLargeFill(t *testing.T) {
	for _, r := range []Rect{
		{MinX: 0, MinY: 0, MaxX: 79, MaxY: 79},    // whole chunks
		{MinX: -9, MinY: -7, MaxX: 85, MaxY: 90},  // chunks in part
		{MinX: -40, MinY: 16, MaxX: 63, MaxY: 31}, // one row of chunks
		{MinX: -1<<31 + 16, MinY: 1<<31 - 64, MaxX: -1<<31 + 79, MaxY: 1<<31 - 1},
	} {
		for _, keep := range []bool{false, true} {
			g, slow := New(nil), New(nil)
			for _, o := range []*Grid{g, slow} {
				if keep {
					if err := o.Preserve(0, 0); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := g.Fill(r, Tile{Shape: Full}); err != nil {
				t.Fatal(err)
			}
			d := g.Resolve()
			w, h := int(r.MaxX-r.MinX)+1, int(r.MaxY-r.MinY)+1
			want := 2 * (w + h)
			if keep {
				want = 4 * w * h
			}
			if len(addedOf(d)) != want {
				t.Fatalf("%v, preserved %v: %d segments, want %d", r, keep, len(addedOf(d)), want)
			}
			for y := int64(r.MaxY); y >= int64(r.MinY); y-- {
				for x := int64(r.MinX); x <= int64(r.MaxX); x++ {
					if err := slow.Set(int32(x), int32(y), Tile{Shape: Full}); err != nil {
						t.Fatal(err)
					}
				}
				slow.Resolve()
			}
			if !slices.Equal(addedOf(d), slow.AppendSegments(nil, everywhere)) {
				t.Fatalf("%v, preserved %v: differs from rows", r, keep)
			}
			// A hole in the inside, then the whole away.
			if err := g.Clear(r.MinX+int32(w/2), r.MinY+int32(h/2)); err != nil {
				t.Fatal(err)
			}
			if d := g.Resolve(); !keep && len(addedOf(d)) != 4 || keep && len(removedOf(d)) != 4 {
				t.Fatalf("a hole: %+v", d)
			}
			if err := g.Fill(r, Tile{}); err != nil {
				t.Fatal(err)
			}
			g.Resolve()
			if tiles, segments := g.Count(); tiles+segments+len(g.chunks) != 0 {
				t.Fatalf("left: %d tiles, %d segments", tiles, segments)
			}
		}
	}
}
