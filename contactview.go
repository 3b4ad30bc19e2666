package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Contact is a view of two touching shapes, or of a shape that touches a ground or chain.
type Contact struct {
	ShapeA ShapeID  // 0 if A is a ground or chain
	Ground GroundID // 0 if A is not a ground
	Chain  ChainID  // 0 if A is not a chain
	ShapeB ShapeID
	Normal geom.Vec // unit, from A to B
	N      int      // points in use, 1 or 2
	Points [2]ContactPoint
}

// ContactPoint is one point of a Contact.
type ContactPoint struct {
	Point geom.Vec // world; midway between the surfaces
	// Separation is the distance of the surfaces, negative if they overlap. The second of
	// two points may be far apart: the end of a body that is about to come down.
	Separation float64
	// ID names the features of A and B that make the point: it stays the same from step to
	// step as long as they do.
	ID ContactID
	// NormalImpulse and TangentImpulse are those of the last sub-step, in mass times speed:
	// divided by the sub-step's time, they are the forces.
	NormalImpulse, TangentImpulse float64
	// Cell and Tile are those of the ground under the point, if A is a ground.
	Cell gridseg.Cell
	Tile gridseg.Tile
	// Segment is that of the chain under the point, if A is a chain.
	Segment int
	// Material is A's material at the point: of the tile or segment under it, or of shape A.
	Material MaterialID
}

// sideA returns the id of side A of a contact; the other two ids are 0.
func (w *World) sideA(c *contactState) (s ShapeID, g GroundID, ch ChainID) {
	switch {
	case c.ground >= 0:
		g = GroundID(w.grounds.ID(c.ground))
	case c.chain >= 0:
		ch = ChainID(w.chains.ID(c.chain))
	default:
		s = ShapeID(w.shapes.ID(c.shapeA))
	}
	return s, g, ch
}

// AppendContacts appends the touching contacts (one for each normal of the ground or chain
// under a shape), in an order that depends only on the calls made.
func (w *World) AppendContacts(dst []Contact) []Contact {
	for i := range w.contacts.Slots() {
		if !w.contacts.Used(i) {
			continue
		}
		c := w.contacts.At(i)
		for k := range c.manifolds {
			m := &c.manifolds[k]
			v := Contact{Normal: m.Normal, N: m.N, ShapeB: ShapeID(w.shapes.ID(c.shapeB))}
			v.ShapeA, v.Ground, v.Chain = w.sideA(c)
			for j := range m.N {
				p := &m.Points[j]
				v.Points[j] = ContactPoint{
					Point: w.bodies.At(c.bodyB).center.Add(p.AnchorB), Separation: p.Separation, ID: w.contactID(c, &p.Feature),
					NormalImpulse: float64(p.NormalImpulse), TangentImpulse: float64(p.TangentImpulse),
					Cell: p.Source.Cell, Tile: p.Source.Tile, Segment: int(p.Source.Segment),
					Material: MaterialID(p.Source.Material),
				}
				if c.ofShapes() {
					v.Points[j].Material = w.shapes.At(c.shapeA).material
				}
			}
			if m.N > 0 {
				dst = append(dst, v)
			}
		}
	}
	return dst
}
