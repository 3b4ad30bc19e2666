package sandbox

import (
	"errors"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// through lets bodies fall through the one-way tiles that they touch: the one that is
// pointed at, or all.
func (s *sim) through(m Command) error {
	if !m.All {
		b, ok := s.bodyAt(geom.V(m.X, m.Y))
		if !ok {
			return errors.New("through: no body is there")
		}
		b.DropThrough(0)
		return nil
	}
	// Whoever stands on something else is not to be woken.
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
