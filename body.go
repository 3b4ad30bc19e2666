package quarry

import (
	"fmt"
	"iter"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
)

// BodyType is how a body moves.
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
	// LockX and LockY keep the body from moving along an axis of the world, as a lift between rails: its velocity
	// along it is 0. Contacts and joints do not move the body along the axis. Only SetTransform, and SetTarget of a
	// kinematic body, do.
	LockX, LockY bool
	NoSleep      bool // the body never falls asleep, nor does its island
	// SleepSpeed is the speed below which the body is at rest, in units of length a second, 1e-9 to 400; 0 means
	// Config.SleepSpeed. It is the speed of the body's fastest point.
	SleepSpeed float64
	Asleep     bool // the body starts asleep, until an awake body touches it
	// Bullet adds continuous collision with other dynamic bodies, awake or asleep. Every body has continuous
	// collision with static and kinematic bodies, grounds and chains. Set Bullet for small, fast bodies among many
	// slow ones: a fast bullet costs some microseconds a step, and each awake body a little while the world has any
	// bullet. A fast body that is not a bullet may pass through a slow bullet: make the fast one the bullet. A
	// bullet of several shapes that lie apart may still pass through a thin turning body over many steps (about 2
	// in 1,000 shots at plates of 0.01 to 0.1 units of length).
	Bullet bool
	User   uint64 // for the game
	// Disabled leaves the body out of the world, until SetEnabled.
	Disabled bool
	// Name is for the game, as in an editor or a log. It does not affect the world, and costs bodies without a name
	// nothing.
	Name string
}

// AddBody adds a body without shapes and returns its id. It wakes no other body. It panics
// if a number in d is not finite, if a damping, GravityScale or SleepSpeed is out of range, or
// if Type is not one of the three; the message names the field, its value and its range.
func (w *World) AddBody(d BodyDef) BodyID {
	replay.Call1(w.recorder(w), "World.AddBody", replay.OfWorld, d)
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
	i, id, b := w.state.Bodies.Add()
	w.state.Moving.Add(i)
	*b = state.Body{
		Center: d.Position, Rot: geom.NewRot(d.Angle),
		Velocity: d.Velocity, Spin: d.AngularVelocity,
		Damping: d.LinearDamping, SpinDamping: d.AngularDamping,
		FirstShape: -1, FirstContact: -1, FirstGround: -1, FirstChain: -1,
		Type: broad.BodyType(d.Type), Awake: !d.Asleep || d.Type != Dynamic,
		Weightless: d.Weightless, FixedRot: d.FixedRotation, NoSleep: d.NoSleep, Bullet: d.Bullet,
	}
	w.state.CountBullet(d.Bullet, 1)
	if d.Type == Static {
		b.Velocity, b.Spin = geom.Vec{}, 0
	}
	pool.Clear(&w.state.Rares, &w.state.Bodies, i)
	w.state.Rare(i).FirstJoint, w.state.Rare(i).User = -1, d.User
	if !b.Awake && !d.Disabled {
		w.state.Rare(i).BornAt = w.state.Steps + 1
	}
	if r := w.state.Rare(i); d.GravityScale != 0 {
		b.SetGravityScale(r, d.GravityScale)
	}
	b.SetSleepSpeed(w.state.Rare(i), d.SleepSpeed)
	if d.Disabled {
		b.Flags |= state.Disabled
		b.Awake = false
	}
	if d.Name != "" {
		w.state.SetName(i, d.Name)
	}
	b.Lock(d.LockX, d.LockY)
	if b.Locks() != 0 {
		w.state.Locked.Add(i)
	}
	b.SetMass(geom.Mass{})
	b.ClampInput()
	return BodyID(id)
}

// RemoveBody removes a body with its shapes, grounds, chains, contacts and joints, and wakes the
// bodies that it touched or that joints held to it. It returns false if there is no such body.
func (w *World) RemoveBody(id BodyID) bool {
	replay.Call1(w.recorder(w), "World.RemoveBody", replay.OfWorld, id)
	return pool.Remove(&w.state.Bodies, uint64(id), w.state.RemoveBody)
}

