package state

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
)

// Body is the state of a body. The solver moves its centre of mass, so that is the stored
// position. Its shapes, grounds, chains and contacts are linked lists of slots.
//
// A body is 256 bytes, four cache lines (TestBodyLayout). The loops over contacts read the first
// two, the loops over bodies the first three; fields that most steps leave alone are in BodyRare.
type Body struct {
	Center      geom.Vec // centre of mass, world
	Rot         geom.Rot
	LocalCenter geom.Vec // centre of mass in the body's frame
	SolverIndex int32    // index in the solver during a step, 0: the solver does not move it
	BoxChanges  uint32   // number of changes so far of boxes of its shapes, grounds and chains in the broad phase
	Type        broad.BodyType
	Awake       bool
	Weightless  bool
	FixedRot    bool
	NoSleep     bool
	Bullet      bool
	Flags       BodyFlags

	Velocity     geom.Vec // second cache line
	Spin         float64
	InvMass      float64
	InvInertia   float64
	Extent       float64 // distance of the farthest point of its shapes from the centre of mass
	FirstContact int32   // contact slot*2 + the body's side in the contact, -1: none
	FirstShape   int32   // slots, -1: none
	FirstGround  int32
	FirstChain   int32

	Force       geom.Vec // third cache line; of the next step
	Torque      float64
	Damping     float64
	SpinDamping float64
	Idle        float64 // seconds at rest
	Dropping    float64 // seconds for which the body passes all one-way tiles
	MotionIndex int32   // index in step.Advance.moving in this step, if the body is kinematic or has grounds
	Held        int32   // number of contacts in which a shape of it is in solid ground with no way out

	Step     BodyStep // fourth cache line; of this step only
	DiscGate float64  // smallest ccd.DiscGate of its shapes
	// 1 + the number of steps when a moving obstacle (see step.Advance) last marked the body as near
	NearMovingAt uint64
	Load         float64 // force that contacts pass on through it, smoothed; see solve.Motion.Carry
	Mass         float64
	Inertia      float64 // about the centre of mass
	DisplacedAt  uint64  // 1 + the number of steps before the last SetTransform
}

// BodyRare holds the fields of a body that most steps do not read.
type BodyRare struct {
	StartPose    geom.Transform // pose at the start of the last step in which the body moved
	StartedAt    uint64         // 1 + the number of steps before that step; 0: SetTransform has moved it since
	Room         float64        // distance that a point of it may move before a box of it in the broad phase may change
	CrushedAt    uint64         // 1 + the steps made when it was last crushed
	BornAt       uint64         // 1 + the number of steps when the body was added asleep, else 0
	User         uint64
	Gate         float64    // smallest ccd.Gate of its shapes
	StayPose     StayPose   // while its island is jammed
	Drift        Drift      // while it is at rest
	GravityScale float64    // with ScaledGravity
	SleepSpeed   float64    // with OwnSleepSpeed
	Mass         geom.Mass  // with OwnMass, in the body's frame
	LockImpulse  [2]float32 // of the rows of LockX and LockY, for the warm start
	FirstJoint   int32      // slot*2 + the body's side in the joint, -1: none
}

// BodyFlags are set for the fields of BodyRare that a body uses, and for locked motions.
type BodyFlags uint8

const (
	ScaledGravity BodyFlags = 1 << iota // BodyRare.GravityScale
	OwnSleepSpeed                       // BodyRare.SleepSpeed
	OwnMass                             // BodyRare.Mass
	Disabled                            // out of the world
	LockX                               // no motion along the x axis of the world
	LockY
	allBodyFlags = 1<<iota - 1
)

// BodyStep holds the results of one step's stages that later stages of the step read. The commit of the body
// (step.Advance) clears it.
type BodyStep struct {
	// Leaving or Escaping if a contact pushes it out of solid ground; Leaving if ground carries it
	Stuck       narrow.StuckState
	SunkInChain bool // a shape is deeper than ccd.SunkDepth in a chain; see ccd.Mover.Sunk
	// a shape is deeper than ccd.PressedDepth in a static or kinematic body or in ground; see ccd.Mover.Deep
	Deep   bool
	Jammed bool // it has a contact deeper than narrow.PinchDepth; see internal/state
	Hung   bool // continuous collision stopped it in place in the step before; see step.Advance
	// the speed that a pinch may give it, in units of length a second; 0: it is not pinched
	PinchSpeed float64
}

