package quarry

import (
	"cmp"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/query"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// Velocity returns the velocity of the centre of mass, in units of length a second.
func (b Body) Velocity() geom.Vec { return b.get().Velocity }

// AngularVelocity returns the spin, in radians a second.
func (b Body) AngularVelocity() float64 { return b.get().Spin }

// SetLocks changes BodyDef.LockX, LockY and FixedRotation, and wakes the body with its island. The velocity
// along a locked axis becomes 0; the spin stays.
func (b Body) SetLocks(x, y, rotation bool) {
	replay.Call3(b.w.recorder(b.get()), "Body.SetLocks", b.id, x, y, rotation)
	st := b.get()
	if st.FixedRot == rotation && (st.Flags&state.LockX != 0) == x && (st.Flags&state.LockY != 0) == y {
		return
	}
	b.change()
	st.FixedRot = rotation
	st.Lock(x, y)
	b.w.state.Rare(b.slot).LockImpulse = [2]float32{}
	if b.w.state.Locked.Remove(b.slot); st.Locks() != 0 {
		b.w.state.Locked.Add(b.slot)
	}
	b.w.state.UpdateMass(b.slot)
	st.ClampInput()
}

// VelocityAt returns the velocity of the point of the body at the world point p.
func (b Body) VelocityAt(p geom.Vec) geom.Vec {
	st := b.get()
	return st.VelocityAt(p.Sub(st.Center))
}

// SetVelocity sets the velocity of the centre of mass, in units of length a second. It wakes the body, unless the body
// has that velocity: zero wakes no sleeping body. The velocity of a static body stays zero. The next Step limits the
// speed to MaxSpeed.
func (b Body) SetVelocity(v geom.Vec) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetVelocity", b.id, v)
	check.FiniteVec("SetVelocity", "v", v)
	b.setMotion(v, b.get().Spin)
}

// setMotion sets the velocity and the spin of a body that is not static, and wakes it, if they differ.
func (b Body) setMotion(v geom.Vec, spin float64) {
	if st := b.get(); st.Type != broad.StaticBody && (st.Velocity != v || st.Spin != spin) {
		b.change()
		st.Velocity, st.Spin = v, spin
		st.ClampInput()
	}
}

// SetAngularVelocity sets the spin, in radians a second. It wakes the body, unless the body has that spin. The spin of
// a static body stays zero. It is clamped to 1e6, and by a step to a quarter turn in a sub-step: 377
// in steps of 1/60 with four sub-steps.
func (b Body) SetAngularVelocity(spin float64) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetAngularVelocity", b.id, spin)
	check.Finite("SetAngularVelocity", "spin", spin)
	b.setMotion(b.get().Velocity, spin)
}

// ApplyForce applies the force f, in mass times units of length a second squared, at the world
// point at, during the next step only. Forces add up. Bodies that are not dynamic ignore them.
//
// Forces do not wake: a sleeping body ignores them, and a body under a steady force, such as a planet's, falls
// asleep where it is in balance. To move a body that may sleep, call Wake before. A force that changes, or ends, may
// need Wake, too.
func (b Body) ApplyForce(f, at geom.Vec) {
	replay.Call2(b.w.recorder(b.get()), "Body.ApplyForce", b.id, f, at)
	check.FiniteVec("ApplyForce", "f", f)
	check.FiniteVec("ApplyForce", "at", at)
	b.addForce(f, at.Sub(b.get().Center).Cross(f))
}

// addForce adds a force at the centre of mass and a torque, of the next step, if forces act on the body.
func (b Body) addForce(f geom.Vec, torque float64) {
	if st := b.get(); st.TakesForces() {
		st.Force, st.Torque = st.Force.Add(f), st.Torque+torque
		st.ClampInput()
	}
}

// ApplyTorque applies a counter-clockwise torque during the next step only. Torques add up. Bodies
// that are not dynamic ignore them, and so do sleeping bodies; see ApplyForce.
func (b Body) ApplyTorque(torque float64) {
	replay.Call1(b.w.recorder(b.get()), "Body.ApplyTorque", b.id, torque)
	check.Finite("ApplyTorque", "torque", torque)
	b.addForce(geom.Vec{}, torque)
}

