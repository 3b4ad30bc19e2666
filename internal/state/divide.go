package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/surface"
)

// holdReach is the distance from the tiles of a part, in cells, within which the part holds joints; for shapes it
// is added to their extent.
const holdReach = 1

// Divide divides the shapes, the joints, the mass and the momentum of body i, whose state was old, among body i and
// the bodies of the parts that have come off it. All have the same frame. If the body has OwnMass, whole is the
// mass of its shapes and tiles before.
func (w *World) Divide(i int32, old *Body, whole geom.Mass, parts []int32) {
	var grids []*gridseg.Grid
	var bodies []int32 // of the grids
	add := func(k int32) {
		for g := w.Bodies.At(k).FirstGround; g >= 0; g = w.Grounds.At(g).Next {
			grids, bodies = append(grids, w.Grounds.At(g).Tiles.Grid), append(bodies, k)
		}
	}
	add(i)
	kept, changed := len(bodies), w.Bodies.At(i).Type == broad.DynamicBody || whole.Mass > 0
	for _, k := range parts {
		add(k)
	}
	for s := w.Bodies.At(i).FirstShape; s >= 0; {
		sh, k := w.Shapes.At(s), s
		s = sh.Next
		if to := surface.Holder(grids, sh.Hull.Centroid, sh.Extent+holdReach); to >= kept {
			w.MoveShape(k, bodies[to])
			changed = true
		}
	}
	for l, j := range w.JointsOf(i) {
		end, at := &j.BodyA, j.A.Origin
		if l&1 != 0 {
			end, at = &j.BodyB, j.B.Origin
		}
		if to := surface.Holder(grids, at, holdReach); to >= kept {
			w.MoveEnd(l>>1, j, end, bodies[to])
		}
	}
	own := w.Rare(i).Mass
	if bodies = bodies[kept:]; changed {
		bodies = append(bodies, i)
	}
	for _, k := range bodies {
		b := w.Bodies.At(k)
		if whole.Mass > 0 {
			share := geom.Mass{}
			if part := w.MassOf(k); part.Mass > 0 {
				share = shareOfMass(own, whole, part)
			}
			w.setOwnMass(k, share)
		} else {
			w.UpdateMass(k)
		}
		if b.Type == broad.DynamicBody {
			b.Velocity = b.Free(old.VelocityAt(b.Center.Sub(old.Center)))
		}
	}
}
