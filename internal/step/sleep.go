package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// Sleep is the last stage of a step. It puts islands to sleep.
//
// Needs: an island falls asleep when all its bodies have been at rest for Config.SleepTime, and not while
// something is about to move one of them.
//
// Assumes: List has joined the islands of this step; the other stages have noted how long each body has been at
// rest (rest.go), which bodies are jammed, and which belts and motors drive an island.
//
// Algorithm: the islands sum up the rest times of their bodies. In jammed islands the bodies also count the time
// near one pose. Of the islands that are due, those without a support on which a force acts begin to rest again;
// the bodies of the others fall asleep.
//
// Data: rest times are in the bodies and in state.World.Islands. The stage keeps the list of the bodies that fell
// asleep.
type Sleep struct {
	asleep  []int
	staying staying
}

// Step puts islands of w to sleep, and returns the indices of their bodies in awake, the list of the bodies that
// the solver moved by motions. The result is valid until the next Step.
func (s *Sleep) Step(w *state.World, t *team.Team, awake []int32, motions []solve.Motion) []int {
	s.asleep = s.asleep[:0]
	w.Islands.Time, w.Islands.Pace = w.Config.SleepTime, w.Pace
	if !w.Config.NoSleep {
		w.Islands.SumUp()
	}
	if w.Islands.AnyJam() {
		s.staying.note(w, t, awake)
	}
	if w.Config.NoSleep || !w.Islands.AnyAsleep() {
		return nil
	}
	noteSupport(w, awake, motions)
	for k, i := range awake {
		b := w.Bodies.At(i)
		switch at := int32(k + 1); {
		case b.Type != broad.DynamicBody || !w.Islands.Asleep(at):
		case w.Islands.Falls(at):
			b.Idle = 0
		default:
			b.FallAsleep(w.Rare(i))
			s.asleep = append(s.asleep, k)
		}
	}
	return s.asleep
}

// staying tells the islands how long the bodies of jammed islands have stayed near one pose.
type staying struct {
	world *state.World
	awake []int32
	loop  func(worker, from, to int) // made once, so that a step allocates nothing
}

func (s *staying) note(w *state.World, t *team.Team, awake []int32) {
	if s.awake = awake; s.world != w {
		s.world = w
		s.loop = func(_, from, to int) {
			for k := from; k < to; k++ {
				i := s.awake[k]
				b := w.Bodies.At(i)
				w.Islands.Stay(int32(k+1), &w.Rare(i).StayPose, b.Center, b.Rot, b.Extent, w.DT)
			}
		}
	}
	t.Each(len(awake), BodyGrain, s.loop)
}
