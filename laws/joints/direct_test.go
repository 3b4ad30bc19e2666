package joints_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// The tests in this file hold joints that are solved directly (docs/joints.md) to closed forms, at any mass ratio.
// Where Box2D v3 (617d32ab) was measured in the same scene, its figure is beside.

// rod adds a thin capsule from p to q that collides with nothing, of the given mass.
func rod(w *quarry.World, p, q geom.Vec, mass float64) quarry.Body {
	c := p.Lerp(q, 0.5)
	b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: c, NoSleep: true},
		geom.Capsule{A: p.Sub(c), B: q.Sub(c), Radius: 0.1}, quarry.ShapeDef{Category: 2, Mask: 4})
	setMass(b, mass)
	return b
}

// gap returns the largest distance of the anchors of the world's joints.
func gap(w *quarry.World) (most float64) {
	for j := range w.Joints() {
		p, q := j.Anchors()
		most = max(most, p.Dist(q))
	}
	return most
}

// hinge joins two bodies at a point; 0 is the world.
func hinge(w *quarry.World, a, b quarry.BodyID, at geom.Vec) quarry.Joint {
	j, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(a, b, at)}))
	return j
}

// TestStar: 40 rods on one hub, hinged or welded, heavy ones among light ones, stay on it while it is thrown and turns.
func TestStar(t *testing.T) {
	for _, welded := range []bool{false, true} {
		w := awake()
		hub := disc(w, geom.Vec{}, 0.5)
		for i := range 40 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 40)
			at := geom.V(0.5*cos, 0.5*sin)
			mass := 1.0
			if i%5 == 0 {
				mass = 200
			}
			b := rod(w, at, at.Mul(5), mass)
			if base := w.JointAt(hub.ID(), b.ID(), at); welded {
				w.AddJoint(quarry.WeldJoint{JointBase: base})
			} else {
				w.AddJoint(quarry.RevoluteJoint{JointBase: base})
			}
		}
		hub.SetAngularVelocity(3)
		hub.SetVelocity(geom.V(2, 20))
		most := 0.0
		for range 240 {
			w.Step(worldtest.DT)
			most = max(most, gap(w))
		}
		worldtest.Near(t, fmt.Sprintf("welded %v: gap", welded), most, 0, 0.01)
	}
}

// TestLoadedRope: a ball of up to 1,000 times the mass of a link falls from the horizontal on a rope of links, on
// hinges or on distance joints. The rope does not stretch, and the energy does not rise.
func TestLoadedRope(t *testing.T) {
	for _, c := range []struct {
		links    int
		mass     float64
		distance bool
	}{
		{5, 300, false},
		{5, 1000, false},
		{20, 100, false},
		{20, 1000, false},
		{100, 1000, false},
		{5, 300, true},
		{20, 1000, true},
	} {
		w := awake()
		last, end := quarry.BodyID(0), geom.Vec{}
		for i := range c.links {
			next := geom.V(float64(i+1), 0)
			if c.distance {
				b := disc(w, next, 0.2)
				setMass(b, 1)
				base := w.JointAt(last, b.ID(), next)
				if last == 0 {
					base.FrameA.Position = end
				} else {
					base.FrameA.Position = geom.Vec{}
				}
				w.AddJoint(quarry.DistanceJoint{JointBase: base})
				last, end = b.ID(), next
				continue
			}
			b := rod(w, end, next, 1)
			hinge(w, last, b.ID(), end)
			last, end = b.ID(), next
		}
		ball := disc(w, end.Add(geom.V(0.5, 0)), 0.5)
		setMass(ball, c.mass)
		if c.distance {
			base := w.JointAt(last, ball.ID(), end)
			base.FrameA.Position, base.FrameB.Position = geom.Vec{}, geom.Vec{}
			w.AddJoint(quarry.DistanceJoint{JointBase: base})
		} else {
			hinge(w, last, ball.ID(), end)
		}
		far, open := 0.0, 0.0
		for range 900 {
			w.Step(worldtest.DT)
			far = max(far, ball.Position().Len())
			if !c.distance {
				open = max(open, gap(w))
			}
		}
		name := fmt.Sprintf("%d links, %v, distance joints %v", c.links, c.mass, c.distance)
		length := float64(c.links) + 0.5
		worldtest.Near(t, name+": gap", open, 0, 0.05)
		if far > 1.005*length {
			t.Errorf("%s: the ball is %v away, the rope is %v long", name, far, length)
		}
	}
}

// setMass gives b a mass, and the moment of inertia of its shapes at that mass.
func setMass(b quarry.Body, mass float64) {
	b.SetMass(geom.Mass{Mass: mass, Inertia: b.Inertia() * mass / b.Mass()})
}

