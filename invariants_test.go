//go:build invariants

package quarry

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/state"
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
	for i := range w.state.Bodies.All() {
		for l, j := range w.state.JointsOf(i) {
			sound(w.state.Joints.Used(l>>1), "body %d lists joint %d, which has been removed", i, l>>1)
			sound([2]int32{j.BodyA, j.BodyB}[l&1] == i, "body %d lists joint %d of bodies %d and %d", i, l>>1, j.BodyA,
				j.BodyB)
			ends++
			sound(ends <= 2*w.state.Joints.Len(), "bodies list %d ends of %d joints", ends, w.state.Joints.Len())
		}
	}
	sound(ends == 2*w.state.Joints.Len(), "bodies list %d ends of %d joints", ends, w.state.Joints.Len())
	for i, j := range w.state.Joints.All() {
		a, b := w.state.Bodies.At(j.BodyA), w.state.Bodies.At(j.BodyB)
		sound(j.Off == ((a.Flags|b.Flags)&state.Disabled != 0), "joint %d is off: %v", i, j.Off)
		sound(!j.Acts() || !a.Moves() && !b.Moves() || has(w.state.Joints.Active, i),
			"joint %d of a moving body is not in the set", i)
		sound(j.BodyA != j.BodyB, "joint %d has the body %d twice", i, j.BodyA)
		sound(j.Sound(), "joint %d has a number that is not finite: %+v", i, j)
		if j.Excludes {
			excluded++
			sound(w.state.Broad.Excludes(j.BodyA, j.BodyB), "the bodies %d and %d of joint %d may collide", j.BodyA,
				j.BodyB, i)
		}
	}
	for i, c := range w.state.Contacts.All() {
		sound(c.Sensor || !w.state.Broad.Excludes(c.BodyA, c.BodyB), "contact %d is of two bodies that a joint "+
			"keeps from contacts", i)
	}
	sound(w.state.Broad.Exclusions() == excluded, "%d joints exclude contacts, counted as %d", excluded,
		w.state.Broad.Exclusions())
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
func has(b pool.Bits, i int32) bool { return int(i>>6) < len(b) && b[i>>6]>>(i&63)&1 == 1 }

// soundBodies checks the bodies: their numbers, the sets of those that move, and that the lists of each
// hold its shapes, grounds and chains, and all of these are in a list. It returns, by slot of body, the
// held contacts that the body counts.
func (w *World) soundBodies() []int32 {
	held := make([]int32, w.state.Bodies.Slots())
	listed, bullets := [3]int{}, 0
	for i, b := range w.state.Bodies.All() {
		held[i] = b.Held
		sound(finite(b.Center.X, b.Center.Y, b.Velocity.X, b.Velocity.Y, b.Spin, b.Force.X, b.Force.Y, b.Torque,
			b.Mass, b.Inertia, b.InvMass, b.InvInertia, b.Extent, b.Idle),
			"body %d has a number that is not finite: %+v", i, b)
		sound(math.Abs(float64(b.Rot.C*b.Rot.C)+float64(b.Rot.S*b.Rot.S)-1) < 1e-9, "body %d has the rotation %v", i,
			b.Rot)
		sound(!b.Moves() || has(w.state.Moving, i), "body %d moves, and is not in the set", i)
		sound(b.Type == broad.DynamicBody || b.InvMass == 0 && b.InvInertia == 0, "body %d is %v and has mass", i,
			b.Type)
		sound(b.Type != broad.StaticBody || b.Velocity.X == 0 && b.Velocity.Y == 0 && b.Spin == 0,
			"body %d is static and moves", i)
		if b.Bullet {
			bullets++
		}
		if b.Flags&state.Disabled != 0 {
			sound(!b.Awake && b.FirstContact < 0, "body %d is disabled: awake %v, first contact %d", i, b.Awake,
				b.FirstContact)
			for e := range w.state.ProxiesOf(i) {
				sound(false, "body %d is disabled, and the broad phase has %+v", i, e)
			}
		}
		for kind, first := range [...]int32{b.FirstShape, b.FirstGround, b.FirstChain} {
			prev := int32(-1)
			for k := first; k >= 0; {
				o := broad.OwnerOf(broad.Owner(kind)<<32, k)
				used := [...]bool{w.state.Shapes.Slots() > k && w.state.Shapes.Used(k), w.state.Grounds.Slots() > k &&
					w.state.Grounds.Used(k), w.state.Chains.Slots() > k && w.state.Chains.Used(k)}[kind]
				sound(used, "body %d lists %v, which has been removed", i, o)
				p := w.state.Proxied(o)
				sound(p.Body == i, "body %d lists %v of body %d", i, o, p.Body)
				if kind == 0 {
					sound(w.state.Shapes.At(k).Prev == prev, "shape %d has the previous shape %d, not %d", k,
						w.state.Shapes.At(k).Prev, prev)
				}
				listed[kind]++
				sound(listed[kind] <= int(w.state.Shapes.Slots()+w.state.Grounds.Slots()+w.state.Chains.Slots()),
					"the list of body %d has a loop", i)
				prev, k = k, p.Next
			}
		}
	}
	sound(listed == [3]int{w.state.Shapes.Len(), w.state.Grounds.Len(), w.state.Chains.Len()},
		"bodies list %v shapes, grounds and chains of %d, %d, %d", listed, w.state.Shapes.Len(), w.state.Grounds.Len(),
		w.state.Chains.Len())
	sound(bullets == w.state.Bullets, "%d bullets, counted as %d", bullets, w.state.Bullets)
	return held
}

