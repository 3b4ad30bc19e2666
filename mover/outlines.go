package mover

import "github.com/quarry2d/quarry/geom"

// roundness, in units of length, is the distance between the two outlines of a mover. It is above the errors of
// queries, also of positions far from the origin, and below Skin.
const roundness = 0.005

// outlines are the two outlines of a mover's shape. The outer one keeps off surfaces. It is the shape, with corners
// rounded by roundness. The inner one is smaller by roundness on all sides: a surface that it does not reach does not
// stop the shape. So a shape passes where it fits exactly, whatever the rounding of its position.
type outlines struct {
	of, outer, inner geom.Shape
	room             float64 // roundness, less for shapes that are smaller
}

// update sets the outlines of m.Shape.
func (m *Mover) update() {
	if m.of == m.Shape {
		return
	}
	m.of, m.outer, m.inner, m.room = m.Shape, m.Shape, m.Shape, 0
	switch s := m.Shape.(type) {
	case geom.Circle:
		m.room = min(roundness, 0.5*s.Radius)
		s.Radius -= m.room
		m.inner = s
	case geom.Capsule:
		m.room = min(roundness, 0.5*s.Radius)
		s.Radius -= m.room
		m.inner = s
	case geom.Polygon:
		if s.Radius >= 2*roundness {
			m.room = roundness
			s.Radius -= m.room
			m.inner = s
		} else if s.Valid() == nil {
			m.round(&s)
		}
	}
}

// round sets the outlines of a polygon with sharp corners.
func (m *Mover) round(s *geom.Polygon) {
	m.room = roundness
	for i := range s.N {
		m.room = min(m.room, 0.5*s.Normals[i].Dot(s.Vertices[i].Sub(s.Centroid)))
	}
	var room [geom.MaxVertices]geom.Vec
	points := room[:0]
	for i := range s.N {
		n, last := s.Normals[i], s.Normals[(i+s.N-1)%s.N]
		points = append(points, s.Vertices[i].MulAdd(-m.room/max(1+n.Dot(last), leastRest), n.Add(last)))
	}
	inner, err := geom.NewPolygon(points, s.Radius)
	if err != nil {
		m.room = 0
		return
	}
	outer := inner
	outer.Radius += m.room
	m.inner, m.outer = inner, outer
}

// lowest returns the smallest coordinate along n of the shape, relative to its frame's origin.
func (m *Mover) lowest(n geom.Vec) float64 {
	m.update()
	q := geom.Rot{C: n.Y, S: -n.X}
	return m.outer.Bounds(geom.Transform{Q: q.InvMul(m.axes())}).Min.Y
}

// width returns the extent of the shape along the x axis of its frame.
func (m *Mover) width() float64 {
	m.update()
	box := m.outer.Bounds(geom.At(geom.Vec{}))
	return box.Max.X - box.Min.X
}

// byValue reports whether s is one of geom's shapes, not a pointer to one.
func byValue(s geom.Shape) bool {
	switch s.(type) {
	case geom.Circle, geom.Capsule, geom.Segment, geom.Polygon:
		return true
	}
	return false
}
