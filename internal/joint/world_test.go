package joint_test

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// body is a body whose centre of mass is its origin. Body 0 is static.
type body struct {
	at             geom.Vec
	rot            geom.Rot
	v              geom.Vec
	spin           float64
	mass, inertia  float64 // 0: kinematic
	radius         float64 // of a disc that meets the ground y = 0; 0: none
	friction       float64
	normal, rub    float32 // impulses of its contact
	manifold       solve.Manifold
	totals         [2][2]float32
	surface        solve.Surface
	most           float32
	ax, ay, torque float64
}

type link struct {
	a, b int32
	joint.Joint
	did joint.Reaction
}

// world is bodies, joints and discs on the ground.
type world struct {
	bodies   []body
	joints   []link
	gravity  float64
	dt       float64
	subSteps int
	s        solve.Solver
	islands  state.Islands
	contacts []int32 // bodies
	scalar   bool    // pins are solved as all other joints
}

func newWorld() *world {
	return &world{
		bodies: []body{{rot: geom.Identity}}, gravity: -10, dt: 1. / 60, subSteps: 4,
		s: solve.Solver{MaxSpeed: 400, PushSpeed: 3, BounceSpeed: 1, PushRate: 6.2},
	}
}

// add adds a body of mass m and inertia i at (x, y).
func (w *world) add(x, y, m, i float64) int32 {
	w.bodies = append(w.bodies, body{at: geom.V(x, y), rot: geom.Identity, mass: m, inertia: i})
	return int32(len(w.bodies) - 1)
}

// frame returns the frame on body b at the point p of the world, turned by angle from the body's.
func (w *world) frame(b int32, p geom.Vec, angle float64) joint.Frame {
	q := &w.bodies[b]
	return joint.FrameAt(q.rot.Inv(p.Sub(q.at)), angle)
}

// join adds a joint of a and b with frames at (x, y).
func (w *world) join(a, b int32, x, y, angle float64, j joint.Joint) *link {
	j.A, j.B = w.frame(a, geom.V(x, y), angle), w.frame(b, geom.V(x, y), angle)
	w.joints = append(w.joints, link{a: a, b: b, Joint: j})
	return &w.joints[len(w.joints)-1]
}

func (w *world) side(b int32) joint.Side {
	q := &w.bodies[b]
	return joint.Side{Center: q.at, Rot: q.rot, Velocity: q.v, Spin: q.spin}
}

func (w *world) state(l *link) joint.State {
	a, b := w.side(l.a), w.side(l.b)
	return l.State(&a, &b)
}

// FillJoint implements solve.JointSource.
func (w *world) FillJoint(_ int, i int32, out *solve.Joint) {
	l := &w.joints[i]
	a, b := w.side(l.a), w.side(l.b)
	l.Fill(out, &a, &b, w.dt/float64(w.subSteps), w.s.JointLinks[i].Pin)
}

// TakeJoint implements solve.JointSource.
func (w *world) TakeJoint(_ int, i int32, x *solve.JointImpulses, did *solve.Reaction) {
	w.joints[i].did = w.joints[i].Take(x, did, w.dt/float64(w.subSteps))
}

// Fill implements solve.Source: a disc on the ground.
func (w *world) Fill(_ int, i int32, out solve.Lane) {
	b := &w.bodies[w.contacts[i]]
	b.manifold = solve.Manifold{NY: 1, Points: [2]solve.ManifoldPoint{
		{BY: -b.radius, Separation: b.at.Y - b.radius, Normal: b.normal, Tangent: b.rub},
	}}
	out.SetManifold(&b.manifold)
	out.SetTotals(&b.totals)
	out.SetRound(0, float32(b.radius), solve.NoDisc, 0, 0)
	b.surface.Friction = b.friction
	out.SetSurfaces(&b.surface, &b.surface)
	out.Ask()
}

// Filled implements solve.Source.
func (w *world) Filled(int) {}

// Take implements solve.Source.
func (w *world) Take(_ int, i int32, x *solve.Impulses) {
	b := &w.bodies[w.contacts[i]]
	b.normal, b.rub, b.most = x.Points[0].Normal, x.Points[0].Tangent, x.Points[0].Most
}

// begin fills the solver.
func (w *world) begin() {
	s := &w.s
	s.Reset()
	w.contacts = w.contacts[:0]
	w.islands.Reset(len(w.bodies) - 1)
	for i := range w.bodies[1:] {
		b := &w.bodies[i+1]
		m := solve.Motion{VX: b.v.X, VY: b.v.Y, Spin: b.spin, C: 1}
		if b.mass > 0 {
			m.InvMass, m.AX, m.AY = 1/b.mass, b.ax, b.ay+w.gravity
			if b.inertia > 0 {
				m.InvI, m.AW = 1/b.inertia, b.torque/b.inertia
			}
		} else {
			w.islands.Join(0, int32(i+1))
		}
		s.Motions = append(s.Motions, m)
		if b.radius > 0 && b.at.Y-b.radius < 0.02+2*w.dt*math.Abs(b.v.Y) {
			w.contacts = append(w.contacts, int32(i+1))
			s.Links = append(s.Links, solve.Link{A: 0, B: int32(i + 1), N: 1, Static: true})
		} else {
			b.normal, b.rub = 0, 0
		}
	}
	for i := range w.joints {
		l := &w.joints[i]
		s.JointLinks = append(s.JointLinks, solve.Link{A: l.a, B: l.b, Pin: l.Pin() && !w.scalar})
		if l.a > 0 && w.bodies[l.a].mass > 0 && w.bodies[l.b].mass > 0 {
			w.islands.Join(l.a, l.b)
		}
	}
	w.islands.Number()
	s.Islands, s.IslandCount = w.islands.Of(), w.islands.Len()
	s.Source, s.Joints = w, w
}

// step makes a step.
func (w *world) step() {
	w.begin()
	w.s.Run(w.dt, w.subSteps)
	for i := range w.bodies[1:] {
		b, m := &w.bodies[i+1], &w.s.Motions[i+1]
		b.v, b.spin = geom.V(m.VX, m.VY), m.Spin
		b.at = b.at.Add(geom.V(m.DX, m.DY))
		b.rot = b.rot.Mul(geom.Rot{C: m.C, S: m.S}).Norm()
	}
}

func (w *world) run(seconds float64) {
	for range int(math.Round(seconds / w.dt)) {
		w.step()
	}
}

// energy returns the kinetic energy and that in gravity.
func (w *world) energy() (sum float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		sum += 0.5*b.mass*b.v.Len2() + 0.5*b.inertia*b.spin*b.spin - b.mass*w.gravity*b.at.Y
	}
	return sum
}

// workers gives w a team, and returns a function that ends it.
func (w *world) workers(n int) func() {
	w.s.Team = team.New(n)
	w.s.Team.Begin()
	return func() {
		w.s.Team.End()
		w.s.Team.Close()
	}
}

func rot(angle float64) geom.Rot { return geom.NewRot(angle) }