// TestFourBar: the crank of a parallelogram of rods, which is in line twice a turn, keeps the speed of its motor, and
// the hinges stay closed. At 25 rad/s the parallelogram of Box2D opens by 0.044, and its crank is 3.7% too fast.
func TestFourBar(t *testing.T) {
	for _, speed := range []float64{6, 25} {
		w := awake()
		o, g, a := geom.V(0, 0), geom.V(4, 0), geom.V(1.5*math.Cos(1.2), 1.5*math.Sin(1.2))
		c := a.Add(g)
		crank, coupler, rocker := rod(w, o, a, 0.3), rod(w, a, c, 0.8), rod(w, g, c, 0.3)
		j, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{
			JointBase: w.JointAt(0, crank.ID(), o),
			Motor:     quarry.JointMotor{Max: 1e4},
		}))
		hinge(w, crank.ID(), coupler.ID(), a)
		hinge(w, 0, rocker.ID(), g)
		hinge(w, coupler.ID(), rocker.ID(), c)
		most, turned, was := 0.0, 0.0, crank.Angle()
		for step := range 1200 {
			j.SetMotorSpeed(speed * min(1, float64(step)/120))
			w.Step(worldtest.DT)
			most = max(most, gap(w))
			if step >= 120 {
				turned += math.Remainder(crank.Angle()-was, 2*math.Pi)
			}
			was = crank.Angle()
		}
		name := fmt.Sprintf("at %v rad/s: ", speed)
		worldtest.Near(t, name+"gap", most, 0, 0.005)
		worldtest.Near(t, name+"turns", turned, speed*18, 0.002*speed*18)
	}
}

// meet returns the point at the distances p from a and q from b, on the left of the way from a to b.
func meet(a, b geom.Vec, p, q float64) geom.Vec {
	u, d := b.Sub(a).Unit()
	x := (d*d + p*p - q*q) / (2 * d)
	return a.MulAdd(x, u).MulAdd(math.Sqrt(p*p-x*x), u.Left())
}

// bent adds a rod from p by q to r.
func bent(w *quarry.World, p, q, r geom.Vec) quarry.Body {
	b := rod(w, p, q, 1)
	w.AddShape(b.ID(), geom.Capsule{A: q.Sub(b.Position()), B: r.Sub(b.Position()), Radius: 0.1},
		quarry.ShapeDef{Category: 2, Mask: 4})
	return b
}

// TestJansenLeg: a leg of Theo Jansen's linkage, whose 11 bars make four loops, walks in the air at 10 rad/s: the
// lengths of its bars are the linkage's, so its points are where geometry puts them.
func TestJansenLeg(t *testing.T) {
	w := awake()
	// The lengths are Jansen's, in tenths.
	const la, lb, lc, ld, le, lf, lg, lh, li, lj, lk, ll, lm = 3.8, 4.15, 3.93, 4.01, 5.58, 3.94, 3.67, 6.57, 4.9, 5.0,
		6.19, 0.78, 1.5
	shaft, fixed := geom.V(la, ll), geom.Vec{}
	at := func(angle float64) (pin, top, knee, left, foot geom.Vec) {
		pin = shaft.Add(geom.V(lm*math.Cos(angle), lm*math.Sin(angle)))
		top = meet(fixed, pin, lb, lj) // above
		if top.Y < 0 {
			t.Fatal("the linkage is folded the other way")
		}
		low := meet(pin, fixed, lk, lc) // below
		left = meet(fixed, top, ld, le)
		knee = meet(low, left, lg, lf)
		foot = meet(low, knee, li, lh)
		return pin, top, low, left, foot
	}
	pin, top, low, left, foot := at(0)
	knee := meet(low, left, lg, lf)
	crank := rod(w, shaft, pin, 1)
	upper, lower := rod(w, pin, top, 1), rod(w, pin, low, 1)
	hip := bent(w, fixed, top, left)
	thigh := rod(w, fixed, low, 1)
	link := rod(w, left, knee, 1)
	shin := bent(w, low, knee, foot)
	drive(w, crank, shaft)
	for _, h := range []struct {
		a, b quarry.Body
		at   geom.Vec
	}{
		{crank, upper, pin}, {crank, lower, pin}, {upper, hip, top}, {hip, link, left}, {link, shin, knee}, {
			lower,
			thigh, low,
		}, {thigh, shin, low},
	} {
		hinge(w, h.a.ID(), h.b.ID(), h.at)
	}
	hinge(w, 0, hip.ID(), fixed)
	hinge(w, 0, thigh.ID(), fixed)
	walks(t, w, crank, shin, func(angle float64) geom.Vec { // a path 5 long
		_, _, _, _, foot := at(angle)
		return foot
	})
}

