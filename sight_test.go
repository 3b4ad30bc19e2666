package quarry

import (
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
	var ga gather
	ga.collect(g, gridseg.Rect{MinX: -4, MinY: -4, MaxX: 8, MaxY: 4})
	for _, c := range []geom.Vec{geom.V(-0.3, 0.4), geom.V(5.3, 0.4), geom.V(-0.3, -1.4), geom.V(5.3, -1.4)} {
		corner := geom.V(max(0, min(5, c.X)), max(-1, min(0, c.Y)))
		n, dist := c.Sub(corner).Unit()
		for _, r := range []float64{0.45, 0.5, 0.6} {
			p := collide.Point{Anchor: corner.MulAdd(0.5*(dist-r), n), Separation: dist - r}
			if ga.hidden(&p, n, c, geom.Vec{}) {
				t.Errorf("the corner %v is hidden from %v", corner, c)
			}
			// The corner across is.
			far := geom.V(5-corner.X, -1-corner.Y)
			p.Anchor = far.MulAdd(0.5*p.Separation, n)
			if !ga.hidden(&p, n, c, geom.Vec{}) {
				t.Errorf("the corner %v is in sight from %v", far, c)
			}
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
			{"along it", collide.Face{A: geom.V(-off, 1), B: geom.V(off, 2), Ghost1: geom.V(-1, 1), HasGhost1: true}, false},
		} {
			if got := crosses(&c.f, d); got != c.wants {
				t.Errorf("%s, off by %v: crosses is %v", c.what, off, got)
			}
		}
	}
}