// ClearForces takes back the forces and torques of the next step, and wakes no body. A Step clears them by itself.
func (b Body) ClearForces() {
	replay.Call0(b.w.recorder(b.get()), "Body.ClearForces", b.id)
	st := b.get()
	st.Force, st.Torque = geom.Vec{}, 0
}

// ApplyImpulse changes the velocity at once by the impulse j (mass times speed) at the world point
// at. Bodies that are not dynamic ignore it. It wakes a sleeping body with its island; the time for which an awake body
// has been at rest goes on.
func (b Body) ApplyImpulse(j, at geom.Vec) {
	replay.Call2(b.w.recorder(b.get()), "Body.ApplyImpulse", b.id, j, at)
	check.FiniteVec("ApplyImpulse", "j", j)
	check.FiniteVec("ApplyImpulse", "at", at)
	b.addImpulse(j, at.Sub(b.get().Center).Cross(j))
}

// addImpulse changes the velocity and the spin by an impulse at the centre of mass and an angular one.
func (b Body) addImpulse(j geom.Vec, angular float64) {
	st := b.rouse()
	st.Velocity = st.Velocity.MulAdd(st.InvMass, j)
	st.Spin += float64(st.InvInertia * angular)
	st.ClampInput()
}

// ApplyForceToCenter applies the force f at the centre of mass; see ApplyForce.
func (b Body) ApplyForceToCenter(f geom.Vec) {
	replay.Call1(b.w.recorder(b.get()), "Body.ApplyForceToCenter", b.id, f)
	check.FiniteVec("ApplyForceToCenter", "f", f)
	b.addForce(f, 0)
}

// ApplyImpulseToCenter changes the velocity at once by the impulse j at the centre of mass; see
// ApplyImpulse.
func (b Body) ApplyImpulseToCenter(j geom.Vec) {
	replay.Call1(b.w.recorder(b.get()), "Body.ApplyImpulseToCenter", b.id, j)
	check.FiniteVec("ApplyImpulseToCenter", "j", j)
	b.addImpulse(j, 0)
}

// ApplyAngularImpulse changes the spin at once by the counter-clockwise angular impulse j (inertia times
// radians a second). Bodies that are not dynamic ignore it.
func (b Body) ApplyAngularImpulse(j float64) {
	replay.Call1(b.w.recorder(b.get()), "Body.ApplyAngularImpulse", b.id, j)
	check.Finite("ApplyAngularImpulse", "j", j)
	b.addImpulse(geom.Vec{}, j)
}

// SetTarget gives the body the velocity and spin that bring its origin to p and its rotation to angle radians, the
// shorter way round, in one Step of dt seconds. A kinematic body reaches the target but for rounding, unless it is
// farther than Config.MaxSpeed or a quarter turn in a sub-step allows: call SetTarget before each Step, because the
// velocity remains after the Step. Contacts, damping and gravity may keep a dynamic body from the target. Static
// bodies ignore SetTarget. It panics if dt is not in (0, 1].
//
// Unlike SetTransform, SetTarget makes a motion: the body carries others along, pushes them and does not pass
// through them.
func (b Body) SetTarget(p geom.Vec, angle, dt float64) {
	replay.Call3(b.w.recorder(b.get()), "Body.SetTarget", b.id, p, angle, dt)
	check.FiniteVec("SetTarget", "p", p)
	check.Finite("SetTarget", "angle", angle)
	if !(dt > 0 && dt <= 1) {
		check.Refuse("SetTarget", "dt", dt, "more than 0 and at most 1 second")
	}
	st, rot := b.get(), geom.NewRot(angle)
	b.setMotion(p.Add(rot.Apply(st.LocalCenter)).Sub(st.Center).Mul(1/dt), st.Rot.InvMul(rot).Angle()/dt)
}

// SetDamping changes BodyDef.LinearDamping and AngularDamping. It panics if one is negative.
func (b Body) SetDamping(linear, angular float64) {
	replay.Call2(b.w.recorder(b.get()), "Body.SetDamping", b.id, linear, angular)
	check.Positive("SetDamping", "linear", linear)
	check.Positive("SetDamping", "angular", angular)
	if st := b.get(); st.Damping != linear || st.SpinDamping != angular {
		b.change()
		st.Damping, st.SpinDamping = linear, angular
	}
}

// mostScale bounds BodyDef.GravityScale, on either side of 0.
const mostScale = 1e6

