package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// A resting body costs nothing: bodies that touch form an island, and an island in which all
// bodies have been at rest for sleepTime falls asleep. A sleeping body keeps its contacts as
// they are. It wakes, with its island, when an awake body touches it, when the ground near
// it is edited, when something that it touches is removed, or when the game changes it.

// sleep puts b to sleep at its present pose.
func (b *body) sleep() {
	b.awake = false
	b.idle, b.stay = 0, stay{}
	b.velocity.X, b.velocity.Y, b.spin = 0, 0, 0
	b.force.X, b.force.Y, b.torque = 0, 0, 0
}

// wake wakes body i and all dynamic bodies that touch it, directly or through others.
func (w *World) wake(i int32) {
	w.scratch.stack = append(w.scratch.stack[:0], i)
	w.wakeStack()
}

// wakeAll wakes every body.
func (w *World) wakeAll() {
	for i := range w.bodies.Slots() {
		if w.bodies.Used(i) {
			w.wake(i)
		}
	}
}

// wakeUnlessNew wakes body i, because an obstacle was added near it, unless the body was
// added asleep since the last step: then the game is still building the world.
func (w *World) wakeUnlessNew(i int32) {
	if w.bodies.At(i).bornAt != w.steps+1 {
		w.wake(i)
	}
}

// wakeIn wakes the bodies whose boxes overlap box.
func (w *World) wakeIn(box geom.AABB) {
	for _, id := range w.near(box, inShapes) {
		w.wake(w.shapes.At(w.proxyAt(id).slot()).body)
	}
}

// wakeUnlessNewIn is wakeUnlessNew for the bodies whose boxes overlap box.
func (w *World) wakeUnlessNewIn(box geom.AABB) {
	for _, id := range w.near(box, inShapes) {
		w.wakeUnlessNew(w.shapes.At(w.proxyAt(id).slot()).body)
	}
}

// wakeHeld wakes the bodies held in solid ground whose boxes overlap box: there may be a way
// out for them.
func (w *World) wakeHeld(box geom.AABB) {
	for _, id := range w.near(box, inShapes) {
		if i := w.shapes.At(w.proxyAt(id).slot()).body; w.bodies.At(i).held > 0 {
			w.wake(i)
		}
	}
}

// wakeAround wakes the bodies that body i, which is not dynamic, overlaps after a
// SetTransform, and marks the contacts of its sensors as stale.
func (w *World) wakeAround(i int32) {
	b := w.bodies.At(i)
	for si := b.firstShape; si >= 0; si = w.shapes.At(si).next {
		if s := w.shapes.At(si); !s.sensor {
			w.wakeIn(s.fat)
		}
	}
	for gi := b.firstGround; gi >= 0; gi = w.grounds.At(gi).next {
		w.wakeIn(w.grounds.At(gi).fat)
	}
	for ci := b.firstChain; ci >= 0; ci = w.chains.At(ci).next {
		w.wakeIn(w.chains.At(ci).fat)
	}
	for l := b.firstContact; l >= 0; {
		c := w.contacts.At(l >> 1)
		c.stale = c.sensor
		l = c.next[l&1]
	}
}

// wakeTouching wakes the bodies that touch body i.
func (w *World) wakeTouching(i int32) {
	w.scratch.stack = w.scratch.stack[:0]
	w.pushTouching(i)
	w.wakeStack()
}

// pushTouching puts the sleepers that touch body i on the stack.
func (w *World) pushTouching(i int32) {
	for l := w.bodies.At(i).firstContact; l >= 0; {
		c := w.contacts.At(l >> 1)
		other := c.bodyA
		if l&1 == 0 {
			other = c.bodyB
		}
		if o := w.bodies.At(other); c.touching && !c.sensor && o.kind == Dynamic && !o.awake {
			w.scratch.stack = append(w.scratch.stack, other)
		}
		l = c.next[l&1]
	}
}

// wakeStack wakes the bodies on the stack and all bodies that they touch.
func (w *World) wakeStack() {
	for len(w.scratch.stack) > 0 {
		n := len(w.scratch.stack) - 1
		i := w.scratch.stack[n]
		w.scratch.stack = w.scratch.stack[:n]
		b := w.bodies.At(i)
		b.idle, b.stay = 0, stay{}
		if b.kind != Dynamic || b.awake {
			continue
		}
		b.awake = true
		if w.stepping {
			w.scratch.woken = append(w.scratch.woken, i)
		}
		if w.crowded {
			w.rejoinCrowd(i)
		}
		w.pushTouching(i)
	}
}

