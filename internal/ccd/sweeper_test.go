package ccd

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// scenery is Obstacles in a list, found by their boxes.
type scenery struct {
	still    []Obstacle
	dynamic  []Obstacle
	faces    []collide.Face // of each surface, in the world
	searches int
}

func (o *scenery) AppendNear(dst []Obstacle, box geom.AABB) []Obstacle {
	o.searches++
	for _, c := range o.still {
		if c.Box.Overlaps(box) {
			dst = append(dst, c)
		}
	}
	return dst
}

func (o *scenery) MayStop(*Obstacle, int32) bool { return true }

func (o *scenery) AppendDynamic(dst []Obstacle, _ int32, box geom.AABB) []Obstacle {
	for _, c := range o.dynamic {
		if c.Box.Overlaps(box) {
			dst = append(dst, c)
		}
	}
	return dst
}

func (o *scenery) AppendFaces(dst []collide.Face, _ *Obstacle, _ int32, r Region) []collide.Face {
	for _, f := range o.faces {
		f.A, f.B, f.Ghost1, f.Ghost2 = f.A.Sub(r.Origin), f.B.Sub(r.Origin), f.Ghost1.Sub(r.Origin),
			f.Ghost2.Sub(r.Origin)
		dst = append(dst, f)
	}
	return dst
}

// everywhere is the box of an obstacle that each search finds.
var everywhere = geom.AABB{Min: geom.V(-1e6, -1e6), Max: geom.V(1e6, 1e6)}

// drawShape draws a shape about p, with its inner radius.
func drawShape(t *rapid.T, p geom.Vec) Shape {
	f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	var g geom.Shape
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		g = geom.Circle{Center: p, Radius: f(0.01, 1, "radius")}
	case 1:
		g = geom.Capsule{A: p, B: p.Add(geom.V(f(0.1, 1, "x"), f(-1, 1, "y"))), Radius: f(0.01, 0.5, "radius")}
	case 2:
		g = geom.Segment{A: p, B: p.Add(geom.V(f(0.1, 1, "x"), f(-1, 1, "y")))}
	default:
		w, h := f(0.01, 1, "width"), f(0.01, 1, "height")
		poly, err := geom.NewPolygon([]geom.Vec{p, p.Add(geom.V(w, 0)), p.Add(geom.V(w, h)), p.Add(geom.V(0, h))}, 0)
		if err != nil {
			t.Fatal(err)
		}
		g = poly
	}
	h := collide.NewHull(g)
	innerRadius := h.Radius
	if h.N > 2 {
		least := math.MaxFloat64
		for i := range h.N {
			least = min(least, h.V[i].Sub(h.Centroid).Dot(h.Nrm[i]))
		}
		innerRadius += least
	}
	return Shape{Hull: &h, InnerRadius: innerRadius}
}

// drawMover draws a mover of one to three shapes.
func drawMover(t *rapid.T, fast float64) *Mover {
	f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	m := &Mover{Turn: f(-fast, fast, "turn")}
	for range rapid.IntRange(1, 3).Draw(t, "shapes") {
		s := drawShape(t, geom.V(f(-2, 2, "sx"), f(-2, 2, "sy")))
		m.Shapes = append(m.Shapes, s)
		m.LocalCenter = m.LocalCenter.Add(s.Hull.Centroid)
	}
	m.LocalCenter = m.LocalCenter.Mul(1 / float64(len(m.Shapes)))
	for _, s := range m.Shapes {
		for i := range s.Hull.N {
			m.Extent = max(m.Extent, s.Hull.V[i].Dist(m.LocalCenter)+s.Hull.Radius)
		}
	}
	m.From = Pose{Center: geom.V(f(-9, 9, "px"), f(-9, 9, "py")), Rot: geom.NewRot(f(-3, 3, "angle"))}
	m.To = Pose{
		Center: m.From.Center.Add(geom.V(f(-fast, fast, "dx"), f(-fast, fast, "dy"))),
		Rot:    geom.NewRot(m.Turn).Mul(m.From.Rot).Norm(),
	}
	return m
}

