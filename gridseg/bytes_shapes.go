package gridseg

import (
	"encoding/binary"
	"fmt"

	"github.com/quarry2d/quarry/internal/lattice"
)

// AppendBinary appends the registered shapes to dst, in a form that ReadShapes reads, and returns the extended slice.
// For each shape that NewShapes has not, it has the length of the name (4 bytes), the name, the number of polygons (2),
// and for each its number of vertices (2) and these (x and y of 2 bytes each, in lattice units).
func (s *Shapes) AppendBinary(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(s.Len()-int(SlopeHigh)))
	for id := SlopeHigh + 1; int(id) <= s.Len(); id++ {
		name := s.Name(id)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(name)))
		dst = append(dst, name...)
		polys := s.Polygons(id, 0)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(len(polys)))
		for _, p := range polys {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(len(p)))
			for _, v := range p {
				dst = binary.LittleEndian.AppendUint16(dst, uint16(v.X))
				dst = binary.LittleEndian.AppendUint16(dst, uint16(v.Y))
			}
		}
	}
	return dst
}

// ReadShapes returns the registry of data, which AppendBinary has made, with the same ids. It returns an error if
// data is no registry.
func ReadShapes(data []byte) (*Shapes, error) {
	s, r := NewShapes(), &binaryReader{data: data}
	for n := r.u16(); n > 0 && r.err == nil; n-- {
		name := string(r.take(int(r.u32())))
		var polys [][][2]float64
		for k := r.u16(); k > 0 && r.err == nil && len(polys) <= lattice.MaxPolygons; k-- {
			var p [][2]float64
			for v := r.u16(); v > 0 && r.err == nil && len(p) <= maxVertices; v-- {
				p = append(p, [2]float64{float64(r.u16()) / Unit, float64(r.u16()) / Unit})
			}
			polys = append(polys, p)
		}
		if r.err == nil {
			if _, err := s.Register(name, polys...); err != nil {
				return nil, err
			}
		}
	}
	if len(r.data) > 0 && r.err == nil {
		r.err = fmt.Errorf("%d bytes follow", len(r.data))
	}
	if r.err != nil {
		return nil, fmt.Errorf("gridseg: ReadShapes: %w", r.err)
	}
	return s, nil
}
