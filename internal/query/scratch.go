package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// Judge decides whether a query finds a tile or chain segment.
type Judge interface{ Admits(Place) bool }

// Scratch is the working memory of a query. The zero value is ready for use, and keeps its memory.
type Scratch struct {
	Judge Judge // nil: all are found

	tiles  surface.Filter
	way    surface.WayQuery
	shapes [1]surface.WayShape // of way
	memory surface.WayMemory   // of way
	chain  surface.ChainQuery
	near   []int32 // faces of a chain
	found  []int   // segments of a chain
	rays   []gridseg.RayHit
	planes []Hit
	spans  [][2]float64 // see facing

	// In work; here, because a call through an interface or of a function value would move them to the heap.
	face   collide.Face
	of     faceOf // face
	point  collide.Point
	source contact.Source

	nearOn *surface.Chain         // see nearChain
	onNear func(segment int) bool // whether the Judge admits a segment of nearOn
}

func (s *Scratch) admits(at *Place) bool { return s.Judge == nil || s.Judge.Admits(*at) }

// hitOfRay is the hit of a ray with a segment of a ground.
func hitOfRay(p *Probe, t *surface.Tiles, r *gridseg.RayHit) Hit {
	return Hit{
		Fraction: r.Fraction, Normal: geom.V(r.NX, r.NY), Point: geom.V(r.X, r.Y).Sub(p.Origin),
		Place: placeOf(t, r.Segment.ID.Cell, r.Segment.Tile),
	}
}

func placeOf(t *surface.Tiles, c gridseg.Cell, tile gridseg.Tile) Place {
	return Place{Cell: c, Tile: tile, Material: t.Material(tile.Material)}
}

// mergeRay sorts the hits of a ray by fraction, and merges hits of a common end of two faces.
func mergeRay(hits []Hit, length float64) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Fraction, b.Fraction), cmp.Compare(a.Cell.Y, b.Cell.Y),
			cmp.Compare(a.Cell.X, b.Cell.X), cmp.Compare(a.Segment, b.Segment))
	})
	return slices.CompactFunc(hits, func(a, b Hit) bool { return math.Abs(b.Fraction-a.Fraction)*length <= sameSlop })
}

// appendPlanes appends the contact planes of p and the faces of a surface, at most margin apart. Two
// faces report their common corner once.
func (s *Scratch) appendPlanes(dst []Hit, p *Probe, sf surface.Faces, margin float64) []Hit {
	var m collide.Manifold
	f := &s.face
	from := len(dst)
	for i := range sf.Count() {
		k := sf.SetFace(f, i)
		collide.FaceHull(&m, f, &p.Hull, p.At, margin)
		if m.N == 0 {
			continue
		}
		n, hidden := 0, sf.MayOcclude(f, geom.Vec{})
		for j := range m.N {
			s.point = m.Points[j]
			if hidden && sf.Occluded(&s.point, m.Normal, geom.Vec{}) || sf.Combed() && sf.OfComb(s.point.ID, k,
				m.Normal) {
				continue
			}
			m.Points[n] = s.point
			n++
		}
		if m.N = n; n == 0 {
			continue
		}
		plane, at := planeOf(&m)
		s.point, s.source = *at, contact.Source{}
		sf.SetSource(&s.source, &s.point, k)
		plane.Place = Place{
			Cell: s.source.Cell, Tile: s.source.Tile, Segment: int(s.source.Segment),
			Material: s.source.Material,
		}
		if plane.Separation > margin || !s.admits(&plane.Place) {
			continue
		}
		if !slices.ContainsFunc(dst[from:], func(o Hit) bool {
			return o.Normal.Dot(plane.Normal) > 1-1e-9 && math.Abs(o.Separation-plane.Separation) <= touchSlop &&
				o.Point.Dist(plane.Point) <= 1e-6
		}) {
			dst = append(dst, plane)
		}
	}
	return dst
}

// deepest returns the plane of the smallest separation that blocks p, among those at a separation of at most
// touchSlop.
func deepest(planes []Hit, p *Probe) (best Hit, ok bool) {
	for i := range planes {
		if h := &planes[i]; h.Separation <= touchSlop && p.blocks(h.Normal) && (!ok || h.Separation < best.Separation) {
			best, ok = *h, true
		}
	}
	best.Overlap = true
	return best, ok
}
