package sandbox

import (
	"errors"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// through lets the body at a point, or all bodies, fall through the one-way tiles that they touch.
func (s *begun) through(m Command) error {
	if !m.All {
		b, ok := s.bodyAt(geom.V(m.X, m.Y))
		if !ok {
			return errors.New("through: there is no body at this point")
		}
		b.DropThrough(0)
		return nil
	}
	// DropThrough wakes the body, so call it only for bodies on one-way tiles.
	w := s.in.World
	s.contacts = w.AppendContacts(s.contacts[:0])
	for i := range s.contacts {
		c := &s.contacts[i]
		if c.Ground == 0 {
			continue
		}
		for k := range c.N {
			if w.Material(c.Points[k].Material).OneWay == quarry.NotOneWay {
				continue
			}
			if sh, ok := w.Shape(c.ShapeB); ok {
				sh.Body().DropThrough(0)
			}
		}
	}
	return nil
}
