//go:build invariants

package quarry

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/store"
)

// With the build tag invariants, each Step ends with a check of all records: `go test -tags invariants
// -run TestCalls .`. It visits the whole world several times.
func init() { checkRecords = (*World).mustBeSound }

// mustBeSound panics if a record of the world contradicts another.
func (w *World) mustBeSound() {
	held := w.soundBodies()
	w.soundShapes()
	w.soundContacts(held)
	w.soundJoints()
}

// soundJoints checks the joints: the lists of their bodies, the set of those that a step visits, and the pairs
// of bodies that they exclude from contacts.
func (w *World) soundJoints() {
	ends, excluded := 0, 0
	for i := range w.bodies.All() {
		for l, j := range w.jointsOf(i) {
			sound(w.joints.Used(l>>1), "body %d lists joint %d, which has been removed", i, l>>1)
			sound([2]int32{j.bodyA, j.bodyB}[l&1] == i, "body %d lists joint %d of bodies %d and %d", i, l>>1, j.bodyA, j.bodyB)
			ends++
			sound(ends <= 2*w.joints.Len(), "bodies list %d ends of %d joints", ends, w.joints.Len())
		}
	}
	sound(ends == 2*w.joints.Len(), "bodies list %d ends of %d joints", ends, w.joints.Len())
	for i, j := range w.joints.All() {
		a, b := w.bodies.At(j.bodyA), w.bodies.At(j.bodyB)
		sound(j.off == ((a.flags|b.flags)&disabled != 0), "joint %d is off: %v", i, j.off)
		sound(!j.acts() || !a.moves() && !b.moves() || has(w.joints.active, i), "joint %d of a moving body is not in the set", i)
		sound(j.bodyA != j.bodyB, "joint %d has the body %d twice", i, j.bodyA)
		sound(j.Sound(), "joint %d has a number that is not finite: %+v", i, j)
		if j.excludes {
			excluded++
			sound(w.broad.Excludes(j.bodyA, j.bodyB), "the bodies %d and %d of joint %d may collide", j.bodyA, j.bodyB, i)
		}
	}
	for i, c := range w.contacts.All() {
		sound(c.sensor || !w.broad.Excludes(c.bodyA, c.bodyB), "contact %d is of two bodies that a joint keeps from contacts", i)
	}
	sound(w.broad.Exclusions() == excluded, "%d joints exclude contacts, counted as %d", excluded, w.broad.Exclusions())
}

// sound panics with the text unless ok.
func sound(ok bool, format string, args ...any) {
	if !ok {
		panic("quarry: invariant: " + fmt.Sprintf(format, args...))
	}
}

// finite reports whether all numbers are.
func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// has reports whether the set b has slot i.
func has(b store.Bits, i int32) bool { return int(i>>6) < len(b) && b[i>>6]>>(i&63)&1 == 1 }

// soundBodies checks the bodies: their numbers, the sets of those that move, and that the lists of each
// hold its shapes, grounds and chains, and all of these are in a list. It returns, by slot of body, the
// held contacts that the body counts.
func (w *World) soundBodies() []int32 {
	held := make([]int32, w.bodies.Slots())
	listed, bullets := [3]int{}, 0
	for i, b := range w.bodies.All() {
		held[i] = b.held
		sound(finite(b.center.X, b.center.Y, b.velocity.X, b.velocity.Y, b.spin, b.force.X, b.force.Y, b.torque,
			b.mass, b.inertia, b.invMass, b.invInertia, b.extent, b.idle), "body %d has a number that is not finite: %+v", i, b)
		sound(math.Abs(float64(b.rot.C*b.rot.C)+float64(b.rot.S*b.rot.S)-1) < 1e-9, "body %d has the rotation %v", i, b.rot)
		sound(!b.moves() || has(w.moving, i), "body %d moves, and is not in the set", i)
		sound(b.kind == Dynamic || b.invMass == 0 && b.invInertia == 0, "body %d is %v and has mass", i, b.kind)
		sound(b.kind != Static || b.velocity.X == 0 && b.velocity.Y == 0 && b.spin == 0, "body %d is static and moves", i)
		if b.bullet {
			bullets++
		}
		if b.flags&disabled != 0 {
			sound(!b.awake && b.firstContact < 0, "body %d is disabled: awake %v, first contact %d", i, b.awake, b.firstContact)
			for e := range w.proxiesOf(i) {
				sound(false, "body %d is disabled, and the broad phase has %+v", i, e)
			}
		}
		for kind, first := range [...]int32{b.firstShape, b.firstGround, b.firstChain} {
			prev := int32(-1)
			for k := first; k >= 0; {
				o := broad.OwnerOf(broad.Owner(kind)<<32, k)
				used := [...]bool{w.shapes.Slots() > k && w.shapes.Used(k), w.grounds.Slots() > k && w.grounds.Used(k), w.chains.Slots() > k && w.chains.Used(k)}[kind]
				sound(used, "body %d lists %v, which has been removed", i, o)
				p := w.proxied(o)
				sound(p.body == i, "body %d lists %v of body %d", i, o, p.body)
				if kind == 0 {
					sound(w.shapes.At(k).prev == prev, "shape %d has the previous shape %d, not %d", k, w.shapes.At(k).prev, prev)
				}
				listed[kind]++
				sound(listed[kind] <= int(w.shapes.Slots()+w.grounds.Slots()+w.chains.Slots()), "the list of body %d has a loop", i)
				prev, k = k, p.next
			}
		}
	}
	sound(listed == [3]int{w.shapes.Len(), w.grounds.Len(), w.chains.Len()},
		"bodies list %v shapes, grounds and chains of %d, %d, %d", listed, w.shapes.Len(), w.grounds.Len(), w.chains.Len())
	sound(bullets == w.bullets, "%d bullets, counted as %d", bullets, w.bullets)
	return held
}