// SetGravityScale changes BodyDef.GravityScale; as there, 0 means 1. For no gravity see SetWeightless.
func (b Body) SetGravityScale(scale float64) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetGravityScale", b.id, scale)
	check.Within("SetGravityScale", "scale", scale, -mostScale, mostScale, "")
	if st, r := b.get(), b.w.state.Rare(b.slot); st.GravityScale(r) != cmp.Or(scale, 1) {
		b.change().SetGravityScale(r, scale)
	}
}

// SetWeightless changes BodyDef.Weightless: gravity does not act on a weightless body, whatever its scale.
func (b Body) SetWeightless(on bool) {
	replay.Call1(b.w.recorder(b.get()), "Body.SetWeightless", b.id, on)
	if b.get().Weightless != on {
		b.change().Weightless = on
	}
}

// DropThrough lets the body fall through the one-way tiles that it touches now, until it is
// clear of them, and through any others that it meets in the next seconds of simulated time
// while it is awake: 0 for none, an infinity for all. The new time replaces the old one. It
// panics if seconds is negative or NaN.
func (b Body) DropThrough(seconds float64) {
	replay.Call1(b.w.recorder(b.get()), "Body.DropThrough", b.id, seconds)
	if !(seconds >= 0) {
		check.Refuse("DropThrough", "seconds", seconds, "at least 0")
	}
	st := b.change()
	st.Dropping = seconds
	for l, c := range b.w.state.ContactsOf(b.slot) {
		if b.w.state.Contacts.SideA(c).Kind() == broad.Ground && !c.OfGrounds() && !c.Sensor && l&1 == 1 &&
			b.w.state.OneWays.Any() {
			b.w.state.Contacts.SurfaceOf(c).OneWay.Drop = surface.ToDrop
		}
	}
}

// Dropping reports whether a DropThrough of the body is in progress.
func (b Body) Dropping() bool {
	st := b.get()
	for l, c := range b.w.state.ContactsOf(b.slot) {
		if !c.OfShapes() && l&1 == 1 && b.w.state.Contacts.SurfaceOf(c).OneWay.Drops() {
			return true
		}
	}
	return st.Dropping > 0
}

// LocalPoint returns the world point p in the body's frame. LocalVector does the same for a direction.
func (b Body) LocalPoint(p geom.Vec) geom.Vec { return b.get().Transform().Inv(p) }

// WorldPoint is the inverse of LocalPoint.
func (b Body) WorldPoint(p geom.Vec) geom.Vec { return b.get().Transform().Apply(p) }

// LocalVector returns the world vector v in the axes of the body's frame.
func (b Body) LocalVector(v geom.Vec) geom.Vec { return b.get().Rot.Inv(v) }

// WorldVector is the inverse of LocalVector.
func (b Body) WorldVector(v geom.Vec) geom.Vec { return b.get().Rot.Apply(v) }

// ExplosionDef defines an explosion. Only ImpulsePerLength, and Radius or Falloff, must be set.
type ExplosionDef struct {
	Center geom.Vec // in the world
	// Radius is the distance from Center, in units of length, within which shapes and grounds get the whole impulse;
	// over the distance Falloff beyond it, the impulse falls to 0. Both are at least 0.
	Radius, Falloff float64
	// ImpulsePerLength is the impulse (mass times speed) for each unit of length that a shape turns towards Center,
	// which is the length of its shadow in light from Center. For a ground it is the length of the shadow of the
	// outline within the distance Radius + Falloff. A negative impulse pulls.
	ImpulsePerLength float64
	// Filter chooses the shapes and tiles; its Solid has no effect on them, and its OneWay none on shapes.
	Filter QueryFilter
	// Shielded leaves out shapes and grounds whose nearest point cannot be seen from Center, because tiles, chains
	// or shapes of static and kinematic bodies are in between. Filter.Test is called for these, too.
	Shielded bool
}

