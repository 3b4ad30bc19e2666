package quarry

import (
	"fmt"
	"iter"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
)

// BodyType says how a body moves.
type BodyType uint8

const (
	// Static bodies never move, except by SetTransform.
	Static BodyType = iota
	// Kinematic bodies move at the velocity that the game sets; contacts do not change it.
	Kinematic
	// Dynamic bodies have mass and are moved by forces and contacts.
	Dynamic
)

// String returns the type's name.
func (t BodyType) String() string {
	if t <= Dynamic {
		return [...]string{"static", "kinematic", "dynamic"}[t]
	}
	return fmt.Sprintf("BodyType(%d)", uint8(t))
}

// BodyDef defines a body. The zero value is a static body at the origin.
type BodyDef struct {
	Type     BodyType
	Position geom.Vec // of the body's origin, the origin of its shapes' frame
	Angle    float64  // radians, counter-clockwise
	// Velocity is the velocity of the centre of mass, in units of length a second.
	Velocity        geom.Vec
	AngularVelocity float64 // radians a second; see SetAngularVelocity for its limit
	// LinearDamping and AngularDamping reduce the velocity and the spin, as rates per
	// second: 0.1 is a light drag. At least 0.
	LinearDamping, AngularDamping float64
	Weightless                    bool // gravity does not act on the body
	FixedRotation                 bool // contacts do not turn the body
	NoSleep                       bool // the body never falls asleep, nor does its island
	Asleep                        bool // the body starts asleep, until an awake body touches it
	// Bullet adds continuous collision with other dynamic bodies, awake or asleep. Every
	// body has it with static and kinematic bodies, grounds and chains. Set it for small,
	// fast bodies among many slow ones: a fast bullet costs some microseconds a step, and
	// each awake body a little while the world has any bullet. A fast body that is not a
	// bullet may pass through a slow bullet: make the fast one the bullet. A bullet of
	// several shapes that lie apart may still be worked through a thin turning body in many
	// steps (about 2 in 1,000 shots at plates of 0.01 to 0.1 units of length).
	Bullet bool
	User   uint64 // for the game
}

// body is the state of a body. The solver moves its centre of mass, so that is the stored
// position. Its shapes, grounds, chains and contacts are linked lists of slots.
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
	dropping     float64 // seconds for which the body passes all one-way tiles
	extent       float64 // distance of the farthest point of its shapes from the centre of mass
	coreGate     float64 // least ccd.CoreGate of its shapes
	idle         float64 // seconds at rest
	user         uint64
	firstShape   int32 // slots, -1: none
	firstContact int32 // contact slot*2 + the body's side in the contact, -1: none
	firstGround  int32
	firstChain   int32
	solverIndex  int32 // index in the solver during a step, 0: the solver does not move it
	moverIndex   int32 // index in scratch.movers, of a kinematic body that moves in this step
	kind         BodyType
	awake        bool
	weightless   bool
	fixedRot     bool
	noSleep      bool
	bullet       bool
	held         int32          // contacts in which a shape of it is in solid ground with no way out
	squeezedAt   uint64         // 1 + the steps made when it was last squeezed; see ccd.Result
	startPose    geom.Transform // pose at the start of the last step in which the body moved
	startedAt    uint64         // 1 + the number of steps before that step; 0: SetTransform has moved it since
	displacedAt  uint64         // 1 + the number of steps before the last SetTransform
	nearMoverAt  uint64         // 1 + the number of steps when a moving kinematic body was last near
	bornAt       uint64         // 1 + the number of steps when the body was added asleep, else 0
	step         bodyStep       // of this step only
	stay         stay           // its place while its island is jammed
}