// Transform returns the body's frame.
func (b *Body) Transform() geom.Transform {
	return geom.Transform{P: b.Center.Sub(b.Rot.Apply(b.LocalCenter)), Q: b.Rot}
}

// Pose returns the body's pose for continuous collision.
func (b *Body) Pose() ccd.Pose { return ccd.Pose{Center: b.Center, Rot: b.Rot} }

// VelocityAt returns the velocity of the point of b at arm from its centre.
func (b *Body) VelocityAt(arm geom.Vec) geom.Vec { return b.Velocity.MulAdd(b.Spin, arm.Left()) }

// PointVelocity returns the velocity of b at the point p of the world.
func (b *Body) PointVelocity(p geom.Vec) geom.Vec { return b.VelocityAt(p.Sub(b.Center)) }

// Static reports whether b is a static body.
func (b *Body) Static() bool { return b.Type == broad.StaticBody }

// Moves reports whether the solver moves b in this step.
func (b *Body) Moves() bool {
	switch b.Type {
	case broad.DynamicBody:
		return b.Awake
	case broad.KinematicBody:
		return (b.Velocity != geom.Vec{} || b.Spin != 0) && b.Flags&Disabled == 0
	}
	return false
}

// Asleep reports whether b is a dynamic body that sleeps.
func (b *Body) Asleep() bool { return b.Type == broad.DynamicBody && !b.Awake }

// TakesForces reports whether forces act on b in the next step.
func (b *Body) TakesForces() bool { return b.Type == broad.DynamicBody && b.Awake }

// SetSleepSpeed sets the speed below which b is at rest, in units of length a second; 0 means the world's.
func (b *Body) SetSleepSpeed(r *BodyRare, speed float64) {
	b.Flags &^= OwnSleepSpeed
	if r.SleepSpeed = speed; speed != 0 {
		b.Flags |= OwnSleepSpeed
	}
}

// MaxSpin (radians a second) bounds the spin of a body. The bound of a step, a quarter turn in a
// sub-step, is usually lower. In very short steps that bound is higher, and the corners of a body
// of 1e8 cells would be too fast for the solver's float32.
const MaxSpin = 1e6

// MaxInput bounds speeds and accelerations in each coordinate. Larger values, such as a force
// divided by a tiny distance, have no further effect, since the highest speed of a body is far below; but they would
// not fit the solver's float32, and sums of two might be NaN.
const MaxInput = 1e15

// ClampInput clamps the velocity, spin and forces that a game set.
func (b *Body) ClampInput() {
	if b.Flags&Disabled != 0 {
		b.Force, b.Torque = geom.Vec{}, 0
	}
	b.Velocity = b.Free(b.Velocity)
	solve.Clamp(&b.Velocity.X, MaxInput)
	solve.Clamp(&b.Velocity.Y, MaxInput)
	solve.Clamp(&b.Spin, MaxSpin)
	solve.Clamp(&b.Force.X, MaxInput*b.Mass)
	solve.Clamp(&b.Force.Y, MaxInput*b.Mass)
	solve.Clamp(&b.Torque, MaxInput*b.Inertia)
}

// Lock sets the locked axes of b.
func (b *Body) Lock(x, y bool) {
	b.Flags &^= LockX | LockY
	if x {
		b.Flags |= LockX
	}
	if y {
		b.Flags |= LockY
	}
}

// Locks returns the locked axes of b. They act only while b is dynamic.
func (b *Body) Locks() BodyFlags { return b.Flags & (LockX | LockY) }

