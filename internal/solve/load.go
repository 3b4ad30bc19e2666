package solve

// A pass passes a load on by one contact. Of a load that is heavy for the bodies that carry it, a pass passes on only
// a small part: the share of these bodies in the momentum. Warm starting collects the rest over the sub-steps, but
// meanwhile the heavy body sinks in, and then swings on its contacts as on a soft spring. The contact's own spring is
// soft, too, as its stiffness is in proportion to the mass of the lighter body. So boxes under boxes a thousand times
// as heavy were squeezed out and thrown. Islands with such a load have rigid passes before the relax pass of each sub-
// step, as many as the load needs, and springs that are stiffer by as much. Loads change little from step to step, so
// the impulses of the step before tell where they are.

// Kind returns the kind of a contact of bodies with these inverse masses. The contact is static (Link.Static) if one
// body is static or kinematic, or so heavy that it counts as static. Otherwise it is heavy if the masses differ enough
// for a load: its Link then needs an Impulse, unless a point moves at ImpactSpeed along the normal. (While an impact of
// a heavy body on a light one lasts, rigid passes would pass on impulses that grow until they have stopped the heavy
// body, and then throw it up.) A body between a press and the ground carries no load: no number of passes makes the
// body fit.
func Kind(a, b float64) (static, heavy bool) {
	if a > b {
		a, b = b, a
	}
	if a*heavyRatio > b { // as most contacts are
		return false, false
	}
	static = a*staticRatio <= b
	return static, !static
}

// load returns the impulse of l as the change of speed of the lighter body; 0 if a body has joints: these carry the
// load, and are solved directly.
func (l *Link) load(s *Solver) float32 {
	if s.jointed[l.A] || s.jointed[l.B] {
		return 0
	}
	return l.Impulse * float32(max(s.Motions[l.A].InvMass, s.Motions[l.B].InvMass))
}

// rigidPassesOf returns the number of rigid passes of an island with the given number of contacts and joints. Passes
// that are too few to settle a load are worse than none, since a pile under them never comes to rest, and a large
// island would need too many.
func (u *island) rigidPassesOf(contacts int) int {
	if !(u.load > freeLoad && u.heavy) {
		return 0
	}
	return min(int(min(u.load-freeLoad, mostPasses)), passWork/contacts)
}

// springPass makes the pass with springs.
func (s *worker) springPass(h, time float32) {
	springs := s.springs
	if s.batch.rigidPasses > 0 {
		for k := range s.springs {
			s.springs[k] = s.springs[k].loaded(s.stiffening())
		}
	}
	s.pass(h, time, true)
	s.springs = springs
}

// stiffening returns how many times as stiff the springs of the batch are as without a heavy load.
func (s *worker) stiffening() float32 { return 1 + float32(springGain*float32(s.batch.rigidPasses)) }

// softShare returns the share of the impulse scales of joints that the stiffening leaves.
func (s *worker) softShare() float32 { return 1 / s.stiffening() }

// rigidPasses makes the rigid passes: overlap stays, and the impulses are not added to the sums.
func (s *worker) rigidPasses(h, time float32) {
	springs := s.springs
	s.springs = [kindCount]contactSpring{rigid, rigid, rigid, rigid}
	for range s.batch.rigidPasses {
		s.passJoints(h, rigidJoints)
		s.pass(h, time, true)
	}
	s.springs = springs
}