// Body is a view of a body: a small value, valid until the body is removed. After that all its
// methods but ID panic. The zero Body is not a body.
//
// Its setters panic during Step, and on a number that is not finite (DropThrough takes an infinity); they then
// change nothing. All but the forces (ApplyForce, ApplyForceToCenter, ApplyTorque, ClearForces), Sleep, SetBullet,
// SetUser and SetName wake a sleeping dynamic body with its island: all dynamic bodies that it touches or has a joint
// with, directly or through others. But the value that a body has already, a velocity too, changes nothing and wakes
// no body: a game may set it before each step. (SetTransform, impulses, DropThrough and Wake are no such values.)
// Static and kinematic bodies do not sleep, and a change of one, other than SetTransform and Wake, wakes no other body
// at once; once it moves, Step wakes the bodies that it touches.
type Body struct {
	w    *World
	id   BodyID
	slot int32
}

// Body returns a view of the body id; ok is false if it does not exist.
func (w *World) Body(id BodyID) (Body, bool) {
	i, ok := w.state.Bodies.Find(uint64(id))
	return Body{w, id, i}, ok
}

// owned yields the views of the body's shapes, grounds or chains. The loop may remove the one that it visits.
func owned[V any](b Body, kind broad.Owner, view func(*World, int32) V) iter.Seq[V] {
	return func(yield func(V) bool) {
		st := b.get()
		for k := [...]int32{st.FirstShape, st.FirstGround, st.FirstChain}[kind>>32]; k >= 0; {
			i := k
			if k = b.w.state.Proxied(broad.OwnerOf(kind, k)).Next; !yield(view(b.w, i)) {
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
func (w *World) Bodies() iter.Seq[Body] { return pool.Views(&w.state.Bodies, w.bodyAt) }

func (w *World) bodyAt(i int32) Body { return Body{w, BodyID(w.state.Bodies.ID(i)), i} }

// get returns the body's state. It panics if the body has been removed.
func (b Body) get() *state.Body {
	check.Exists(b.w != nil && b.w.state.Bodies.Is(b.slot, uint64(b.id)), "body", uint64(b.id))
	return b.w.state.Bodies.At(b.slot)
}

// ID returns the body's id.
func (b Body) ID() BodyID { return b.id }

// Type returns the body's type.
func (b Body) Type() BodyType { return BodyType(b.get().Type) }

// SetType changes the type of the body, as if the body had been created with it. Its contacts end, and the next
// Step begins contacts of the new type; a pair that still touches has no event. SetType wakes the body, the bodies that
// it touched, and the bodies that AddShape with its shapes would wake. A body that becomes static stops. SetType panics
// if t is Dynamic and the body has a chain.
func (b Body) SetType(t BodyType) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetType", b.id, t)
	st, w := b.get(), b.w
	check.UpTo("SetType", "t", t, Dynamic, "Dynamic")
	if broad.BodyType(t) == st.Type {
		return
	}
	if t == Dynamic && st.FirstChain >= 0 {
		panic(fmt.Sprintf("quarry: SetType: body %d has a chain, which a dynamic body cannot carry", b.id))
	}
	w.state.Withdraw(b.slot)
	st.Type, st.Idle, st.Force, st.Torque = broad.BodyType(t), 0, geom.Vec{}, 0
	if t == Static {
		st.Velocity, st.Spin = geom.Vec{}, 0
	}
	st.Awake = b.Enabled()
	w.state.UpdateMass(b.slot)
	w.state.Enter(b.slot)
	for g := range b.Grounds() {
		w.state.Tear(g.slot)
	}
}

// Enabled reports whether the body is part of the world; see SetEnabled.
func (b Body) Enabled() bool { return b.get().Flags&state.Disabled == 0 }

// SetEnabled takes the body out of the world, or puts it back. A disabled body does not move, touches no other
// body, is found by no query of the world, and ignores forces; its joints do not act. It keeps its shapes, pose and
// velocity, which setters may change, and counts as not awake. Disabling ends the body's contacts, and wakes the
// bodies that it touched. Enabling wakes the body, and the bodies that AddShape with its shapes would wake. A body
// that is enabled beyond the bounds of the broad phase is lost (World.Lost), and stays disabled.
func (b Body) SetEnabled(on bool) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetEnabled", b.id, on)
	st, w := b.get(), b.w
	if on == b.Enabled() {
		return
	}
	if on {
		st.Flags, st.Awake, st.Idle = st.Flags&^state.Disabled, true, 0
	} else {
		w.state.Withdraw(b.slot)
		st.Flags, st.Awake = st.Flags|state.Disabled, false
		st.Force, st.Torque = geom.Vec{}, 0
	}
	w.state.Enter(b.slot)
}

// Bullet reports whether the body is swept against other dynamic bodies; see BodyDef.
func (b Body) Bullet() bool { return b.get().Bullet }

// SetBullet makes the body a bullet or not; see BodyDef. It does not wake the body.
func (b Body) SetBullet(on bool) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetBullet", b.id, on)
	st := b.get()
	b.w.state.CountBullet(st.Bullet, -1)
	b.w.state.CountBullet(on, 1)
	st.Bullet = on
}

// User returns BodyDef.User.
func (b Body) User() uint64 {
	b.get()
	return b.w.state.Rare(b.slot).User
}

// SetUser changes BodyDef.User. It does not wake the body.
func (b Body) SetUser(user uint64) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetUser", b.id, user)
	b.w.state.Rare(b.slot).User = user
}

