package surface

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// ChainQuery is the part of a chain near one shape. It keeps its memory.
type ChainQuery struct {
	chain  *Chain
	origin geom.Vec
	near   []int32        // face numbers, ascending
	faces  []collide.Face // the same, relative to origin
}

// Collect collects the faces of c that share a point with box.
func (cq *ChainQuery) Collect(c *Chain, box geom.AABB, origin geom.Vec) {
	cq.chain, cq.origin = c, origin
	cq.near, cq.faces = c.AppendNear(cq.near[:0], box), cq.faces[:0]
	for _, k := range cq.near {
		cq.faces = append(cq.faces, c.Face(int(k), origin))
	}
}

// Count implements Faces.
func (cq *ChainQuery) Count() int { return len(cq.near) }

// SetFace implements Faces.
func (cq *ChainQuery) SetFace(f *collide.Face, i int) (k int) {
	*f = cq.faces[i]
	return int(cq.near[i])
}

// Name implements Faces: the name is the corner if the point is at one, else the face.
func (cq *ChainQuery) Name(id collide.FeatureID, k int) contact.Feature {
	return cq.chain.Feature(id, k)
}

// OtherName implements Faces: the name also has the face.
func (cq *ChainQuery) OtherName(name contact.Feature, k int) contact.Feature {
	name.Y = int64(k) + 1
	return name
}

// MayOcclude implements Faces: a chain may come near itself anywhere.
func (cq *ChainQuery) MayOcclude(*collide.Face, geom.Vec) bool { return true }

// Occluded implements Faces.
func (cq *ChainQuery) Occluded(p *collide.Point, n, c geom.Vec) bool {
	d := p.Anchor.MulAdd(-0.5*p.Separation, n).Sub(c)
	for i := range cq.faces {
		f := cq.faces[i]
		f.A, f.B, f.Ghost1, f.Ghost2 = f.A.Sub(c), f.B.Sub(c), f.Ghost1.Sub(c), f.Ghost2.Sub(c)
		if CrossesFront(&f, d) {
			return true
		}
	}
	return false
}

// SetSource implements Faces.
func (cq *ChainQuery) SetSource(p *contact.Point, from *collide.Point, k int) {
	i := cq.chain.SegmentOf(k, from, cq.origin)
	p.Source.Segment, p.Source.Material = int32(i), cq.chain.MaterialOf(i)
}

// Combed implements Faces.
func (cq *ChainQuery) Combed() bool { return false }

// OfComb implements Faces.
func (cq *ChainQuery) OfComb(collide.FeatureID, int, geom.Vec) bool { return false }

// TakeLoad implements Faces.
func (cq *ChainQuery) TakeLoad(*contact.Manifold, int, *contact.Matcher) {}
