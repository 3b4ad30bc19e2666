package quarry

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/flush"
)

// seam is the contact of a shape with a surface: a ground, or a shape or chain of a static or kinematic body. A worker
// looks for other surfaces that are flush with it.
type seam struct {
	contact *contactState
	shape   int32 // slot
	body    int32 // of the shape
	surface int32 // the body of the surface
	frame   geom.Transform
	listed  bool // worker.beside is its neighbours
}

// seamOf returns the seam of c, of a shape of a and one of b, of which one is not dynamic.
func seamOf(c *contactState, a, b *body) seam {
	if a.kind == Dynamic {
		return seam{contact: c, shape: c.shapeA, body: c.bodyA, surface: c.bodyB, frame: b.transform()}
	}
	return seam{contact: c, shape: c.shapeB, body: c.bodyB, surface: c.bodyA, frame: a.transform()}
}

// neighbour is a surface beside that of a seam, which holds the same shape.
type neighbour struct {
	flush.Surface
	body  int32
	frame geom.Transform // of the seam in that of the surface
}

// neighbours returns the surfaces beside that of k.seam; they are listed when they are first asked for. It reads poses,
// lists of contacts and the one-way tiles that a shape stands on, which the narrow phase does not change.
func (k *worker) neighbours() []neighbour {
	w, at := k.w, &k.seam
	if at.listed {
		return k.beside
	}
	at.listed, k.beside = true, k.beside[:0]
	for _, o := range w.contactsOf(at.body) {
		if o == at.contact || o.sensor || o.filtered || o.shapeB != at.shape && o.shapeA != at.shape {
			continue
		}
		n := neighbour{body: o.bodyA}
		switch owner := w.sideA(o); {
		case o.shapeA == at.shape:
			n.body, n.Hull = o.bodyB, &w.shapes.At(o.shapeB).hull
		case owner.Kind() == broad.Shape:
			n.Hull = &w.shapes.At(o.shapeA).hull
		case owner.Kind() == broad.Ground:
			n.Tiles, n.OneWay = &w.grounds.At(owner.Slot()).tiles, &w.surfaceOf(o).OneWay
		default:
			n.Chain = &w.chains.At(owner.Slot()).Chain
		}
		if b := w.bodies.At(n.body); b.kind != Dynamic || n.Tiles != nil {
			n.frame = b.transform().InvMul(at.frame)
			k.beside = append(k.beside, n)
		}
	}
	return k.beside
}

// Covered implements flush.Beside.
func (k *worker) Covered(c *flush.Contact) bool {
	for _, n := range k.neighbours() {
		if k.w.restOnEachOther(&k.seam, n.body, c) && n.Covers(c, n.frame) {
			return true
		}
	}
	return false
}

// Join implements flush.Beside. It takes the surfaces that do not move along the normal of f.
func (k *worker) Join(f *collide.Face) {
	c := flush.Contact{At: f.A, Corner: true}
	c.Normal, _ = f.B.Sub(f.A).Right().Unit()
	for _, n := range k.neighbours() {
		if k.w.restOnEachOther(&k.seam, n.body, &c) {
			n.Join(f, n.frame)
		}
	}
}

// restOnEachOther reports whether the surface of at and one on another body do not move against each other
// across their seam at c.
func (w *World) restOnEachOther(at *seam, other int32, c *flush.Contact) bool {
	a, b := w.bodies.At(at.surface), w.bodies.At(other)
	if at.surface == other || a.kind == Static && b.kind == Static {
		return true
	}
	p := at.frame.Apply(c.At)
	return c.Rests(at.frame.Q.Inv(b.velocityAt(p.Sub(b.center)).Sub(a.velocityAt(p.Sub(a.center)))))
}
