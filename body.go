package quarry

import (
	"fmt"
	"iter"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/island"
	"github.com/quarry2d/quarry/internal/store"
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
	// GravityScale multiplies the world's gravity for the body, -1e6 to 1e6: with 0.5 it falls half as
	// fast, with -1 it rises. 0 means 1; for no gravity set Weightless.
	GravityScale  float64
	Weightless    bool // gravity does not act on the body
	FixedRotation bool // contacts do not turn the body
	// LockX and LockY keep the body from moving along an axis of the world, as a lift between rails: its
	// velocity there is 0. Loads and impacts from others do not move it along the axis; of a bounce it
	// returns only its share of the mass of both. Only SetTransform, and SetTarget of a kinematic body, move it there.
	LockX, LockY bool
	NoSleep      bool // the body never falls asleep, nor does its island
	// SleepSpeed is the speed of its fastest point below which the body is at rest, in units of length a
	// second, 1e-9 to 400; 0 means Config.SleepSpeed.
	SleepSpeed float64
	Asleep     bool // the body starts asleep, until an awake body touches it
	// Bullet adds continuous collision with other dynamic bodies, awake or asleep. Every
	// body has it with static and kinematic bodies, grounds and chains. Set it for small,
	// fast bodies among many slow ones: a fast bullet costs some microseconds a step, and
	// each awake body a little while the world has any bullet. A fast body that is not a
	// bullet may pass through a slow bullet: make the fast one the bullet. A bullet of
	// several shapes that lie apart may still be worked through a thin turning body in many
	// steps (about 2 in 1,000 shots at plates of 0.01 to 0.1 units of length).
	Bullet bool
	User   uint64 // for the game
	// Disabled leaves the body out of the world, until SetEnabled.
	Disabled bool
	// Name is for the game, as in an editor or a log. Names cost bodies without one nothing, and do not
	// affect the world.
	Name string
}

// body is the state of a body. The solver moves its centre of mass, so that is the stored
// position. Its shapes, grounds, chains and contacts are linked lists of slots.
//
// A body is 256 bytes, four cache lines (TestBodyLayout). The loops over contacts read the first
// two, the loops over bodies the first three; fields that most steps leave alone are in bodyRare.
type body struct {
	center      geom.Vec // centre of mass, world
	rot         geom.Rot
	localCenter geom.Vec // centre of mass in the body's frame
	solverIndex int32    // index in the solver during a step, 0: the solver does not move it
	boxes       uint32   // how often the box of a shape, ground or chain of it has changed
	kind        BodyType
	awake       bool
	weightless  bool
	fixedRot    bool
	noSleep     bool
	bullet      bool
	flags       bodyFlags

	velocity     geom.Vec // second cache line
	spin         float64
	invMass      float64
	invInertia   float64
	extent       float64 // distance of the farthest point of its shapes from the centre of mass
	firstContact int32   // contact slot*2 + the body's side in the contact, -1: none
	firstShape   int32   // slots, -1: none
	firstGround  int32
	firstChain   int32

	force       geom.Vec // third cache line; of the next step
	torque      float64
	damping     float64
	spinDamping float64
	idle        float64 // seconds at rest
	dropping    float64 // seconds for which the body passes all one-way tiles
	moverIndex  int32   // index in scratch.movers, of a kinematic body that moves in this step
	held        int32   // contacts in which a shape of it is in solid ground with no way out

	step        bodyStep // fourth cache line; of this step only
	coreGate    float64  // least ccd.CoreGate of its shapes
	nearMoverAt uint64   // 1 + the number of steps when a moving kinematic body was last near
	user        uint64
	mass        float64
	inertia     float64 // about the centre of mass
	displacedAt uint64  // 1 + the number of steps before the last SetTransform
}

