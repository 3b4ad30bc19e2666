package solve

// A pass passes a load on by one contact. Of a load that is heavy for the bodies that carry it, a pass passes on only a small part: the
// share of these bodies in the momentum. Warm starting collects the rest over the sub-steps, but meanwhile the heavy body sinks in, and then
// swings on its contacts as on a soft spring. The contact's own spring is soft, too, as its stiffness is in proportion to the
// mass of the lighter body. So boxes under boxes a thousand times as heavy were squeezed out and thrown. Islands with such a mass ratio
// have rigid passes before the relax pass of each sub-step, and stiffer springs. Their number follows from the masses alone: with a
// number that followed the impulses of the step before, pyramids trembled for half a minute.

// Kind returns the kind of a contact of bodies with these inverse masses. The contact is static (Link.Static) if one body
// is static or kinematic, or so heavy that it counts as static. Otherwise heavier is how many times as heavy one of the bodies is as
// the other, from passRatio on, or 0. A body between a press and the ground has no such ratio: no number of passes makes the body
// fit.
func Kind(a, b float64) (static bool, heavier float32) {
	if a > b {
		a, b = b, a
	}
	if a*passRatio > b { // as most contacts are
		return false, 0
	}
	if a*staticRatio <= b {
		return true, 0
	}
	return false, float32(b / a)
}

// passes returns the number of rigid passes in each sub-step of an island with the given number of contacts and joints.
func (u *island) passes(contacts int) int { return min(int(u.heavier/passRatio), passWork/contacts) }

// springPass makes the pass with springs.
func (s *worker) springPass(h, time float32) {
	soft, softStatic := s.soft, s.softStatic
	scale := s.softShare()
	s.soft.impulseScale *= scale
	s.softStatic.impulseScale *= scale
	s.pass(h, time, true)
	s.soft, s.softStatic = soft, softStatic
}

// softShare returns the share of the impulse scales that the rigid passes leave. Springs are only as stiff as the passes pass on loads.
func (s *worker) softShare() float32 { return 1 / (1 + float32(s.batch.passes)/stiffenPasses) }

// rigidPasses makes the rigid passes: overlap stays, and the impulses are not added to the sums.
func (s *worker) rigidPasses(h, time float32) {
	soft, softStatic := s.soft, s.softStatic
	s.soft, s.softStatic = softness{}, softness{}
	for range s.batch.passes {
		s.passJoints(h, rigidJoints)
		s.pass(h, time, true)
	}
	s.soft, s.softStatic = soft, softStatic
}

// An island has one rigid pass in each sub-step for each passRatio of its greatest mass ratio of two bodies in contact, at most as many as
// visit passWork contacts. stiffenPasses of them make its springs twice as stiff. The limit counts in piles of 1,000 contacts and more.
const (
	passRatio     = 10
	passWork      = 1 << 16
	stiffenPasses = 10
)

// staticRatio is the least mass ratio of two bodies of which the heavier one counts as static for their contact: beyond
// the ratios at which a body carries a heavier one. So shapes move on a dynamic ground of that mass as on static ground.
const staticRatio = 1e5