// soundShapes checks the proxies of shapes.
func (w *World) soundShapes() {
	for i, s := range w.state.Shapes.All() {
		if s.Proxy == broad.None {
			sound(w.state.Bodies.At(s.Body).Flags&state.Disabled != 0, "shape %d is not in the broad phase", i)
			continue
		}
		e, b := w.state.Broad.At(s.Proxy), w.state.Bodies.At(s.Body)
		sound(e.Owner == broad.OwnerOf(broad.Shape, i) && e.Body == s.Body && e.BodyType == b.Type &&
			e.Sensor == s.Sensor,
			"the broad phase has %+v for shape %d of body %d", e, i, s.Body)
		room := e.Box.Room(s.Hull.Bounds(b.Transform()))
		// A body that leaves the world keeps its last box.
		sound(room >= 0 || b.Type == broad.StaticBody && math.Abs(b.Center.X)+math.Abs(b.Center.Y) > 1e12,
			"shape %d is %g outside of its box", i, -room)
	}
}

// soundContacts checks the contacts: the lists of their bodies, the table of pairs, the set of those
// that a step visits, and the numbers of their manifolds. held has the held contacts that each body counts.
func (w *World) soundContacts(held []int32) {
	ends, all := 0, 0
	for i := range w.state.Bodies.All() {
		for l, c := range w.state.ContactsOf(i) {
			sound(w.state.Contacts.Used(l>>1), "body %d lists contact %d, which has been removed", i, l>>1)
			sound([2]int32{c.BodyA, c.BodyB}[l&1] == i, "body %d lists contact %d of bodies %d and %d", i, l>>1,
				c.BodyA, c.BodyB)
			if ends++; ends > 2*w.state.Contacts.Len() {
				break
			}
		}
	}
	sound(ends == 2*w.state.Contacts.Len(), "bodies list %d ends of %d contacts", ends, w.state.Contacts.Len())
	surfaces := 0
	for i, c := range w.state.Contacts.All() {
		a, b := w.state.Bodies.At(c.BodyA), w.state.Bodies.At(c.BodyB)
		o := w.state.Contacts.SideA(c)
		sound(w.state.Proxied(o).Body == c.BodyA && w.state.Proxied(broad.OwnerOfB(c.ShapeB)).Body == c.BodyB,
			"contact %d has the bodies %d and %d of other shapes", i, c.BodyA, c.BodyB)
		at, ok := w.state.Broad.Pairs.Get(uint64(broad.KeyOf(o, c.ShapeB)))
		sound(ok && at == i, "the pair of contact %d has contact %d, %v", i, at, ok)
		sound(has(w.state.Contacts.Touching, i) == (c.Touching && !c.Sensor), "contact %d touches: %v, sensor: %v; "+
			"in the set of those that touch: %v", i, c.Touching, c.Sensor, has(w.state.Contacts.Touching, i))
		sound(!a.Moves() && !b.Moves() && !c.Stale || has(w.state.Contacts.Active, i),
			"contact %d of a moving body is not in the set", i)
		if !c.OfShapes() {
			surfaces++
			if w.state.Contacts.SurfaceOf(c).Stuck.State == narrow.Held {
				held[c.BodyB]--
				all++
			}
		}
		for m := range w.state.Contacts.ManifoldsOf(i, c) {
			sound(m.N == 1 || m.N == 2, "a manifold of contact %d has %d points", i, m.N)
			sound(math.Abs(m.Normal.Len()-1) < 1e-6, "a normal of contact %d is %v", i, m.Normal)
			for _, p := range m.Points[:m.N] {
				sound(finite(p.AnchorB.X, p.AnchorB.Y, p.Separation, float64(p.NormalImpulse),
					float64(p.TangentImpulse)) && p.NormalImpulse >= 0,
					"contact %d has the point %+v", i, p)
			}
		}
	}
	sound(surfaces == w.state.Contacts.Surfaces.Len(), "%d contacts with surfaces, %d states of them", surfaces,
		w.state.Contacts.Surfaces.Len())
	sound(w.state.Broad.Pairs.Len() == w.state.Contacts.Len(), "%d pairs, %d contacts", w.state.Broad.Pairs.Len(),
		w.state.Contacts.Len())
	for i, n := range held {
		sound(n == 0, "body %d counts %d more held contacts than it has", i, n)
	}
	sound(all == w.state.Held, "%d held contacts, counted as %d", all, w.state.Held)
}
