package solid_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// pushSpeeds are values of Config.PushSpeed from far below to far above its default, which 0 stands for.
func pushSpeeds() []float64 { return []float64{0.05, 0.1, 0.2, 0.5, 0.75, 1, 0, 10} }

// pushes returns Configs with gravity that push overlap apart at different speeds: by PushSpeed, PushRate and MaxSpeed.
func pushes() (all []quarry.Config) {
	for _, v := range pushSpeeds() {
		all = append(all, quarry.Config{PushSpeed: v})
	}
	all = append(all, quarry.Config{PushRate: 0.1}, quarry.Config{PushRate: 0.5}, quarry.Config{MaxSpeed: 0.1},
		quarry.Config{MaxSpeed: 0.3})
	for i := range all {
		all[i].Gravity = geom.V(0, -10)
	}
	return all
}

// pushName names c, one of pushes.
func pushName(c quarry.Config) string {
	return fmt.Sprintf("PushSpeed %v, PushRate %v, MaxSpeed %v", c.PushSpeed, c.PushRate, c.MaxSpeed)
}

// mostOverlap is the overlap at which a body may fall asleep that is pushed no faster than Config.SleepSpeed.
const mostOverlap = 0.05

// timeOut returns the time, in seconds, in which a world of c pushes a body along a path out of static ground, to an
// overlap of mostOverlap: at a constant speed, and slower as the overlap decays. A quarter and a second more are for
// the body's turns and for the first steps.
func timeOut(c quarry.Config, path float64) float64 {
	speed, rate := 3.0, 6.2 // the defaults
	if c.PushSpeed != 0 {
		speed = c.PushSpeed
	}
	if c.MaxSpeed != 0 {
		speed = min(speed, c.MaxSpeed)
	}
	if c.PushRate != 0 {
		rate = c.PushRate
	}
	return 1 + 1.25*(path/speed+math.Log(max(1, path/mostOverlap))/(3*rate))
}

// TestOutAtAnySpeed is law 3 of contact: at any speed at which overlap is pushed apart, a body in a block of solid
// ground is out in the time that its path takes, and is not reported as crushed. At a PushSpeed below 0.75 it was
// reported, and at 0.2 and less it fell asleep in the block; so it did with a low PushRate or MaxSpeed.
func TestOutAtAnySpeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(pushes()).Draw(t, "config")
		on := rapid.SampledFrom(worldtest.Carriers()).Draw(t, "carrier")
		if c.MaxSpeed != 0 && !on.Still() {
			on.Body.Velocity = geom.Vec{} // a body could not follow it
		}
		s := rapid.SampledFrom(squeezable()).Draw(t, "shape")
		at := geom.V(rapid.Float64Range(-2.9, 2.9).Draw(t, "x"), rapid.Float64Range(-3.9, -0.1).Draw(t, "y"))
		angle := rapid.Float64Range(-4, 4).Draw(t, "angle")

		w := on.NewSiteOf(c)
		g := w.Floor(t, gridseg.Rect{MinX: -3, MinY: -4, MaxX: 2, MaxY: -1})
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: angle}, s.shape, quarry.ShapeDef{})
		depth := min(3-math.Abs(at.X), -at.Y, at.Y+4)
		extent := 0.0
		core, radius := worldtest.Core(s.shape)
		for _, v := range core {
			extent = max(extent, v.Len()+radius)
		}
		steps := int(timeOut(c, depth+extent) / worldtest.DT)
		for i := range steps {
			w.Step(worldtest.DT)
			if len(w.Crushed()) > 0 {
				t.Fatalf("crushed after %.2f s at %v", float64(i)*worldtest.DT, w.Position(b))
			}
			if worldtest.Buried(g, b) <= mostOverlap {
				return
			}
		}
		t.Fatalf("%.3g deep after %.2f s, at %v, awake: %v", worldtest.Buried(g, b), float64(steps)*worldtest.DT,
			w.Position(b), b.Awake())
	})
}