// Explode pushes the shapes and grounds of dynamic bodies away from d.Center, at once, and wakes the bodies. The
// impulse acts at the point nearest to d.Center, along the line from d.Center. If a shape contains d.Center, it
// acts at the shape's centroid; if a ground does, at the body's centre of mass. The cost follows the outline of
// grounds within reach. Explode panics if a number in d is not finite, Radius or Falloff is negative, or
// ImpulsePerLength is beyond 1e15. It does not dig: see Ground.Dig.
func (w *World) Explode(d ExplosionDef) {
	w.mustNotStep()
	check.FiniteVec("Explode", "ExplosionDef.Center", d.Center)
	check.Positive("Explode", "ExplosionDef.Radius", d.Radius)
	check.Positive("Explode", "ExplosionDef.Falloff", d.Falloff)
	check.Within("Explode", "ExplosionDef.ImpulsePerLength", d.ImpulsePerLength, -state.MaxInput, state.MaxInput, "")
	a := w.ask(&d.Filter)
	a.Kinds = broad.Dynamic | broad.MovingGrounds
	a.Probe.Solid = false
	blast := query.Blast{Radius: d.Radius, Falloff: d.Falloff, ImpulsePerLength: d.ImpulsePerLength}
	for id := range a.Within(geom.At(d.Center), &query.PointHull, d.Radius+d.Falloff) {
		body := w.state.Broad.At(id).Body
		j, at, ok := a.Push(&blast, &a.Probe, &a.Of, w.state.Bodies.At(body).LocalCenter)
		if at = a.Frame.Q.Apply(at); ok && !(d.Shielded && w.isShielded(&d, at)) {
			w.bodyAt(body).ApplyImpulse(a.Frame.Q.Apply(j), d.Center.Add(at))
		}
	}
	a.done()
}

// isShielded reports whether a surface that does not move freely is between d.Center and the point at,
// relative to it. A surface that the point touches is not.
func (w *World) isShielded(d *ExplosionDef, at geom.Vec) bool {
	u, l := at.Unit()
	a := w.ask(&d.Filter)
	a.filter.Mask, a.filter.Category, a.Kinds = ^uint64(0), 0, broad.Obstacles
	_, hit := a.closest(geom.At(d.Center), &query.PointHull, u.Mul(max(0, l-2*geom.LinearSlop)), true)
	a.done()
	return hit
}

// ApplyWind applies the force of the air on the shape during the next step only. wind is the velocity of the air, in
// units of length a second; zero is still air, which brakes. Call ApplyWind before each step in which the air acts.
// Bodies that are not dynamic ignore it, and so do sleeping bodies: for a gust call Body.Wake before; see
// Body.ApplyForce.
//
// The force on an edge is the length that it turns towards the wind, times the square of the relative speed, times
// drag along the wind and times lift across it, away from the edge, as for a plate in a stream. So lift makes wings
// and sails, and both brake spin. drag and lift are in mass per area, at least 0: 0.5 times the density of the air
// times a coefficient of about 1. Drag should change the velocity in a step by less than the relative speed, or
// light bodies overshoot. It panics if an argument is NaN or beyond 1e15, or drag or lift is negative.
func (s Shape) ApplyWind(wind geom.Vec, drag, lift float64) {
	replay.Call3(s.w.recorder(s.get()), "Shape.ApplyWind", s.id, wind, drag, lift)
	s.Body().addWind(wind, drag, lift, func(gust *query.Gust) { gust.Load(&s.get().Hull) })
}

// ApplyWind is Shape.ApplyWind for the outline of a ground: each straight face is an edge, also a face behind
// another one. The cost follows the whole outline.
func (g Ground) ApplyWind(wind geom.Vec, drag, lift float64) {
	replay.Call3(g.w.recorder(g.get()), "Ground.ApplyWind", g.id, wind, drag, lift)
	g.Body().addWind(wind, drag, lift, func(gust *query.Gust) {
		a := g.w.ask(&QueryFilter{})
		a.LoadGround(gust, &g.get().Tiles, g.get().Bounds())
		a.done()
	})
}

// addWind adds the force of a wind on the parts of the body that load lists.
func (b Body) addWind(wind geom.Vec, drag, lift float64, load func(*query.Gust)) {
	check.VecWithin("ApplyWind", "wind", wind, state.MaxInput)
	check.Within("ApplyWind", "drag", drag, 0, state.MaxInput, "")
	check.Within("ApplyWind", "lift", lift, 0, state.MaxInput, "")
	st, q := b.get(), b.Rotation()
	if !st.TakesForces() {
		return
	}
	gust := query.Gust{
		Wind: q.Inv(wind), Velocity: q.Inv(st.Velocity), Center: st.LocalCenter, Spin: st.Spin, Drag: drag, Lift: lift,
	}
	load(&gust)
	b.addForce(q.Apply(gust.Force), gust.Torque)
}
