package quarry

import (
	"fmt"
	"iter"

	"github.com/quarry2d/quarry/geom"
)

// BodyType is how a body moves.
type BodyType uint8

const (
	// Static never moves, but for SetTransform.
	Static BodyType = iota
	// Kinematic moves as its velocity says and nothing pushes it.
	Kinematic
	// Dynamic has mass and is moved by forces and contacts.
	Dynamic
)

// String returns the type's name.
func (t BodyType) String() string {
	if t <= Dynamic {
		return [...]string{"static", "kinematic", "dynamic"}[t]
	}
	return fmt.Sprintf("BodyType(%d)", uint8(t))
}

// BodyDef is how a body begins. The zero value is a static body at the origin.
type BodyDef struct {
	Type     BodyType
	Position geom.Vec // of the body's origin, which shapes are placed round
	Angle    float64  // radians, counter-clockwise
	// Velocity is that of the centre of mass, in units a second.
	Velocity        geom.Vec
	AngularVelocity float64 // radians a second; see SetAngularVelocity for its limit
	// LinearDamping and AngularDamping are rates, per second, at which speed is
	// taken away: 0.1 is a light drag. 0 and up.
	LinearDamping, AngularDamping float64
	Weightless                    bool // gravity does not act on it
	FixedRotation                 bool // contacts do not turn it
	NoSleep                       bool // it never falls asleep, nor does its island
	Asleep                        bool // it begins asleep, until something awake touches it
	// Bullet keeps it from passing through other dynamic bodies, awake or asleep,
	// when it is fast. Every body is kept from passing through what is static or
	// kinematic; this is for the small and fast among many that are not. It costs
	// a bullet that is fast some microseconds a step, and each awake body a little
	// while the world has any bullet. It tells nothing of what is fast itself and
	// hits a bullet that is slow: make that the bullet. A bullet of several shapes
	// that lie apart may still be worked through something thin that turns, by
	// many steps (some 2 in 1,000 shots at plates of 0.01 to 0.1).
	Bullet bool
	User   uint64 // yours
}

// body is the state of a body. Its place is told by its centre of mass, which
// is what the solver moves. Its shapes, grounds, chains and contacts are linked
// lists through their slots.
type body struct {
	center       geom.Vec // centre of mass, world
	rot          geom.Rot
	velocity     geom.Vec
	spin         float64
	force        geom.Vec // of the next step
	torque       float64
	localCenter  geom.Vec // centre of mass in the body's frame
	mass         float64
	inertia      float64 // about the centre of mass
	invMass      float64
	invInertia   float64
	damping      float64
	spinDamping  float64
	dropping     float64 // seconds for which it passes all one-way tiles
	extent       float64 // farthest point from the centre of mass
	idle         float64 // seconds at rest
	user         uint64
	firstShape   int32 // slots, -1: none
	firstContact int32 // contact slot*2 + side, -1: none
	firstGround  int32
	firstChain   int32
	solverIndex  int32 // index in the solver during a step, 0: does not move
	moverIndex   int32 // index in scratch.movers, of a kinematic body that moves in this step
	kind         BodyType
	awake        bool
	weightless   bool
	fixedRot     bool
	noSleep      bool
	bullet       bool
	jammed       bool           // has a contact deeper than pinchDepth in this step; see sleep.go
	held         int32          // contacts with ground that it has no way out of
	pushed       bool           // is on its way out of solid ground, in this step
	through      bool           // and that is through the ground
	sunk         bool           // is deep in the face of a chain, in this step; see coresweep.go
	deep         bool           // its middle is near a surface that does not yield, in this step
	fell         geom.Vec       // velocity that gravity has added in this step, and nothing taken back
	squeezedAt   uint64         // 1 + the steps made when it was last squeezed; see coresweep.go
	wedge        float64        // if it is wedged in this step, how fast it may become by that; else 0
	startPose    geom.Transform // its pose at the start of the last step in which it moved
	startedAt    uint64         // 1 + the steps made before that step; 0: it was put elsewhere since
	displacedAt  uint64         // 1 + the steps made when it was put elsewhere
	nearMoverAt  uint64         // 1 + the steps made when a moving kinematic body was last near; see coresweep.go
	bornAt       uint64         // 1 + the steps made when it was added asleep, else 0
	stay         stay           // while its island is jammed
}

// transform returns the body's frame.
func (b *body) transform() geom.Transform {
	return geom.Transform{P: b.center.Sub(b.rot.Apply(b.localCenter)), Q: b.rot}
}