// bodyRare holds the fields of a body that most steps do not read.
type bodyRare struct {
	startPose    geom.Transform // pose at the start of the last step in which the body moved
	startedAt    uint64         // 1 + the number of steps before that step; 0: SetTransform has moved it since
	room         float64        // no box of its shapes in the broad phase changes before a point of it moves farther
	squeezedAt   uint64         // 1 + the steps made when it was last squeezed; see ccd.Result
	bornAt       uint64         // 1 + the number of steps when the body was added asleep, else 0
	gate         float64        // least ccd.Gate of its shapes
	place        island.Place   // while its island is jammed
	gravityScale float64        // with scaledGravity
	sleepSpeed   float64        // with ownSleepSpeed
	mass         geom.Mass      // with ownMass, in the body's frame
	lockImpulse  [2]float32     // of the rows of lockX and lockY, for the warm start
	firstJoint   int32          // slot*2 + the body's side in the joint, -1: none
}

// bodyFlags tell which fields of bodyRare a body uses, and which motions are locked.
type bodyFlags uint8

const (
	scaledGravity bodyFlags = 1 << iota
	ownSleepSpeed
	ownMass
	disabled
	lockX
	lockY
)

// rare returns the rarely read fields of body i.
func (w *World) rare(i int32) *bodyRare { return &w.bodiesRare[i] }

// bodyStep holds the results of one step's stages that later stages of it read. The stage
// that puts islands to sleep clears it.
type bodyStep struct {
	pushedOut     bool    // its contact pushes it out of solid ground
	throughGround bool    // and that way leads through the ground
	sunkInChain   bool    // deep in the face of a chain; see ccd.Mover
	deep          bool    // its centroid is near the surface of a static or kinematic body
	jammed        bool    // has a contact deeper than depenetrate.PinchDepth; see internal/island
	pinchSpeed    float64 // the speed that a pinch may give it; 0: it is not pinched
}

// transform returns the body's frame.
func (b *body) transform() geom.Transform {
	return geom.Transform{P: b.center.Sub(b.rot.Apply(b.localCenter)), Q: b.rot}
}

// velocityAt returns the velocity of the point of b at arm from its centre.
func (b *body) velocityAt(arm geom.Vec) geom.Vec { return b.velocity.MulAdd(b.spin, arm.Left()) }

// moves reports whether the solver moves b in this step.
func (b *body) moves() bool {
	switch b.kind {
	case Dynamic:
		return b.awake
	case Kinematic:
		return (b.velocity != geom.Vec{} || b.spin != 0) && b.flags&disabled == 0
	}
	return false
}

// asleep reports whether b is a dynamic body that sleeps.
func (b *body) asleep() bool { return b.kind == Dynamic && !b.awake }

// AddBody adds a body without shapes and returns its id. It wakes no other body. It panics
// if a number in d is not finite, a damping is negative, or Type is not one of the three;
// the message names the field, its value and its range.
func (w *World) AddBody(d BodyDef) BodyID {
	record.Call1(w.recorder(w), "World.AddBody", record.OfWorld, d)
	return w.addBody(d)
}

// addBody is AddBody, unrecorded.
func (w *World) addBody(d BodyDef) BodyID {
	if d.Type > Dynamic {
		check.Refuse("AddBody", "BodyDef.Type", d.Type, "Static, Kinematic or Dynamic")
	}
	check.FiniteVec("AddBody", "BodyDef.Position", d.Position)
	check.FiniteVec("AddBody", "BodyDef.Velocity", d.Velocity)
	check.Finite("AddBody", "BodyDef.Angle", d.Angle)
	check.Finite("AddBody", "BodyDef.AngularVelocity", d.AngularVelocity)
	check.Positive("AddBody", "BodyDef.LinearDamping", d.LinearDamping)
	check.Positive("AddBody", "BodyDef.AngularDamping", d.AngularDamping)
	check.Within("AddBody", "BodyDef.GravityScale", d.GravityScale, -mostScale, mostScale, "")
	checkSleepSpeed("AddBody", "BodyDef.SleepSpeed", d.SleepSpeed)
	i, id, b := w.bodies.Add()
	w.moving.Add(i)
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
	store.Clear(&w.bodiesRare, &w.bodies, i)
	w.rare(i).firstJoint = -1
	if !b.awake && !d.Disabled {
		w.rare(i).bornAt = w.steps + 1
	}
	if r := w.rare(i); !d.Weightless && d.GravityScale != 0 {
		b.setGravityScale(r, d.GravityScale)
	}
	b.setSleepSpeed(w.rare(i), d.SleepSpeed)
	if d.Disabled {
		b.flags |= disabled
		b.awake = false
	}
	if d.Name != "" {
		w.setName(i, d.Name)
	}
	b.lock(d.LockX, d.LockY)
	if b.locks() != 0 {
		w.locked.Add(i)
	}
	b.setMass(geom.Mass{})
	b.clampInput()
	return BodyID(id)
}

