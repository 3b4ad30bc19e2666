package surface

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/lattice"
)

// Faces is the surface near one shape: straight one-sided faces with ghost vertices, features
// that name the points on them, and the sources of these points. Coordinates are relative to an
// origin, in the surface's frame. There are two producers: Query for the tiles of a ground,
// ChainQuery for a chain.
type Faces interface {
	// Count returns the number of faces that the shape may touch.
	Count() int
	// SetFace sets f to face i, and returns its number: k in the methods below.
	SetFace(f *collide.Face, i int) (k int)
	// Name names the point id on face k, without the shape's half; OtherName names it if another
	// face has a point of the same name, with another normal.
	Name(id collide.FeatureID, k int) contact.Feature
	OtherName(name contact.Feature, k int) contact.Feature
	// MayOcclude reports whether the surface may lie between the face f and c, a shape's centroid. Occluded reports
	// whether the front of another face lies between c and the place of the point p, with normal n, on its face.
	// That place is then on the far side of a wedge of solid, and the point would push from behind.
	MayOcclude(f *collide.Face, c geom.Vec) bool
	Occluded(p *collide.Point, n, c geom.Vec) bool
	// SetSource sets s to the source of the point p on face k.
	SetSource(s *contact.Source, p *collide.Point, k int)
	// Combed reports whether the shape lies on a comb; OfComb whether the point id of face k
	// duplicates a point of one; TakeLoad gives m, of face k, the impulses of the manifolds
	// that a comb replaces.
	Combed() bool
	OfComb(id collide.FeatureID, k int, normal geom.Vec) bool
	TakeLoad(m *contact.SurfaceManifold, k int, mt *contact.Matcher)
}

// Select lists the runs that the hull h may touch, in the frame at relative to origin, whose box
// grown by the distance of contacts is box; the combs that h lies on replace their tops.
func (sq *Query) Select(h *collide.Hull, at geom.Transform, box geom.AABB, middle, origin geom.Vec) {
	sq.origin = origin
	sq.Gathered = len(sq.Runs.List)
	sq.count, sq.onComb = sq.Gathered, false
	if sq.Gathered > 1 {
		sq.Cull(CullBoxOf(box, middle))
		if len(sq.Candidates) > 1 && h.N > 1 {
			sq.Candidates, sq.onComb = sq.combs.find(sq, sq.Candidates, sq.Gathered, h, at)
		}
		if sq.onComb {
			for j := range sq.combs.list {
				k := &sq.combs.list[j]
				a, b := &sq.Runs.List[k.a], &sq.Runs.List[k.b]
				sq.Runs.List = append(sq.Runs.List, gridseg.Run{
					A: a.A, Ghost1: a.Ghost1, HasGhost1: a.HasGhost1,
					B: b.B, Ghost2: b.Ghost2, HasGhost2: b.HasGhost2,
				})
			}
		}
		sq.count = len(sq.Candidates)
	}
}

// SelectAll lists all collected runs, relative to origin, without combs.
func (sq *Query) SelectAll(origin geom.Vec) {
	sq.origin, sq.Gathered, sq.count, sq.onComb = origin, len(sq.Runs.List), len(sq.Runs.List), false
	sq.Candidates = sq.Candidates[:0]
	for i := range sq.Runs.List {
		sq.Candidates = append(sq.Candidates, int32(i))
	}
}

// Count implements Faces.
func (sq *Query) Count() int { return sq.count }

// SetFace implements Faces.
func (sq *Query) SetFace(f *collide.Face, i int) (k int) {
	if sq.Gathered > 1 {
		i = int(sq.Candidates[i])
	}
	SetFace(f, &sq.Runs.List[i], sq.origin)
	return i
}

