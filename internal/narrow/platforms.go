package narrow

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// A one-way tile stops another ground as it stops the shapes of a body (see surface.Filter). The shapes are the
// convex pieces of the other ground's tiles near it, without that ground's one-way tiles. A face stops the ground
// if, when the last step began, pieces were in front of the face, and none was behind it or across its platform; or
// if the ground stood on it in the last step.

// Platforms is the part of an Outline that one-way tiles need. Without Ways, one-way tiles let the other side pass.
type Platforms struct {
	Ways           bool           // a material of the world is one-way
	Was            geom.Transform // of side B in side A when the last step began, relative to Input.Origin
	Put            bool           // SetTransform has moved one of the bodies since the last step
	DropsA, DropsB bool           // the body of that side passes all one-way tiles
}

// platforms is the working memory of one side's one-way tiles.
type platforms struct {
	query  surface.WayQuery // of the other side
	memory surface.WayMemory
	pieces Pieces
	stood  []gridseg.Cell // on which the other side stood in the last step
}

// noteStood notes the one-way tiles on which the sides stood in the last step; mem has side B's.
func (s *Scratch) noteStood(mem *Memory, in *Input, b *Outline) {
	p := &s.outlines.stops
	p[0].stood, p[1].stood = p[0].stood[:0], p[1].stood[:0]
	if !b.Ways || b.Put || in.Chain != nil {
		return
	}
	for k := range s.Matcher.Old {
		m := &s.Matcher.Old[k]
		for j := range m.N {
			p[0].stood = in.Tiles.AppendStood(p[0].stood, &m.Sources[j])
			p[1].stood = b.Tiles.AppendStood(p[1].stood, &mem.Others[k].Sources[j])
		}
	}
	surface.SortStood(p[0].stood)
	surface.SortStood(p[1].stood)
}

// ofA returns the poses of side A in side B, relative to b.At, now and when the last step began.
func (b *Outline) ofA(in *Input) (now, was geom.Transform) {
	back := func(t geom.Transform) geom.Transform {
		q := geom.Rot{C: t.Q.C, S: -t.Q.S}
		return geom.Transform{P: q.Apply(t.P.Add(in.Origin)).Neg().Sub(b.At), Q: q}
	}
	return back(in.At), back(b.Was)
}

// collectStopping collects in f the runs of the tiles t, of side 0 (A) or 1 (B), in the cells of r, without the one-way
// tiles that let the other side pass. The other side has the tiles other in the cells near. Its poses in t, relative to
// origin, are now and was. drops: the other side passes all one-way tiles; put is Platforms.Put.
func (s *Scratch) collectStopping(side int, f *surface.Filter, t *surface.Tiles, r gridseg.Rect, other *surface.Tiles,
	near gridseg.Rect, now, was geom.Transform, origin geom.Vec, drops, put bool,
) {
	p := &s.outlines.stops[side]
	if !f.HasWays(t, r) {
		f.CollectSolid(t, r)
		return
	}
	p.pieces.Reset()
	p.pieces.Add(other, near, 0)
	hulls := p.pieces.Hulls()
	if len(hulls) == 0 {
		f.CollectSolid(t, r)
		return
	}
	p.memory.Reset()
	q := &p.query
	*q = surface.WayQuery{
		Was: was, Now: now, Origin: origin, Old: s.Matcher.Old, Shapes: q.Shapes[:0], Whole: true, Passes: drops,
		Memory: &p.memory,
	}
	if put || contact.Escaping(q.Old) {
		q.Old = nil
	}
	for i := range hulls {
		q.Shapes = append(q.Shapes, surface.WayShape{Hull: &hulls[i]})
	}
	q.Shapes[0].Stood = p.stood
	q.Prepare()
	f.Collect(t, q, r)
}