// Name returns BodyDef.Name.
func (b Body) Name() string {
	b.get()
	return b.w.state.Names[b.slot]
}

// SetName changes BodyDef.Name. It does not wake the body.
func (b Body) SetName(name string) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetName", b.id, name)
	b.get()
	b.w.state.SetName(b.slot, name)
}

// Def returns a definition of the body as it is now: AddBody with it makes another like it, without
// shapes. It omits pending forces and a mass set by SetMass.
func (b Body) Def() BodyDef {
	st, r := b.get(), b.w.state.Rare(b.slot)
	d := BodyDef{
		Type: BodyType(st.Type), Position: st.Transform().P, Angle: st.Rot.Angle(), Velocity: st.Velocity,
		AngularVelocity: st.Spin,
		LinearDamping:   st.Damping, AngularDamping: st.SpinDamping, GravityScale: st.GravityScale(r),
		Weightless:    st.Weightless,
		FixedRotation: st.FixedRot, LockX: st.Flags&state.LockX != 0, LockY: st.Flags&state.LockY != 0,
		NoSleep: st.NoSleep, SleepSpeed: r.SleepSpeed, Asleep: st.Asleep() && b.Enabled(), Disabled: !b.Enabled(),
		Bullet: st.Bullet, User: r.User, Name: b.Name(),
	}
	return d
}

// Position returns the body's origin, in the world.
func (b Body) Position() geom.Vec { return b.get().Transform().P }

// Rotation returns the body's rotation.
func (b Body) Rotation() geom.Rot { return b.get().Rot }

// Angle returns the body's rotation as an angle, in (-pi, pi].
func (b Body) Angle() float64 { return b.get().Rot.Angle() }

// Transform returns the body's frame.
func (b Body) Transform() geom.Transform { return b.get().Transform() }

// TransformAt returns the body's frame at the fraction alpha of the last step: 0 is its start and 1 its end, which is
// Transform. A body that has not moved in the step, or that SetTransform has moved since, is at Transform throughout.
// With the Alpha of a Clock, a picture is smooth although its frames and the steps have other lengths.
func (b Body) TransformAt(alpha float64) geom.Transform {
	b.get()
	return b.w.poseAt(b.slot, alpha)
}

