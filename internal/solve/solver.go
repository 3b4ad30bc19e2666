package solve

import (
	"math"

	"github.com/quarry2d/quarry/internal/team"
)

// Solver holds one step's bodies, contacts and joints. The zero value is ready for Reset; its slices
// are kept from step to step, so a warm Run allocates nothing.
type Solver struct {
	Motions []Motion // [0] stands for all static bodies
	Links   []Link   // the contacts, in order
	Heavy   []int32  // indices in Links of the contacts that are heavy; see Kind
	Source  Source   // of the contacts
	Team    *team.Team

	JointLinks []Link      // the joints, in order; N, Static and Impulse are not read
	Joints     JointSource // of the joints
	// Islands holds the number of each motion's island: the bodies that contacts and joints join, directly
	// or through others, from 1 to IslandCount-1; 0 is for motions that nothing joins.
	// Run puts motions without a number into island 1.
	Islands     []int32
	IslandCount int

	MaxSpeed    float32 // units of length a second
	PushSpeed   float32 // largest speed at which overlap is pushed apart
	BounceSpeed float32 // smallest approach speed with restitution
	HitSpeed    float32 // smallest approach speed at which Source takes impulses, 0 and up
	Usual       float64 // seconds: the length of a step that the stiffness of contacts follows; 0: the step of Run
	LastSubStep float64 // seconds: the sub-step whose impulses contacts bring with them; 0: the sub-step of Run
	PushRate    float32 // at which overlap decays, 1 a second; with static and kinematic bodies, three times that

	bodies     []body // for each worker copies of the fixed bodies, then the others batch by batch; see place
	rareBodies []rareBody
	presses    []press  // of the motions
	loaded     []loaded // of the islands
	scaled     []scaled
	motionOf   []int32 // index of each body's motion
	bodyOf     []int32 // index of each motion's body
	// bodies that no impulse moves (Motion.fixed), for each worker; body 0 stands for all static ones
	fixedCount       int
	fixedAtStart     []body // these at the start of the step
	rareFixedAtStart []rareBody
	springs          [kindCount]contactSpring
	stretch          float32  // of the impulses that contacts bring with them
	islands          []island // [0] is unused
	accounts         []island // islands as they are when a step begins
	contactIslands   []int32  // of the contacts
	jointIslands     []int32  // of the joints

	finished  bool // Run came to its end since the last Reset
	whole     bool // it had when Reset was called
	same      bool // batches, colours and places are kept from the step before; see Keep
	lastLinks []Link
	groups    []batchGroups // of the batches

	batches       []batch
	small         []int32 // batches that one worker solves
	most          int     // for tests: the contacts and joints of a batch; 0 for mostContacts
	batchOf       []int32 // of the islands
	contactOrder  []int32 // contacts, batch by batch
	contactStarts []int32 // of the batches in it
	jointOrder    []int32 // joints, batch by batch
	jointsFrom    []int32 // of the batches in it

	used         []uint64 // of the bodies: the colours of their contacts; see color
	usedByJoints []uint64 // the same for joints
	yields       []uint32 // of the motions: 1 if a contact moves them; see noteYield
	places       []int32  // of the contacts: 8 times the block, plus the lane
	// the contacts, batch by batch in the order of the lanes of their blocks, contacts of one point first
	packed  []int32
	packing []packing // the blocks, batch by batch in the order of their first contacts

	workers []worker
	parts   []part  // one for each worker
	dt      float64 // of the step
	n       int     // sub-steps
	loops   loops
}

// worker solves batches, one at a time.
type worker struct {
	*Solver
	batch      *batch         // current
	base       int32          // index in bodies of its copies of the fixed bodies
	solved     bool           // it solved a batch in this step
	split      bool           // other workers help with the batch
	job        job            // of the loop that is split
	h          float32        // seconds of a sub-step
	first      int            // first block of the present group
	constants  *constants     // of the present group
	kernelOne  kernel[block1] // of the pass
	kernelTwo  kernel[block2]
	number     int // of the worker
	found      found
	springs    [kindCount]contactSpring
	of         [kindCount]constants
	contactsOf []uint8        // of the batch's bodies; see countContacts
	rest       [1]eightBodies // the last bodies of a range, fewer than eight
	rareRest   [1]eightRareBodies
	ones       []block1
	twos       []block2
	rareOnes   []rareRows // of ones
	rareTwos   []rareRows
	packed     []int32   // the batch's part of Solver.packed
	packing    []packing // the batch's part of Solver.packing
	inputOnes  []input   // of ones
	inputTwos  []input
	colors     []uint8      // groups of the batch's contacts
	grouped    *batchGroups // the batch's contacts by group
	taken      Impulses     // being taken back
	clusters   clusters
	turning    []turning // contacts that follow a turn

	pins         []pinBlock
	pinGroups    groups
	kernelPins   kernel[pinBlock] // of the pass
	numbered     int              // 1 + the index of the batch that has the next numbers; 0: none
	jointNumbers []int32          // of the batch's joints; see pin.go

	joints           []joint // of the batch that are no pins, in the order of their colours
	jointStarts      []JointStart
	axes             []axes
	jointWork        []float32             // of the last warm start
	joint            Joint                 // being filled
	jointGroups      [groupCount + 1]int32 // of the colours of joints
	jointColors      []uint8               // groups with joints or pins
	firstJoint       int                   // first joint of the present colour
	rowTime, rowStep float32               // of the joints' rows
	jointPass        jointPass
	nodes            []treeNode    // of the components that are solved directly; see jointtree.go
	direct           []directJoint // their joints
	components       []component
	treeDrives       []int32 // joints of components with springs or motors
	firstTree        int32   // number in joints of the first joint of a component
	inTree           []bool  // of the batch's joints: it is in a component
	nodeOf           []int32 // of the batch's bodies: 1 + the index of the node, or 0
	jointsOf         []int32 // of the batch's bodies: where its joints begin in jointList
	jointList        []int32
	schurs           []float64 // matrices of the rows of loops
	loopImpulses     [3 * mostLoops]float64
	treePass         treePass
	jointTaken       JointImpulses // being taken back; of pins only U and V are set
	pinTaken         JointImpulses
	jointDid         Reaction
}

