package step

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/state"
)

// The moving obstacles of a step are the kinematic bodies, and the dynamic bodies with grounds. The boxes of
// kinematic bodies hold all of their motion through the step. Moving obstacles mark the dynamic bodies near them,
// so that no other body is swept against them.

// moveKinematic moves the kinematic bodies, and marks the dynamic bodies that they may meet: the marked bodies
// are swept against the motions of the kinematic ones.
func (s *Advance) moveKinematic() {
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
		b.MotionIndex = int32(len(s.moving))
		s.moving = append(s.moving, motion)
		w.UpdateBoxes(i, &motion)
		s.markNear(i, broad.Dynamic|broad.MovingGrounds)
	}
}

// planGrounds lists the motions of the dynamic bodies with grounds, as if nothing stopped them, and gives the
// grounds that move by more than a slop boxes that hold their motions. These bodies mark the bodies near them; a
// slow one marks only bodies with shapes, as two slow grounds are not swept against each other (ccd.Gate of a
// block).
func (s *Advance) planGrounds() {
	w := s.world
	for _, at := range s.awake.Tiled {
		i := s.awake.Bodies[at]
		b, by := w.Bodies.At(i), &s.solved[at+1]
		_, _, d := b.Solved(by)
		b.MotionIndex = int32(len(s.moving))
		motion := ccd.Between(i, b.Pose(), b.PoseAfter(d, by), b.LocalCenter, by.Turn)
		motion.D = d
		s.moving = append(s.moving, motion)
		travel, near := d.Len()+float64(math.Abs(motion.Turn)*b.Extent), uint64(broad.Dynamic)
		if travel <= geom.LinearSlop {
			continue
		}
		if travel > b.NearGate() {
			near |= broad.MovingGrounds
		}
		for g := b.FirstGround; g >= 0; g = w.Grounds.At(g).Next {
			if o := w.Grounds.At(g); o.Proxy != broad.None {
				if box := motion.BoundsOf(o.Box, motion.To, b.LocalCenter); !w.Broad.At(o.Proxy).Box.Contains(box) &&
					w.Broad.Update(o.Proxy, box) == nil {
					b.BoxChanges++
					w.Rare(i).Room = 0
				}
			}
		}
		s.markNear(i, near)
	}
}

// markNear marks the dynamic bodies with proxies of the categories that body i, a moving obstacle, may meet in
// this step, if they move no farther than state.AABBMargin.
func (s *Advance) markNear(i int32, categories uint64) {
	const room = state.AABBMargin + ccd.PathSlop
	w := s.world
	for e := range w.ProxiesOf(i) {
		if e.Sensor {
			continue
		}
		for _, id := range w.Broad.Near(e.Box.Expand(room), categories) {
			if o := w.Broad.At(id).Body; o != i {
				w.Bodies.At(o).NearMovingAt = w.Steps + 1
			}
		}
	}
}

// nearMoving reports whether b, of which no point moves farther than travel, may meet a moving obstacle. A body
// that moves farther than the marks allow for counts as near: markNear looks for slow bodies, and a ground that
// hardly moves marks none.
func (s *Advance) nearMoving(b *state.Body, travel float64) bool {
	return len(s.moving) > 0 && (b.NearMovingAt == s.world.Steps+1 || travel > b.NearGate())
}

// motionOf returns the motion of body i if it is a moving obstacle. It returns nil for a body without grounds
// that was dynamic when the step began, and has left the world since.
func (s *Advance) motionOf(i int32) *ccd.Motion {
	k := s.world.Bodies.At(i).MotionIndex
	if int(k) < len(s.moving) && s.moving[k].Body == i {
		return &s.moving[k]
	}
	return nil
}