// Free returns v without its coordinates along locked axes.
func (b *Body) Free(v geom.Vec) geom.Vec {
	if b.Type == broad.DynamicBody {
		if b.Flags&LockX != 0 {
			v.X = 0
		}
		if b.Flags&LockY != 0 {
			v.Y = 0
		}
	}
	return v
}

// SetGravityScale sets the factor of the gravity of the world on b; 0 means 1.
func (b *Body) SetGravityScale(r *BodyRare, scale float64) {
	b.Flags &^= ScaledGravity
	r.GravityScale = 0
	if scale != 0 && scale != 1 {
		b.Flags, r.GravityScale = b.Flags|ScaledGravity, scale
	}
}

// GravityScale returns the factor of the gravity of the world on b, unless b is weightless.
func (b *Body) GravityScale(r *BodyRare) float64 {
	if b.Flags&ScaledGravity != 0 {
		return r.GravityScale
	}
	return 1
}

// Gravity returns the acceleration of b by g, the gravity of the world.
func (b *Body) Gravity(r *BodyRare, g geom.Vec) geom.Vec {
	if b.Weightless {
		return geom.Vec{}
	}
	if b.Flags&ScaledGravity != 0 {
		return g.Mul(r.GravityScale)
	}
	return g
}

// RestSpeed returns the speed below which b is at rest, where usual is the world's.
func (b *Body) RestSpeed(r *BodyRare, usual float64) float64 {
	if b.Flags&OwnSleepSpeed != 0 {
		return r.SleepSpeed
	}
	return usual
}

// FallAsleep puts b to sleep at its present pose.
func (b *Body) FallAsleep(r *BodyRare) {
	b.Awake = false
	b.Idle, r.StayPose, r.Drift = 0, StayPose{}, Drift{}
	b.Velocity.X, b.Velocity.Y, b.Spin = 0, 0, 0
	b.Force.X, b.Force.Y, b.Torque = 0, 0, 0
}

// FillLocks sets out to the rows of the locks of b: both coordinates, or the one across a line.
func (b *Body) FillLocks(r *BodyRare, out *solve.Joint) {
	out.Flags, out.U, out.V = solve.Rigid, r.LockImpulse[0], r.LockImpulse[1]
	out.DriftX, out.DriftY = float32(b.Velocity.X), float32(b.Velocity.Y)
	switch b.Locks() {
	case LockX:
		out.Shape, out.LineY = solve.Slide, 1
	case LockY:
		out.Shape, out.LineX = solve.Slide, 1
	}
}

// JointSide returns b as its joints see it.
func (b *Body) JointSide() joint.Side {
	return joint.Side{Center: b.Center, Rot: b.Rot, LocalCenter: b.LocalCenter, Velocity: b.Velocity, Spin: b.Spin}
}

// SetMass sets the mass, the inertia and their inverses.
func (b *Body) SetMass(m geom.Mass) {
	b.Mass, b.Inertia, b.InvMass, b.InvInertia = m.Mass, m.Inertia, 0, 0
	if b.Type == broad.DynamicBody {
		b.Mass, b.Inertia = fallingMass(m)
		b.InvMass, b.InvInertia = inverseMasses(b.Mass, b.Inertia, b.FixedRot)
	}
}

// Measure sets the extent and the gates of b after its centre of mass has moved. It also sets the solver's form of
// its shapes: solver has these by slot of shape.
func (b *Body) Measure(r *BodyRare, shapes *pool.Pool[Shape], solver []rows.Shape, grounds *pool.Pool[Ground]) {
	b.Extent, b.DiscGate, r.Gate = 0, math.MaxFloat64, math.MaxFloat64
	for g := b.FirstGround; g >= 0 && b.Type == broad.DynamicBody; g = grounds.At(g).Next {
		b.Extent = max(b.Extent, extentOf(grounds.At(g).Box, b.LocalCenter))
		b.DiscGate = min(b.DiscGate, ccd.DiscGate(grounds.At(g).InnerRadius()))
	}
	for k := b.FirstShape; k >= 0; k = shapes.At(k).Next {
		s := shapes.At(k)
		b.Extent, r.Gate = max(b.Extent, s.Hull.Extent(b.LocalCenter)), min(r.Gate, ccd.Gate(s.InnerRadius))
		solver[k] = rows.ShapeOf(&s.Hull, s.Material, b.LocalCenter)
		if !s.Sensor {
			b.DiscGate = min(b.DiscGate, ccd.DiscGate(s.InnerRadius))
		}
	}
}