// TestDiscGate: a mover that travels no farther than the DiscGate of its shapes makes its whole
// motion, and needs no search for obstacles. So a caller may leave out Advance.
func TestDiscGate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMover(t, rapid.SampledFrom([]float64{1e-3, 0.02, 0.3}).Draw(t, "fast"))
		gate := math.MaxFloat64
		for _, s := range m.Shapes {
			gate = min(gate, DiscGate(s.InnerRadius))
		}
		if MaxTravel(m.From, m.To, m.Turn, m.Extent) > gate {
			return // the law speaks of shorter motions
		}
		wall := drawShape(t, m.From.Center)
		o := &scenery{still: []Obstacle{{
			Box: everywhere, Hull: wall.Hull, Frame: geom.At(geom.Vec{}),
			Geometry: geom.Circle{Center: m.From.Center, Radius: 1},
		}}}
		var s Sweeper
		if r := s.Advance(m, o); r.To != m.To || r.Fraction != 1 || r.Squeezed || o.searches > 0 {
			t.Fatalf("%+v after %d searches", r, o.searches)
		}
	})
}

// TestFree: without obstacles each mover makes its whole motion.
func TestFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMover(t, 8)
		m.Deep, m.NearMoving, m.Bullet = rapid.Bool().Draw(t, "deep"), rapid.Bool().Draw(t, "near"),
			rapid.Bool().Draw(t, "bullet")
		var s Sweeper
		if r := s.Advance(m, &scenery{}); r.To != m.To || r.Fraction != 1 || r.Squeezed {
			t.Fatalf("%+v", r)
		}
	})
}

// TestWall: no centroid passes a long face, whether it is a still surface or the top of a still
// shape; and an obstacle that is far away changes nothing.
func TestWall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMover(t, 6)
		lowest := math.MaxFloat64
		at := geom.Transform{P: m.From.Center.Sub(m.From.Rot.Apply(m.LocalCenter)), Q: m.From.Rot}
		for _, s := range m.Shapes {
			lowest = min(lowest, s.Hull.Bounds(at).Min.Y)
		}
		y := lowest - rapid.Float64Range(0.02, 1).Draw(t, "gap")
		o := &scenery{}
		if rapid.Bool().Draw(t, "surface") {
			o.still = []Obstacle{{Box: everywhere, Frame: geom.At(geom.Vec{}), Open: rapid.Bool().Draw(t, "open")}}
			o.faces = []collide.Face{{A: geom.V(100, y), B: geom.V(-100, y)}}
		} else {
			g := geom.NewBox(100, 0.5)
			h := collide.NewHull(g)
			o.still = []Obstacle{{Box: everywhere, Hull: &h, Geometry: g, Frame: geom.At(geom.V(0, y-0.5))}}
		}
		var s Sweeper
		r := s.Advance(m, o)
		at = geom.Transform{P: r.To.Center.Sub(r.To.Rot.Apply(m.LocalCenter)), Q: r.To.Rot}
		for _, s := range m.Shapes {
			if c := at.Apply(s.Hull.Centroid); c.Y < y {
				t.Fatalf("a centroid is %v behind the wall; fraction %v", y-c.Y, r.Fraction)
			}
		}
		far := withFar{scenery{still: o.still, faces: o.faces}}
		if again := s.Advance(m, &far); again != r {
			t.Fatalf("%+v, then %+v", r, again)
		}
	})
}

// withFar is scenery whose searches also return an obstacle far from their box.
type withFar struct{ scenery }

func (o *withFar) AppendNear(dst []Obstacle, box geom.AABB) []Obstacle {
	far := geom.Circle{Center: box.Max.Add(geom.V(1e3, 1e3)), Radius: 1}
	h := collide.NewHull(far)
	dst = append(dst, Obstacle{
		Box: far.Bounds(geom.At(geom.Vec{})), Hull: &h, Geometry: far,
		Frame: geom.At(geom.Vec{}),
	})
	return o.scenery.AppendNear(dst, box)
}

// TestNoAllocation: a warm Sweeper allocates nothing.
func TestNoAllocation(t *testing.T) {
	g := geom.NewBox(0.3, 0.2)
	h := collide.NewHull(g)
	m := &Mover{
		From: Pose{Rot: geom.Identity}, To: Pose{Center: geom.V(0, -9), Rot: geom.NewRot(2)}, Turn: 2,
		Extent: 0.4, Shapes: []Shape{{Hull: &h, InnerRadius: 0.2}},
	}
	o := &scenery{
		still: []Obstacle{{Box: everywhere, Frame: geom.At(geom.Vec{})}},
		faces: []collide.Face{{A: geom.V(9, -3), B: geom.V(-9, -3)}},
	}
	var s Sweeper
	if r := s.Advance(m, o); !(r.Fraction < 0.4) {
		t.Fatalf("not stopped: %+v", r)
	}
	if n := testing.AllocsPerRun(50, func() { s.Advance(m, o) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
