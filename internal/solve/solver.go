package solve

// Solver holds one step's bodies and contacts. The zero value is ready for
// Reset; its slices are kept from step to step, so a warm Run allocates
// nothing.
type Solver struct {
	Bodies   []Body // [0] is the immovable one
	Contacts []Contact

	MaxSpeed    float32 // units of length a second
	PushSpeed   float32 // fastest that overlap is pushed apart
	BounceSpeed float32 // slowest approach that bounces
	Hertz       float32 // of a contact's spring, at most; the sub-step rate caps it
	Damping     float32 // ratio; above 1 is overdamped

	soft, softStatic softness
	maxTurn          float32
	blows            []int32 // contacts that meet at speed in this step
}

var immovable = Body{DC: 1}

// Reset empties the solver but for the immovable body.
func (s *Solver) Reset() {
	s.Bodies = append(s.Bodies[:0], immovable)
	s.Contacts = s.Contacts[:0]
}

// Run makes a step of dt seconds in n sub-steps. Afterwards Bodies hold the new
// velocities and what was moved, Contacts the impulses of the last sub-step.
func (s *Solver) Run(dt float32, n int) {
	h := dt / float32(n)
	hertz := min(s.Hertz, 0.25/h)
	s.soft = soften(hertz, s.Damping, h)
	// What rests on the immovable gets twice the frequency: it carries all
	// the weight above it.
	s.softStatic = soften(2*hertz, s.Damping, h)
	s.maxTurn = 1.5707964 / h
	s.prepare()
	s.impacts(h)
	for range n {
		s.integrateVelocities(h)
		s.warmStart()
		s.contactsPass(h, true)
		s.integratePositions(h)
		s.contactsPass(h, false)
	}
	s.restitution()
	s.limit(dt)
}