// moves reports whether the solver moves b in this step.
func (b *body) moves() bool {
	switch b.kind {
	case Dynamic:
		return b.awake
	case Kinematic:
		return b.velocity != geom.Vec{} || b.spin != 0
	}
	return false
}

// AddBody adds a body without shapes and returns its id. It wakes no other body. It
// panics when a number in d is not finite, a damping is negative, or Type is not one
// of the three; the message names the field, its value and the range.
func (w *World) AddBody(d BodyDef) BodyID {
	w.mustNotStep()
	d.check()
	_, id, b := w.bodies.add()
	*b = body{
		center: d.Position, rot: geom.NewRot(d.Angle),
		velocity: d.Velocity, spin: d.AngularVelocity,
		damping: d.LinearDamping, spinDamping: d.AngularDamping,
		user: d.User, firstShape: -1, firstContact: -1, firstGround: -1, firstChain: -1,
		kind: d.Type, awake: !d.Asleep || d.Type != Dynamic,
		weightless: d.Weightless, fixedRot: d.FixedRotation, noSleep: d.NoSleep, bullet: d.Bullet,
	}
	w.countBullet(d.Bullet, 1)
	if d.Type == Static {
		b.velocity, b.spin = geom.Vec{}, 0
	}
	if !b.awake {
		b.bornAt = w.steps + 1
	}
	b.setMass(geom.Mass{})
	b.clampInput()
	return BodyID(id)
}

// check panics when a field of d is out of range.
func (d *BodyDef) check() {
	if d.Type > Dynamic {
		panic(outOfRange("AddBody", "BodyDef.Type", d.Type, "Static, Kinematic or Dynamic"))
	}
	checkFiniteVec("AddBody", "BodyDef.Position", d.Position)
	checkFiniteVec("AddBody", "BodyDef.Velocity", d.Velocity)
	checkFinite("AddBody", "BodyDef.Angle", d.Angle)
	checkFinite("AddBody", "BodyDef.AngularVelocity", d.AngularVelocity)
	checkDamping("BodyDef.LinearDamping", d.LinearDamping)
	checkDamping("BodyDef.AngularDamping", d.AngularDamping)
}

func checkDamping(field string, x float64) {
	if !(x >= 0 && isFinite(x)) {
		panic(outOfRange("AddBody", field, x, "finite and at least 0"))
	}
}

// RemoveBody removes a body with its shapes, grounds, chains and contacts, and
// wakes what it touched. It returns false when there is none.
func (w *World) RemoveBody(id BodyID) bool {
	w.mustNotStep()
	i, ok := w.bodies.find(uint64(id))
	if !ok {
		return false
	}
	for b := &w.bodies.items[i]; b.firstGround >= 0; {
		w.removeGround(b.firstGround)
	}
	for b := &w.bodies.items[i]; b.firstChain >= 0; {
		w.removeChain(b.firstChain)
	}
	for b := &w.bodies.items[i]; b.firstShape >= 0; {
		w.removeShape(b.firstShape)
	}
	w.countBullet(w.bodies.items[i].bullet, -1)
	w.bodies.remove(i)
	return true
}

// leastInverse and mostInverse bound the inverse of a body's mass, and the square of the
// second that of its inertia, to what the solver's float32 can multiply and add up: a
// thing of 1e-8 cells, or of a density of 1e20, moves as if it were not quite as light or
// as heavy.
const leastInverse, mostInverse = 1e-15, 1e15

// setMass sets the mass and what follows from it. A dynamic body without mass
// is given a unit of it, so that it falls rather than hang.
func (b *body) setMass(m geom.Mass) {
	b.mass, b.inertia = m.Mass, m.Inertia
	b.invMass, b.invInertia = 0, 0
	if b.kind != Dynamic {
		return
	}
	if !(b.mass > 0) {
		b.mass, b.inertia = 1, 0
	}
	b.invMass = max(leastInverse, min(mostInverse, 1/b.mass))
	if b.inertia > 0 && !b.fixedRot {
		b.invInertia = min(mostInverse*mostInverse, 1/b.inertia)
	}
}

