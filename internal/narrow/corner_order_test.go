package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
)

// TestCornerInAnyOrder: what a shape touches in a ground it touches in its mirror image,
// where the faces come in another order: of two faces' points at their common corner
// that are pushed quite other ways, the first alone was kept.
func TestCornerInAnyOrder(t *testing.T) {
	touch := func(cells []gridseg.Cell, s geom.Shape, tr geom.Transform) []contact.SurfaceManifold {
		grid := gridseg.New(nil)
		for _, c := range cells {
			if err := grid.Set(c.X, c.Y, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				t.Fatal(err)
			}
		}
		grid.Resolve()
		g := newRig(grid, s)
		g.rot, g.center = tr.Q, tr.P
		return g.touch()
	}
	// all reports whether each point of a, mirrored, is one of b.
	all := func(a, b []contact.SurfaceManifold) bool {
		for i := range a {
			m := &a[i]
			for k := range m.N {
				found := false
				for j := range b {
					o := &b[j]
					for l := range o.N {
						p, q := m.Points[k].AnchorB, o.Points[l].AnchorB
						found = found || geom.V(-p.X, p.Y).Dist(q) < 0.05 &&
							geom.V(-m.Normal.X, m.Normal.Y).Dot(o.Normal) > 0.9
					}
				}
				if !found {
					return false
				}
			}
		}
		return true
	}
	r := rand.New(rand.NewPCG(1, 2))
	points := 0
	for range 5000 {
		var cells, mirror []gridseg.Cell
		for x := range int32(3) {
			for y := range int32(2) {
				if r.IntN(2) == 0 {
					cells = append(cells, gridseg.Cell{X: x, Y: y})
					mirror = append(mirror, gridseg.Cell{X: -1 - x, Y: y})
				}
			}
		}
		s := geom.NewBox(0.1+r.Float64(), 0.1+r.Float64())
		angle := 6.3 * r.Float64()
		at := geom.Transform{P: geom.V(4*r.Float64()-0.5, 3*r.Float64()-0.5), Q: geom.NewRot(angle)}
		a := touch(cells, s, at)
		b := touch(mirror, s, geom.Transform{P: geom.V(-at.P.X, at.P.Y), Q: geom.NewRot(-angle)})
		for i := range a {
			points += int(a[i].N)
		}
		if !all(a, b) || !all(b, a) {
			t.Fatalf("tiles %v, %v by %v at %v, turned %v:\n%+v\nmirrored\n%+v", cells, s.Vertices[0], s.Vertices[2],
				at.P, math.Mod(angle, math.Pi), a, b)
		}
	}
	if points < 2500 {
		t.Errorf("%d points", points)
	}
}
