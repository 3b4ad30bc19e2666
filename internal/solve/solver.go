package solve

import "math"

// Solver holds one step's bodies and contacts. The zero value is ready for
// Reset; its slices are kept from step to step, so a warm Run allocates
// nothing.
type Solver struct {
	Motions []Motion // [0] stands for all static bodies
	Links   []Link   // the contacts, in order
	Source  Source   // of the contacts

	// Islands holds the number of each motion's island: the bodies that contacts join, directly
	// or through others, from 1 to IslandCount-1; 0 is for motions that contacts do not change.
	// Run puts motions without a number into island 1.
	Islands     []int32
	IslandCount int

	MaxSpeed    float32 // units of length a second
	PushSpeed   float32 // greatest speed at which overlap is pushed apart
	BounceSpeed float32 // least approach speed with restitution
	Hertz       float32 // greatest frequency of a contact's spring; at most a quarter of the sub-step rate
	Damping     float32 // ratio of a contact's spring; above 1 is overdamped

	bodies           []body    // those that contacts do not move (carriers), then batch by batch
	turned           []float32 // rotation of each body in the step, radians
	motionOf         []int32   // index of each body's motion
	bodyOf           []int32   // index of each motion's body
	carriers         int       // bodies that contacts do not move; static ones are body 0
	carried          []body    // the same at the start of the step
	soft, softStatic softness
	maxTurn          float32  // radians a second
	islands          []island // [0] is unused

	batches      []batch
	most         int     // contacts of a batch; 0 for mostContacts
	batchOf      []int32 // of the islands
	contactOrder []int32 // contacts, batch by batch
	starts       []int32 // of the batches in it

	used   []uint64 // of the bodies: the colours of their contacts; see color
	uneven []bool   // of the bodies: it touches a much heavier or lighter one
	places []int32  // of the contacts: 8 times the block, plus the lane
	kept   []int32  // of the contacts: 1 + the index in worker.copies, or 0

	worker worker
}

// worker solves batches, one at a time.
type worker struct {
	*Solver
	batch             *batch    // in work
	ofMoving, ofFixed constants // of the two kinds of groups
	ones              []block1
	twos              []block2
	groupOne          groups    // of the contacts of one point
	groupTwo          groups    // of two points
	colors            []uint8   // groups of the batch's contacts
	copies            []Contact // contacts that are treated one at a time; see contact
	contact           Contact   // being packed
	taken             Impulses  // being taken back
	impacts           impacts
	surfaces          []surface
	rollings          []rolling
	bouncing          []int32        // contacts that restitution may apply to
	watched           []*contactRows // blocks with bodies of high mass ratio
}

// quarterTurn (radians) is the greatest rotation of a body in a sub-step: contacts are found
// once a step, and beyond it they would not fit the pose.
const quarterTurn = 1.5707964

// Reset removes all motions and contacts, except motion 0.
func (s *Solver) Reset() {
	s.Motions = append(s.Motions[:0], Motion{C: 1})
	s.Links = s.Links[:0]
}

// MostSpin returns the greatest spin of a body, in radians a second, in a step of dt
// seconds in n sub-steps: a quarter turn in a sub-step.
func MostSpin(dt float64, n int) float64 { return quarterTurn / (dt / float64(n)) }

// Clamp limits x to -most to most. NaN, as of the sum of opposite infinities, becomes 0.
func Clamp(x *float64, most float64) {
	if math.IsNaN(*x) {
		*x = 0
	}
	*x = max(-most, min(most, *x))
}

// Run makes a step of dt seconds in n sub-steps. It reads the contacts from Source, and afterwards
// Motions are those at the end of the step, and Source has the impulses of the last sub-step.
func (s *Solver) Run(dt float64, n int) {
	s.begin(dt, n)
	for i := range s.batches {
		s.worker.solve(&s.batches[i], dt, n)
	}
	for i := 1; i < s.carriers; i++ {
		s.finishBody(int32(i), dt)
		s.limit(s.motionOf[i], dt)
	}
}

// begin sets the bodies and the batches of a step of dt seconds in n sub-steps.
func (s *Solver) begin(dt float64, n int) {
	h := float32(dt / float64(n))
	hertz := min(s.Hertz, 0.25/h)
	s.soft = soften(hertz, s.Damping, h)
	// Contacts with static and kinematic bodies have twice the frequency: they carry all the
	// weight above them.
	s.softStatic = soften(2*hertz, s.Damping, h)
	s.maxTurn = quarterTurn / h
	s.beginIslands()
	s.divide()
	s.beginBodies(dt / float64(n))
	s.beginContacts()
	s.worker.Solver = s
}

// solve solves the islands of t, in n sub-steps of a step of dt seconds.
func (s *worker) solve(t *batch, dt float64, n int) {
	h := float32(dt / float64(n))
	s.batch = t
	s.setConstants(h, 0)
	s.resetCarriers()
	s.prepare(t)
	s.solveImpacts(float32(dt))
	s.subSteps(t, dt, n)
	s.resetSurfaces()
	s.unroll()
	s.restitution()
	s.finish(t, dt)
}

// subSteps makes n sub-steps of a step of dt seconds with the islands of t.
func (s *worker) subSteps(t *batch, dt float64, n int) {
	h := float32(dt / float64(n))
	for i := range n {
		s.moveSurfaces(0.5 * h)
		s.roll(rollAhead * float32(dt))
		s.integrateVelocities(1, s.carriers)
		s.integrateVelocities(t.from, t.to)
		s.warmStart(t)
		s.pass(h, float32(i)*h, true)
		s.integratePositions(1, s.carriers, h)
		s.integratePositions(t.from, t.to, h)
		s.moveSurfaces(0)
		s.part()
		s.pass(h, float32(i+1)*h, false)
		s.relaxUneven(h, float32(i+1)*h)
	}
}