// RemoveBody removes a body with its shapes, grounds, chains, contacts and joints, and wakes the
// bodies that it touched or that joints held to it. It returns false if there is no such body.
func (w *World) RemoveBody(id BodyID) bool {
	record.Call1(w.recorder(w), "World.RemoveBody", record.OfWorld, id)
	return store.Remove(&w.bodies, uint64(id), w.removeBody)
}

func (w *World) removeBody(i int32) {
	for l := range w.jointsOf(i) {
		w.removeJoint(l >> 1)
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
	delete(w.names, i)
	w.locked.Remove(i)
	w.bodies.Remove(i)
}

// Body is a view of a body: a small value, valid until the body is removed. After that all its
// methods but ID panic. The zero Body is not a body.
//
// Its setters panic during Step, and on a number that is not finite (DropThrough takes an infinity),
// which changes nothing. All but Sleep, SetBullet, SetUser and SetName wake a sleeping dynamic body with its island:
// all dynamic bodies that it touches or has a joint with, directly or through others. Static and kinematic bodies do
// not sleep, and a change of one, other than SetTransform, wakes no other body at once; once it
// moves, Step wakes the bodies that it touches.
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

// owned yields the views of the body's shapes, grounds or chains. The loop may remove the one that it visits.
func owned[V any](b Body, kind broad.Owner, view func(*World, int32) V) iter.Seq[V] {
	return func(yield func(V) bool) {
		st := b.get()
		for k := [...]int32{st.firstShape, st.firstGround, st.firstChain}[kind>>32]; k >= 0; {
			i := k
			if k = b.w.proxied(broad.OwnerOf(kind, k)).next; !yield(view(b.w, i)) {
				return
			}
		}
	}
}

// Grounds yields the grounds on the body, the one added last first.
func (b Body) Grounds() iter.Seq[Ground] { return owned(b, broad.Ground, (*World).groundAt) }

// Chains yields the chains on the body, the one added last first.
func (b Body) Chains() iter.Seq[Chain] { return owned(b, broad.Chain, (*World).chainAt) }

// Bodies yields every body, in slot order.
func (w *World) Bodies() iter.Seq[Body] { return store.Views(&w.bodies, w.bodyAt) }

func (w *World) bodyAt(i int32) Body { return Body{w, BodyID(w.bodies.ID(i)), i} }

// get returns the body's state. It panics if the body has been removed.
func (b Body) get() *body {
	if b.w == nil || !b.w.bodies.Is(b.slot, uint64(b.id)) {
		panic(fmt.Sprintf("quarry: there is no body %d: it was removed, or never added", b.id))
	}
	return b.w.bodies.At(b.slot)
}

// ID returns the body's id.
func (b Body) ID() BodyID { return b.id }

// Type says how the body moves.
func (b Body) Type() BodyType { return b.get().kind }

// SetType changes the type of the body, as if it had been created with it: its contacts end, and the next Step
// finds those of the new type, and begins them. It wakes the body, those that it touched, and those that an
// addition of its shapes would wake. A body that becomes static stops. It panics if a body with a chain is to be dynamic.
func (b Body) SetType(t BodyType) {
	record.Call1(b.w.recorder(b.get()), "Body.SetType", b.id, t)
	st, w := b.get(), b.w
	check.UpTo("SetType", "t", t, Dynamic, "Dynamic")
	if t == st.kind {
		return
	}
	if t == Dynamic && st.firstChain >= 0 {
		panic(fmt.Sprintf("quarry: SetType: body %d has a chain, which a dynamic body cannot carry", b.id))
	}
	w.withdraw(b.slot)
	st.kind, st.idle, st.force, st.torque = t, 0, geom.Vec{}, 0
	if t == Static {
		st.velocity, st.spin = geom.Vec{}, 0
	}
	st.awake = b.Enabled()
	w.updateMass(b.slot)
	w.enter(b.slot)
	for g := range b.Grounds() {
		w.tear(g.slot)
	}
}

// Enabled reports whether the body is part of the world; see SetEnabled.
func (b Body) Enabled() bool { return b.get().flags&disabled == 0 }

// SetEnabled takes the body out of the world, or puts it back. A disabled body does not move, touches
// nothing, is found by no query of the world, and ignores forces; joints of it do not act. It keeps its shapes,
// pose and velocity, which setters may change, and counts as not awake. A disabled body ends
// its contacts, and wakes the bodies that it touched. Enabling wakes the body, and the bodies that an addition of its
// shapes would wake. A body that is enabled beyond the bounds of the broad phase is lost (World.Lost), and stays
// disabled.
func (b Body) SetEnabled(on bool) {
	record.Call1(b.w.recorder(b.get()), "Body.SetEnabled", b.id, on)
	st, w := b.get(), b.w
	if on == b.Enabled() {
		return
	}
	if on {
		st.flags, st.awake, st.idle = st.flags&^disabled, true, 0
	} else {
		w.withdraw(b.slot)
		st.flags, st.awake = st.flags|disabled, false
		st.force, st.torque = geom.Vec{}, 0
	}
	w.enter(b.slot)
}

// User returns BodyDef.User.
func (b Body) User() uint64 { return b.get().user }

// SetUser changes BodyDef.User. It does not wake the body.
func (b Body) SetUser(user uint64) {
	record.Call1(b.w.recorder(b.get()), "Body.SetUser", b.id, user)
	b.get().user = user
}

// Name returns BodyDef.Name.
func (b Body) Name() string {
	b.get()
	return b.w.names[b.slot]
}

// SetName changes BodyDef.Name. It does not wake the body.
func (b Body) SetName(name string) {
	record.Call1(b.w.recorder(b.get()), "Body.SetName", b.id, name)
	b.get()
	b.w.setName(b.slot, name)
}

func (w *World) setName(i int32, name string) {
	switch {
	case name == "":
		delete(w.names, i)
	case w.names == nil:
		w.names = map[int32]string{}
		fallthrough
	default:
		w.names[i] = name
	}
}

// Def returns a definition of the body as it is now: AddBody with it makes another like it, without
// shapes. The definition does not hold the forces of the next step and a mass of SetMass.
func (b Body) Def() BodyDef {
	st, r := b.get(), b.w.rare(b.slot)
	d := BodyDef{
		Type: st.kind, Position: st.transform().P, Angle: st.rot.Angle(), Velocity: st.velocity, AngularVelocity: st.spin,
		LinearDamping: st.damping, AngularDamping: st.spinDamping, GravityScale: 1, Weightless: st.weightless,
		FixedRotation: st.fixedRot, LockX: st.flags&lockX != 0, LockY: st.flags&lockY != 0, NoSleep: st.noSleep, SleepSpeed: r.sleepSpeed, Asleep: st.asleep() && b.Enabled(), Disabled: !b.Enabled(),
		Bullet: st.bullet, User: st.user, Name: b.Name(),
	}
	if st.flags&scaledGravity != 0 {
		d.GravityScale = r.gravityScale
	}
	return d
}

// Position returns the body's origin, in the world.
func (b Body) Position() geom.Vec { return b.get().transform().P }

// Rotation returns the body's rotation.
func (b Body) Rotation() geom.Rot { return b.get().rot }

// Angle returns the body's rotation as an angle, in (-pi, pi].
func (b Body) Angle() float64 { return b.get().rot.Angle() }

// Transform returns the body's frame.
func (b Body) Transform() geom.Transform { return b.get().transform() }

// Awake reports whether the body is simulated. Static and kinematic bodies are awake unless they are
// disabled.
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
func (b Body) Shapes() iter.Seq[Shape] { return owned(b, broad.Shape, (*World).shapeAt) }

// change wakes the body and returns its state.
func (b Body) change() *body {
	st := b.get()
	b.w.wake(b.slot)
	if st.kind == Kinematic {
		b.w.activate(b.slot)
	}
	return st
}

// SetTransform moves the body's origin to p, and its rotation to angle radians.
//
// Velocity, spin and the forces of the next step stay as they were, in world axes.
// Contacts stay until the next Step, which computes them at the new pose, ends contacts that no
// longer touch, and warm starts points that keep their feature ids.
//
// The body wakes, and so does every body that it touched. Sleeping bodies at the new pose wake at
// once if it is static or kinematic, and in the next Step if it is dynamic.
//
// SetTransform is no motion: the body carries no other body along and is not swept against
// obstacles between the two poses, and a lift that it moves up in each step may sink into its
// riders. Move such bodies by SetVelocity. A body moved beyond the bounds of the broad phase is
// lost; see World.Lost.
func (b Body) SetTransform(p geom.Vec, angle float64) {
	record.Call2(b.w.recorder(b.get()), "Body.SetTransform", b.id, p, angle)
	check.FiniteVec("SetTransform", "p", p)
	check.Finite("SetTransform", "angle", angle)
	st := b.change()
	st.rot = geom.NewRot(angle)
	st.center = p.Add(st.rot.Apply(st.localCenter))
	b.w.wakeTouching(b.slot)
	b.w.rare(b.slot).startedAt, st.displacedAt = 0, b.w.steps+1 // its last motion does not lead to this pose
	b.w.updateProxies(b.slot, nil)
	if st.kind != Dynamic {
		b.w.wakeAround(b.slot)
	}
}

// SetNoSleep changes BodyDef.NoSleep.
func (b Body) SetNoSleep(on bool) {
	record.Call1(b.w.recorder(b.get()), "Body.SetNoSleep", b.id, on)
	b.change().noSleep = on
}

// SetSleepSpeed changes BodyDef.SleepSpeed; 0 means Config.SleepSpeed.
func (b Body) SetSleepSpeed(speed float64) {
	record.Call1(b.w.recorder(b.get()), "Body.SetSleepSpeed", b.id, speed)
	checkSleepSpeed("SetSleepSpeed", "speed", speed)
	b.change().setSleepSpeed(b.w.rare(b.slot), speed)
}

func checkSleepSpeed(call, field string, speed float64) {
	if speed != 0 {
		check.Within(call, field, speed, 1e-9, MaxSpeed, ", or 0 for Config.SleepSpeed")
	}
}

func (b *body) setSleepSpeed(r *bodyRare, speed float64) {
	b.flags &^= ownSleepSpeed
	if r.sleepSpeed = speed; speed != 0 {
		b.flags |= ownSleepSpeed
	}
}

// Wake wakes the body with its island.
func (b Body) Wake() {
	record.Call0(b.w.recorder(b.get()), "Body.Wake", b.id)
	b.change()
}

// Sleep puts a dynamic body to sleep at its present pose, until an awake body touches it. Its
// velocity, and the forces of the next step, become zero; its contacts stay as they are. No other
// body changes: an awake body that touches it wakes it in the next Step. Bodies that are not
// dynamic do not sleep.
func (b Body) Sleep() {
	record.Call0(b.w.recorder(b.get()), "Body.Sleep", b.id)
	st := b.get()
	if st.kind == Dynamic && b.Enabled() {
		b.w.fallAsleep(b.slot)
	}
}
