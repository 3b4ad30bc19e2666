package joint_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
)

// slide returns a world with a body of mass 2 on a line through the origin that rises at an angle.
func slide(angle float64, kind joint.Kind, x joint.Axis) (*world, *body, *link) {
	w := newWorld()
	k := w.add(0, 0, 2, 0.7)
	l := w.join(0, k, 0, 0, angle, joint.Joint{Kind: kind, Linear: x})
	return w, &w.bodies[k], l
}

// TestPrismaticFall: a body falls along its line with g sin(angle), does not turn, and stays on the line over 10,000
// steps.
func TestPrismaticFall(t *testing.T) {
	const angle = 0.6
	w, b, l := slide(angle, joint.Prismatic, joint.Axis{})
	b.torque = 3 // which the joint carries
	w.run(1)
	near(t, "speed", b.v.Len(), 10*math.Sin(angle), 1e-6)
	near(t, "torque", l.did.Torque, -3, 1e-5)
	force := geom.V(l.did.ForceX, l.did.ForceY)
	near(t, "force", force.Len(), 20*math.Cos(angle), 1e-5)
	below(t, "force along the line", math.Abs(force.Dot(geom.V(math.Cos(angle), math.Sin(angle)))), 1e-4)
	w.gravity, b.v = 0, b.v.Mul(0.5)
	across, turn := 0.0, 0.0
	for range 10_000 {
		w.step()
		s := w.state(l)
		across, turn = max(across, math.Abs(s.Across)), max(turn, math.Abs(s.Angle))
	}
	below(t, "way off the line", across, 1e-4)
	below(t, "turn", turn, 1e-4)
	near(t, "speed after 10,000 steps", b.v.Len(), 5*math.Sin(angle), 1e-5)
}

// TestPrismaticMotor: force, power and speed of a motor.
func TestPrismaticMotor(t *testing.T) {
	w, b, l := slide(math.Pi/2, joint.Prismatic, joint.Axis{Motor: joint.Drive{Speed: 3, Max: 26}})
	w.run(0.5)
	near(t, "speed", b.v.Y, 0.5*(26.-20)/2, 1e-5)
	near(t, "force", l.did.ForceY, 26, 1e-5)
	w.run(3)
	near(t, "speed at the end", b.v.Y, 3, 1e-5)
	near(t, "force at the end", l.did.ForceY, 20, 1e-4)
}

// TestPrismaticLimit: limits carry a weight, and a body that comes at speed stops there.
func TestPrismaticLimit(t *testing.T) {
	w, b, l := slide(math.Pi/2, joint.Prismatic, joint.Axis{Limit: joint.Limit{On: true, Lower: -2, Upper: 1}})
	b.v.Y = 30
	highest, lowest := 0.0, 0.0
	for range 300 {
		w.step()
		highest, lowest = max(highest, b.at.Y), min(lowest, b.at.Y)
	}
	below(t, "beyond the upper limit", highest-1, 0.01)
	below(t, "beyond the lower limit", -2-lowest, 0.01)
	below(t, "speed at rest", b.v.Len(), 1e-5)
	near(t, "force", l.did.ForceY, 20, 1e-4)
}

// TestLineSpring: frequency, damping and sag of the spring of a prismatic and a wheel joint, and of a distance joint.
func TestLineSpring(t *testing.T) {
	for _, kind := range []joint.Kind{joint.Prismatic, joint.Wheel, joint.Distance} {
		const hertz = 2.0
		x := joint.Axis{Spring: joint.Spring{Hertz: hertz}}
		w, b, l := slide(math.Pi/2, kind, x)
		if kind == joint.Distance {
			l.A.Origin.Y, l.Length = -5, 5
		}
		sag := 10 / math.Pow(2*math.Pi*hertz, 2) // m g over m w^2
		top, bottom := 0.0, 0.0
		period := w.period(3000, func() float64 {
			top, bottom = max(top, b.at.Y), min(bottom, b.at.Y)
			return b.at.Y + sag
		})
		near(t, "period", period, 1/hertz, 1e-3)
		near(t, "amplitude", top-bottom, 2*sag, 0.02)
		// Damped: the logarithm of the ratio of successive peaks.
		l.Linear.Spring.DampingRatio = 0.2
		w.run(5)
		near(t, "sag", -b.at.Y, sag, 1e-3)
		near(t, "force", l.did.ForceY, 20, 1e-4)
		b.v.Y = 1
		first, second := 0.0, 0.0
		for i := range 60 {
			w.step()
			if up := b.at.Y + sag; i < 15 {
				first = max(first, up)
			} else if i > 25 {
				second = max(second, up)
			}
		}
		near(t, "decrement", math.Log(first/second), 2*math.Pi*0.2/math.Sqrt(1-0.04), 0.02)
	}
}

