package narrow

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// TestSeamPoint: a point on a face of a hull knows the face, one on a corner none; it may be flush with another
// surface at a corner and near an end; a surface that moves along the normal of a face stays flush with it, one that
// moves along the face does not, and at a corner it is the other way round.
func TestSeamPoint(t *testing.T) {
	box := collide.NewHull(geom.NewBox(2, 1))
	for _, c := range []struct {
		at, normal    geom.Vec
		corner, flush bool
	}{
		{geom.V(0.5, 1), geom.V(0, 1), false, false},
		{geom.V(1.97, 1), geom.V(0, 1), false, true},
		{geom.V(-1.97, 1), geom.V(0, 1), false, true},
		{geom.V(2, 0.5), geom.V(1, 0), false, false},
		{geom.V(2, 1), geom.V(0.6, 0.8), true, true},
	} {
		var p SeamPoint
		p.OfHull(&box, c.at, c.normal)
		if p.At != c.at || p.Normal != c.normal || p.Corner != c.corner || p.MayBeFlush() != c.flush {
			t.Errorf("%v, %v: %+v, may be flush %v", c.at, c.normal, p, p.MayBeFlush())
		}
		along := c.normal.Left()
		if p.Rests(c.normal) == c.corner || p.Rests(along) != c.corner || !p.Rests(c.normal.Mul(flushSpeed/2)) {
			t.Errorf("%v: rests along its normal %v, along the face %v", c.at, p.Rests(c.normal), p.Rests(along))
		}
		if c.corner {
			continue
		}
		if n, _ := p.B.Sub(p.A).Right().Unit(); n.Dist(c.normal) > 1e-12 {
			t.Errorf("%v: the face %v to %v is not the normal's", c.at, p.A, p.B)
		}
		f, q := collide.Face{A: p.A, B: p.B}, SeamPoint{}
		if q.OfFace(&f, c.at, c.normal); q != p {
			t.Errorf("%v: of the face %+v, of the hull %+v", c.at, q, p)
		}
		if q.OfFace(&f, c.at, geom.V(0.6, 0.8)); !q.Corner {
			t.Errorf("%v: a normal that is not the face's is of no corner", c.at)
		}
	}
}

// TestCornerIsCovered: of a block that ends at the origin, the upper corner pushes no shape if a block of any kind
// beside it is flush, or higher; it does if the block is lower, farther away or the two form a ridge.
func TestCornerIsCovered(t *testing.T) {
	corner := SeamPoint{Normal: geom.V(0.6, 0.8), Corner: true}
	for name, s := range besides() {
		for _, c := range []struct {
			at   geom.Transform // of the block beside
			want bool
		}{
			{geom.At(geom.Vec{}), true},
			{geom.At(geom.V(0, 1)), true},
			{geom.At(geom.V(0, -0.5)), false},
			{geom.At(geom.V(0.25, 0)), false},
			{geom.Transform{Q: geom.NewRot(-1)}, false},
		} {
			if got := s.Covers(&corner, c.at.InvMul(geom.At(geom.Vec{}))); got != c.want {
				t.Errorf("%s at %v: covered %v", name, c.at, got)
			}
		}
	}
}

// alone has no surfaces beside a contact's.
type alone struct{}

func (alone) Covered(*SeamPoint) bool { return false }
func (alone) Join(*collide.Face)      {}

// TestShapeOverSeam: a box or disc that slides, a little sunk, from one block to another of the same height is pushed
// straight up by the first one, however it lies over the seam, or not at all. Without the second block, a disc beyond
// the end is pushed aside.
func TestShapeOverSeam(t *testing.T) {
	first := collide.NewHull(geom.NewOffsetBox(2, 1, geom.V(-2, -1), geom.Identity))
	all := besides()
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(0.1, 0.5).Draw(t, "size")
		h := collide.NewHull(geom.NewBox(r, r))
		if rapid.Bool().Draw(t, "disc") {
			h = collide.NewHull(geom.Circle{Radius: r})
		}
		sunk := rapid.Float64Range(1e-3, 0.015).Draw(t, "sunk")
		at := geom.At(geom.V(rapid.Float64Range(-1, 0.9*r).Draw(t, "x"), r-sunk))
		var s Seam
		var scratch seamScratch
		kind := rapid.SampledFrom([]string{"tiles", "chain", "hull"}).Draw(t, "beside")
		s.Source = &seamRig{at: geom.At(geom.Vec{}), surface: all[kind]}
		s.Begin(seamMover{at: geom.At(geom.Vec{})}, geom.At(geom.Vec{}))
		var m, plain collide.Manifold
		collide.Hulls(&m, &first, &h, at, 0.02)
		plain = m
		scratch.Shape(&m, &first, &h, at, 0.02, &s)
		for i := range m.N {
			// A corner counts as covered from two lattice steps beside it at flushReach above it on.
			if m.Normal.Dist(geom.V(0, 1)) > 2.1*flushStep/flushReach || m.Points[i].Anchor.X > 0.01 {
				t.Fatalf("at %v: %+v", at.P, m)
			}
		}
		if inside := at.P.X < -0.05; inside && m.N == 0 {
			t.Fatalf("at %v: nothing holds the shape", at.P)
		}
		if scratch.Shape(&plain, &first, &h, at, 0.02, alone{}); plain.N == 0 && at.P.X < 0 {
			t.Fatalf("at %v: a block alone does not hold the shape", at.P)
		}
	})
	disc := collide.NewHull(geom.Circle{Radius: 0.2})
	at := geom.At(geom.V(0.15, 0.1))
	var m collide.Manifold
	collide.Hulls(&m, &first, &disc, at, 0)
	was := m
	if new(seamScratch).Shape(&m, &first, &disc, at, 0, alone{}); m != was || m.N != 1 || m.Normal.X < 0.5 {
		t.Errorf("a disc at the end of a block alone: %+v", m)
	}
}

// TestDropPoints: Drop keeps the points that are not in the set, in order.
func TestDropPoints(t *testing.T) {
	for set, want := range map[pointSet][]float64{0: {1, 2}, 1: {2}, 2: {1}, 3: {}} {
		m := collide.Manifold{N: 2}
		m.Points[0].Separation, m.Points[1].Separation = 1, 2
		set.Drop(&m)
		if m.N != len(want) {
			t.Errorf("set %b: %d points", set, m.N)
		}
		for i, x := range want {
			if m.Points[i].Separation != x {
				t.Errorf("set %b: point %d is %v", set, i, m.Points[i].Separation)
			}
		}
	}
}
