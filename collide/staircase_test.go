package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// bedrock is how far down the solid of a staircase goes.
const bedrock = -200.0

// staircase draws a surface from right to left of steps, ramps and flats, with
// convex and concave corners of all kinds, and returns its vertices.
func (d dice) staircase() []geom.Vec {
	at := geom.V(60, 0)
	v := []geom.Vec{at}
	last := -1
	for at.X > -60 {
		kind := d.IntN(5)
		if kind == last {
			continue // a vertical after a vertical would be a knife or flat
		}
		last = kind
		w := float64(1+d.IntN(3)) * 0.5
		if at.X < 3 && at.X > -3 {
			w *= 0.25 // small beside most bodies
		}
		switch kind {
		case 0:
			at.Y += w
		case 1:
			if len(v) > 1 && v[len(v)-2].X == at.X {
				continue // up and down again
			}
			at.Y -= w
		case 2:
			at.X -= w
		case 3:
			at = at.Add(geom.V(-w, w*float64(d.IntN(3))))
		case 4:
			at = at.Add(geom.V(-w, -w*float64(d.IntN(3))))
		}
		if kind == 0 && len(v) > 1 && v[len(v)-2].X == v[len(v)-1].X {
			at.Y -= w
			continue
		}
		v = append(v, at)
	}
	return v
}

// inSolid reports whether p lies below the surface, which goes from right to left and
// never back. On a step's wall either result is right.
func inSolid(v []geom.Vec, p geom.Vec) bool {
	for i := 1; i < len(v); i++ {
		a, b := v[i], v[i-1]
		if a.X <= p.X && p.X < b.X {
			return b.Sub(a).Cross(p.Sub(a)) < 0
		}
	}
	return false
}

// onStairs draws a body and a frame with it over the staircase, overlapping.
func (d dice) onStairs(v []geom.Vec) (Hull, geom.Transform) {
	h := d.body()
	at := geom.Transform{P: geom.V(d.within(-6, 6), 0), Q: geom.NewRot(d.angle())}
	core := placed(&h, at)
	lo, hi := -100.0, 100.0 // the height at which it touches
	for range 40 {
		mid := 0.5 * (lo + hi)
		for i := range core {
			core[i] = at.Apply(h.V[i]).Add(geom.V(0, mid))
		}
		if stairsDepth(v, core, h.Radius) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	deep := d.size(1e-6, 1)
	if d.IntN(4) == 0 {
		deep *= h.reach()
	}
	at.P.Y = hi - deep
	return h, at
}

// stairsDepth is the most that the body overlaps a column of the solid.
func stairsDepth(v, core []geom.Vec, radius float64) float64 {
	deep := -math.MaxFloat64
	lo, hi := math.MaxFloat64, -math.MaxFloat64
	for _, p := range core {
		lo, hi = min(lo, p.X-radius), max(hi, p.X+radius)
	}
	for i := 1; i < len(v); i++ {
		a, b := v[i], v[i-1]
		if b.X < lo || a.X > hi {
			continue
		}
		column := []geom.Vec{a, b, geom.V(b.X, bedrock), geom.V(a.X, bedrock)}
		deep = max(deep, radius-separation(column, core))
	}
	return deep
}

// TestNothingPointsIntoTheStairs: over convex and concave corners, for every body and any
// depth, a step along the normal from the point on the ground leads into air. A body that
// overlaps the solid, its centroid in the air, has a contact.
func TestNothingPointsIntoTheStairs(t *testing.T) {
	d := newDice(30)
	points, held := 0, 0
	for range poses(20_000) {
		v := d.staircase()
		fs := facesOf(false, v...)
		h, at := d.onStairs(v)
		c := at.Apply(h.Centroid)
		touched := 0
		for i, m := range touch(fs, &h, at) {
			touched += m.N
			for _, p := range m.Points[:m.N] {
				points++
				ground := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
				const step = 1e-5
				if concaveNear(v, ground, 10*step) {
					continue
				}
				if inSolid(v, ground.MulAdd(step, m.Normal)) {
					t.Fatalf("face %d %v pushes %+v at %v along %v into the solid: %+v", i, fs[i], h, at, m.Normal, m)
				}
			}
		}
		if inSolid(v, c) {
			continue
		}
		if touched > 0 {
			held++
		} else if deep := stairsDepth(v, placed(&h, at), h.Radius); deep > 1e-9 {
			t.Fatalf("nothing holds %+v at %v, %v deep, centroid %v over %v", h, at, deep, c, v)
		}
	}
	t.Logf("%d points, %d bodies held", points, held)
}

// concaveNear reports whether a concave corner of v is within r of p.
func concaveNear(v []geom.Vec, p geom.Vec, r float64) bool {
	for i := 1; i+1 < len(v); i++ {
		if v[i].Sub(v[i-1]).Cross(v[i+1].Sub(v[i])) <= 0 && v[i].Dist(p) < r {
			return true
		}
	}
	return false
}

// TestNeedleBehindAWall: a thorn stuck through a slope below a wall. The lowest
// it gets over the slope is at the corner, which the wall hides from its
// centroid; nothing held it.
func TestNeedleBehindAWall(t *testing.T) {
	p, err := geom.NewPolygon([]geom.Vec{{X: -13.4}, {X: 13.4, Y: 0.02}, {X: 13.4, Y: -0.02}}, 0)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHull(p)
	at := geom.Transform{P: geom.V(-2.7748, -7.4687), Q: geom.NewRot(-1.31275)}
	fs := facesOf(false, geom.V(0, -16.25), geom.V(-0.25, -16.25), geom.V(-0.625, -17), geom.V(-0.625, -16.75),
		geom.V(-0.75, -17))
	held := false
	for i, m := range touch(fs, &h, at) {
		held = held || m.N > 0
		if m.N > 0 && (i != 1 || m.Normal != normalOf(&fs[1])) {
			t.Errorf("face %d: %+v", i, m)
		}
	}
	if !held {
		t.Error("nothing holds it")
	}
}