// Name implements Faces: the name is the lattice vertex if the point is at an end of the run, else
// the line.
func (sq *Query) Name(id collide.FeatureID, k int) contact.Feature {
	run := &sq.Runs.List[k]
	f := contact.Feature{Kind: contact.Vertex}
	switch {
	case id.CornerA():
		f.X, f.Y = run.A.X, run.A.Y
	case id.CornerB():
		f.X, f.Y = run.B.X, run.B.Y
	default:
		f = contact.LineOf(run.A, run.B)
	}
	f.Pair = collide.FeatureID(id.HullFeature())
	return f
}

// OtherName implements Faces: the name is the line instead of the vertex.
func (sq *Query) OtherName(name contact.Feature, k int) contact.Feature {
	line := contact.LineOf(sq.Runs.List[k].A, sq.Runs.List[k].B)
	line.Kind, line.Pair = contact.LineEnd, name.Pair
	return line
}

// MayOcclude implements Faces.
func (sq *Query) MayOcclude(f *collide.Face, c geom.Vec) bool { return MayOcclude(f, c) }

// Combed implements Faces.
func (sq *Query) Combed() bool { return sq.onComb }

// SetSource implements Faces, except for the material.
func (sq *Query) SetSource(s *contact.Source, p *collide.Point, k int) {
	if k >= sq.Gathered {
		k = sq.combs.topUnder(sq, k-sq.Gathered, p.Anchor)
	}
	if !sq.Listed {
		o, g := sq.origin, sq.grid.Engine(lattice.Key{})
		s.Cell = g.Under(&sq.Runs, &s.Tile, &sq.Runs.List[k], p.Anchor.X, p.Anchor.Y, o.X, o.Y)
	} else {
		on := sq.under(k, p.Anchor)
		s.Cell, s.Tile = on.ID.Cell, on.Tile
	}
	s.Material = s.Tile.Material
	if sq.Materials != nil {
		s.Material = 0
		if n := s.Tile.Material; int(n) < len(sq.Materials) {
			s.Material = sq.Materials[n]
		}
	}
}

// under returns the segment of run k, of the listed ones, that the place at lies beside.
func (sq *Query) under(k int, at geom.Vec) *gridseg.Segment {
	i := sq.starts[k]
	for sq.next[i] >= 0 {
		s := &sq.Segments[i]
		end := Local(s.B, sq.origin)
		if at.Sub(end).Dot(end.Sub(Local(s.A, sq.origin))) < 0 {
			break
		}
		i = sq.next[i]
	}
	return &sq.Segments[i]
}

// OfComb implements Faces.
func (sq *Query) OfComb(id collide.FeatureID, k int, normal geom.Vec) bool {
	return k < sq.Gathered && sq.combs.duplicates(sq, id, k, normal)
}

// TakeLoad implements Faces: m gets the impulses if it has a point that is new.
func (sq *Query) TakeLoad(m *contact.SurfaceManifold, k int, mt *contact.Matcher) {
	if k >= sq.Gathered && mt.Cold > 0 {
		takeLoad(sq, m, mt.Old, &sq.combs.list[k-sq.Gathered])
	}
	mt.Cold = 0
}

// line implements topFaces: tops lie along the axes of the ground.
func (sq *Query) line(k int) (lineID, bool) {
	r := &sq.Runs.List[k]
	switch {
	case r.A.Y == r.B.Y && r.A.X < r.B.X:
		return lineID{r.A.Y, 1}, true
	case r.A.Y == r.B.Y:
		return lineID{r.A.Y, 0}, true
	case r.A.X == r.B.X && r.A.Y < r.B.Y:
		return lineID{r.A.X, 3}, true
	case r.A.X == r.B.X:
		return lineID{r.A.X, 2}, true
	}
	return lineID{}, false
}

// local implements topFaces.
func (sq *Query) local(f *collide.Face, k int) { SetFace(f, &sq.Runs.List[k], sq.origin) }

// vertex implements topFaces.
func (sq *Query) vertex(f *contact.Feature) (p geom.Vec, isVertex bool) {
	if f.Kind != contact.Vertex {
		return p, false
	}
	return Local(gridseg.Point{X: f.X, Y: f.Y}, sq.origin), true
}