// TestWheel: the line keeps the wheel, which the motor turns with its torque and which rolls.
func TestWheel(t *testing.T) {
	w := newWorld()
	c := w.add(0, 1.5, 10, 10)
	var wheels [2]int32
	for i := range wheels {
		k := w.add(float64(2*i)-1, 0.5, 1, 0.5*0.25)
		wheels[i] = k
		w.bodies[k].radius, w.bodies[k].friction = 0.5, 1
		w.join(c, k, float64(2*i)-1, 0.5, math.Pi/2, joint.Joint{
			Kind: joint.Wheel, Linear: joint.Axis{
				Spring: joint.Spring{Hertz: 4, DampingRatio: 0.7},
				Limit:  joint.Limit{On: true, Lower: -0.25, Upper: 0.25},
			},
			Angular: joint.Axis{Motor: joint.Drive{Speed: -1000, Max: 2}},
		})
	}
	w.run(2)
	chassis := &w.bodies[c]
	v0 := chassis.v.X
	w.run(1)
	// Two torques of 2 at a radius of 1/2, on a mass of 12 and the inertia of two wheels.
	near(t, "acceleration", chassis.v.X-v0, 8/(12+2*0.5), 2e-3)
	for i, k := range wheels {
		b := &w.bodies[k]
		near(t, "rolling", -b.spin*0.5, b.v.X, 1e-3)
		below(t, "off the line", math.Abs(w.state(&w.joints[i]).Across), 1e-3)
	}
}

// TestDistance: a body on a massless rod is a pendulum, over 10,000 steps.
func TestDistance(t *testing.T) {
	w := newWorld()
	const angle, length = 1.2, 2.0
	s, c := math.Sincos(angle)
	k := w.add(length*s, -length*c, 3, 0.5)
	l := w.join(0, k, length*s, -length*c, 0, joint.Joint{Kind: joint.Distance, Length: length})
	l.A.Origin = geom.Vec{}
	b := &w.bodies[k]
	stretch := 0.0
	period := w.period(10_000, func() float64 {
		stretch = max(stretch, math.Abs(w.state(l).Apart.Len()-length))
		return b.at.X
	})
	near(t, "period", period, 2*math.Pi*math.Sqrt(length/10)/agm(1, math.Cos(angle/2)), 2e-4)
	below(t, "stretch", stretch, 3e-4)
	highest := -length
	for range 600 {
		w.step()
		highest = max(highest, b.at.Y)
	}
	below(t, "rise after 10,000 steps", highest+length*c, 1e-3)
	below(t, "loss after 10,000 steps", -highest-length*c, 4e-3)
}

// TestRope: a rope gives no force until it is taut, and then holds.
func TestRope(t *testing.T) {
	w := newWorld()
	k := w.add(0, 0, 2, 1)
	l := w.join(0, k, 0, 0, 0, joint.Joint{Kind: joint.Distance, Linear: joint.Axis{Limit: joint.Limit{
		On:    true,
		Upper: 1.5,
	}}})
	b := &w.bodies[k]
	w.run(0.5)
	near(t, "free fall", b.v.Y, -5, 1e-9)
	lowest := 0.0
	for range 120 {
		w.step()
		lowest = min(lowest, b.at.Y)
	}
	below(t, "below its length", -lowest-1.5, 0.01)
	near(t, "force", l.did.ForceY, 20, 1e-4)
	b.v.Y = 4 // it does not push
	w.run(0.1)
	near(t, "thrown up", b.v.Y, 3, 1e-6)
}

// TestSpringRange: the force of a spring stays in its range.
func TestSpringRange(t *testing.T) {
	w := newWorld()
	w.gravity = 0
	k := w.add(3, 0, 2, 1)
	l := w.join(0, k, 3, 0, 0, joint.Joint{
		Kind: joint.Distance, Length: 1,
		Linear: joint.Axis{Spring: joint.Spring{Hertz: 5}, Target: 1, MinForce: -7, MaxForce: 0},
	})
	l.A.Origin = geom.Vec{}
	b := &w.bodies[k]
	w.step()
	near(t, "force", l.did.ForceX, -7, 1e-6)
	w.run(0.2)
	near(t, "velocity", b.v.X, -3.5*(0.2+1./60), 1e-5)
	b.at.X, b.v.X = 0.5, 0 // compressed: it may not push
	w.step()
	below(t, "force", math.Abs(l.did.ForceX), 1e-6)
}
