package joints_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

const gravity = 10

// awake returns a world with gravity, in which no body falls asleep before its motion has died down.
func awake() *quarry.World {
	return quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -gravity), NoSleep: true})
}

// disc adds a disc of density 1 at p.
func disc(w *quarry.World, p geom.Vec, r float64) quarry.Body {
	return worldtest.Add(w, p, geom.Circle{Radius: r})
}

// crossings runs w for so many steps and returns the times at which value rises through 0.
func crossings(w *quarry.World, steps int, value func() float64) (times []float64) {
	for step := range steps {
		was := value()
		w.Step(worldtest.DT)
		if now := value(); was < 0 && now >= 0 {
			times = append(times, (float64(step)+was/(was-now))*worldtest.DT)
		}
	}
	return times
}

// period returns the mean time between rises of value through 0.
func period(t *testing.T, w *quarry.World, steps int, value func() float64) float64 {
	t.Helper()
	times := crossings(w, steps, value)
	if len(times) < 3 {
		t.Fatalf("%d swings in %d steps", len(times), steps)
	}
	return (times[len(times)-1] - times[0]) / float64(len(times)-1)
}

// TestPendulum: a disc on a hinge has the period of a physical pendulum, to 2e-4, and after 10^5 steps
// still its amplitude, to 0.5%, and its hinge, to 1e-3.
func TestPendulum(t *testing.T) {
	const r, l, amplitude = 0.5, 2.0, 0.5
	w := worldtest.New()
	b := disc(w, geom.V(l*math.Sin(amplitude), -l*math.Cos(amplitude)), r)
	id := w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, b.ID(), geom.Vec{})})
	j, _ := w.Joint(id)
	// By the series of the elliptic integral, to the fourth power of the amplitude.
	a2 := amplitude * amplitude
	want := 2 * math.Pi * math.Sqrt((l*l+r*r/2)/(gravity*l)) * (1 + a2/16 + 11*a2*a2/3072)
	worldtest.Near(t, "period", period(t, w, 6000, func() float64 { return b.Position().X }), want, 2e-4*want)
	steps := 94_000
	if testing.Short() {
		steps = 4_000
	}
	worldtest.Steps(w, steps)
	most := 0.0
	for range 300 {
		w.Step(worldtest.DT)
		most = max(most, math.Abs(math.Atan2(b.Position().X, -b.Position().Y)))
		worldtest.Near(t, "gap of the hinge", j.Length(), 0, 1e-3)
	}
	worldtest.Near(t, "amplitude after all steps", most, amplitude, 0.005*amplitude)
}

// TestSprings: the springs of revolute, prismatic, wheel, distance, weld, motor and mouse joints have
// their frequency, to 0.1%, and damping ratio, to 2%.
func TestSprings(t *testing.T) {
	const r = 0.5
	for _, hertz := range []float64{0.5, 2} {
		s := quarry.JointSpring{Hertz: hertz, DampingRatio: 0.05}
		for name, def := range map[string]func(w *quarry.World, b quarry.BodyID) quarry.JointDef{
			"revolute": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.RevoluteJoint{JointBase: w.JointAt(0, b, geom.Vec{}), Spring: s}
			},
			"prismatic": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.PrismaticJoint{JointBase: w.JointAt(0, b, geom.Vec{}), Spring: s}
			},
			"wheel": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.WheelJoint{JointBase: w.JointAt(0, b, geom.Vec{}), Spring: s}
			},
			"distance": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				base := w.JointAt(0, b, geom.Vec{})
				base.FrameA.Position = geom.V(-3, 0)
				return quarry.DistanceJoint{JointBase: base, Spring: s}
			},
			"weld": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.WeldJoint{JointBase: w.JointAt(0, b, geom.Vec{}), Spring: s}
			},
			"weld, angle": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.WeldJoint{JointBase: w.JointAt(0, b, geom.Vec{}), AngularSpring: s}
			},
			"motor": func(w *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.MotorJoint{JointBase: w.JointAt(0, b, geom.Vec{}), Spring: s}
			},
			"mouse": func(_ *quarry.World, b quarry.BodyID) quarry.JointDef {
				return quarry.MouseJoint{JointBase: quarry.JointBase{B: b}, Spring: s}
			},
		} {
			w := quarry.NewWorld(quarry.Config{NoSleep: true})
			b := disc(w, geom.Vec{}, r)
			w.AddJoint(def(w, b.ID()))
			value := func() float64 { return b.Position().X }
			if name == "revolute" || name == "weld, angle" {
				b.SetAngularVelocity(-1)
				value = b.Angle
			} else {
				b.SetVelocity(geom.V(-1, 0))
			}
			least := []float64{} // the turning points to the left
			was, now := value(), value()
			times := crossings(w, int(8*60/hertz), func() float64 {
				if v := value(); v != now {
					if was > now && now < v {
						least = append(least, now)
					}
					was, now = now, v
				}
				return value()
			})
			n := len(times) - 1
			want := 1 / (hertz * math.Sqrt(1-0.05*0.05))
			got := (times[n] - times[0]) / float64(n)
			worldtest.Near(t, name+": period", got, want, 2e-3*want)
			decay := math.Log(least[0]/least[5]) / 5
			wantDecay := 2 * math.Pi * 0.05 / math.Sqrt(1-0.05*0.05)
			worldtest.Near(t, name+": decay in a swing", decay, wantDecay, 0.03*wantDecay)
		}
	}
}

