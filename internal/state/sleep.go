package state

import (
	"iter"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
)

// A resting body costs nothing: bodies that touch form an island, and an island in which all bodies have been at rest
// for Config.SleepTime falls asleep; see internal/step/rest.go. A sleeping body keeps its contacts as they are. It
// wakes, with its island, when an awake body touches it, when the ground near it is edited, when something that it
// touches is removed, or when the game changes it.

// Wake wakes body i and all dynamic bodies that touch it, directly or through others.
func (w *World) Wake(i int32) {
	w.stack = append(w.stack[:0], i)
	w.wakeStack()
}

// WakeAll wakes every body.
func (w *World) WakeAll() {
	for i := range w.Bodies.All() {
		w.Wake(i)
	}
}

// WakeUnlessNew wakes body i, because an obstacle was added near it, unless the body was
// added asleep since the last step: then the game is still building the world.
func (w *World) WakeUnlessNew(i int32) {
	if w.Rare(i).BornAt != w.Steps+1 {
		w.Wake(i)
	}
}

// BodiesIn yields the body of each shape, and of each ground on a dynamic body, whose box overlaps box.
func (w *World) BodiesIn(box geom.AABB) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, id := range w.Broad.Near(box, broad.Shapes|broad.MovingGrounds) {
			if !yield(w.Broad.At(id).Body) {
				return
			}
		}
	}
}

// WakeUnlessNewIn is WakeUnlessNew for the dynamic bodies whose boxes overlap box. It does not look at static shapes:
// many may be at one place.
func (w *World) WakeUnlessNewIn(box geom.AABB) {
	kinds := uint64(broad.Dynamic | broad.Sensors)
	if w.Broad.MayMeetRafts(box) {
		kinds |= broad.MovingGrounds
	}
	for _, id := range w.Broad.Near(box, kinds) {
		w.WakeUnlessNew(w.Broad.At(id).Body)
	}
}

// WakeAround wakes the bodies that body i, which is not dynamic, overlaps after a
// SetTransform, and marks the contacts of its sensors as stale.
func (w *World) WakeAround(i int32) {
	for e := range w.ProxiesOf(i) {
		if !e.Sensor {
			for k := range w.BodiesIn(e.Box) {
				w.Wake(k)
			}
		}
	}
	w.StaleSensors(i)
}

// WakeTouching wakes the bodies that touch body i.
func (w *World) WakeTouching(i int32) {
	w.stack = w.stack[:0]
	w.pushTouching(i)
	w.wakeStack()
}

// pushTouching puts the sleepers that touch body i, or that joints hold to it, on the stack.
func (w *World) pushTouching(i int32) {
	for l, c := range w.ContactsOf(i) {
		other := c.BodyA
		if l&1 == 0 {
			other = c.BodyB
		}
		if o := w.Bodies.At(other); c.Touching && !c.Sensor && o.Type == broad.DynamicBody && !o.Awake {
			w.stack = append(w.stack, other)
		}
	}
	w.stack = w.Joints.AppendHeld(w.stack, w.Rare(i), &w.Bodies)
}

// wakeHeldIn wakes the bodies held in solid ground whose boxes overlap box: there may be a way out.
func (w *World) wakeHeldIn(box geom.AABB) {
	if w.Held == 0 {
		return
	}
	for i := range w.BodiesIn(box) {
		if w.Bodies.At(i).Held > 0 {
			w.Wake(i)
		}
	}
}

// Activate makes the next step visit body i, which may move from now on, its contacts and its joints.
func (w *World) Activate(i int32) {
	w.Moving.Add(i)
	for l := range w.ContactsOf(i) {
		w.Contacts.Active.Add(l >> 1)
	}
	for l, j := range w.JointsOf(i) {
		if j.Acts() {
			w.Joints.Active.Add(l >> 1)
		}
	}
}

// wakeStack wakes the bodies on the stack and all bodies that they touch.
func (w *World) wakeStack() {
	for len(w.stack) > 0 {
		n := len(w.stack) - 1
		i := w.stack[n]
		w.stack = w.stack[:n]
		b := w.Bodies.At(i)
		b.Idle, w.Rare(i).StayPose = 0, StayPose{}
		if b.Type != broad.DynamicBody || b.Awake || b.Flags&Disabled != 0 {
			continue
		}
		b.Awake = true
		w.Activate(i)
		if w.Stepping {
			w.Woken = append(w.Woken, i)
		}
		if w.Broad.CrowdUsed() {
			for e := range w.ProxiesOf(i) {
				w.Broad.Rejoin(e)
			}
		}
		w.pushTouching(i)
	}
}

// WakeNear wakes the bodies whose boxes overlap the box of p, which is not of a dynamic body and has been
// added to the world.
func (w *World) WakeNear(p *Proxied) {
	if p.Proxy == broad.None {
		return
	}
	if e := w.Broad.At(p.Proxy); !e.Sensor {
		w.WakeUnlessNewIn(e.Box)
	}
}

// StaleSensors marks the contacts of sensors of body i: they are computed at the end of the next step even if no
// body moves.
func (w *World) StaleSensors(i int32) {
	for l, c := range w.ContactsOf(i) {
		c.Stale = c.Sensor
		w.Contacts.Active.Add(l >> 1)
	}
}

// staleSensorsIn is StaleSensors for the bodies of sensors whose boxes overlap box.
func (w *World) staleSensorsIn(box geom.AABB) {
	if !w.Broad.HasSensors() {
		return
	}
	for _, id := range w.Broad.Near(box, broad.Sensors) {
		w.StaleSensors(w.Broad.At(id).Body)
	}
}
