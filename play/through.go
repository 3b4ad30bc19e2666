package play

import (
	"errors"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// through lets the body at a point, or all bodies, fall through the one-way tiles that they touch.
func (w *World) through(_ *player, m Command) error {
	if !m.All {
		b, ok := w.bodyAt(geom.V(m.X, m.Y))
		if !ok {
			return errors.New("through: there is no body at this point")
		}
		b.DropThrough(0)
		return nil
	}
	// DropThrough wakes the body, so call it only for bodies on one-way tiles.
	q := w.in.World
	w.contacts = q.AppendContacts(w.contacts[:0])
	for i := range w.contacts {
		c := &w.contacts[i]
		if c.Ground == 0 {
			continue
		}
		for k := range c.N {
			if q.Material(c.Points[k].Material).OneWay == quarry.NotOneWay {
				continue
			}
			if sh, ok := q.Shape(c.ShapeB); ok {
				sh.Body().DropThrough(0)
			}
		}
	}
	return nil
}
