package surface

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// ChainQuery is the part of a chain near one shape. It keeps its memory.
//
// Face k of the methods is the face number near[k] of the chain; the faces after those stand for
// combs.
type ChainQuery struct {
	chain      *Chain
	origin     geom.Vec
	near       []int32        // face numbers, ascending
	faces      []collide.Face // the same, relative to origin; then the combs
	candidates []int32        // the faces that the shape may touch, if combed is set
	combed     bool           // the shape lies on a comb
	combs      combs
	lines      []int32 // of each face its line, -1: none
	tops       []int32 // of each line its first face
}

// Collect collects the faces of c that share a point with box, and makes combs of those that the
// hull h, in the frame at relative to origin, lies on.
func (cq *ChainQuery) Collect(c *Chain, h *collide.Hull, at geom.Transform, box geom.AABB, origin geom.Vec) {
	cq.chain, cq.origin, cq.combed = c, origin, false
	cq.near, cq.faces = c.AppendNear(cq.near[:0], box), cq.faces[:0]
	for _, k := range cq.near {
		cq.faces = append(cq.faces, c.Face(int(k), origin))
	}
	if len(cq.near) < 3 || h.N < 2 || !cq.findTops(h, at) {
		return // two tops have at least a side between them
	}
	cq.candidates = cq.candidates[:0]
	for k := range cq.near {
		cq.candidates = append(cq.candidates, int32(k))
	}
	cq.candidates, cq.combed = cq.combs.find(cq, cq.candidates, len(cq.near), h, at)
	for j := range cq.combs.list {
		k := &cq.combs.list[j]
		a, b := &cq.faces[k.a], &cq.faces[k.b]
		cq.faces = append(cq.faces, collide.Face{
			A: a.A, Ghost1: a.Ghost1, HasGhost1: a.HasGhost1,
			B: b.B, Ghost2: b.Ghost2, HasGhost2: b.HasGhost2,
		})
	}
}

// someTops is the number of lines up to which tops are joined in lines. A shape that lies on more,
// each a little higher or lower than the next, is on rough ground and not on a comb.
const someTops = 16

// findTops finds the faces that h lies on, and which of them are in one line, and reports whether
// two are.
func (cq *ChainQuery) findTops(h *collide.Hull, at geom.Transform) (some bool) {
	cq.lines, cq.tops = cq.lines[:0], cq.tops[:0]
	for i := range cq.faces {
		f := &cq.faces[i]
		line := int32(-1)
		var k comb
		if k.setLine(f); k.supports(h, at) {
			for j, top := range cq.tops {
				if t := &cq.faces[top]; inLine(t, f) {
					line, some = int32(j), true
					break
				}
			}
			if line < 0 && len(cq.tops) < someTops {
				line = int32(len(cq.tops))
				cq.tops = append(cq.tops, int32(i))
			}
		}
		cq.lines = append(cq.lines, line)
	}
	return some
}

// inLine reports whether all ends of f and g are within RunSlop of the line between the outermost
// two, and f and g run the same way along it.
func inLine(f, g *collide.Face) bool {
	a, b := f, g
	t := f.B.Sub(f.A)
	if t.Dot(g.B.Sub(g.A)) <= 0 {
		return false
	}
	if t.Dot(g.A.Sub(f.A)) < 0 {
		a, b = g, f
	}
	u, l := b.B.Sub(a.A).Unit()
	return l > 0 && math.Abs(u.Cross(a.B.Sub(a.A))) <= RunSlop && math.Abs(u.Cross(b.A.Sub(a.A))) <= RunSlop
}

// Count implements Faces.
func (cq *ChainQuery) Count() int {
	if cq.combed {
		return len(cq.candidates)
	}
	return len(cq.near)
}

// SetFace implements Faces.
func (cq *ChainQuery) SetFace(f *collide.Face, i int) (k int) {
	if cq.combed {
		i = int(cq.candidates[i])
	}
	*f = cq.faces[i]
	return i
}

