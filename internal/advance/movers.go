package advance

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/state"
)

// The movers are the moving obstacles of a step: the kinematic bodies, and the dynamic bodies with grounds. The boxes of
// kinematic bodies hold all of their motion through the step. Movers mark the dynamic bodies near them, so that no other
// body is swept against them.

// moveKinematic moves the kinematic bodies, and marks the dynamic bodies that they may meet: these
// are swept against their motions.
func (s *Stage) moveKinematic() {
	w := s.world
	for _, at := range s.awake.Kinematic {
		i := s.awake.Bodies[at]
		b, by := w.Bodies.At(i), &s.solved[at+1]
		from, to := b.Pose(), b.PoseAfter(geom.V(by.DX, by.DY), by)
		b.Center, b.Rot = to.Center, to.Rot
		motion := ccd.Between(i, from, to, b.LocalCenter, by.Turn)
		motion.D = geom.V(by.DX, by.DY)
		r := w.Rare(i)
		r.StartPose, r.StartedAt = motion.From, w.Steps+1
		b.MoverIndex = int32(len(s.movers))
		s.movers = append(s.movers, motion)
		w.UpdateBoxes(i, &motion)
		s.markNear(i, broad.Dynamic|broad.MovingGrounds)
	}
}

// planGrounds lists the motions of the dynamic bodies with grounds as movers, as if nothing stopped them, and gives the
// grounds that move by more than a slop boxes that hold their motions. They mark the bodies near them; a slow one only bodies with
// shapes, as two slow grounds are not swept (ccd.Gate of a block).
func (s *Stage) planGrounds() {
	w := s.world
	for _, at := range s.awake.Tiled {
		i := s.awake.Bodies[at]
		b, by := w.Bodies.At(i), &s.solved[at+1]
		_, _, d := b.Solved(by, w.DT)
		b.MoverIndex = int32(len(s.movers))
		motion := ccd.Between(i, b.Pose(), b.PoseAfter(d, by), b.LocalCenter, by.Turn)
		motion.D = d
		s.movers = append(s.movers, motion)
		travel, near := d.Len()+float64(math.Abs(motion.Turn)*b.Extent), uint64(broad.Dynamic)
		if travel <= geom.LinearSlop {
			continue
		}
		if travel > state.AABBMargin {
			near |= broad.MovingGrounds
		}
		for g := b.FirstGround; g >= 0; g = w.Grounds.At(g).Next {
			if o := w.Grounds.At(g); o.Proxy != broad.None {
				if box := motion.BoundsOf(o.Box, motion.To, b.LocalCenter); !w.Broad.At(o.Proxy).Box.Contains(box) && w.Broad.Update(o.Proxy, box) == nil {
					b.Boxes++
					w.Rare(i).Room = 0
				}
			}
		}
		s.markNear(i, near)
	}
}

// markNear marks the dynamic bodies with proxies of the categories that the mover, body i, may meet in this step, if they
// move no farther than state.AABBMargin.
func (s *Stage) markNear(i int32, categories uint64) {
	const room = state.AABBMargin + ccd.PathSlop
	w := s.world
	for e := range w.ProxiesOf(i) {
		if e.Sensor {
			continue
		}
		for _, id := range w.Broad.Near(e.Box.Expand(room), categories) {
			if o := w.Broad.At(id).Body; o != i {
				w.Bodies.At(o).NearMoverAt = w.Steps + 1
			}
		}
	}
}

// nearMover reports whether b, of which no point moves farther than travel, may meet a mover: these mark only bodies that
// are slow, and a ground that hardly moves marks none.
func (s *Stage) nearMover(b *state.Body, travel float64) bool {
	return len(s.movers) > 0 && (b.NearMoverAt == s.world.Steps+1 || travel > min(state.AABBMargin, b.CoreGate))
}

// motionOf returns the motion of body i, which moves and is not dynamic, or has a ground; nil if it was dynamic
// when the step began.
func (s *Stage) motionOf(i int32) *ccd.Motion {
	k := s.world.Bodies.At(i).MoverIndex
	if int(k) < len(s.movers) && s.movers[k].Body == i {
		return &s.movers[k]
	}
	return nil
}
