package surface

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestCornerIsItsFoot: a point at a corner of the ground is pushed off that corner,
// wherever its normal points. Its foot was sought on the face's line, along the normal,
// and found deep in the solid.
func TestCornerIsItsFoot(t *testing.T) {
	g := gridseg.New(nil)
	if err := g.Fill(gridseg.Rect{MaxX: 4, MinY: -1, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	g.Resolve()
	var sq Query
	sq.Collect(g, gridseg.Rect{MinX: -4, MinY: -4, MaxX: 8, MaxY: 4})
	for _, c := range []geom.Vec{geom.V(-0.3, 0.4), geom.V(5.3, 0.4), geom.V(-0.3, -1.4), geom.V(5.3, -1.4)} {
		corner := geom.V(max(0, min(5, c.X)), max(-1, min(0, c.Y)))
		n, dist := c.Sub(corner).Unit()
		for _, r := range []float64{0.45, 0.5, 0.6} {
			p := collide.Point{Anchor: corner.MulAdd(0.5*(dist-r), n), Separation: dist - r}
			if sq.Occluded(&p, n, c) {
				t.Errorf("the corner %v is hidden from %v", corner, c)
			}
			// The corner across is.
			far := geom.V(5-corner.X, -1-corner.Y)
			p.Anchor = far.MulAdd(0.5*p.Separation, n)
			if !sq.Occluded(&p, n, c) {
				t.Errorf("the corner %v is in sight from %v", far, c)
			}
		}
	}
}

// TestHiddenFromAfar holds the search for what hides a place, on a way of up to a million
// cells, against a test of each segment. It searched each row of cells on the way: it must
// search no more rows than there are blocks.
func TestHiddenFromAfar(t *testing.T) {
	all := gridseg.Rect{MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32, MaxY: math.MaxInt32}
	for _, layers := range []bool{false, true} {
		hidden, seen := 0, 0
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 10))
			g := gridseg.New(nil)
			if layers { // then the segments are listed
				if err := g.Preserve(0, 1); err != nil {
					t.Fatal(err)
				}
			}
			side := int32(1) << (2 + r.IntN(16))
			blocks := 1 + r.IntN(100)
			for range blocks {
				_ = g.Set(r.Int32N(side)-side/2, r.Int32N(side)-side/2,
					gridseg.Tile{Shape: gridseg.Full, Layer: uint8(r.IntN(2))})
			}
			g.Resolve()
			var sq Query
			if sq.Collect(g, all); sq.Listed != layers {
				continue // nothing but tops
			}
			segments := g.AppendSegments(nil, all)
			if layers {
				segments = slices.Clone(sq.Segments)
			}
			for range 100 {
				s := &segments[r.IntN(len(segments))]
				a, b := Local(s.A, geom.Vec{}), Local(s.B, geom.Vec{})
				foot := a.MulAdd(float64(r.IntN(5))/4, b.Sub(a))
				way := geom.NewRot(7 * r.Float64()).Apply(geom.V(300+float64(r.IntN(2))*1e6*r.Float64(), 0))
				if r.IntN(4) == 0 {
					way.X = 0
				}
				c, origin := foot.Add(way), foot.MulAdd(0.5, way)
				from, to := c.Sub(origin), foot.Sub(origin)
				want := slices.ContainsFunc(segments, func(s gridseg.Segment) bool {
					return occludes(&s, from, to.Sub(from), origin)
				})
				before := sq.Tally
				sq.origin = origin
				if got := sq.Occluded(&collide.Point{Anchor: to}, geom.V(0, 1), from); got != want {
					t.Fatalf("world %d: %v is hidden from %v: %v, want %v", seed, foot, c, got, want)
				}
				if n := sq.Tally.Rows - before.Rows; n > max(blocks, 400) {
					t.Fatalf("world %d: %d rows searched for %d blocks", seed, n, blocks)
				}
				if n := sq.Tally.Segments - before.Segments; n > 32*blocks {
					t.Fatalf("world %d: %d segments compared, of %d blocks", seed, n, blocks)
				}
				if want {
					hidden++
				} else {
					seen++
				}
			}
		}
		if hidden < 500 || seen < 500 {
			t.Errorf("layers %v: %d hidden, %d in sight", layers, hidden, seen)
		}
	}
}

// TestCrosses: the way from the origin straight up, and a face over it.
func TestCrosses(t *testing.T) {
	d := geom.V(0, 3)
	for _, off := range []float64{0, 1e-9, -1e-9} {
		for _, c := range []struct {
			what  string
			f     collide.Face
			wants bool
		}{
			{"right across", collide.Face{A: geom.V(-1, 1), B: geom.V(1, 1)}, true},
			{"beside", collide.Face{A: geom.V(1, 1), B: geom.V(2, 1)}, false},
			{"an open end", collide.Face{A: geom.V(off, 1), B: geom.V(1, 1)}, false},
			{"an open end", collide.Face{A: geom.V(-1, 1), B: geom.V(off, 1)}, false},
			{"a tip", collide.Face{A: geom.V(off, 1), B: geom.V(1, 1), Ghost1: geom.V(1, 2), HasGhost1: true}, false},
			{"a tip", collide.Face{A: geom.V(-1, 1), B: geom.V(off, 1), Ghost2: geom.V(-1, 2), HasGhost2: true}, false},
			{"a seam", collide.Face{A: geom.V(off, 1), B: geom.V(1, 1), Ghost1: geom.V(-1, 1), HasGhost1: true}, true},
			{"a seam", collide.Face{A: geom.V(-1, 1), B: geom.V(off, 1), Ghost2: geom.V(1, 1), HasGhost2: true}, true},
			{"a bend", collide.Face{A: geom.V(off, 1), B: geom.V(1, 1), Ghost1: geom.V(-1, 0), HasGhost1: true}, true},
			{"a bend", collide.Face{A: geom.V(-1, 1), B: geom.V(off, 1), Ghost2: geom.V(1, 2), HasGhost2: true}, true},
			{
				"along it",
				collide.Face{A: geom.V(-off, 1), B: geom.V(off, 2), Ghost1: geom.V(-1, 1), HasGhost1: true},
				false,
			},
		} {
			if got := crosses(&c.f, d); got != c.wants {
				t.Errorf("%s, off by %v: crosses is %v", c.what, off, got)
			}
		}
	}
}
