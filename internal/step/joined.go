package step

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
)

// Continuous collision sweeps each body alone, and stops it in the middle of a step. A body that a joint holds to
// it would move on to the end of the step, and open the joint by as much as it moves. The solver closes the joint
// in the next steps, and gives the bodies energy by that. So a stopped body stops the bodies of its joints at the
// same fraction of the step, if a joint would open by more than mostGap, and these stop others. (Box2D v3 lets
// them open.)

// mostGap is how far a joint may open in a step because continuous collision stops one of its bodies, in units of
// length.
const mostGap = 4 * geom.LinearSlop

// stop is a body with joints that continuous collision stopped.
type stop struct {
	fraction float64 // of the step
	at       int32   // index of the body in awake.Bodies
}

// stopJoined stops the bodies that joints hold to stopped bodies.
func (s *Advance) stopJoined() {
	stops := s.stops.Join()
	// The smallest fraction comes first, so no body is stopped twice.
	slices.SortFunc(stops, func(a, b stop) int {
		return cmp.Or(cmp.Compare(a.fraction, b.fraction), cmp.Compare(a.at, b.at))
	})
	for _, first := range stops {
		s.stopped = append(s.stopped[:0], first.at)
		for n := 0; n < len(s.stopped); n++ {
			s.stopBeside(s.stopped[n], first.fraction)
		}
	}
}

// stopBeside stops the other bodies of the joints that would open, of the body awake.Bodies[at], which stops at
// fraction, and appends them to stopped.
func (s *Advance) stopBeside(at int32, fraction float64) {
	i := s.awake.Bodies[at]
	for _, j := range s.world.JointsOf(i) {
		b := s.world.Bodies.At(j.BodyA + j.BodyB - i)
		if b.Type != broad.DynamicBody || b.SolverIndex == 0 || !j.Acts() {
			continue
		}
		k := b.SolverIndex - 1
		if out := &s.outcomes[k]; out.Fraction > fraction && !out.sweptLast && !out.unswept && s.opens(j) {
			out.stopAt(fraction, b, &s.solved[k+1])
			s.stopped = append(s.stopped, k)
		}
	}
}

// opens reports whether j opens by more than mostGap in the step.
func (s *Advance) opens(j *state.Joint) bool {
	a, b := s.world.JointSides(j)
	was := j.Gap(&a, &b)
	s.moveSide(&a, j.BodyA)
	s.moveSide(&b, j.BodyB)
	return j.Gap(&a, &b) > was+mostGap
}

// moveSide moves side, of body i, to the pose that the body reaches in the step. Bodies that are not dynamic have
// moved already.
func (s *Advance) moveSide(side *joint.Side, i int32) {
	if b := s.world.Bodies.At(i); b.Type == broad.DynamicBody && b.SolverIndex != 0 {
		to := &s.outcomes[b.SolverIndex-1].To
		side.Center, side.Rot = to.Center, to.Rot
	}
}

// stopAt lets body b, which the solver moves by by, stop at an earlier fraction of the step.
func (out *reached) stopAt(fraction float64, b *state.Body, by *solve.Motion) {
	share := fraction / out.Fraction
	sin, cos := geom.SinCos(share * ccd.TurnOf(b.Rot, out.To.Rot, out.Fraction*by.Turn))
	out.To = ccd.Pose{Center: b.Center.Lerp(out.To.Center, share), Rot: ccd.Turned(b.Rot, cos, sin)}
	out.Fraction = fraction
}
