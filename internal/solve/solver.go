package solve

import "math"

// Solver holds one step's bodies and contacts. The zero value is ready for
// Reset; its slices are kept from step to step, so a warm Run allocates
// nothing.
type Solver struct {
	Motions  []Motion // [0] stands for all static bodies
	Contacts []Contact
	Normals  []Normal // of the contacts

	// Islands holds the number of each motion's island: the bodies that contacts join, directly
	// or through others, from 1 to IslandCount-1; 0 is for motions that contacts do not change.
	// Run puts motions without a number into island 1.
	Islands     []int32
	IslandCount int

	MaxSpeed    float32 // units of length a second
	PushSpeed   float32 // greatest speed at which overlap is pushed apart
	BounceSpeed float32 // least approach speed with restitution
	PushRate    float32 // at which overlap decays, 1 a second; with static and kinematic bodies, three times that

	bodies           []body    // of the motions
	turned           []float32 // rotation of each body in the step, radians
	soft, softStatic softness
	maxTurn          float32 // radians a second
	impacts          impacts
	islands          []island // [0] is unused

	batches      []batch
	most         int     // contacts of a batch; 0 for mostContacts
	batchOf      []int32 // of the islands
	bodyOrder    []int32 // bodies, batch by batch
	contactOrder []int32 // contacts, batch by batch
	starts       []int32 // of the batches in them
	carriers     []int32 // bodies that contacts do not move
	carried      []body  // the same at the start of the step

	used              []uint64  // of the bodies: the colours of their contacts; see color
	places            []int32   // of the contacts: 8 times the block, plus the lane
	ofMoving, ofFixed constants // of the two kinds of groups

	// Of the batch in work.
	ones               []block1
	twos               []block2
	queueOne, queueTwo queue
	surfaces           []surface
	rollings           []rolling
	bouncing           []int32        // contacts that restitution may apply to
	watched            []*contactRows // blocks with bodies of high mass ratio
}

// quarterTurn (radians) is the greatest rotation of a body in a sub-step: contacts are found
// once a step, and beyond it they would not fit the pose.
const quarterTurn = 1.5707964

// Reset removes all motions and contacts, except motion 0.
func (s *Solver) Reset() {
	s.Motions = append(s.Motions[:0], Motion{C: 1})
	s.Contacts, s.Normals = s.Contacts[:0], s.Normals[:0]
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

// Run makes a step of dt seconds in n sub-steps. Afterwards Motions are those at
// the end of it, and Contacts hold the impulses of the last sub-step.
func (s *Solver) Run(dt float64, n int) {
	h := float32(dt / float64(n))
	s.soft, s.softStatic = soften(s.PushRate, movingHertz, h), soften(fixedRate*s.PushRate, fixedHertz, h)
	s.maxTurn = quarterTurn / h
	s.begin(dt / float64(n))
	s.setConstants(h, 0)
	s.beginIslands()
	s.divide()
	s.beginContacts()
	for i := range s.batches {
		t := &s.batches[i]
		s.resetCarriers()
		s.prepare(t)
		s.solveImpacts(float32(dt))
		s.subSteps(t, dt, n)
		s.resetSurfaces()
		s.unroll()
		s.restitution()
		s.finish(t, dt)
	}
	for _, i := range s.carriers {
		s.finishBody(i, dt)
	}
	s.limit(dt)
}

// subSteps makes n sub-steps of a step of dt seconds with the islands of t.
func (s *Solver) subSteps(t *batch, dt float64, n int) {
	h := float32(dt / float64(n))
	for i := range n {
		s.moveSurfaces(0.5 * h)
		s.roll(rollAhead * float32(dt))
		s.integrateVelocities(s.carriers)
		s.integrateVelocities(t.bodies)
		s.warmStart(t)
		s.springPass(t.passes, h, float32(i)*h)
		s.integratePositions(s.carriers, h)
		s.integratePositions(t.bodies, h)
		s.moveSurfaces(0)
		s.part()
		s.rigidPasses(t.passes, h, float32(i+1)*h)
		s.pass(h, float32(i+1)*h, false)
		s.relaxUneven(h, float32(i+1)*h)
	}
}