// Name implements Faces: the name is the corner if the point is at one, else the face; of a comb
// its first top.
func (cq *ChainQuery) Name(id collide.FeatureID, k int) contact.Feature {
	if k >= len(cq.near) {
		of := &cq.combs.list[k-len(cq.near)]
		switch {
		case id.CornerA():
			k = of.a
		case id.CornerB():
			k = of.b
		default:
			k = of.first
		}
	}
	return cq.chain.Feature(id, int(cq.near[k]))
}

// OtherName implements Faces: the name also has the face.
func (cq *ChainQuery) OtherName(name contact.Feature, k int) contact.Feature {
	if k >= len(cq.near) {
		k = cq.combs.list[k-len(cq.near)].first
	}
	name.Y = int64(cq.near[k]) + 1
	return name
}

// MayOcclude implements Faces: a chain may come near itself anywhere.
func (cq *ChainQuery) MayOcclude(*collide.Face, geom.Vec) bool { return true }

// Occluded implements Faces. The tops and sides of a comb's pillars, which the comb's face replaces,
// occlude nothing.
func (cq *ChainQuery) Occluded(p *collide.Point, n, c geom.Vec) bool {
	d := p.Anchor.MulAdd(-0.5*p.Separation, n).Sub(c)
	if !cq.combed {
		for i := range cq.near {
			if crossesFrom(&cq.faces[i], d, c) {
				return true
			}
		}
		return false
	}
	for _, i := range cq.candidates {
		if int(i) < len(cq.near) && crossesFrom(&cq.faces[i], d, c) {
			return true
		}
	}
	return false
}

// crossesFrom reports whether the line from c to c+d crosses the surface at f from its front.
func crossesFrom(f *collide.Face, d, c geom.Vec) bool {
	g := *f
	g.A, g.B, g.Ghost1, g.Ghost2 = g.A.Sub(c), g.B.Sub(c), g.Ghost1.Sub(c), g.Ghost2.Sub(c)
	return CrossesFront(&g, d)
}

// SetSource implements Faces.
func (cq *ChainQuery) SetSource(s *contact.Source, p *collide.Point, k int) {
	i := 0
	if k < len(cq.near) {
		i = cq.chain.SegmentOf(int(cq.near[k]), p, cq.origin)
	} else {
		k = cq.combs.topUnder(cq, k-len(cq.near), p.Anchor)
		i = cq.chain.SegmentAt(int(cq.near[k]), p.Anchor, cq.origin)
	}
	s.Segment, s.Material = int32(i), cq.chain.MaterialOf(i)
}

// Combed implements Faces.
func (cq *ChainQuery) Combed() bool { return cq.combed }

// OfComb implements Faces.
func (cq *ChainQuery) OfComb(id collide.FeatureID, k int, normal geom.Vec) bool {
	return k < len(cq.near) && cq.combs.duplicates(cq, id, k, normal)
}

// TakeLoad implements Faces: m gets the impulses if it has a point that is new.
func (cq *ChainQuery) TakeLoad(m *contact.SurfaceManifold, k int, mt *contact.Matcher) {
	if k >= len(cq.near) && mt.Cold > 0 {
		takeLoad(cq, m, mt.Old, &cq.combs.list[k-len(cq.near)])
	}
	mt.Cold = 0
}

// line implements topFaces.
func (cq *ChainQuery) line(k int) (lineID, bool) {
	return lineID{at: int64(cq.lines[k])}, cq.lines[k] >= 0
}

// local implements topFaces.
func (cq *ChainQuery) local(f *collide.Face, k int) { *f = cq.faces[k] }

// vertex implements topFaces.
func (cq *ChainQuery) vertex(f *contact.Feature) (p geom.Vec, isVertex bool) {
	if f.Kind != contact.Corner || f.X >= int64(len(cq.chain.corners)) {
		return p, false
	}
	return cq.chain.corners[f.X].Sub(cq.origin), true
}
