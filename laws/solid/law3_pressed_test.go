package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// squeezed is a shape to press.
type squeezed struct {
	name  string
	shape geom.Shape
}

func squeezable() []squeezed {
	return []squeezed{
		{"box", geom.NewBox(0.4, 0.3)},
		{"circle", geom.Circle{Radius: 0.3}},
		{"plank", geom.NewBox(0.8, 0.05)},
		{"capsule", geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.2}},
	}
}

// squeezer adds a kinematic press of a kind, with pose and velocity of d.
func squeezer(t testing.TB, w *worldtest.Site, kind string, d quarry.BodyDef) quarry.Body {
	d.Type = quarry.Kinematic
	b, _ := w.Body(w.World.AddBody(w.Def(d)))
	switch kind {
	case "box":
		w.AddShape(b.ID(), geom.NewBox(2, 0.5), quarry.ShapeDef{})
	case "segment":
		w.AddShape(b.ID(), geom.Segment{A: geom.V(-2, 0), B: geom.V(2, 0)}, quarry.ShapeDef{})
	case "thin box":
		w.AddShape(b.ID(), geom.NewBox(2, 0.02), quarry.ShapeDef{})
	case "chain":
		worldtest.AddChain(t, w.World, b.ID(), quarry.ChainDef{Points: []geom.Vec{geom.V(-2, 0), geom.V(2, 0)}})
	}
	return b
}

// addFloor adds a floor with its top at y = 0, a chain or tiles, to the carrier.
func addFloor(t testing.TB, w *worldtest.Site, kind string) {
	if kind == "chain" {
		worldtest.AddChain(t, w.World, w.Carrier.ID(), quarry.ChainDef{Points: worldtest.Line(geom.V(9, 0),
			geom.V(-9, 0), 9)})
		return
	}
	w.Floor(t, gridseg.Rect{MinX: -9, MinY: -9, MaxX: 8, MaxY: -1})
}

// TestPressedOntoFloor is law 3 of contact: a kinematic body does not press a body
// through a chain or the ground; the body stays in front of it and is reported as
// crushed. (The kinematic contact was solved last, so it carried the body through any
// obstacle, and through ground that moved or was on a dynamic body.)
func TestPressedOntoFloor(t *testing.T) { worldtest.OnCarriers(t, pressedOntoFloor) }

func pressedOntoFloor(t *testing.T, on worldtest.Carrier) {
	for _, s := range squeezable() {
		for _, speed := range []float64{0.5, 2, 8, 30} {
			for _, kind := range []string{"box", "chain", "segment", "thin box"} {
				for _, under := range []string{"chain", "tiles"} {
					if under == "chain" && on.Body.Type == quarry.Dynamic {
						continue
					}
					press(t, on, s, kind, under, speed)
				}
			}
		}
	}
}

// press presses a shape onto a floor.
func press(t *testing.T, on worldtest.Carrier, s squeezed, kind, under string, speed float64) {
	w := on.NewSite()
	addFloor(t, w, under)
	b := w.Add(geom.V(0.1, 0.5), s.shape)
	press := squeezer(t, w, kind, quarry.BodyDef{Position: geom.V(0, 3), Velocity: geom.V(0, -speed)})
	told := 0
	for range int(4/speed*60) + 30 {
		if w.Position(press).Y < -1 {
			w.SetVelocity(press, geom.Vec{})
		}
		w.Step(worldtest.DT)
		told += len(w.Crushed())
		if w.Position(b).Y < 0 {
			t.Fatalf("%s: %s by a %s at %v onto %s: through, at %v", on.Name, s.name, kind, speed, under, w.Position(b))
		}
	}
	if speed == 0.5 && kind == "box" && under == "chain" && told != 1 {
		t.Errorf("%s: %s by a %s at %v onto a chain: told of %d times", on.Name, s.name, kind, speed, told)
	}
}

// TestPressedByTurning is law 3 of contact: a turning wall presses no body through a chain or the ground, from either
// side.
func TestPressedByTurning(t *testing.T) {
	i := 0
	for _, s := range squeezable() {
		for _, spin := range []float64{-4, -1, -0.3, 0.3, 1, 4} {
			for _, kind := range []string{"segment", "thin box"} {
				for _, high := range []float64{0.2, 0.6, 1.2} {
					for _, under := range []string{"chain", "tiles"} {
						for _, on := range worldtest.InTurn(i) {
							if under == "tiles" || on.Body.Type != quarry.Dynamic {
								pressTurning(t, on, s, kind, under, spin, high)
							}
						}
						i++
					}
				}
			}
		}
	}
}