// poseAt returns the pose of body i at a fraction of the last step.
func (w *World) poseAt(i int32, alpha float64) geom.Transform {
	return w.state.LastPose(i, false).Lerp(w.state.Bodies.At(i).Transform(), alpha)
}

// Awake reports whether the body is simulated. Static and kinematic bodies are awake unless they are
// disabled.
func (b Body) Awake() bool { return b.get().Awake }

// Bounds returns a box around the body's shapes, grounds and chains, in the world; without any, the box holds its
// origin alone. Of a ground it holds the smallest rectangle of cells around the tiles, and the unloaded cells that
// count as solid; otherwise it is the smallest box.
func (b Body) Bounds() geom.AABB {
	st := b.get()
	if box := b.w.boundsOf(b.slot); !box.IsEmpty() {
		return box
	}
	p := st.Transform().P
	return geom.AABB{Min: p, Max: p}
}

// Bounds returns a box around the shapes, grounds and chains of all bodies that are not disabled, as Body.Bounds does;
// geom.Empty if there are none. It visits all of them.
func (w *World) Bounds() geom.AABB {
	w.mustBeMade()
	box := geom.Empty
	for i, b := range w.state.Bodies.All() {
		if b.Flags&state.Disabled == 0 {
			box = box.Union(w.boundsOf(i))
		}
	}
	return box
}

// boundsOf returns the bounds of body i, geom.Empty if it has no shape, ground or chain.
func (w *World) boundsOf(i int32) geom.AABB {
	box, t := geom.Empty, w.state.Bodies.At(i).Transform()
	for o := range w.state.OwnersOf(i) {
		switch k := o.Slot(); o.Kind() {
		case broad.Shape:
			box = box.Union(w.state.Shapes.At(k).Geometry.Bounds(t))
		case broad.Ground:
			if cells := w.state.Grounds.At(k).Tight(); !cells.IsEmpty() {
				box = box.Union(cells.In(t))
			}
		default:
			box = box.Union(w.state.Chains.At(k).Box.In(t))
		}
	}
	return box
}

// Shapes yields the body's shapes, the one added last first.
func (b Body) Shapes() iter.Seq[Shape] { return owned(b, broad.Shape, (*World).shapeAt) }

// change wakes the body and returns its state.
func (b Body) change() *state.Body {
	st := b.get()
	b.w.state.Wake(b.slot)
	if st.Type == broad.KinematicBody {
		b.w.state.Activate(b.slot)
	}
	return st
}

// rouse returns the body's state, and wakes the body with its island if it sleeps. Unlike change, it does not restart
// the time for which an awake body has been at rest.
func (b Body) rouse() *state.Body {
	if st := b.get(); !st.Asleep() {
		return st
	}
	return b.change()
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
// SetTransform is no motion: the body carries no other body along and is not swept against obstacles between the
// two poses. A lift that SetTransform moves up in each step may sink into its riders: move such bodies by SetTarget
// or SetVelocity. A body moved beyond the bounds of the broad phase is lost; see World.Lost.
func (b Body) SetTransform(p geom.Vec, angle float64) {
	replay.Call2(b.w.recorder(b.get()), "Body.SetTransform", b.id, p, angle)
	check.FiniteVec("SetTransform", "p", p)
	check.Finite("SetTransform", "angle", angle)
	st := b.change()
	st.Rot = geom.NewRot(angle)
	st.Center = p.Add(st.Rot.Apply(st.LocalCenter))
	b.w.state.WakeTouching(b.slot)
	b.w.state.ForgetApart(b.slot)
	// its last motion does not lead to this pose
	b.w.state.Rare(b.slot).StartedAt, st.DisplacedAt = 0, b.w.state.Steps+1
	b.w.state.UpdateBoxes(b.slot, nil)
	if st.Type != broad.DynamicBody {
		b.w.state.WakeAround(b.slot)
	}
}

// SetNoSleep changes BodyDef.NoSleep.
func (b Body) SetNoSleep(on bool) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetNoSleep", b.id, on)
	if b.get().NoSleep != on {
		b.change().NoSleep = on
	}
}

