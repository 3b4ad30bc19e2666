package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestBullets is law 3 of contact for bullets: none passes a dynamic body, asleep, at
// rest or moving, and each hit wakes and pushes its target. Fast bodies passed each other
// and sleepers.
func TestBullets(t *testing.T) {
	type thing struct {
		name  string
		shape geom.Shape
		v     geom.Vec
		sleep bool
	}
	for _, at := range []thing{
		{"sleeper", geom.NewBox(0.05, 2), geom.Vec{}, true},
		{"still one", geom.NewBox(0.05, 2), geom.Vec{}, false},
		{"thin sleeper", geom.NewBox(0.005, 2), geom.Vec{}, true},
		{"one that comes", geom.NewBox(0.05, 2), geom.V(-150, 0), false},
		{"one that flees", geom.NewBox(0.05, 2), geom.V(90, 0), false},
		{"circle", geom.Circle{Radius: 0.5}, geom.V(-300, 0), false},
	} {
		for _, s := range []geom.Shape{
			geom.Circle{Radius: 0.1},
			geom.NewBox(0.1, 0.1), geom.NewBox(0.5, 0.01),
			geom.Segment{A: geom.V(0, -0.2), B: geom.V(0, 0.2)},
		} {
			for _, both := range []bool{false, true} {
				for k := range 12 {
					w := quarry.NewWorld(quarry.Config{})
					target := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: geom.V(12, 0), Velocity: at.v,
						Asleep: at.sleep, Bullet: both,
					})
					w.AddShape(target, at.shape, quarry.ShapeDef{})
					id := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: geom.V(0.37*float64(k), 0),
						Velocity: geom.V(350, 0), Bullet: true,
					})
					w.AddShape(id, s, quarry.ShapeDef{})
					a, _ := w.Body(id)
					b, _ := w.Body(target)
					for range 20 {
						w.Step(worldtest.DT)
						if a.Position().X > b.Position().X {
							t.Errorf("%T from %v passed a %s", s, 0.37*float64(k), at.name)
							break
						}
					}
					if !b.Awake() || b.Velocity().X <= at.v.X {
						t.Errorf("%T from %v: a %s was not hit: %v", s, 0.37*float64(k), at.name, b.Velocity())
					}
				}
			}
		}
	}
}

// TestBulletFlag: SetBullet has the effect of BodyDef.Bullet. A fast body that is no
// bullet passes a thin dynamic one.
func TestBulletFlag(t *testing.T) {
	run := func(bullet, later bool) float64 {
		w := quarry.NewWorld(quarry.Config{})
		wall := worldtest.Add(w, geom.V(12, 0), geom.NewBox(0.05, 2))
		wall.Sleep()
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(350, 0), Bullet: bullet && !later})
		w.AddShape(id, geom.Circle{Radius: 0.1}, quarry.ShapeDef{})
		b, _ := w.Body(id)
		if later {
			b.SetBullet(bullet)
			b.SetBullet(bullet)
		}
		if b.Bullet() != bullet {
			t.Errorf("Bullet() = %v", b.Bullet())
		}
		worldtest.Steps(w, 20)
		return b.Position().X
	}
	if x := run(false, false); x < 100 {
		t.Errorf("not a bullet: stopped at %v", x)
	}
	if x, y := run(true, false), run(true, true); x != y {
		t.Errorf("a bullet from the start ends at %v, one made later at %v", x, y)
	}
}

// TestBulletsConfined is law 3 of contact: bullets shot about between heavy dynamic walls
// stay between the same two walls.
func TestBulletsConfined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		heavy := quarry.ShapeDef{Density: 1e4}
		var walls []quarry.Body
		for i := range 4 {
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(4*float64(i), 0), FixedRotation: true,
				Bullet: rapid.Bool().Draw(t, "wall"),
			})
			w.AddShape(id, geom.NewBox(0.1, 50), heavy)
			b, _ := w.Body(id)
			walls = append(walls, b)
		}
		var shots []quarry.Body
		for i := range 3 {
			for j := range rapid.IntRange(0, 1).Draw(t, "shots") {
				speed := rapid.Float64Range(0, quarry.MaxSpeed).Draw(t, "speed")
				angle := rapid.Float64Range(-math.Pi, math.Pi).Draw(t, "angle")
				id := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(4*float64(i)+rapid.Float64Range(1.2, 2.8).Draw(t, "x"),
						3*float64(j)),
					Velocity: geom.NewRot(angle).Apply(geom.V(speed, 0)), Bullet: true, User: uint64(i),
					AngularVelocity: rapid.Float64Range(-30, 30).Draw(t, "spin"),
				})
				w.AddShape(id, drawConvex(t, rapid.Float64Range(0.05, 0.9).Draw(t, "size")), quarry.ShapeDef{})
				b, _ := w.Body(id)
				shots = append(shots, b)
			}
		}
		for i := range 60 {
			w.Step(worldtest.DT)
			for _, b := range shots {
				c := b.CenterOfMass()
				if lo, hi := walls[b.User()].Position().X, walls[b.User()+1].Position().X; math.Abs(c.Y) < 40 &&
					(c.X < lo || c.X > hi) {
					t.Fatalf("step %d: one of %d at %v, between %v and %v", i, b.User(), c, lo, hi)
				}
			}
		}
	})
}