// TestThroughGroundAtAnySpeed is TestLeavesThroughGround at all speeds: a shape leaves a slit that is too narrow for it
// through the solid beside it. At a PushSpeed above 6 it was stopped at the wall of the slit.
func TestThroughGroundAtAnySpeed(t *testing.T) {
	for i, c := range pushes() {
		for _, s := range squeezable()[:2] { // the others fit the slit
			for _, on := range worldtest.InTurn(i) {
				if c.MaxSpeed != 0 && !on.Still() {
					continue // a body could not follow it
				}
				w := on.NewSiteOf(c)
				g := w.Floor(t, gridseg.Rect{MinX: -9, MinY: -9, MaxX: 9, MaxY: 9})
				worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -1, MinY: 0, MaxX: 1, MaxY: 0},
					gridseg.Tile{Shape: gridseg.Slab}))
				worldtest.Must(t, g.Fill(gridseg.Rect{MinX: 3, MinY: -2, MaxX: 6, MaxY: 2}, gridseg.Tile{}))
				b := w.Add(geom.V(0.5, 0.75), s.shape)
				told := 0
				for range int(timeOut(c, 3.5) / worldtest.DT) {
					w.Step(worldtest.DT)
					told += len(w.Crushed())
				}
				if p := w.Position(b); p.X < 3 || told > 0 || worldtest.Buried(g, b) > mostOverlap {
					t.Errorf("%s: %s, %s: %.3g deep at %v, told of %d times", on.Name, pushName(c), s.name,
						worldtest.Buried(g, b), p, told)
				}
			}
		}
	}
}

// TestStuckAtAnySpeed is TestJammed at all speeds: a body that finds no way out is reported as crushed, once.
func TestStuckAtAnySpeed(t *testing.T) {
	i := 0
	for _, pocket := range []gridseg.Rect{{}, {MaxX: 1}, {MaxX: 1, MaxY: 1}} {
		for _, j := range jams() {
			for _, j.angle = range []float64{0, 0.5} {
				for _, j.pushSpeed = range pushSpeeds() {
					j.pocket = pocket
					for _, on := range worldtest.InTurn(i) {
						j.run(t, on)
					}
					i++
				}
			}
		}
	}
}

// TestPartsAtAnySpeed: bodies that overlap deeply with a static box, a lighter or a heavier body, or, if they are of
// tiles, with a ground, part at all speeds before they fall asleep.
func TestPartsAtAnySpeed(t *testing.T) {
	for _, c := range pushes() {
		for name, under := range map[string]quarry.ShapeDef{
			"static box": {}, "box": {Density: 1},
			"heavy box": {Density: 100},
		} {
			c, d := c, quarry.BodyDef{}
			if under.Density != 0 {
				d.Type, c.Gravity = quarry.Dynamic, geom.Vec{}
			}
			w := quarry.NewWorld(c)
			a := worldtest.AddBody(w, d, geom.NewBox(1, 1), under)
			b := worldtest.Add(w, geom.V(0.1, 0.9), geom.NewBox(0.4, 0.4))
			worldtest.Steps(w, int(3*timeOut(c, 0.5)/worldtest.DT)) // two moving bodies part at a third of the rate
			if overlap := a.Position().Y + 1.4 - b.Position().Y; overlap > mostOverlap {
				t.Errorf("%s: it overlaps a %s by %.3g, awake: %v", pushName(c), name, overlap, b.Awake())
			}
		}

		w := quarry.NewWorld(c)
		worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -9, MaxX: 8, MaxY: -1})
		b, _ := w.Body(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.3, -1.2), Angle: 0.3}))
		worldtest.Must(t, worldtest.AddGround(t, w, b.ID()).Fill(gridseg.Rect{MaxX: 1},
			gridseg.Tile{Shape: gridseg.Full}))
		worldtest.Steps(w, int(timeOut(c, 1.2)/worldtest.DT))
		if b.Position().Y < -mostOverlap {
			t.Errorf("%s: tiles at %v, awake: %v", pushName(c), b.Position(), b.Awake())
		}
	}
}