// soundShapes checks the proxies of shapes.
func (w *World) soundShapes() {
	for i, s := range w.shapes.All() {
		if s.proxy == broad.None {
			sound(w.bodies.At(s.body).flags&disabled != 0, "shape %d is not in the broad phase", i)
			continue
		}
		e, b := w.broad.At(s.proxy), w.bodies.At(s.body)
		sound(e.Owner == broad.OwnerOf(broad.Shape, i) && e.Body == s.body && BodyType(e.BodyType) == b.kind && e.Sensor == s.sensor,
			"the broad phase has %+v for shape %d of body %d", e, i, s.body)
		room := e.Box.Room(s.hull.Bounds(b.transform()))
		// A body that leaves the world keeps its last box.
		sound(room >= 0 || b.kind == Static && math.Abs(b.center.X)+math.Abs(b.center.Y) > 1e12, "shape %d is %g outside of its box", i, -room)
	}
}

// soundContacts checks the contacts: the lists of their bodies, the table of pairs, the set of those
// that a step visits, and the numbers of their manifolds. held has the held contacts that each body counts.
func (w *World) soundContacts(held []int32) {
	ends, all := 0, 0
	for i := range w.bodies.All() {
		for l, c := range w.contactsOf(i) {
			sound(w.contacts.Used(l>>1), "body %d lists contact %d, which has been removed", i, l>>1)
			sound([2]int32{c.bodyA, c.bodyB}[l&1] == i, "body %d lists contact %d of bodies %d and %d", i, l>>1, c.bodyA, c.bodyB)
			if ends++; ends > 2*w.contacts.Len() {
				break
			}
		}
	}
	sound(ends == 2*w.contacts.Len(), "bodies list %d ends of %d contacts", ends, w.contacts.Len())
	surfaces := 0
	for i, c := range w.contacts.All() {
		a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
		o := w.sideA(c)
		sound(w.proxied(o).body == c.bodyA && w.proxied(broad.OwnerOfB(c.shapeB)).body == c.bodyB, "contact %d has the bodies %d and %d of other shapes", i, c.bodyA, c.bodyB)
		at, ok := w.broad.Pairs.Get(uint64(broad.KeyOf(o, c.shapeB)))
		sound(ok && at == i, "the pair of contact %d has contact %d, %v", i, at, ok)
		sound(!a.moves() && !b.moves() && !c.stale || has(w.active, i), "contact %d of a moving body is not in the set", i)
		if !c.ofShapes() {
			surfaces++
			if w.surfaceOf(c).Held {
				held[c.bodyB]--
				all++
			}
		}
		for m := range w.manifoldsOf(i, c) {
			sound(m.N == 1 || m.N == 2, "a manifold of contact %d has %d points", i, m.N)
			sound(math.Abs(m.Normal.Len()-1) < 1e-6, "a normal of contact %d is %v", i, m.Normal)
			for _, p := range m.Points[:m.N] {
				sound(finite(p.AnchorB.X, p.AnchorB.Y, p.Separation, float64(p.NormalImpulse), float64(p.TangentImpulse)) && p.NormalImpulse >= 0,
					"contact %d has the point %+v", i, p)
			}
		}
	}
	sound(surfaces == w.surfaceContacts.Len(), "%d contacts with surfaces, %d states of them", surfaces, w.surfaceContacts.Len())
	sound(w.broad.Pairs.Len() == w.contacts.Len(), "%d pairs, %d contacts", w.broad.Pairs.Len(), w.contacts.Len())
	for i, n := range held {
		sound(n == 0, "body %d counts %d more held contacts than it has", i, n)
	}
	sound(all == w.held, "%d held contacts, counted as %d", all, w.held)
}