// TestMotors: a motor of the torque T turns a disc of the inertia I by T/I, its power is T times the speed,
// and it stops at its speed; along a line the same with force and mass.
func TestMotors(t *testing.T) {
	const torque, speed = 3.0, 4.0
	for _, line := range []bool{false, true} {
		w := quarry.NewWorld(quarry.Config{})
		b := disc(w, geom.Vec{}, 0.5)
		m := quarry.JointMotor{Speed: speed, Max: torque}
		inertia, v := b.Inertia(), b.AngularVelocity
		var d quarry.JointDef = quarry.RevoluteJoint{JointBase: w.JointAt(0, b.ID(), geom.Vec{}), Motor: m}
		if line {
			d = quarry.PrismaticJoint{JointBase: w.JointAlong(0, b.ID(), geom.Vec{}, geom.V(3, 4)), Motor: m}
			inertia, v = b.Mass(), func() float64 { return b.Velocity().Dot(geom.V(0.6, 0.8)) }
		}
		j, _ := w.Joint(w.AddJoint(d))
		for was := 0.0; ; {
			energy := 0.5 * inertia * was * was
			w.Step(worldtest.DT)
			now := v()
			if now > speed-0.2 {
				break
			}
			worldtest.Near(t, "change of speed in a step", now-was, torque/inertia*worldtest.DT, 1e-5)
			power := (0.5*inertia*now*now - energy) / worldtest.DT
			worldtest.Near(t, "power", power, torque*(was+now)/2, 1e-4)
			reaction := j.Torque()
			if line {
				reaction = j.Force().Dot(geom.V(0.6, 0.8))
			}
			worldtest.Near(t, "reaction", reaction, torque, 1e-4)
			was = now
		}
		worldtest.Steps(w, 10)
		worldtest.Near(t, "speed at the end", j.Speed(), speed, 1e-5)
	}
}

// TestLimits: limits carry a load. An arm at its lower limit, a slider on its stop, and a rope with a weight at its
// end.
func TestLimits(t *testing.T) {
	w := awake()
	arm := disc(w, geom.V(2, 0), 0.5)
	slider, bob := disc(w, geom.V(10, 0), 0.5), disc(w, geom.V(20, 0), 0.5)
	weight := gravity * arm.Mass()
	jArm, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{
		JointBase: w.JointAt(0, arm.ID(), geom.Vec{}), Limit: quarry.JointLimit{On: true, Lower: -0.3, Upper: 1},
	}))
	jSlider, _ := w.Joint(w.AddJoint(quarry.PrismaticJoint{
		JointBase: w.JointAlong(0, slider.ID(), geom.V(10, 0), geom.V(0, 1)), Limit: quarry.JointLimit{
			On:    true,
			Lower: -2, Upper: 1,
		},
	}))
	rope := w.JointAt(0, bob.ID(), geom.V(20, 0))
	jRope, _ := w.Joint(w.AddJoint(quarry.DistanceJoint{JointBase: rope, Limit: quarry.JointLimit{On: true, Upper: 3}}))
	worldtest.Steps(w, 600)
	worldtest.Near(t, "angle", jArm.Angle(), -0.3, 1.1e-3)
	worldtest.Near(t, "torque", jArm.Torque(), 2*math.Cos(0.3)*weight, 1e-3*weight)
	worldtest.Near(t, "translation", jSlider.Translation(), -2, 1e-3)
	worldtest.Near(t, "force of the stop", jSlider.Force().Y, weight, 1e-3*weight)
	worldtest.Near(t, "length of the rope", jRope.Length(), 3, 1e-3)
	worldtest.Near(t, "force of the rope", jRope.Force().Y, weight, 1e-3*weight)
}

// TestMassRatio: a bob of 1,000 times the mass of the disc that carries it hangs on. The gap of each hinge is
// below 0.2 on the way and 0.1 at rest, and the upper one carries the weight, to 1%.
func TestMassRatio(t *testing.T) {
	w := awake()
	light := disc(w, geom.V(0, -1), 0.2)
	heavy := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, -3)},
		geom.Circle{Radius: 0.2}, quarry.ShapeDef{Density: 1000})
	j1, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, light.ID(), geom.Vec{})}))
	j2, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(light.ID(), heavy.ID(), geom.V(0, -2))}))
	most := 0.0
	for range 600 {
		w.Step(worldtest.DT)
		most = max(most, j1.Length(), j2.Length())
	}
	if most > 0.2 || j1.Length() > 0.1 || j2.Length() > 0.1 {
		t.Errorf("the hinges open by %v, and are open by %v and %v at rest", most, j1.Length(), j2.Length())
	}
	worldtest.Near(t, "force at the top", j1.Force().Y, gravity*(light.Mass()+heavy.Mass()), 0.01*gravity*heavy.Mass())
}

// TestChain: a chain of 100 links carries the mass of 100 links. Its hinges sag by less than 3% of its length, and the
// top one carries the weight, to 2% in the mean.
func TestChain(t *testing.T) {
	w := awake()
	var last quarry.BodyID
	var top quarry.Joint
	mass := 0.0
	for i := range 100 {
		b := worldtest.Add(w, geom.V(0, -0.5-float64(i)), geom.NewBox(0.1, 0.5))
		j, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(last, b.ID(), geom.V(0, -float64(i)))}))
		if last = b.ID(); i == 0 {
			top = j
		}
		mass += b.Mass()
	}
	load := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, -101)}, geom.NewBox(1, 1),
		quarry.ShapeDef{Density: mass / 4})
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(last, load.ID(), geom.V(0, -100))})
	worldtest.Steps(w, 1200)
	worldtest.Near(t, "sag", load.Position().Y, -101, 3)
	weight := gravity * (mass + load.Mass())
	mean := 0.0 // the chain swings up and down for long
	for range 1200 {
		w.Step(worldtest.DT)
		mean += top.Force().Y / 1200
	}
	worldtest.Near(t, "mean force at the top", mean, weight, 0.02*weight)
}