// drive hinges a crank to the world at the point shaft, with a motor of 10 rad/s that no load stops.
func drive(w *quarry.World, crank quarry.Body, shaft geom.Vec) {
	w.AddJoint(quarry.RevoluteJoint{
		JointBase: w.JointAt(0, crank.ID(), shaft),
		Motor:     quarry.JointMotor{Max: math.Inf(1), Speed: 10},
	})
}

// walks checks for ten seconds that a leg stays together, that its foot is where geometry puts it for the angle of the
// crank, and that the crank turns at 10 rad/s.
func walks(t *testing.T, w *quarry.World, crank, leg quarry.Body, foot func(angle float64) geom.Vec) {
	local := leg.Transform().Inv(foot(crank.Angle()))
	most, off := 0.0, 0.0
	for range 600 {
		w.Step(worldtest.DT)
		most = max(most, gap(w))
		off = max(off, leg.Transform().Apply(local).Dist(foot(crank.Angle())))
	}
	worldtest.Near(t, "gap", most, 0, 0.01)
	worldtest.Near(t, "the foot off its path", off, 0, 0.1)
	worldtest.Near(t, "speed of the crank", crank.AngularVelocity(), 10, 0.01)
}

// TestKlannLeg: a leg of Joe Klann's linkage walks in the air at 10 rad/s. A crank turns a bent arm, which a rocker
// holds at its bend and whose end moves the knee of a bent leg; a second rocker holds the leg at its bend. So two bars
// have three hinges each, in two loops. The lengths, in cranks, let the crank turn all the way round.
func TestKlannLeg(t *testing.T) {
	const lower, arm, forearm, shin, upper, foot = 2.12, 1.85, 2.35, 2.15, 2.77, 4.78
	shaft, low, high := geom.Vec{}, geom.V(-2.68, -0.42), geom.V(-1.33, 1.59)
	// beyond returns the point at a distance from q, in the direction from p to q turned by an angle.
	beyond := func(p, q geom.Vec, far, angle float64) geom.Vec {
		u, _ := q.Sub(p).Unit()
		return q.MulAdd(far, geom.NewRot(angle).Apply(u))
	}
	at := func(angle float64) (pin, elbow, knee, bend, toe geom.Vec) {
		pin = geom.V(math.Cos(angle), math.Sin(angle))
		elbow = meet(low, pin, lower, arm)
		knee = beyond(pin, elbow, forearm, 0.41)
		bend = meet(high, knee, upper, shin)
		return pin, elbow, knee, bend, beyond(knee, bend, foot, -0.32)
	}
	w := awake()
	pin, elbow, knee, bend, toe := at(0)
	crank, link, leg := rod(w, shaft, pin, 1), bent(w, pin, elbow, knee), bent(w, knee, bend, toe)
	rocker, hanger := rod(w, low, elbow, 1), rod(w, high, bend, 1)
	drive(w, crank, shaft)
	hinge(w, crank.ID(), link.ID(), pin)
	hinge(w, 0, rocker.ID(), low)
	hinge(w, rocker.ID(), link.ID(), elbow)
	hinge(w, link.ID(), leg.ID(), knee)
	hinge(w, 0, hanger.ID(), high)
	hinge(w, hanger.ID(), leg.ID(), bend)
	walks(t, w, crank, leg, func(angle float64) geom.Vec { // a path 9.5 long
		_, _, _, _, toe := at(angle)
		return toe
	})
}

// arc adds a bridge of 30 planks that hangs between its ends as an arc about the origin, at the radius 25.
func arc(w *quarry.World) (at func(i int) geom.Vec) {
	const planks, radius = 30, 25.0
	at = func(i int) geom.Vec {
		sin, cos := math.Sincos((float64(i) - planks/2.0) / radius)
		return geom.V(radius*sin, -radius*cos)
	}
	last := quarry.BodyID(0)
	for i := range planks {
		p, q := at(i), at(i+1)
		c := p.Lerp(q, 0.5)
		b := worldtest.AddBody(w, quarry.BodyDef{Type: quarry.Dynamic, Position: c},
			geom.Capsule{A: p.Sub(c), B: q.Sub(c), Radius: 0.1}, quarry.ShapeDef{})
		hinge(w, last, b.ID(), p)
		last = b.ID()
	}
	hinge(w, 0, last, at(planks))
	return at
}

