package narrow

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// dropFarFaces drops a deep point if the same corner, or the same place of a face, is less deep behind another face
// with an opposed normal: the corner leaves a thin solid through the nearer face.
func (s *Scratch) dropFarFaces(out *Outcome, mem *Memory) {
	places := &s.outlines.places
	if many := len(mem.Manifolds) > contact.Few; many {
		for side := range places {
			t := &places[side]
			t.Clear()
			t.Add(mem.Manifolds, func(m *contact.SurfaceManifold, k int32) contact.Feature {
				return contact.PlaceOf(placeOn(m, k, side), placeSide, 0, 0)
			})
		}
	}
	far := s.outlines.far[:0]
	for i := range mem.Manifolds {
		for k := range mem.Manifolds[i].N {
			far = append(far, s.hasNearerFace(mem, i, k))
		}
	}
	s.outlines.far, out.Deepest = far, 0
	n := 0
	for i := range mem.Manifolds {
		at := &mem.Manifolds[i]
		keep := int32(0)
		for k := range at.N {
			if far[0] {
				far = far[1:]
				continue
			}
			far = far[1:]
			at.Points[keep&1], at.Features[keep&1], at.Sources[keep&1] = at.Points[k], at.Features[k], at.Sources[k]
			o := &mem.Others[i]
			o.Features[keep], o.Sources[keep] = o.Features[k], o.Sources[k]
			out.Deepest = min(out.Deepest, at.Points[keep&1].Separation)
			keep++
		}
		if at.N = keep; keep > 0 {
			mem.Manifolds[n], mem.Others[n] = *at, mem.Others[i]
			n++
		}
	}
	mem.Manifolds, mem.Others = mem.Manifolds[:n], mem.Others[:n]
}

// placeOn returns the place of point k of m on side 0 (A) or 1 (B).
func placeOn(m *contact.SurfaceManifold, k int32, side int) geom.Vec {
	p := &m.Points[k]
	return p.AnchorB.MulAdd((float64(side)-0.5)*p.Separation, m.Normal)
}

// placeSide is the width of the squares of a table of places.
const placeSide = 4 * surface.RunSlop

// hasNearerFace reports whether another point, at the place of point k of manifold i on one of the two surfaces, has
// a larger separation and an opposed normal.
func (s *Scratch) hasNearerFace(mem *Memory, i int, k int32) bool {
	m := &mem.Manifolds[i]
	if m.Points[k].Separation >= -contact.SpeculativeDistance {
		return false
	}
	if len(mem.Manifolds) <= contact.Few {
		for j := range mem.Manifolds {
			for l := range mem.Manifolds[j].N {
				if nearer(m, k, &mem.Manifolds[j], l) {
					return true
				}
			}
		}
		return false
	}
	for side := range s.outlines.places {
		t, at := &s.outlines.places[side], placeOn(m, k, side)
		for c := range 9 {
			for e := t.First(contact.PlaceOf(at, placeSide, float64(c%3-1), float64(c/3-1))); e > 0; e = t.Next(e) {
				if nearer(m, k, &mem.Manifolds[(e-1)>>1], (e-1)&1) {
					return true
				}
			}
		}
	}
	return false
}

// nearer reports whether point l of o is at a place of point k of m, has a larger separation and an opposed normal.
func nearer(m *contact.SurfaceManifold, k int32, o *contact.SurfaceManifold, l int32) bool {
	if o.Normal.Dot(m.Normal) >= 0 || !(o.Points[l].Separation > m.Points[k].Separation) {
		return false
	}
	const most = surface.RunSlop * surface.RunSlop
	return placeOn(o, l, 0).Sub(placeOn(m, k, 0)).Len2() < most || placeOn(o, l, 1).Sub(placeOn(m, k, 1)).Len2() < most
}
