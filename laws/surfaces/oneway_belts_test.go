package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// riders are shapes that a belt carries, about half a cell high.
func riders() map[string]geom.Shape {
	return map[string]geom.Shape{
		"box":           geom.NewBox(0.5, 0.5),
		"wide box":      geom.NewBox(2, 0.5),
		"lying capsule": geom.Capsule{A: geom.V(-0.6, 0), B: geom.V(0.6, 0), Radius: 0.5},
		"rounded box":   geom.NewRoundedBox(0.8, 0.3, 0.2),
	}
}

// TestBeltCarries: a body on a belt, of tiles or of a plain shape, comes to move at the
// belt's speed, on the flat and up and down slopes. Friction accelerates it, so that
// takes time.
func TestBeltCarries(t *testing.T) { worldtest.OnCarriers(t, beltCarries) }

func beltCarries(t *testing.T, on worldtest.Carrier) {
	for name, s := range riders() {
		for _, speed := range []float64{3, -3} {
			for _, slope := range []struct {
				name  string
				pitch float64
				tiles []gridseg.Tile
			}{
				{"flat", 0, []gridseg.Tile{{Shape: gridseg.Full}}},
				{"1:2 up", 0.5, []gridseg.Tile{{Shape: gridseg.SlopeLow}, {Shape: gridseg.SlopeHigh}}},
				{"1:2 down", -0.5, []gridseg.Tile{{Shape: gridseg.SlopeHigh, Turn: 4}, {
					Shape: gridseg.SlopeLow,
					Turn:  4,
				}}},
			} {
				for _, tiled := range []bool{true, false} {
					w := on.NewSite()
					belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: speed})
					along := geom.NewRot(geom.Atan2(slope.pitch, 1))
					foot := 0.0
					if tiled {
						g := w.AddGround(t)
						for x := int32(-40); x < 40; x++ {
							tile := slope.tiles[int(x+40)%len(slope.tiles)]
							tile.Material = uint16(belt)
							y := int32(math.Floor(slope.pitch * (float64(x) + 0.5)))
							if err := g.Set(x, y, tile); err != nil {
								t.Fatal(err)
							}
						}
						if slope.pitch == 0 {
							foot = 1
						}
					} else {
						w.AddShape(w.Carrier.ID(), geom.NewOffsetBox(40, 1, along.Apply(geom.V(0, -1)), along),
							quarry.ShapeDef{Material: belt})
					}
					b := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Angle: along.Angle(), Position: along.Apply(geom.V(0.2,
							0.5)).Add(geom.V(0, foot)),
					}, s, quarry.ShapeDef{Material: w.AddMaterial(quarry.Material{Friction: 0.81})})
					what := fmt.Sprintf("%s on %s at %v, tiled %v", name, slope.name, speed, tiled)
					w.Step(worldtest.DT)
					// It slips at first: the pull is the friction of both, less the slope's.
					g := geom.V(0, -10)
					g = along.Inv(g)
					if v := along.Inv(w.Velocity(b)); b.Awake() &&
						math.Abs(v.X-worldtest.DT*(g.X+math.Copysign(0.9*-g.Y, speed))) > 0.06 && s != nil {
						t.Errorf("%s: speed %v after a step", what, v)
					}
					w.Steps(179)
					v := along.Inv(w.Velocity(b))
					worldtest.Near(t, what, v.X, speed, 0.01)
					worldtest.Near(t, what+", off it", v.Y, 0, 0.01)
					worldtest.Near(t, what+", spin", b.AngularVelocity(), 0, 0.05)
				}
			}
		}
	}
}

// TestBeltTurnsBalls: a free ball on a belt spins up until its surface moves with the
// belt's; a ball held in place turns as a gear.
func TestBeltTurnsBalls(t *testing.T) { worldtest.OnCarriers(t, beltTurnsBalls) }

func beltTurnsBalls(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	g := w.Floor(t, gridseg.Rect{MinX: -40, MinY: -1, MaxX: -1, MaxY: -1})
	belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 3})
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 40, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)}); err != nil {
		t.Fatal(err)
	}
	b := w.Add(geom.V(5, 0.5), geom.Circle{Radius: 0.5})
	w.Steps(60)
	// A third of the belt's speed goes to the way, two to the spin: m r^2 / 2.
	worldtest.Near(t, "speed", w.Velocity(b).X, 1, 0.01)
	worldtest.Near(t, "spin", b.AngularVelocity(), 4, 0.05)
}

// TestBeltRunsRound: the belt of a tile runs clockwise round it, also over its corners: a
// weightless box pressed to each side moves along.
func TestBeltRunsRound(t *testing.T) { worldtest.OnCarriers(t, beltRunsRound) }