func pressTurning(t *testing.T, on worldtest.Carrier, s squeezed, kind, under string, spin, high float64) {
	w := on.NewSite()
	addFloor(t, w, under)
	b := w.Add(geom.V(1, 0.35), s.shape)
	squeezer(t, w, kind, quarry.BodyDef{Position: geom.V(0, high), Angle: 1.3, AngularVelocity: spin})
	for range int(min(1200, 600/max(spin, -spin))) {
		w.Step(worldtest.DT)
		if p := w.Position(b); p.Y < 0 && p.X > -9 && p.X < 9 {
			t.Errorf("%s: %s by a %s turning at %v, %v above %s: through, at %v in step %d", on.Name, s.name, kind,
				spin, high, under, p, w.StepCount())
			break
		}
	}
}

// jaw adds a surface of a kind to the body with its face along the body's x axis, in front of it up.
func jaw(t worldtest.Failer, w *quarry.World, b quarry.BodyID, kind string) {
	t.Helper()
	switch kind {
	case "tiles":
		worldtest.Must(t, worldtest.AddGround(t, w, b).Fill(gridseg.Rect{MinX: -9, MinY: -5, MaxX: 8, MaxY: -1},
			gridseg.Tile{Shape: gridseg.Full}))
	case "chain":
		worldtest.AddChain(t, w, b, quarry.ChainDef{Points: worldtest.Line(geom.V(9, 0), geom.V(-9, 0), 9)})
	case "box":
		w.AddShape(b, geom.NewOffsetBox(9, 2.5, geom.V(0, -2.5), geom.Identity), quarry.ShapeDef{})
	}
}

// TestPressedBetween is law 3 of contact: two kinematic surfaces that close on a shape, both moving, in any direction,
// at 0.5 to 30 units a second and turning, press it through the softer one at most: tiles are the firmest, then chains,
// then shapes, and of two of a kind the first one. If it ends in tiles, it is reported as crushed, and once if nothing
// turns.
func TestPressedBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []string{"tiles", "chain", "box"} // the firmest first
		number := func(name string, least, most float64) float64 {
			return rapid.Float64Range(least, most).Draw(t, name)
		}
		i, j := rapid.IntRange(0, 2).Draw(t, "wall"), rapid.IntRange(0, 2).Draw(t, "press")
		i, j = min(i, j), max(i, j)
		first := i < j && rapid.Bool().Draw(t, "press first")
		s := rapid.SampledFrom(squeezable()).Draw(t, "shape")
		at := geom.Transform{P: geom.V(number("x", -1e3, 1e3), number("y", -1e3, 1e3)), Q: geom.NewRot(number("angle",
			-4, 4))}
		speed, share := math.Exp(number("speed", -0.7, 3.4)), number("share", 0, 1)
		carried := geom.V(number("vx", -20, 20), number("vy", -20, 20))
		spin := 0.0
		if rapid.Bool().Draw(t, "turns") {
			spin = number("spin", -1, 1)
		}

		w := quarry.NewWorld(quarry.Config{Gravity: at.Q.Apply(geom.V(0, -10))})
		add := func(kind string, y, angle, v float64) quarry.Body {
			b, _ := w.Body(w.AddBody(quarry.BodyDef{
				Type: quarry.Kinematic, Position: at.Apply(geom.V(0, y)), Angle: at.Q.Angle() + angle,
				Velocity: carried.Add(at.Q.Apply(geom.V(0, v))), AngularVelocity: spin,
			}))
			jaw(t, w, b.ID(), kind)
			return b
		}
		var wall, press quarry.Body
		if high := number("high", 1.2, 2.2); first {
			press = add(kinds[j], high, math.Pi, -speed*share)
			wall = add(kinds[i], 0, 0, speed*(1-share))
		} else {
			wall = add(kinds[i], 0, 0, speed*(1-share))
			press = add(kinds[j], high, math.Pi, -speed*share)
		}
		b := worldtest.AddBody(w, quarry.BodyDef{
			Type: quarry.Dynamic, Position: at.Apply(geom.V(number("offset", -1, 1), 0.6)), Angle: at.Q.Angle() +
				number("tilt", -0.4, 0.4), Velocity: carried,
		}, s.shape, quarry.ShapeDef{})
		told, closed := 0, 0
		for closed < 60 {
			if closed > 0 || wall.LocalPoint(press.Position()).Y < -1 {
				closed++
				for _, b := range []quarry.Body{wall, press} {
					b.SetVelocity(carried)
					b.SetAngularVelocity(0)
				}
			}
			w.Step(worldtest.DT)
			told += len(w.Crushed())
			p := wall.LocalPoint(b.CenterOfMass())
			if math.Abs(p.X) > 8 {
				return // it has slipped out
			}
			if p.Y < -0.1 || p.Y < 0 && closed == 60 { // a plank may be in tiles for a step, as in ground at rest
				t.Fatalf("step %d: through the wall, at %v", w.StepCount(), p)
			}
		}
		if p := press.LocalPoint(b.CenterOfMass()); j == 0 && (told > 1 && spin == 0 || told == 0 && p.Y < -0.1) {
			t.Fatalf("at %v of the press, told of %d times", p, told)
		}
	})
}