// quarterTurn (radians) is the largest rotation of a body in a sub-step: contacts are found
// once a step, and beyond it they would not fit the pose.
const quarterTurn = 1.5707964

// Reset removes all motions and contacts, except motion 0.
func (s *Solver) Reset() {
	s.Motions = append(s.Motions[:0], Motion{C: 1})
	s.whole, s.finished = s.finished, false
	s.lastLinks, s.Links = s.Links, s.lastLinks[:0]
	s.JointLinks, s.same = s.JointLinks[:0], false
}

// Keep takes the links of the last Run again, after Reset: JointLinks, Islands and the masses of Motions must be those
// of that Run, too.
func (s *Solver) Keep() {
	s.lastLinks, s.Links = s.Links, s.lastLinks
	s.same = s.whole
}

// MostSpin returns the largest spin of a body, in radians a second, in a step of dt
// seconds in n sub-steps: a quarter turn in a sub-step.
func MostSpin(dt float64, n int) float64 { return quarterTurn / (dt / float64(n)) }

// Clamp limits x to -most to most. NaN, as of the sum of opposite infinities, becomes 0.
func Clamp(x *float64, most float64) {
	if math.IsNaN(*x) {
		*x = 0
	}
	*x = max(-most, min(most, *x))
}

// Run makes a step of dt seconds in n sub-steps. It reads the contacts from Source and the joints from Joints.
// Afterwards Motions are those at the end of the step, and the manifolds have the impulses of the last sub-step.
func (s *Solver) Run(dt float64, n int) {
	s.begin(dt, n)
	// The passes over a large island are split among the workers; small islands are solved by one
	// worker each.
	s.small = s.small[:0]
	for i := range s.batches {
		if t := &s.batches[i]; s.large(t) && s.Team.Workers() > 1 {
			s.workers[0].solve(t, true)
		} else {
			s.small = append(s.small, int32(i))
		}
	}
	s.Team.Each(len(s.small), 1, s.loops.batches)
	s.finishFixed()
	s.giveBack()
	s.finished = true
}

// begin sets the bodies and the batches of a step of dt seconds in n sub-steps.
func (s *Solver) begin(dt float64, n int) {
	s.dt, s.n, s.finished = dt, n, false
	h := float32(dt / float64(n))
	usual := float32(1)
	if s.Usual > 0 {
		usual = float32(dt / s.Usual)
	}
	s.springs = [kindCount]contactSpring{
		column: springOf(s.PushRate, columnHertz*usual, h),
		moving: springOf(s.PushRate, movingHertz*usual, h),
		fixed:  springOf(fixedRate*s.PushRate, fixedHertz*usual, h),
	}
	if s.stretch = 1; s.LastSubStep > 0 {
		s.stretch = float32(min(dt/float64(n)/s.LastSubStep, MostStretch))
	}
	for i := len(s.Islands); i < len(s.Motions); i++ {
		s.Islands, s.IslandCount = append(s.Islands, min(int32(i), 1)), 2
	}
	s.scaleMasses()
	if len(s.workers) != s.Team.Workers() {
		s.workers, s.parts = make([]worker, s.Team.Workers()), make([]part, s.Team.Workers())
		s.makeLoops()
		s.same = false
	}
	if s.same {
		copy(s.islands, s.accounts)
		s.setBodies()
	} else {
		s.plan()
	}
	s.beginContacts()
	for i := range s.workers {
		w := &s.workers[i]
		w.Solver, w.number, w.base, w.solved = s, i, int32(i*s.fixedCount), false
		if !s.same {
			w.numbered, w.clusters.listed = 0, 0
		}
	}
}

// plan divides the islands into batches.
func (s *Solver) plan() {
	s.beginIslands()
	s.accounts = append(s.accounts[:0], s.islands...)
	s.divide()
}

// solve solves the islands of t. With split, all workers help.
func (s *worker) solve(t *batch, split bool) {
	h := float32(s.dt / float64(s.n))
	s.batch, s.split, s.solved, s.h = t, split, true, h
	s.springs = s.Solver.springs
	s.setConstants(h, 0)
	s.resetFixed()
	s.fillJoints()
	s.prepare()
	s.beginTrees()
	s.solveImpacts(float32(s.dt))
	s.subSteps()
	s.resetTurning()
	s.restitution()
	s.finish()
}

// subSteps makes the sub-steps.
func (s *worker) subSteps() {
	h, bodies := s.h, s.batch.to-s.batch.from
	for i := range s.n {
		s.moveTurning(0.5*h, true)
		s.stiffenTrees(i == 0)
		s.updateJoints(float32(i)*h, h)
		s.each(bodies, bodyGrain, (*worker).integrateVelocities)
		s.warmStart()
		s.passJoints(h, springJoints)
		s.pass(h, float32(i)*h, true)
		s.solveTrees(treePass{springs: true})
		s.moveFixed()
		s.each(bodies, bodyGrain, (*worker).integratePositions)
		s.moveTurning(0, false)
		s.passJoints(h, relaxJoints)
		s.pass(h, float32(i+1)*h, false)
		s.solveTrees(treePass{})
		s.sumTrees()
	}
}
