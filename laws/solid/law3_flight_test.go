package solid_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestFlatDrop is law 3 of contact: a body that falls flat on level ground, at any speed
// up to MaxSpeed, stays there. A box of two cells was thrown up at 30 units/s and aside
// at 21, planks up at 30; now only the push that closes the last gap is allowed.
func TestFlatDrop(t *testing.T) {
	i := 0
	for _, hy := range []float64{0.5, 0.25, 0.02, 0.01, 0.005} {
		for _, hx := range []float64{0.5, 2} {
			for _, speed := range []float64{20, 100, 200, quarry.MaxSpeed} {
				up, side, spin := 0.0, 0.0, 0.0
				for k := range 10 {
					i++
					for _, on := range worldtest.InTurn(i) {
						w := on.NewSite()
						w.Floor(t, gridseg.Rect{MinX: -30, MinY: -3, MaxX: 30, MaxY: -1})
						b := w.Add(geom.V(0.37*float64(k)/7, 10+0.31*float64(k)), geom.NewBox(hx, hy))
						w.SetVelocity(b, geom.V(0, -speed))
						for range 40 {
							w.Step(worldtest.DT)
							v := w.Velocity(b)
							up, side, spin = max(up, v.Y), max(side, math.Abs(v.X)), max(spin,
								math.Abs(b.AngularVelocity()))
						}
						if y := w.Position(b).Y; y < hy-geom.LinearSlop || y > hy+geom.LinearSlop {
							t.Errorf("%s: %v by %v at %v: ends at %v", on.Name, hx, hy, speed, y)
						}
					}
				}
				if up > 0.05 || side > 0.1 || spin > 0.2 {
					t.Errorf("%v by %v at %v: kicked up at %.3g, aside at %.3g, turned at %.3g", hx, hy, speed, up,
						side, spin)
				}
			}
		}
	}
}

// TestTips is law 3 of contact for rotation: the tip of a long turning shape does not
// pass a thin wall (a shape, a tile, or a kinematic body) that is far from the shape's
// middle.
func TestTips(t *testing.T) {
	const wallY = -0.3
	walls := []struct {
		name  string
		build func(w *worldtest.Site)
	}{
		{"static box", func(w *worldtest.Site) {
			w.AddShape(w.Carrier.ID(), geom.NewOffsetBox(0.4, 0.01, geom.V(2.5, wallY), geom.Identity),
				quarry.ShapeDef{})
		}},
		{"static capsule", func(w *worldtest.Site) {
			w.AddShape(w.Carrier.ID(), geom.Capsule{A: geom.V(2.1, wallY), B: geom.V(2.9, wallY), Radius: 0.01},
				quarry.ShapeDef{})
		}},
		{"static segment", func(w *worldtest.Site) {
			w.AddShape(w.Carrier.ID(), geom.Segment{A: geom.V(2.1, wallY), B: geom.V(2.9, wallY)}, quarry.ShapeDef{})
		}},
		{"kinematic box", func(w *worldtest.Site) {
			w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(2.5, wallY), Velocity: geom.V(0, 0.1)},
				geom.NewBox(0.4, 0.01), quarry.ShapeDef{})
		}},
		{"turning kinematic box", func(w *worldtest.Site) {
			w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(2.5, wallY), AngularVelocity: 0.2},
				geom.NewBox(0.4, 0.01), quarry.ShapeDef{})
		}},
		{"thin tile", func(w *worldtest.Site) {
			g := w.AddGround(t)
			if err := g.Build(w.Point(geom.V(2.1, wallY)), w.Point(geom.V(2.9, wallY)), 0.02,
				gridseg.Attr{}); err != nil {
				panic(err)
			}
		}},
	}
	shapes := []compound{
		{"plank", []geom.Shape{geom.NewBox(3, 0.02)}},
		{"thick", []geom.Shape{geom.NewBox(3, 0.2)}},
		{"capsule", []geom.Shape{geom.Capsule{A: geom.V(-3, 0), B: geom.V(3, 0), Radius: 0.05}}},
		{"segment", []geom.Shape{geom.Segment{A: geom.V(-3, 0), B: geom.V(3, 0)}}},
		{"one sided", []geom.Shape{geom.NewOffsetBox(3, 0.05, geom.V(1, 0), geom.Identity)}},
	}
	i := 0
	for _, wall := range walls {
		for _, c := range shapes {
			for _, spin := range []float64{3, 8, 20, 45, 90, 150} {
				for k := range 6 {
					start := 0.7 + 0.05*float64(k)
					for _, on := range worldtest.InTurn(i) {
						if on.Body.Type == quarry.Dynamic && wall.name != "thin tile" {
							continue // only bullets are swept against shapes of dynamic bodies
						}
						if step := tipPasses(on, wall.build, geom.V(2.5, wallY), c.shapes[0], start, spin); step >= 0 {
							t.Errorf("%s: %s at %v on a %s, from %v: passed in step %d", on.Name, c.name, spin,
								wall.name, start, step)
						}
					}
					i++
				}
			}
		}
	}
}