// SetSleepSpeed changes BodyDef.SleepSpeed; 0 means Config.SleepSpeed.
func (b Body) SetSleepSpeed(speed float64) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetSleepSpeed", b.id, speed)
	checkSleepSpeed("SetSleepSpeed", "speed", speed)
	b.get()
	if r := b.w.state.Rare(b.slot); r.SleepSpeed != speed {
		b.change().SetSleepSpeed(r, speed)
	}
}

func checkSleepSpeed(call, field string, speed float64) {
	if speed != 0 {
		check.Within(call, field, speed, 1e-9, MaxSpeed, ", or 0 for Config.SleepSpeed")
	}
}

// Wake wakes the body with its island if it sleeps. Wake of a static or kinematic body wakes the bodies that touch it
// or that joints hold to it, with their islands.
func (b Body) Wake() {
	replay.Call0(b.w.recorder(b.get()), "Body.Wake", b.id)
	if b.rouse().Type != broad.DynamicBody {
		b.w.state.WakeTouching(b.slot)
	}
}

// Sleep puts a dynamic body to sleep at its present pose, until an awake body touches it. Its
// velocity, and the forces of the next step, become zero; its contacts stay as they are. No other
// body changes: an awake body that touches it wakes it in the next Step. Bodies that are not
// dynamic do not sleep.
func (b Body) Sleep() {
	replay.Call0(b.w.recorder(b.get()), "Body.Sleep", b.id)
	st := b.get()
	if st.Type == broad.DynamicBody && b.Enabled() {
		st.FallAsleep(b.w.state.Rare(b.slot))
	}
}

// CenterOfMass returns the body's centre of mass, in the world.
func (b Body) CenterOfMass() geom.Vec { return b.get().Center }

// Mass returns the body's mass; 0 if it is not dynamic.
func (b Body) Mass() float64 { return b.get().Mass }

// Inertia returns the moment of inertia about the centre of mass; 0 if the body is not dynamic.
func (b Body) Inertia() float64 { return b.get().Inertia }

// MassData returns the mass that SetMass has set; ok is false if the body has the mass of its shapes and tiles.
func (b Body) MassData() (m geom.Mass, ok bool) {
	ok = b.get().Flags&state.OwnMass != 0
	return b.w.state.Rare(b.slot).Mass, ok
}

// SetMass replaces the mass that the shapes and tiles give the body, until ResetMass: m.Mass is 1e-30 to 1e30,
// m.Center the centre of mass in the body's frame, and m.Inertia, 0 to 1e60, the moment of inertia about it; with
// an inertia of 0 contacts do not turn the body. Shapes and tiles that are added, removed or changed later do not
// change the mass; parts that break off take a share of it, and Ground.Join adds to it. Static and kinematic bodies
// have a mass only once they become dynamic. The frame stays in place, and the velocity becomes the new centre's.
// SetMass wakes the body with its island.
func (b Body) SetMass(m geom.Mass) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetMass", b.id, m)
	check.Within("SetMass", "m.Mass", m.Mass, state.LeastDensity, state.MostDensity, "")
	check.Within("SetMass", "m.Inertia", m.Inertia, 0, state.MostDensity*state.MostDensity, "")
	check.VecWithin("SetMass", "m.Center", m.Center, geom.MaxCoord)
	if of, own := b.MassData(); !own || of != m {
		b.change().Flags |= state.OwnMass
		b.w.state.Rare(b.slot).Mass = m
		b.w.state.UpdateMass(b.slot)
	}
}

// ResetMass gives the body the mass of its shapes and tiles again, and wakes it with its island, if SetMass had set
// one.
func (b Body) ResetMass() {
	replay.Call0(b.w.recorder(b.get()), "Body.ResetMass", b.id)
	if b.get().Flags&state.OwnMass != 0 {
		b.change().Flags &^= state.OwnMass
		b.w.state.Rare(b.slot).Mass = geom.Mass{}
		b.w.state.UpdateMass(b.slot)
	}
}
