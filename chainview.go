package quarry

import (
	"fmt"
	"iter"

	"github.com/quarry2d/quarry/geom"
)

// Chain is a view of a chain: a small value, valid until the chain is removed. After that
// all its methods but ID panic. The zero Chain is not a chain. A segment's number is that of
// the point at which it begins; in a loop the last segment leads back to the first point.
type Chain struct {
	w    *World
	id   ChainID
	slot int32
}

// Chain returns a view of the chain id; ok is false if it does not exist.
func (w *World) Chain(id ChainID) (Chain, bool) {
	i, ok := w.chains.Find(uint64(id))
	return Chain{w, id, i}, ok
}

// Chains yields every chain, in slot order.
func (w *World) Chains() iter.Seq[Chain] {
	return func(yield func(Chain) bool) {
		for i := range w.chains.Slots() {
			if w.chains.Used(i) && !yield(w.chainAt(i)) {
				return
			}
		}
	}
}

func (w *World) chainAt(i int32) Chain { return Chain{w, ChainID(w.chains.ID(i)), i} }

func (c Chain) get() *chain {
	if c.w == nil || !c.w.chains.Used(c.slot) || c.w.chains.ID(c.slot) != uint64(c.id) {
		panic(fmt.Sprintf("quarry: chain %d is no more", c.id))
	}
	return c.w.chains.At(c.slot)
}

// ID returns the chain's id.
func (c Chain) ID() ChainID { return c.id }

// Body returns the chain's body.
func (c Chain) Body() Body { return c.w.bodyAt(c.get().body) }

// Transform returns the frame of the chain's points.
func (c Chain) Transform() geom.Transform { return c.w.bodies.At(c.get().body).transform() }

// Loop reports whether a segment joins the last point to the first.
func (c Chain) Loop() bool { return c.get().Loop }

// User returns ChainDef.User.
func (c Chain) User() uint64 { return c.get().user }

// Count returns the numbers of points and of segments.
func (c Chain) Count() (points, segments int) {
	ch := c.get()
	return len(ch.Points), ch.Segments()
}

// Point returns point i, in the body's frame. It panics if i is out of range.
func (c Chain) Point(i int) geom.Vec {
	ch := c.get()
	if i < 0 || i >= len(ch.Points) {
		panic(fmt.Sprintf("quarry: point %d of a chain of %d", i, len(ch.Points)))
	}
	return ch.Points[i]
}

// Points yields the points by number, in the body's frame.
func (c Chain) Points() iter.Seq2[int, geom.Vec] {
	return func(yield func(int, geom.Vec) bool) {
		for i, p := range c.get().Points {
			if !yield(i, p) {
				return
			}
		}
	}
}

// Segment returns segment i, in the body's frame; the solid is on its left. It panics if i
// is out of range.
func (c Chain) Segment(i int) geom.Segment {
	ch := c.get()
	if i < 0 || i >= ch.Segments() {
		panic(fmt.Sprintf("quarry: segment %d of a chain of %d", i, ch.Segments()))
	}
	return geom.Segment{A: ch.Points[i], B: ch.Point(i + 1)}
}

// Segments yields the segments by number, in the body's frame.
func (c Chain) Segments() iter.Seq2[int, geom.Segment] {
	return func(yield func(int, geom.Segment) bool) {
		ch := c.get()
		for i := range ch.Segments() {
			if !yield(i, geom.Segment{A: ch.Points[i], B: ch.Point(i + 1)}) {
				return
			}
		}
	}
}

// Ghosts returns the ghost vertices before the first point and after the last, and whether
// the definition set them.
func (c Chain) Ghosts() (ghosts [2]geom.Vec, has [2]bool) {
	ch := c.get()
	return ch.Ghost, ch.HasGhost
}

// Material returns the material of segment i. It panics if i is out of range.
func (c Chain) Material(i int) MaterialID {
	ch := c.get()
	if i < 0 || i >= ch.Segments() {
		panic(fmt.Sprintf("quarry: segment %d of a chain of %d", i, ch.Segments()))
	}
	return MaterialID(ch.MaterialOf(i))
}

// Bounds returns a box around the chain, in the world: the smallest one if the body is not
// turned.
func (c Chain) Bounds() geom.AABB { return c.get().box.In(c.Transform()) }
