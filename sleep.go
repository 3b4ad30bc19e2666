package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// What rests costs nothing: bodies that touch form an island, and an island in
// which all have been at rest for sleepTime falls asleep. Asleep, a body keeps
// its contacts as they are. It wakes, with all that it touches directly or
// through others, when something awake touches it, when the ground near it is
// edited, when something it touches goes away, or when the game changes it.

// sleep puts b to sleep where it is.
func (b *body) sleep() {
	b.awake = false
	b.idle = 0
	b.velocity.X, b.velocity.Y, b.spin = 0, 0, 0
	b.force.X, b.force.Y, b.torque = 0, 0, 0
}

// wake wakes body i and all dynamic bodies that touch it, through any number.
func (w *World) wake(i int32) {
	w.scratch.stack = append(w.scratch.stack[:0], i)
	w.wakeStack()
}

// wakeAll wakes every body.
func (w *World) wakeAll() {
	for i := range w.bodies.items {
		if w.bodies.used(int32(i)) {
			w.wake(int32(i))
		}
	}
}

// rouse wakes body i because the world was built on round it: not when it was
// added asleep since the last step, which is then still being built itself.
func (w *World) rouse(i int32) {
	if w.bodies.items[i].born != w.steps+1 {
		w.wake(i)
	}
}

// wakeIn wakes the bodies whose boxes overlap box.
func (w *World) wakeIn(box geom.AABB) {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], box, grid.All)
	for _, id := range w.scratch.near {
		w.wake(w.shapes.items[int32(w.broad.Data(id))].body)
	}
}

// rouseIn is rouse for the bodies whose boxes overlap box.
func (w *World) rouseIn(box geom.AABB) {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], box, grid.All)
	for _, id := range w.scratch.near {
		w.rouse(w.shapes.items[int32(w.broad.Data(id))].body)
	}
}

// wakeHeld wakes those that ground holds, of the bodies whose boxes overlap
// box: there may be a way out for them.
func (w *World) wakeHeld(box geom.AABB) {
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], box, grid.All)
	for _, id := range w.scratch.near {
		if i := w.shapes.items[int32(w.broad.Data(id))].body; w.bodies.items[i].held > 0 {
			w.wake(i)
		}
	}
}

// wakeAround wakes what body i, which is not dynamic, overlaps where it has
// been put, and has its sensors look again.
func (w *World) wakeAround(i int32) {
	b := &w.bodies.items[i]
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		if s := &w.shapes.items[si]; !s.sensor {
			w.wakeIn(s.fat)
		}
	}
	for gi := b.firstGround; gi >= 0; gi = w.grounds.items[gi].next {
		if box, ok := w.grounds.items[gi].bounds(); ok {
			w.wakeIn(boundsOf(box, b.transform()))
		}
	}
	for ci := b.firstChain; ci >= 0; ci = w.chains.items[ci].next {
		w.wakeIn(w.chains.items[ci].fat)
	}
	for l := b.firstLink; l >= 0; {
		c := &w.contacts.items[l>>1]
		c.stale = c.sensor
		l = c.next[l&1]
	}
}

// wakeTouching wakes whatever touches body i.
func (w *World) wakeTouching(i int32) {
	w.scratch.stack = w.scratch.stack[:0]
	w.pushTouching(i)
	w.wakeStack()
}

// pushTouching puts the sleepers that touch body i on the stack.
func (w *World) pushTouching(i int32) {
	for l := w.bodies.items[i].firstLink; l >= 0; {
		c := &w.contacts.items[l>>1]
		other := c.bodyA
		if l&1 == 0 {
			other = c.bodyB
		}
		if o := &w.bodies.items[other]; c.touching && !c.sensor && o.kind == Dynamic && !o.awake {
			w.scratch.stack = append(w.scratch.stack, other)
		}
		l = c.next[l&1]
	}
}

// wakeStack wakes the bodies on the stack and what they touch.
func (w *World) wakeStack() {
	for len(w.scratch.stack) > 0 {
		n := len(w.scratch.stack) - 1
		i := w.scratch.stack[n]
		w.scratch.stack = w.scratch.stack[:n]
		b := &w.bodies.items[i]
		b.idle = 0
		if b.kind != Dynamic || b.awake {
			continue
		}
		b.awake = true
		if w.stepping {
			w.scratch.woken = append(w.scratch.woken, i)
		}
		w.pushTouching(i)
	}
}

// sleepIslands joins the awake bodies that touch into islands and puts to
// sleep those that have been at rest for long enough.
func (w *World) sleepIslands(dt float64) {
	if w.config.NoSleep {
		return
	}
	sc := &w.scratch
	sc.parent, sc.rest = sc.parent[:0], sc.rest[:0]
	for k, i := range sc.awake {
		b := &w.bodies.items[i]
		sc.parent = append(sc.parent, int32(k))
		// How far it moved counts too: what is being pushed out of an overlap
		// has no speed after the step.
		m := &w.solver.Motions[k+1]
		moved := geom.V(m.DX, m.DY).Len() / dt
		turned := max(math.Abs(b.spin), math.Abs(m.S)/dt)
		speed := max(b.velocity.Len(), moved, turned*b.reach)
		if b.kind != Dynamic || b.noSleep || speed > sleepSpeed {
			b.idle = 0
		} else {
			b.idle += dt
		}
		sc.rest = append(sc.rest, b.idle)
	}
	for i := range w.contacts.items {
		c := &w.contacts.items[i]
		if !w.contacts.used(int32(i)) || !c.touching || c.sensor {
			continue
		}
		a, b := &w.bodies.items[c.bodyA], &w.bodies.items[c.bodyB]
		if a.solver == 0 || b.solver == 0 {
			continue
		}
		// A moving kinematic body keeps what it touches awake, by its own
		// idle time of zero, but does not join what stands on either end.
		if a.kind != Dynamic || b.kind != Dynamic {
			kinematic, other := a, b
			if b.kind != Dynamic {
				kinematic, other = b, a
			}
			if kinematic.velocity.Len2() != 0 || kinematic.spin != 0 {
				sc.rest[other.solver-1] = 0
			}
			continue
		}
		x, y := find(sc.parent, a.solver-1), find(sc.parent, b.solver-1)
		if x != y {
			sc.parent[max(x, y)] = min(x, y)
		}
	}
	for k := range sc.parent {
		root := find(sc.parent, int32(k))
		sc.rest[root] = min(sc.rest[root], sc.rest[k])
	}
	for k, i := range sc.awake {
		b := &w.bodies.items[i]
		if b.kind == Dynamic && sc.rest[find(sc.parent, int32(k))] >= sleepTime {
			b.sleep()
			w.events.moved[k].FellAsleep = true
		}
	}
}

// find returns the root of k, and halves the way to it for the next time.
func find(parent []int32, k int32) int32 {
	for parent[k] != k {
		parent[k] = parent[parent[k]]
		k = parent[k]
	}
	return k
}