// leastTile is the radius, in cells, of a disc. A tile that contains no such disc may pass a sensor within a step,
// unless it is part of a larger solid.
const leastTile = 1.0 / 16

// MayPass reports whether a shape, tile or chain of b may pass a sensor, or a sensor of b a shape, within the
// motion m of b.
func (b *Body) MayPass(r *BodyRare, m *ccd.Motion, grounds *pool.Pool[Ground], chains *pool.Pool[Chain]) bool {
	extent, gate := b.Extent, r.Gate
	for g := b.FirstGround; g >= 0; g = grounds.At(g).Next {
		extent, gate = max(extent, extentOf(grounds.At(g).Box, b.LocalCenter)), min(gate, ccd.Gate(leastTile))
	}
	for k := b.FirstChain; k >= 0; k = chains.At(k).Next {
		extent, gate = max(extent, extentOf(chains.At(k).Box, b.LocalCenter)), ccd.Gate(0)
	}
	return m.MayPass(extent, gate)
}

// NearGate returns the distance in units of length: if no point of b moves farther in a step, b need not be swept
// against moving obstacles that do not mark it. Of a body with grounds it is the part of the gate that two blocks
// have: each may move by AABBMargin.
func (b *Body) NearGate() float64 {
	near := min(AABBMargin, b.DiscGate)
	if b.FirstGround >= 0 {
		near = max(near, float64(AABBMargin/blockGate*b.DiscGate))
	}
	return near
}

// blockGate is the gate of a block of tiles.
const blockGate = 0.25

// PoseAfter returns the pose of b after a displacement d, and the turn that the solver found.
func (b *Body) PoseAfter(d geom.Vec, by *solve.Motion) ccd.Pose {
	return ccd.Pose{Center: b.Center.Add(d), Rot: ccd.Turned(b.Rot, by.C, by.S)}
}

// Solved returns the velocity, the spin and the displacement that the solver found for b.
func (b *Body) Solved(by *solve.Motion) (v geom.Vec, spin float64, d geom.Vec) {
	v, spin, d = geom.V(by.VX, by.VY), by.Spin, geom.V(by.DX, by.DY)
	if b.Locks() != 0 {
		v, d = b.Free(v), b.Free(d)
	}
	return v, spin, d
}

// ToSolver sets out, which is zero, to the solver's input for b. A held body does not move until there is
// a way out.
func (b *Body) ToSolver(out *solve.Motion, gravity geom.Vec, usual float64) {
	if b.Held > 0 && b.Type == broad.DynamicBody {
		b.Velocity, b.Spin = geom.Vec{}, 0
		return
	}
	if b.Locks() != 0 {
		b.Velocity = b.Free(b.Velocity)
	}
	out.VX, out.VY, out.Spin = b.Velocity.X, b.Velocity.Y, b.Spin
	if b.Type != broad.DynamicBody {
		return
	}
	out.InvMass, out.InvI = b.InvMass, b.InvInertia
	out.Linear, out.Angular = b.Damping, b.SpinDamping
	if b.Step.Stuck != narrow.Free {
		return // a body that is pushed out moves only along its exit direction
	}
	acc := b.Force.Mul(b.InvMass)
	if !b.Weightless {
		acc = acc.Add(gravity)
	}
	if b.Locks() != 0 {
		acc = b.Free(acc)
	}
	out.AX, out.AY, out.AW = acc.X, acc.Y, b.Torque*b.InvInertia
	out.Load = float32(b.Load)
}

