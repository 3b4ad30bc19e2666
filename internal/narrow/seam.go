package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// SeamBody is a body that carries a surface.
type SeamBody interface {
	Transform() geom.Transform
	Static() bool
	// PointVelocity returns the velocity of the body at a point of the world.
	PointVelocity(p geom.Vec) geom.Vec
}

// SeamNeighbour is a surface beside a contact's, which holds the same shape.
type SeamNeighbour struct {
	SeamSurface
	On SeamBody       // that carries it
	at geom.Transform // the frame of the seam in the surface's frame
}

// SeamSource lists the surfaces beside the current contact's.
type SeamSource interface {
	// AppendBeside appends these surfaces. A Seam calls it when it first needs them.
	AppendBeside(dst []SeamNeighbour) []SeamNeighbour
}

// Seam finds the surfaces that are flush with a contact's: it implements Beside.
type Seam struct {
	Source SeamSource
	on     SeamBody       // that carries the surface of the contact
	frame  geom.Transform // of Beside
	listed bool           // beside has the surfaces of Source
	beside []SeamNeighbour
}

// Begin begins a contact with a surface of the body on. frame is the frame of Beside, in the world.
func (s *Seam) Begin(on SeamBody, frame geom.Transform) {
	s.on, s.frame, s.listed = on, frame, false
}

// neighbours returns the surfaces beside the contact's.
func (s *Seam) neighbours() []SeamNeighbour {
	if !s.listed {
		s.listed, s.beside = true, s.Source.AppendBeside(s.beside[:0])
		for i := range s.beside {
			s.beside[i].at = s.beside[i].On.Transform().InvMul(s.frame)
		}
	}
	return s.beside
}

// Covered implements Beside.
func (s *Seam) Covered(c *SeamPoint) bool {
	for _, n := range s.neighbours() {
		if s.rests(n.On, c) && n.Covers(c, n.at) {
			return true
		}
	}
	return false
}

// Join implements Beside. It takes the surfaces that do not move along the normal of f.
func (s *Seam) Join(f *collide.Face) {
	c := SeamPoint{At: f.A, Corner: true}
	c.Normal, _ = f.B.Sub(f.A).Right().Unit()
	for _, n := range s.neighbours() {
		if s.rests(n.On, &c) {
			n.Join(f, n.at)
		}
	}
}

// rests reports whether the surface of the contact and one on the body b do not move against each other across their
// seam at c.
func (s *Seam) rests(b SeamBody, c *SeamPoint) bool {
	a := s.on
	if a == b || a.Static() && b.Static() {
		return true
	}
	p := s.frame.Apply(c.At)
	return c.Rests(s.frame.Q.Inv(b.PointVelocity(p).Sub(a.PointVelocity(p))))
}