func beltRunsRound(t *testing.T, on worldtest.Carrier) {
	for _, plain := range []bool{false, true} {
		for _, c := range []struct{ at, press, want geom.Vec }{
			{geom.V(0, 2.25), geom.V(0, -20), geom.V(2, 0)},
			{geom.V(2.25, 0), geom.V(-20, 0), geom.V(0, -2)},
			{geom.V(0, -2.25), geom.V(0, 20), geom.V(-2, 0)},
			{geom.V(-2.25, 0), geom.V(20, 0), geom.V(0, 2)},
		} {
			w := on.NewSiteOf(quarry.Config{})
			belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 2})
			if plain {
				w.AddShape(w.Carrier.ID(), geom.NewBox(2, 2), quarry.ShapeDef{Material: belt})
			} else {
				g := w.AddGround(t)
				if err := g.Fill(gridseg.Rect{MinX: -2, MinY: -2, MaxX: 1, MaxY: 1},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)}); err != nil {
					t.Fatal(err)
				}
			}
			b := w.Add(c.at, geom.NewBox(0.25, 0.25))
			for range 30 {
				b.ApplyForce(w.Carrier.WorldVector(c.press.Mul(b.Mass())), b.CenterOfMass())
				w.Step(worldtest.DT)
			}
			if w.Velocity(b).Dist(c.want) > 0.02 {
				t.Errorf("plain %v, at %v: velocity %v, want %v", plain, c.at, w.Velocity(b), c.want)
			}
		}
	}
	// Over a corner: a ball that is held to the corner's vertex is turned by it.
	w := on.NewSiteOf(quarry.Config{})
	belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 2})
	g := w.AddGround(t)
	if err := g.Set(-1, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)}); err != nil {
		t.Fatal(err)
	}
	out := geom.V(math.Sqrt2/2, math.Sqrt2/2)
	b := w.Add(out.Mul(0.5), geom.Circle{Radius: 0.5})
	b.ApplyForce(w.Carrier.WorldVector(out.Mul(-100*b.Mass())), b.CenterOfMass())
	w.Step(worldtest.DT)
	v, along := w.Velocity(b), geom.V(out.Y, -out.X)
	if v.Dot(along) < 0.3 || math.Abs(v.Dot(out)) > 0.02 {
		t.Errorf("over a corner: velocity %v, along %v, out %v", v, v.Dot(along), v.Dot(out))
	}
}

// TestBeltsMix: belt speeds add, each point of a box has the speed of the tile under it,
// and without friction no body is carried.
func TestBeltsMix(t *testing.T) { worldtest.OnCarriers(t, beltsMix) }

func beltsMix(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	belt := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 2})
	back := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: -2})
	ice := w.AddMaterial(quarry.Material{TangentSpeed: 9})
	g := w.AddGround(t)
	for x := range int32(90) {
		m := belt
		if x >= 30 && x < 60 {
			m = ice
		} else if x >= 45 && x < 75 {
			m = belt
		} else if x >= 75 {
			m = back
		}
		if err := g.Set(x, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}); err != nil {
			t.Fatal(err)
		}
	}
	put := func(x float64, m quarry.MaterialID) quarry.Body {
		return w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0.3)}, geom.NewBox(1.2, 0.3),
			quarry.ShapeDef{Material: m})
	}
	both, against, slides, between := put(5, belt), put(15, back), put(40, 0), put(75, 0)
	w.Steps(90)
	worldtest.Near(t, "a belt on a belt", w.Velocity(both).X, 4, 0.02)
	worldtest.Near(t, "a belt against a belt", w.Velocity(against).X, 0, 0.02)
	worldtest.Near(t, "on ice", w.Velocity(slides).X, 0, 1e-6)
	worldtest.Near(t, "between two that run together", w.Position(between).X, 75, 0.02)
}

// TestBeltWakes: a body asleep on a belt, of tiles or of a plain shape, wakes when the
// belt is turned on, and no other body does. So does a body on a shape that gets another
// material.
func TestBeltWakes(t *testing.T) { worldtest.OnStaticCarriers(t, beltWakes) }

func beltWakes(t *testing.T, on worldtest.Carrier) {
	w := on.NewSite()
	stopped := quarry.Material{Friction: 1}
	belt := w.AddMaterial(stopped)
	g := w.Floor(t, gridseg.Rect{MinX: -20, MinY: -1, MaxX: 20, MaxY: -1})
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 20, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)}); err != nil {
		t.Fatal(err)
	}
	plate := w.AddShape(w.Carrier.ID(), geom.NewOffsetBox(10, 1, geom.V(40, 0), geom.Identity),
		quarry.ShapeDef{Material: belt})
	tiled, load, off, onPlate := w.Add(geom.V(5, 0.25), geom.NewBox(1, 0.25)), w.Add(geom.V(5, 0.75),
		geom.NewBox(1, 0.25)),
		w.Add(geom.V(-5, 0.5), geom.NewBox(0.5, 0.5)), w.Add(geom.V(40, 1.5), geom.NewBox(0.5, 0.5))
	asleep := func(what string, want ...bool) {
		t.Helper()
		for i, b := range []quarry.Body{tiled, load, off, onPlate} {
			if b.Awake() == want[i] {
				t.Errorf("%s: body %d asleep %v", what, i, !b.Awake())
			}
		}
	}
	w.Steps(120)
	asleep("at rest", true, true, true, true)
	stopped.Color, stopped.User = 7, 7
	w.SetMaterial(belt, stopped)
	asleep("another colour", true, true, true, true)
	stopped.TangentSpeed = 2
	w.SetMaterial(belt, stopped)
	asleep("turned on", false, false, true, false)
	w.Steps(60)
	worldtest.Near(t, "on tiles", w.Velocity(tiled).X, 2, 0.02)
	worldtest.Near(t, "on what is on them", w.Velocity(load).X, 2, 0.02)
	worldtest.Near(t, "on a shape", w.Velocity(onPlate).X, 2, 0.02)
	stopped.TangentSpeed = 0
	w.SetMaterial(belt, stopped)
	w.Steps(180)
	asleep("turned off", true, true, true, true)
	moving := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: -2})
	asleep("a new material", true, true, true, true)
	s, _ := w.Shape(plate)
	s.SetMaterial(moving)
	asleep("another material", true, true, true, false)
	w.Steps(30)
	worldtest.Near(t, "on the shape", w.Velocity(onPlate).X, -2, 0.02)
}