// Visit visits b; r holds its rarely read fields.
func (b *Body) Visit(c *pool.Codec, r *BodyRare) {
	c.Flags((*uint8)(&b.Type), uint8(broad.DynamicBody), &b.Awake, &b.Weightless, &b.FixedRot, &b.NoSleep, &b.Bullet)
	c.Vecs(&b.Center)
	c.Rot(&b.Rot)
	c.Vecs(&b.Velocity)
	c.Float(&b.Spin)
	c.Vecs(&b.Force)
	c.Float(&b.Torque)
	c.Positive(&b.Mass, &b.Inertia, &b.Idle, &b.Damping, &b.SpinDamping)
	c.Vecs(&b.LocalCenter)
	c.Seconds(&b.Dropping)
	r.StayPose.Visit(c)
	if c.Has(3) {
		r.Drift.Visit(c)
	}
	if c.Hashing() {
		c.Hasher().Rare('w', math.Float64bits(b.Load))
		c.Hasher().Rare('g', math.Float64bits(r.GravityScale))
		c.Hasher().Rare('s', math.Float64bits(r.SleepSpeed))
		c.Hasher().Rare('f', uint64(b.Flags&(Disabled|LockX|LockY)))
		c.Hasher().Rare('l', uint64(math.Float32bits(r.LockImpulse[0]))<<32|uint64(math.Float32bits(r.LockImpulse[1])))
		for k, x := range [...]float64{r.Mass.Mass, r.Mass.Inertia, r.Mass.Center.X, r.Mass.Center.Y} {
			c.Hasher().Rare(rune(k)+1, math.Float64bits(x))
		}
		return
	}
	if c.Has(4) {
		c.Positive(&b.Load)
	}
	c.Singles(&r.LockImpulse[0], &r.LockImpulse[1])
	c.Positive(&r.Mass.Mass, &r.Mass.Inertia)
	c.Vecs(&r.Mass.Center)
	c.Floats(&r.GravityScale)
	c.Positive(&r.SleepSpeed)
	pool.Up(c, &b.Flags, math.MaxUint8)
	b.Flags &= allBodyFlags // snapshots of version 4 can have another one
	pool.Integer(c, &r.FirstJoint)
	c.Positive(&b.InvMass, &b.InvInertia, &b.Extent)
	c.Floats(&b.DiscGate, &r.Gate)
	c.Pair(&b.FirstContact, &b.FirstShape)
	c.Pair(&b.FirstGround, &b.FirstChain)
	pool.Up(c, &b.BoxChanges, math.MaxUint32)
	c.Words(&b.DisplacedAt, &r.User, &r.StartedAt, &r.CrushedAt, &r.BornAt)
	c.Vecs(&r.StartPose.P)
	c.Floats(&r.StartPose.Q.C, &r.StartPose.Q.S)
	s := &b.Step
	pushed, through := s.Stuck != narrow.Free, s.Stuck == narrow.Escaping
	c.Flags(new(uint8), 0, &pushed, &through, &s.SunkInChain, &s.Deep, &s.Jammed, &s.Hung)
	if through {
		s.Stuck = narrow.Escaping
	} else if pushed {
		s.Stuck = narrow.Leaving
	}
	c.Positive(&s.PinchSpeed)
}

// RemoveBody removes body i with its joints, grounds, chains, shapes and contacts.
func (w *World) RemoveBody(i int32) {
	for l := range w.JointsOf(i) {
		w.RemoveJoint(l >> 1)
	}
	for b := w.Bodies.At(i); b.FirstGround >= 0; {
		w.RemoveGround(b.FirstGround)
	}
	for b := w.Bodies.At(i); b.FirstChain >= 0; {
		w.RemoveChain(b.FirstChain)
	}
	for b := w.Bodies.At(i); b.FirstShape >= 0; {
		w.RemoveShape(b.FirstShape)
	}
	w.CountBullet(w.Bodies.At(i).Bullet, -1)
	delete(w.Names, i)
	w.unmeasured.Remove(i)
	w.ownerContacts.asked.Remove(i)
	w.ownerContacts.listed.Remove(i)
	for k := range w.weights {
		delete(w.weights[k], i)
	}
	w.Locked.Remove(i)
	w.Bodies.Remove(i)
}
