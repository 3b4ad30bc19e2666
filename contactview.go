package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Contact is a view of two shapes, or a shape and a ground or chain, that touch.
type Contact struct {
	ShapeA ShapeID  // 0 where A is a ground or chain
	Ground GroundID // 0 where A is none
	Chain  ChainID  // 0 where A is none
	ShapeB ShapeID
	Normal geom.Vec // unit, from A to B
	N      int      // points in use, 1 or 2
	Points [2]ContactPoint
}

// ContactPoint is one point of a Contact.
type ContactPoint struct {
	Point geom.Vec // world; midway between the surfaces
	// Separation is negative where the surfaces overlap. The second of two points may be
	// far apart: one end of a body that is only about to come down.
	Separation float64
	// ID says which features of A and B make the point: the same from step to step for
	// as long as they do.
	ID ContactID
	// NormalImpulse and TangentImpulse are those of the last sub-step, in
	// mass times speed: divided by its time, the forces.
	NormalImpulse, TangentImpulse float64
	// Cell and Tile are those of the ground under the point, where A is one.
	Cell gridseg.Cell
	Tile gridseg.Tile
	// Segment is that of the chain under the point, where A is one.
	Segment int
	// Material is that of A at the point: of the tile or segment under it, or of
	// shape A.
	Material MaterialID
}

// sideA returns the ids of what A of a contact is, two of them 0.
func (w *World) sideA(c *contact) (s ShapeID, g GroundID, ch ChainID) {
	switch {
	case c.ground >= 0:
		g = GroundID(w.grounds.id(c.ground))
	case c.chain >= 0:
		ch = ChainID(w.chains.id(c.chain))
	default:
		s = ShapeID(w.shapes.id(c.shapeA))
	}
	return s, g, ch
}

// AppendContacts appends the contacts that touch now (one for each normal of
// the ground or chain under a shape), in an order that depends only on the calls made.
func (w *World) AppendContacts(dst []Contact) []Contact {
	for i := range w.contacts.items {
		if !w.contacts.used(int32(i)) {
			continue
		}
		c := &w.contacts.items[i]
		for k := range c.manifolds {
			m := &c.manifolds[k]
			v := Contact{Normal: m.normal, N: m.n, ShapeB: ShapeID(w.shapes.id(c.shapeB))}
			v.ShapeA, v.Ground, v.Chain = w.sideA(c)
			for j := range m.n {
				p := &m.points[j]
				v.Points[j] = ContactPoint{
					Point: w.bodies.items[c.bodyB].center.Add(p.rB), Separation: p.separation, ID: w.contactID(c, &p.feature),
					NormalImpulse: float64(p.normalImpulse), TangentImpulse: float64(p.tangentImpulse),
					Cell: p.cell, Tile: p.tile, Material: p.material,
				}
				if c.chain >= 0 {
					v.Points[j].Cell, v.Points[j].Segment = gridseg.Cell{}, int(p.cell.X)
				} else if c.ofShapes() {
					v.Points[j].Material = w.shapes.items[c.shapeA].material
				}
			}
			if m.n > 0 {
				dst = append(dst, v)
			}
		}
	}
	return dst
}