// bodyStep holds the results of one step's stages that later stages of it read. Step clears it.
type bodyStep struct {
	pushedOut     bool     // its contact pushes it out of solid ground
	throughGround bool     // and that way leads through the ground
	sunkInChain   bool     // deep in the face of a chain; see ccd.Mover
	deep          bool     // its centroid is near the surface of a static or kinematic body
	jammed        bool     // has a contact deeper than pinchDepth; see sleep.go
	pinchSpeed    float64  // the speed that a pinch may give it; 0: it is not pinched
	gravityGain   geom.Vec // velocity gained from gravity
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

// asleep reports whether b is a dynamic body that sleeps.
func (b *body) asleep() bool { return b.kind == Dynamic && !b.awake }

// AddBody adds a body without shapes and returns its id. It wakes no other body. It panics
// if a number in d is not finite, a damping is negative, or Type is not one of the three;
// the message names the field, its value and its range.
func (w *World) AddBody(d BodyDef) BodyID {
	w.mustNotStep()
	d.check()
	_, id, b := w.bodies.Add()
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

// RemoveBody removes a body with its shapes, grounds, chains and contacts, and wakes the
// bodies that it touched. It returns false if there is no such body.
func (w *World) RemoveBody(id BodyID) bool {
	w.mustNotStep()
	i, ok := w.bodies.Find(uint64(id))
	if !ok {
		return false
	}
	for b := w.bodies.At(i); b.firstGround >= 0; {
		w.removeGround(b.firstGround)
	}
	for b := w.bodies.At(i); b.firstChain >= 0; {
		w.removeChain(b.firstChain)
	}
	for b := w.bodies.At(i); b.firstShape >= 0; {
		w.removeShape(b.firstShape)
	}
	w.countBullet(w.bodies.At(i).bullet, -1)
	w.bodies.Remove(i)
	return true
}

// leastInverse and mostInverse bound the inverse of a body's mass, and the square of
// mostInverse bounds the inverse of its inertia: the solver's float32 can multiply and add
// such numbers. A body of 1e-8 cells, or of density 1e20, moves as if it were a little
// heavier or lighter.
const leastInverse, mostInverse = 1e-15, 1e15

// setMass sets the mass, the inertia and their inverses. A dynamic body without mass gets a
// mass of 1, so that it falls.
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

// updateMass computes the mass, centre of mass and extent of a body from its shapes. The
// body's frame stays in place; the velocity becomes the velocity of the new centre.
func (w *World) updateMass(i int32) {
	b := w.bodies.At(i)
	origin := b.transform().P
	var total geom.Mass
	for s := b.firstShape; s >= 0; s = w.shapes.At(s).next {
		sh := w.shapes.At(s)
		if sh.density == 0 {
			continue
		}
		m := sh.geometry.Mass(sh.density)
		total.Center = total.Center.MulAdd(m.Mass, m.Center)
		total.Mass += m.Mass
	}
	if total.Mass > 1e-300 { // the inverse of a smaller mass overflows
		total.Center = total.Center.Mul(1 / total.Mass)
	}
	for s := b.firstShape; s >= 0; s = w.shapes.At(s).next {
		sh := w.shapes.At(s)
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

	b.extent, b.coreGate = 0, math.MaxFloat64
	for s := b.firstShape; s >= 0; s = w.shapes.At(s).next {
		sh := w.shapes.At(s)
		b.extent = max(b.extent, sh.extent(b.localCenter))
		if !sh.sensor {
			b.coreGate = min(b.coreGate, ccd.CoreGate(sh.core))
		}
	}
}

// Body is a view of a body: a small value, valid until the body is removed. After that all
// its methods but ID panic. The zero Body is not a body.
type Body struct {
	w    *World
	id   BodyID
	slot int32
}

// Body returns a view of the body id; ok is false if it does not exist.
func (w *World) Body(id BodyID) (Body, bool) {
	i, ok := w.bodies.Find(uint64(id))
	return Body{w, id, i}, ok
}

// Bodies yields every body, in slot order.
func (w *World) Bodies() iter.Seq[Body] {
	return func(yield func(Body) bool) {
		for i := range w.bodies.Slots() {
			if w.bodies.Used(i) && !yield(w.bodyAt(i)) {
				return
			}
		}
	}
}

func (w *World) bodyAt(i int32) Body { return Body{w, BodyID(w.bodies.ID(i)), i} }

// get returns the body's state. It panics if the body has been removed.
func (b Body) get() *body {
	if b.w == nil || !b.w.bodies.Used(b.slot) || b.w.bodies.ID(b.slot) != uint64(b.id) {
		panic(fmt.Sprintf("quarry: body %d is no more", b.id))
	}
	return b.w.bodies.At(b.slot)
}

// ID returns the body's id.
func (b Body) ID() BodyID { return b.id }

// Type says how the body moves.
func (b Body) Type() BodyType { return b.get().kind }

// User returns BodyDef.User.
func (b Body) User() uint64 { return b.get().user }

// Position returns the body's origin, in the world.
func (b Body) Position() geom.Vec { return b.get().transform().P }

// Rotation returns the body's rotation.
func (b Body) Rotation() geom.Rot { return b.get().rot }

// Angle returns the body's rotation as an angle, in (-pi, pi].
func (b Body) Angle() float64 { return b.get().rot.Angle() }

// Transform returns the body's frame.
func (b Body) Transform() geom.Transform { return b.get().transform() }

// CenterOfMass returns the body's centre of mass, in the world.
func (b Body) CenterOfMass() geom.Vec { return b.get().center }

// Velocity returns the velocity of the centre of mass, in units of length a second.
func (b Body) Velocity() geom.Vec { return b.get().velocity }

// AngularVelocity returns the spin, in radians a second.
func (b Body) AngularVelocity() float64 { return b.get().spin }

// Mass returns the body's mass; 0 if it is not dynamic.
func (b Body) Mass() float64 { return b.get().mass }

// Inertia returns the moment of inertia about the centre of mass; 0 if the body is not
// dynamic.
func (b Body) Inertia() float64 { return b.get().inertia }

// Awake reports whether the body is simulated. Static and kinematic bodies are always awake.
func (b Body) Awake() bool { return b.get().awake }

// Bounds returns the smallest box around the body's shapes, in the world; without shapes,
// the box holds its origin alone.
func (b Body) Bounds() geom.AABB {
	st := b.get()
	box, t := geom.Empty, st.transform()
	for s := st.firstShape; s >= 0; s = b.w.shapes.At(s).next {
		box = box.Union(b.w.shapes.At(s).geometry.Bounds(t))
	}
	if box.IsEmpty() {
		return geom.AABB{Min: t.P, Max: t.P}
	}
	return box
}

// Shapes yields the body's shapes, the one added last first.
func (b Body) Shapes() iter.Seq[Shape] {
	return func(yield func(Shape) bool) {
		for s := b.get().firstShape; s >= 0; {
			next := b.w.shapes.At(s).next
			if !yield(b.w.shapeAt(s)) {
				return
			}
			s = next
		}
	}
}