// sleepIslands joins the awake bodies that touch into islands, and puts the islands to sleep
// that have been at rest for sleepTime.
func (w *World) sleepIslands(dt float64) {
	if w.config.NoSleep {
		return
	}
	sc := &w.scratch
	sc.rest = sc.rest[:0]
	sc.islands.Reset(len(sc.awake))
	jams := false
	for k, i := range sc.awake {
		b := w.bodies.At(i)
		jams = jams || b.step.jammed
		// The displacement counts, too: a body that is pushed out of an overlap has no speed
		// after the step.
		m := &w.solver.Motions[k+1]
		moved := geom.V(m.DX, m.DY).Len() / dt
		turned := max(math.Abs(b.spin), math.Abs(m.S)/dt)
		speed := max(b.velocity.Len(), moved, turned*b.extent)
		if b.kind != Dynamic || b.noSleep || speed > sleepSpeed {
			b.idle = 0
		} else {
			b.idle += dt
		}
		if b.noSleep {
			sc.rest = append(sc.rest, restless)
		} else {
			sc.rest = append(sc.rest, b.idle)
		}
	}
	for i := range w.contacts.Slots() {
		c := w.contacts.At(i)
		if !w.contacts.Used(i) || !c.touching || c.sensor {
			continue
		}
		a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
		if a.solverIndex == 0 || b.solverIndex == 0 {
			continue
		}
		// A moving kinematic body keeps the bodies that touch it awake, but does not join
		// their islands.
		if a.kind != Dynamic || b.kind != Dynamic {
			kinematic, other := a, b
			if b.kind != Dynamic {
				kinematic, other = b, a
			}
			if kinematic.velocity.Len2() != 0 || kinematic.spin != 0 {
				sc.rest[other.solverIndex-1] = restless
			}
			continue
		}
		sc.islands.Join(a.solverIndex-1, b.solverIndex-1)
	}
	for k := range sc.islands {
		root := sc.islands.Root(int32(k))
		sc.rest[root] = min(sc.rest[root], sc.rest[k])
	}
	if jams || w.jammed {
		w.settleJams(dt)
	}
	w.jammed = jams
	for k, i := range sc.awake {
		b := w.bodies.At(i)
		if b.kind == Dynamic && sc.rest[sc.islands.Root(int32(k))] >= sleepTime {
			b.sleep()
			w.events.moved[k].FellAsleep = true
		}
	}
}

// Bodies that overlap with no room to part keep a speed for ever: the solver pushes each
// pair apart in each step, and the corrections of the pairs cancel. In a jammed island, an
// island with a contact deeper than pinchDepth, a body counts as at rest at any speed, once
// it has stayed within stayReach (units of length, or its own extent if that is less) of one
// place for stayTime (seconds). With stricter bounds, piles of 20 boxes that slip a little
// now and then stay awake for a quarter of a minute.
const (
	stayTime  = 1.0
	stayReach = 0.2
)

// restless is the rest time of a body that keeps its island awake.
const restless = -1

// stay is the place of a body of a jammed island, and the time for which it has been near
// it.
type stay struct {
	center geom.Vec
	rot    geom.Rot
	time   float64 // seconds; 0 if the body's island is not jammed
}

// settleJams lets a jammed island sleep if all its bodies have stayed near their places for
// stayTime. The time of a body restarts when it leaves its place, or when its island is no
// longer jammed.
func (w *World) settleJams(dt float64) {
	sc := &w.scratch
	sc.stays = sc.stays[:0]
	for k, i := range sc.awake {
		b := w.bodies.At(i)
		sc.stays = append(sc.stays, -1)
		if b.step.jammed && b.kind == Dynamic {
			sc.stays[sc.islands.Root(int32(k))] = math.MaxFloat64
		}
	}
	for k, i := range sc.awake {
		b := w.bodies.At(i)
		root := sc.islands.Root(int32(k))
		if sc.stays[root] < 0 {
			b.stay = stay{}
			continue
		}
		turned := geom.V(b.rot.C-b.stay.rot.C, b.rot.S-b.stay.rot.S).Len()
		if b.stay.time == 0 || b.center.Dist(b.stay.center)+float64(turned*b.extent) > min(stayReach, b.extent) {
			b.stay = stay{center: b.center, rot: b.rot}
		}
		b.stay.time += dt
		sc.stays[root] = min(sc.stays[root], b.stay.time)
	}
	for k := range sc.stays {
		if sc.stays[k] >= stayTime && sc.rest[k] != restless {
			sc.rest[k] = sleepTime
		}
	}
}
