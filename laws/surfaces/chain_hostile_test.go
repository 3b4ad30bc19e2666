package surfaces_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestChainWarmStepsAllocateNothing: a warm step allocates nothing on hills, in a turning
// drum, and with rays and box queries.
func TestChainWarmStepsAllocateNothing(t *testing.T) {
	w := worldtest.New()
	var hills []geom.Vec
	for x := 60.0; x > -60; x -= 0.25 {
		s, _ := geom.SinCos(x / 2)
		hills = append(hills, geom.V(x, s+0.02*x*x))
	}
	hill := worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: hills})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 90), AngularVelocity: 1})
	worldtest.AddChain(t, w, id, quarry.ChainDef{Points: worldtest.Ring(geom.Vec{}, 6, 30), Loop: true})
	fill(w, -30, 30, 60, 200, quarry.ShapeDef{})
	fill(w, -3, 87, 7, 30, quarry.ShapeDef{})
	var room [64]int
	var ids [8]quarry.ChainID
	run := func() {
		w.Step(worldtest.DT)
		w.RayCast(geom.V(-9, 30), geom.V(20, -40), quarry.QueryFilter{})
		hill.AppendOverlaps(room[:0], geom.Box(geom.V(-2, -2), geom.V(2, 2)))
		w.AppendChains(ids[:0], geom.Box(geom.V(-2, -2), geom.V(2, 2)))
	}
	for range 900 {
		run()
	}
	if s := w.Stats(); s.Awake < 30 || s.Touching < 100 {
		t.Fatalf("%+v", s)
	}
	if n := testing.AllocsPerRun(200, run); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestChainHostile: for any definition, AddChain returns an error, or a chain with which
// the world steps on without a NaN or a panic.
func TestChainHostile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		odd := rapid.SampledFrom([]float64{
			0, 1, -1, 0.5, 3, -2, 0.005, 0.0049, 1e-9, 5e-324, 1e6, 1e9, geom.MaxCoord, -geom.MaxCoord, 2 *
				geom.MaxCoord,
			1e18, 1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1),
		})
		plain := rapid.SampledFrom([]float64{0, 1, -1, 0.5, 2, -2, 0.005, 100, -1e4, 1e9})
		number := plain
		if rapid.Bool().Draw(t, "odd") {
			number = odd
		}
		vec := func(name string) geom.Vec { return geom.V(number.Draw(t, name), number.Draw(t, name)) }
		d := quarry.ChainDef{
			Loop: rapid.Bool().Draw(t, "loop"), Material: quarry.MaterialID(rapid.Uint16().Draw(t, "material")),
			Ghost1: vec("ghost 1"), HasGhost1: rapid.Bool().Draw(t, "has 1"), Ghost2: vec("ghost 2"),
			HasGhost2: rapid.Bool().Draw(t, "has 2"),
		}
		for range rapid.IntRange(0, 9).Draw(t, "points") {
			d.Points = append(d.Points, vec("point"))
		}
		if rapid.IntRange(0, 3).Draw(t, "with materials") == 0 {
			d.Materials = make([]quarry.MaterialID, rapid.IntRange(0, 9).Draw(t, "materials"))
		}
		w := worldtest.New()
		body := w.AddBody(quarry.BodyDef{
			Type: quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")), Angle: plain.Draw(t, "angle"),
			AngularVelocity: plain.Draw(t, "spin"),
			Velocity:        geom.V(plain.Draw(t, "vx"), 0),
		})
		before := w.Hash()
		id, err := w.AddChain(body, d)
		if err != nil {
			if w.Hash() != before || id != 0 {
				t.Fatalf("%v left a trace", err)
			}
			return
		}
		var balls []quarry.Body
		for i, p := range d.Points {
			b := worldtest.Add(w, p.Add(geom.V(0.1, 0.3)), []geom.Shape{geom.Circle{Radius: 0.5}, geom.NewBox(0.5,
				0.02), geom.NewBox(20, 20)}[i%3])
			b.SetVelocity(geom.V(plain.Draw(t, "v"), plain.Draw(t, "v")))
			balls = append(balls, b)
		}
		for range 10 {
			w.Step(worldtest.DT)
			for _, b := range balls {
				if !b.Position().IsFinite() || !b.Velocity().IsFinite() ||
					!(math.Abs(b.AngularVelocity()) <= math.MaxFloat64) {
					t.Fatalf("%v, %v, %v", b.Position(), b.Velocity(), b.AngularVelocity())
				}
			}
		}
		if hit, ok := w.RayCast(vec("origin"), vec("ray"), quarry.QueryFilter{}); ok &&
			!(hit.Point.IsFinite() && hit.Normal.IsFinite()) {
			t.Fatalf("%+v", hit)
		}
		c, _ := w.Chain(id)
		c.AppendOverlaps(nil, geom.AABB{Min: vec("box"), Max: vec("box")})
		w.AppendChains(nil, geom.AABB{Min: vec("box"), Max: vec("box")})
		c.Body().SetTransform(geom.V(plain.Draw(t, "x"), plain.Draw(t, "y")), plain.Draw(t, "turn"))
		w.Step(worldtest.DT)
		w.RemoveChain(id)
		w.Step(worldtest.DT)
	})
}

// TestChainRayThroughVertices: no ray slips through a vertex between two segments, from
// any direction, and none is stopped from behind.
func TestChainRayThroughVertices(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	body := w.AddBody(quarry.BodyDef{Angle: 0.3, Position: geom.V(0.1, 0.7)})
	c := worldtest.AddChain(t, w, body, quarry.ChainDef{Points: worldtest.Ring(geom.V(3, 1), 5, 97), Loop: true})
	at := c.Transform()
	for i, p := range c.Points() {
		p = at.Apply(p)
		for _, o := range []geom.Vec{geom.V(3, 1), geom.V(4.123, -0.2), geom.V(0, 3)} {
			o = at.Apply(o)
			hit, ok := w.RayCast(o, p.Sub(o).Mul(2), quarry.QueryFilter{})
			if !ok || hit.Point.Dist(p) > 1e-9 || hit.Chain != c.ID() {
				t.Fatalf("point %d from %v: %+v, %v", i, o, hit, ok)
			}
			if k := hit.Segment; k != i && (k+1)%97 != i {
				t.Fatalf("point %d is said to be on segment %d", i, k)
			}
			if _, ok := w.RayCast(p.Add(p.Sub(o)), o.Sub(p), quarry.QueryFilter{}); ok {
				t.Fatalf("point %d: hit from behind", i)
			}
		}
	}
	// Masks, and the nearer of a shape and a chain.
	if _, ok := w.RayCast(at.Apply(geom.V(3, 1)), geom.V(20, 0), quarry.QueryFilter{Mask: 2}); ok {
		t.Error("a ray that is not for it")
	}
	ball := w.AddBody(quarry.BodyDef{Position: at.Apply(geom.V(6, 1))})
	s := w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	if hit, ok := w.RayCast(at.Apply(geom.V(3, 1)), at.Q.Apply(geom.V(20, 0)), quarry.QueryFilter{}); !ok ||
		hit.Shape != s || hit.Chain != 0 {
		t.Errorf("%+v", hit)
	}
	if hit, ok := w.RayCast(at.Apply(geom.V(3, 1)), at.Q.Apply(geom.V(-20, 0)), quarry.QueryFilter{}); !ok ||
		hit.Shape != 0 || hit.Chain != c.ID() {
		t.Errorf("%+v", hit)
	}
}
