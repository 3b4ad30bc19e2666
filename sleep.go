package quarry

import (
	"iter"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/island"
)

// A resting body costs nothing: bodies that touch form an island, and an island in which all
// bodies have been at rest for Config.SleepTime falls asleep. A sleeping body keeps its contacts as
// they are. It wakes, with its island, when an awake body touches it, when the ground near
// it is edited, when something that it touches is removed, or when the game changes it.

// fallAsleep puts body i to sleep at its present pose.
func (w *World) fallAsleep(i int32) {
	b := w.bodies.At(i)
	b.awake = false
	b.idle, w.rare(i).place = 0, island.Place{}
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
	for i := range w.bodies.All() {
		w.wake(i)
	}
}

// wakeUnlessNew wakes body i, because an obstacle was added near it, unless the body was
// added asleep since the last step: then the game is still building the world.
func (w *World) wakeUnlessNew(i int32) {
	if w.rare(i).bornAt != w.steps+1 {
		w.wake(i)
	}
}

// bodiesIn yields the body of each shape, and of each ground on a dynamic body, whose box overlaps box.
func (w *World) bodiesIn(box geom.AABB) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, id := range w.broad.Near(box, broad.Shapes|broad.MovingGrounds) {
			if !yield(w.broad.At(id).Body) {
				return
			}
		}
	}
}

// wakeUnlessNewIn is wakeUnlessNew for the bodies whose boxes overlap box.
func (w *World) wakeUnlessNewIn(box geom.AABB) {
	for i := range w.bodiesIn(box) {
		w.wakeUnlessNew(i)
	}
}

// wakeAround wakes the bodies that body i, which is not dynamic, overlaps after a
// SetTransform, and marks the contacts of its sensors as stale.
func (w *World) wakeAround(i int32) {
	for e := range w.proxiesOf(i) {
		if !e.Sensor {
			for k := range w.bodiesIn(e.Box) {
				w.wake(k)
			}
		}
	}
	w.staleSensors(i)
}

// wakeTouching wakes the bodies that touch body i.
func (w *World) wakeTouching(i int32) {
	w.scratch.stack = w.scratch.stack[:0]
	w.pushTouching(i)
	w.wakeStack()
}

// pushTouching puts the sleepers that touch body i, or that joints hold to it, on the stack.
func (w *World) pushTouching(i int32) {
	for l, c := range w.contactsOf(i) {
		other := c.bodyA
		if l&1 == 0 {
			other = c.bodyB
		}
		if o := w.bodies.At(other); c.touching && !c.sensor && o.kind == Dynamic && !o.awake {
			w.scratch.stack = append(w.scratch.stack, other)
		}
	}
	w.pushJoined(i)
}

// activate makes the next step visit body i, which may move from now on, its contacts and its joints.
func (w *World) activate(i int32) {
	w.moving.Add(i)
	for l := range w.contactsOf(i) {
		w.active.Add(l >> 1)
	}
	for l, j := range w.jointsOf(i) {
		if j.acts() {
			w.joints.active.Add(l >> 1)
		}
	}
}

// wakeStack wakes the bodies on the stack and all bodies that they touch.
func (w *World) wakeStack() {
	for len(w.scratch.stack) > 0 {
		n := len(w.scratch.stack) - 1
		i := w.scratch.stack[n]
		w.scratch.stack = w.scratch.stack[:n]
		b := w.bodies.At(i)
		b.idle, w.rare(i).place = 0, island.Place{}
		if b.kind != Dynamic || b.awake || b.flags&disabled != 0 {
			continue
		}
		b.awake = true
		w.activate(i)
		if w.stepping {
			w.scratch.woken = append(w.scratch.woken, i)
		}
		if w.broad.CrowdUsed() {
			for e := range w.proxiesOf(i) {
				w.broad.Rejoin(e)
			}
		}
		w.pushTouching(i)
	}
}

// sleepSpeed returns the speed below which body i, which is b, is at rest.
func (w *World) sleepSpeed(i int32, b *body) float64 {
	if b.flags&ownSleepSpeed != 0 {
		return w.rare(i).sleepSpeed
	}
	return w.config.SleepSpeed
}

// noteRest advances the time that the dynamic body i, which is b, at at in scratch.awake, has been at rest by dt, or restarts it,
// and clears the results of the step's stages. The displacement of the step counts, too: a body that
// is pushed out of an overlap has no speed after the step.
func (k *worker) noteRest(i int32, b *body, at int, dt float64) {
	if w := k.w; !w.config.NoSleep {
		m, rest := &w.solver.Motions[at+1], island.Restless
		moved := geom.V(m.DX, m.DY).Len() / dt
		turned := max(math.Abs(b.spin), math.Abs(m.S)/dt)
		b.idle += dt
		if speed := max(b.velocity.Len(), moved, turned*b.extent); b.noSleep || speed > w.sleepSpeed(i, b) {
			b.idle = 0
		}
		if !b.noSleep {
			rest = b.idle
		}
		if w.scratch.islands.Rest(int32(at+1), rest); b.step.jammed {
			k.list(jammed, i, at)
		}
	}
	b.step = bodyStep{}
}

// sleepIslands puts the islands to sleep that have been at rest for Config.SleepTime.
func (w *World) sleepIslands(dt float64) {
	in := &w.scratch.islands
	in.Time = w.config.SleepTime
	if !w.config.NoSleep {
		in.SumUp()
	}
	if in.AnyJam() {
		for k, i := range w.scratch.awake {
			b := w.bodies.At(i)
			in.Stay(int32(k+1), &w.rare(i).place, b.center, b.rot, b.extent, dt)
		}
	}
	if w.config.NoSleep || !in.AnyAsleep() {
		return
	}
	for k, i := range w.scratch.awake {
		if w.bodies.At(i).kind == Dynamic && in.Asleep(int32(k+1)) {
			w.fallAsleep(i)
			w.events.moved[k].FellAsleep = true
		}
	}
}