// tipPasses turns a long shape whose tip meets a wall about the point at, and returns the step in which the tip
// passes it, or -1.
func tipPasses(on worldtest.Carrier, build func(w *worldtest.Site), at geom.Vec, s geom.Shape,
	start, spin float64,
) int {
	w := on.NewSiteOf(quarry.Config{})
	build(w)
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Angle: start, AngularVelocity: -spin}, s, quarry.ShapeDef{})
	// A heavy shape in the middle, so that the body keeps turning and does not fly off.
	w.AddShape(b.ID(), geom.Circle{Radius: 0.1}, quarry.ShapeDef{Density: 2000})
	// On which side the axis of the shape has the middle of the wall, while that is beside it.
	side := func() (float64, bool) {
		q := w.Pose(b).Inv(at)
		return q.Y, q.X > 0 && q.X < 2.8
	}
	was, beside := side()
	for i := range 40 {
		w.Step(worldtest.DT)
		now, still := side()
		if beside && still && was < 0 && now > 0 {
			return i
		}
		was, beside = now, still
	}
	return -1
}

// TestFlightAllocatesNothing: a warm step with continuous collision, bullets included,
// allocates nothing.
func TestFlightAllocatesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{NoSleep: true})
	worldtest.BuildRoom(t, w, w.AddBody(quarry.BodyDef{}), "tiles")
	rubber := w.AddMaterial(quarry.Material{Restitution: 1})
	var all []quarry.Body
	for i := range 12 {
		b := worldtest.Add(w, geom.V(float64(i%4)*3-5, float64(i/4)*3-4), geom.NewBox(0.4, 0.05+0.1*float64(i%3)))
		for s := range b.Shapes() {
			s.SetMaterial(rubber)
		}
		b.SetBullet(i%2 == 0)
		all = append(all, b)
	}
	shoot := func() {
		for i, b := range all {
			b.SetVelocity(geom.NewRot(float64(i)).Apply(geom.V(300, 0)))
			b.SetAngularVelocity(float64(i))
		}
		w.Step(worldtest.DT)
	}
	for range 600 {
		shoot()
	}
	if n := testing.AllocsPerRun(100, shoot); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// BenchmarkFlight: a step of one body: slow; fast in the open over tiles; fast and
// stopped by tiles; and a fast bullet among a hundred other bodies.
func BenchmarkFlight(b *testing.B) {
	for _, c := range []struct {
		name   string
		shape  geom.Shape
		v      geom.Vec
		spin   float64
		bullet bool
	}{
		{"slow box", geom.NewBox(0.5, 0.5), geom.V(3, 0), 0, false},
		{"fast box in the open", geom.NewBox(0.5, 0.5), geom.V(300, 0), 0, false},
		{"fast box that is stopped", geom.NewBox(0.5, 0.5), geom.V(0, -300), 0, false},
		{"fast turning box that is stopped", geom.NewBox(0.5, 0.5), geom.V(0, -300), 9, false},
		{"turning plank in the open", geom.NewBox(3, 0.02), geom.V(0, 1), 20, false},
		{"fast bullet", geom.Circle{Radius: 0.1}, geom.V(300, 0), 0, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := quarry.NewWorld(quarry.Config{NoSleep: true})
			g := worldtest.AddGround(b, w, 0)
			if err := g.Fill(gridseg.Rect{MinX: -50, MinY: -5, MaxX: 50, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full}); err != nil {
				b.Fatal(err)
			}
			if c.bullet {
				for i := range 100 {
					worldtest.Add(w, geom.V(float64(i%20), 8+float64(i/20)), geom.Circle{Radius: 0.2}).Sleep()
				}
			}
			at := geom.V(0.3, 4.2)
			o := worldtest.Add(w, at, c.shape)
			o.SetBullet(c.bullet)
			b.ReportAllocs()
			for b.Loop() {
				o.SetTransform(at, 0)
				o.SetVelocity(c.v)
				o.SetAngularVelocity(c.spin)
				w.Step(worldtest.DT)
			}
		})
	}
}