// updateMass computes a body's mass, centre and extents from its shapes. The
// body's frame stays where it is; the velocity becomes that of the new centre.
func (w *World) updateMass(i int32) {
	b := &w.bodies.items[i]
	origin := b.transform().P
	var total geom.Mass
	for s := b.firstShape; s >= 0; s = w.shapes.items[s].next {
		sh := &w.shapes.items[s]
		if sh.density == 0 {
			continue
		}
		m := sh.geometry.Mass(sh.density)
		total.Center = total.Center.MulAdd(m.Mass, m.Center)
		total.Mass += m.Mass
	}
	if total.Mass > 1e-300 { // of less, the inverse is no number
		total.Center = total.Center.Mul(1 / total.Mass)
	}
	for s := b.firstShape; s >= 0; s = w.shapes.items[s].next {
		sh := &w.shapes.items[s]
		if sh.density == 0 {
			continue
		}
		m := sh.geometry.Mass(sh.density)
		total.Inertia += m.Inertia + float64(m.Mass*m.Center.Sub(total.Center).Len2())
	}
	if b.kind != Dynamic {
		total = geom.Mass{}
	}
	b.localCenter = total.Center
	b.setMass(total)
	old := b.center
	b.center = origin.Add(b.rot.Apply(b.localCenter))
	arm := b.center.Sub(old)
	b.velocity = b.velocity.Add(arm.Left().Mul(b.spin))

	b.extent = 0
	for s := b.firstShape; s >= 0; s = w.shapes.items[s].next {
		b.extent = max(b.extent, w.shapes.items[s].extent(b.localCenter))
	}
}

// Body is a view of a body: small, to be passed by value, valid until the body
// is removed; after that its methods panic, but for ID. The zero Body is not a
// body.
type Body struct {
	w    *World
	id   BodyID
	slot int32
}

// Body returns a view of the body id, or false when it does not exist.
func (w *World) Body(id BodyID) (Body, bool) {
	i, ok := w.bodies.find(uint64(id))
	return Body{w, id, i}, ok
}

// Bodies yields every body, in slot order.
func (w *World) Bodies() iter.Seq[Body] {
	return func(yield func(Body) bool) {
		for i := range w.bodies.items {
			if w.bodies.used(int32(i)) && !yield(w.bodyAt(int32(i))) {
				return
			}
		}
	}
}

func (w *World) bodyAt(i int32) Body { return Body{w, BodyID(w.bodies.id(i)), i} }

// get returns the body's state. It panics when the body has been removed since
// the view was made.
func (b Body) get() *body {
	if b.w == nil || !b.w.bodies.used(b.slot) || b.w.bodies.id(b.slot) != uint64(b.id) {
		panic(fmt.Sprintf("quarry: body %d is no more", b.id))
	}
	return &b.w.bodies.items[b.slot]
}

// ID returns the body's id.
func (b Body) ID() BodyID { return b.id }

// Type returns how the body moves.
func (b Body) Type() BodyType { return b.get().kind }

// User returns the number given in the definition.
func (b Body) User() uint64 { return b.get().user }

// Position returns where the body's origin is.
func (b Body) Position() geom.Vec { return b.get().transform().P }

// Rotation returns how the body is turned.
func (b Body) Rotation() geom.Rot { return b.get().rot }

// Angle returns how the body is turned, in (-pi, pi].
func (b Body) Angle() float64 { return b.get().rot.Angle() }

// Transform returns the body's frame.
func (b Body) Transform() geom.Transform { return b.get().transform() }

// CenterOfMass returns the body's centre of mass in the world.
func (b Body) CenterOfMass() geom.Vec { return b.get().center }

// Velocity returns the velocity of the centre of mass, in units a second.
func (b Body) Velocity() geom.Vec { return b.get().velocity }

// AngularVelocity returns the spin, in radians a second.
func (b Body) AngularVelocity() float64 { return b.get().spin }

// Mass returns the body's mass; 0 for what is not dynamic.
func (b Body) Mass() float64 { return b.get().mass }

// Inertia returns the moment of inertia about the centre of mass; 0 for what
// is not dynamic.
func (b Body) Inertia() float64 { return b.get().inertia }

// Awake reports whether the body is simulated. Static bodies count as awake.
func (b Body) Awake() bool { return b.get().awake }

// Bounds returns the smallest box round the body's shapes; without shapes, its
// origin.
func (b Body) Bounds() geom.AABB {
	st := b.get()
	box, t := geom.Empty, st.transform()
	for s := st.firstShape; s >= 0; s = b.w.shapes.items[s].next {
		box = box.Union(b.w.shapes.items[s].geometry.Bounds(t))
	}
	if box.IsEmpty() {
		return geom.AABB{Min: t.P, Max: t.P}
	}
	return box
}

// Shapes yields the body's shapes, the last added first.
func (b Body) Shapes() iter.Seq[Shape] {
	return func(yield func(Shape) bool) {
		for s := b.get().firstShape; s >= 0; {
			next := b.w.shapes.items[s].next
			if !yield(b.w.shapeAt(s)) {
				return
			}
			s = next
		}
	}
}
