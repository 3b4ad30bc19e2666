package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
)

// Bullets are swept against other dynamic bodies, too. The bullets that are swept in a step move
// last, one after the other: each is swept against the motions of all other bodies and of the
// bullets before it. So a bullet is advanced and committed before the next one is advanced.

// recordMotion records, for the bullets, the motion from the pose from that awake.Bodies[at] has made. With far,
// the body may have left the box that it had in the broad phase.
func (k *advancer) recordMotion(at int, from ccd.Pose, far bool) {
	i := k.awake.Bodies[at]
	b := k.world.Bodies.At(i)
	k.motions[at] = ccd.Between(i, from, b.Pose(), b.LocalCenter, k.solved[at+1].Turn)
	if far {
		k.add(wentFar, i, at)
	}
}

// commitBullets advances and commits the bullets that are swept.
func (s *Advance) commitBullets() {
	if s.world.Bullets == 0 {
		return
	}
	first := &s.workers[0]
	for at, i := range s.awake.Bodies {
		out := &s.outcomes[at]
		if !out.sweptLast {
			continue
		}
		s.impacts.Reset(1, 1, 1)
		s.beginLists(1)
		first.part = 0
		first.advanceBody(out, i, at)
		first.commitBody(out, i, at)
		s.world.PutBoxes(s.boxes.Join())
		s.applyEffects()
		s.takeImpacts()
	}
}

// AppendDynamic implements ccd.Obstacles.
func (k *advancer) AppendDynamic(dst []ccd.Obstacle, shape int32, box geom.AABB) []ccd.Obstacle {
	w := k.world
	if shape < 0 {
		return dst // a ground is no bullet
	}
	for _, id := range k.find(box, broad.Dynamic) {
		dst = k.appendDynamicShape(dst, shape, w.Broad.At(id).Owner.Slot())
	}
	// A fast body may have been in the path when the step began, and be elsewhere now.
	for _, at := range k.movedFar {
		o := w.Bodies.At(k.awake.Bodies[at])
		for ti := o.FirstShape; ti >= 0; ti = w.Shapes.At(ti).Next {
			if !w.Broad.At(w.Shapes.At(ti).Proxy).Box.Overlaps(box) {
				dst = k.appendDynamicShape(dst, shape, ti)
			}
		}
	}
	return dst
}

// appendDynamicShape appends the shape in slot ti if it belongs to a dynamic body that has moved already, or does
// not move in this step, and if it may stop the shape of the bullet, in slot si.
func (k *advancer) appendDynamicShape(dst []ccd.Obstacle, si, ti int32) []ccd.Obstacle {
	w := k.world
	s, t := w.Shapes.At(si), w.Shapes.At(ti)
	b := w.Bodies.At(t.Body)
	if b.Type != broad.DynamicBody || !w.Broad.MayCollide(w.Broad.At(s.Proxy), w.Broad.At(t.Proxy)) || t.Sensor ||
		k.ignores(broad.OwnerOf(broad.Shape, ti), si) {
		return dst
	}
	c := ccd.Obstacle{Body: t.Body, Hull: &t.Hull, Geometry: t.Geometry}
	if b.SolverIndex == 0 {
		c.Frame = b.Transform()
	} else if c.Motion = &k.motions[b.SolverIndex-1]; !c.Motion.Moves {
		return dst // a bullet that comes after this one
	}
	return append(dst, c)
}