// TestLoadedBridge: a hanging bridge carries boxes of 1, 10 and 100 times the mass of a plank, with closed hinges.
func TestLoadedBridge(t *testing.T) {
	for _, mass := range []float64{1, 10, 100} {
		w := worldtest.New()
		at := arc(w)
		for i := range 30 {
			b := worldtest.Add(w, at(i).Lerp(at(i+1), 0.5).Add(geom.V(0, 0.4)), geom.NewBox(0.3, 0.3))
			setMass(b, 0.23*mass)
		}
		most := 0.0
		for range 900 {
			w.Step(worldtest.DT)
			most = max(most, gap(w))
		}
		worldtest.Near(t, fmt.Sprintf("boxes of %v times the mass: gap", mass), most, 0, 0.02)
	}
}

// TestBoxFallsOnBridge: a box of 100 times the mass of a plank that falls on a hanging bridge from up to 10 units opens
// no hinge.
func TestBoxFallsOnBridge(t *testing.T) {
	for _, height := range []float64{0.4, 2, 10} {
		w := worldtest.New()
		arc(w)
		setMass(worldtest.Add(w, geom.V(0, height-24.4), geom.NewBox(0.5, 0.5)), 23)
		most := 0.0
		for range 600 {
			w.Step(worldtest.DT)
			most = max(most, gap(w))
		}
		worldtest.Near(t, fmt.Sprintf("from %v: gap", height), most, 0, 0.05)
	}
}

// TestSoftHinge: a hinge that its definition makes soft sags under a load as a spring does: by g / (2 pi f)^2.
func TestSoftHinge(t *testing.T) {
	for _, hertz := range []float64{2, 4, 8} {
		w := awake()
		b := disc(w, geom.Vec{}, 0.5)
		base := w.JointAt(0, b.ID(), geom.Vec{})
		base.Constraint = quarry.JointSpring{Hertz: hertz, DampingRatio: 1}
		w.AddJoint(quarry.WeldJoint{JointBase: base})
		worldtest.Steps(w, 1200)
		want := gravity / math.Pow(2*math.Pi*hertz, 2)
		worldtest.Near(t, fmt.Sprintf("sag at %v hertz", hertz), -b.Position().Y, want, 0.02*want)
	}
}

// TestChainOnKinematicBody: a chain hangs on a kinematic body that swings and turns, and stays closed.
func TestChainOnKinematicBody(t *testing.T) {
	w := awake()
	hook := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic})
	h, _ := w.Body(hook)
	last, end := hook, geom.Vec{}
	for range 15 {
		next := end.Add(geom.V(0, -0.5))
		b := rod(w, end, next, 1)
		hinge(w, last, b.ID(), end)
		last, end = b.ID(), next
	}
	most := 0.0
	for step := range 600 {
		h.SetVelocity(geom.V(15*math.Sin(float64(step)/20), 5*math.Cos(float64(step)/7)))
		h.SetAngularVelocity(4)
		w.Step(worldtest.DT)
		most = max(most, gap(w))
	}
	worldtest.Near(t, "gap", most, 0, 0.1)
}

// TestChainsInLargeIsland: chains that are buried in a pile of boxes, an island of thousands of contacts, stay closed,
// with the same bits on one worker and on two.
func TestChainsInLargeIsland(t *testing.T) {
	var hashes [2]uint64
	for workers := range hashes {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -gravity), Workers: workers + 1})
		floor := w.AddBody(quarry.BodyDef{})
		w.AddShape(floor, geom.NewOffsetBox(20, 0.5, geom.V(0, -0.5), geom.Rot{C: 1}), quarry.ShapeDef{})
		for _, x := range []float64{-12, 12} {
			w.AddShape(floor, geom.NewOffsetBox(0.5, 30, geom.V(x, 30), geom.Rot{C: 1}), quarry.ShapeDef{})
		}
		for k := range 10 {
			last := quarry.BodyID(0)
			for i := range 12 {
				b := worldtest.Add(w, geom.V(float64(i)-6, 1+4*float64(k)), geom.NewBox(0.45, 0.1))
				if last != 0 {
					hinge(w, last, b.ID(), geom.V(float64(i)-6.5, 1+4*float64(k)))
				}
				last = b.ID()
			}
			for i := range 120 {
				worldtest.Add(w, geom.V(float64(i%30)*0.7-10, 2+4*float64(k)+0.7*float64(i/30)),
					geom.NewBox(0.25, 0.25))
			}
		}
		most := 0.0
		for range 240 {
			w.Step(worldtest.DT)
			most = max(most, gap(w))
		}
		worldtest.Near(t, "gap", most, 0, 0.05)
		hashes[workers] = w.Hash()
	}
	if hashes[0] != hashes[1] {
		t.Errorf("hashes %x on one worker, %x on two", hashes[0], hashes[1])
	}
}
