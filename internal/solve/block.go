package solve

// A block is eight contacts of one colour as columns of rows: lane i of each row belongs to
// the block's contact i. No body that moves is in two lanes, so all lanes can be solved at
// once, and their order has no effect on the bits. Lanes from n on are empty: zeros, and body
// 0 on both sides, which no impulse moves.
//
// gen reads the rows of this file: it has only types.

// lanes is a row: one number of each of a block's eight contacts, 32 bytes.
type lanes [8]float32

// body is the state of a body that the passes iterate on: the change of its motion since the
// start of the step. 32 bytes, half a cache line: with 64, passes took up to a fifth longer.
type body struct {
	vx, vy, w float32 // change of velocity and spin
	invMass   float32 // beside what all passes read, so that no block has it
	dx, dy    float32 // displacement by that change alone
	dc, ds    float32 // rotation by the whole spin: cosine and sine
}

// rareBody is the rest of a body, which passes over contacts do not read. 32 bytes, in an array beside the bodies.
type rareBody struct {
	invI       float32
	ax, ay, aw float32 // added to the change in each sub-step
	lin, ang   float32 // fraction of the change that damping leaves in each sub-step
	spin       float32 // at the start of the step
	turned     float32 // rotation in the step, radians
}

// Motion is the state of a body that the world hands over and takes back, in float64. Run
// advances it by a step. Index 0 stands for all static bodies.
type Motion struct {
	VX, VY, Spin  float64 // velocity, units and radians a second
	InvMass, InvI float64 // 0 for static and kinematic bodies

	// Set while the velocity, or the spin, is the sum of accelerations and impulses: neither
	// damping nor a limit has reduced it.
	summed, summedSpin bool

	// Set by Run, and its input in the next step (load.go): the force that contacts pass on through the body.
	Load float32

	AX, AY, AW      float64 // acceleration: gravity and forces
	Linear, Angular float64 // damping, 1 a second, 0 and up

	// Set by Run: the displacement of the centre, the cosine and sine of the rotation (exactly
	// 1 and 0 if there is none), and the rotation in radians, to a relative 1e-5, which may
	// exceed a whole turn.
	DX, DY, C, S, Turn float64
}

// Manifold is a manifold as the solver reads it, in float64, and stores impulses in it. It has the layout of
// contact.Manifold: 128 bytes.
type Manifold struct {
	NX, NY float64 // normal
	Points [2]ManifoldPoint
	_      [8]byte
	Roll   float32 // impulse of the rolling resistance; Run only sets it
	_      [4]byte
}

// ManifoldPoint is a point of a Manifold: the anchors from each centre of mass, the separation, and the impulses:
// before Run for the warm start, and after it of the last sub-step.
type ManifoldPoint struct {
	AX, AY, BX, BY, Separation float64
	Normal, Tangent            float32
}

// input is the input of a block at the start of a step: pointers to the manifolds and surfaces, and offsets of the
// motions, from which the rows are computed. Empty lanes have motion 0 and a manifold of zeros. At the end of the step
// it has the impulses that change the velocities in the motions.
type input struct {
	manifold [8]*Manifold
	a, b     [8]uint32         // offsets of the motions in the solver's motions, in bytes
	surface  [2][8]*Surface    // at each point
	totals   [8]*[2][2]float32 // where the impulses of the step go: of each point along the normal and the tangent
	disc     [8]Disc
	asked    uint32 // bits of the lanes whose impulses Source asks for; see Lane.Ask

	// The impulse of each contact on its body B in the step, and the angular impulses on both bodies.
	pushX, pushY, torqueA, torqueB [8]float64
}

// Surface holds the mixed properties of the two surfaces at a point. Rolling is the rolling resistance without the
// radius.
type Surface struct{ Friction, Restitution, Rolling, Speed float64 }

// Disc tells which side of a contact is a disc that turns about a centre of mass beside its
// middle, while the other side is no disc.
type Disc uint8

// eightBodies is bodies that follow each other, as a block: a lane each.
type eightBodies [8]body

// eightRareBodies is the rest of the same.
type eightRareBodies [8]rareBody

// contactRows is the part of a block that does not depend on the number of points: 320 bytes.
type contactRows struct {
	a, b               [8]uint32 // offsets of the bodies in the solver's bodies, in bytes
	nx, ny             lanes
	inertiaA, inertiaB lanes // inverse moments of inertia

	drift            lanes // velocity of B's centre relative to A's, along the normal, at the start of the step
	radiusA, radiusB lanes // of the two shapes: the distance of an anchor from the core, which turns with its body

	n       uint32    // lanes in use
	rolls   uint32    // 1 if a contact has rolling resistance
	carries uint32    // not 0 if passes keep the largest impulses, for restitution and Source.Take
	_       [2]uint32 // keeps rows aligned
	fast    uint32    // bits of the lanes with a point that approaches at ImpactSpeed at the start of the step
	bounces uint32    // the same for the speed from which restitution applies
	hits    uint32    // the same for HitSpeed
}

// pointRows is one point of each contact: 352 bytes. The warm start reads the first nine rows. An arm is the
// cross product of an anchor, from the centre of mass, with the normal, which points from A to B, or with the tangent,
// (ny, -nx): the torque of an impulse of 1.
type pointRows struct {
	normalA, normalB, tangentA, tangentB lanes
	normal, tangent                      lanes // impulses of one sub-step
	friction                             lanes
	velocity, slip                       lanes // of B's surface from A's at the start; slip less the speed of belts
	separation                           lanes // at the start of the step
	tangentMass                          lanes // effective
}

// block1 is eight contacts of one point: 704 bytes.
type block1 struct {
	contactRows
	points     [1]pointRows
	normalMass lanes
}

// block2 is eight contacts of two points: 1,120 bytes.
type block2 struct {
	contactRows
	points                          [2]pointRows
	inverse11, inverse12, inverse22 lanes // inverse of the matrix of the two normals
}

// rareRows is the rest of a block: the rows that most passes of a sub-step do not read. They are in an array beside the
// blocks, so that the passes go through fewer bytes. 576 bytes.
type rareRows struct {
	owners
	points [2]rarePoint

	between lanes // of two points: the element of the matrix of the two normals beside its diagonal

	// Rolling resistance; read only if rolls is set. spin is of B relative to A at the start of the step, rolling the
	// arm: the angular impulse is at most rolling times the normal impulse.
	spin, rolling, rollMass, rollImpulse, rollTotal lanes
}

// owners is the contacts or joints of a block, and their account.
type owners struct {
	island [8]int32
	source [8]int32  // their indices
	work   lanes     // of the last warm start; before the warm start of a part of the impulses, the part
	mixed  uint32    // if they are of several islands, their number, else 0
	_      [7]uint32 // keeps rows aligned
}

// rarePoint is the part of rareRows for a point.
type rarePoint struct {
	normalTotal, tangentTotal lanes // impulses of all sub-steps
	most                      lanes // largest normal impulse of the step; only if carries is set
	normalMass                lanes // of two points, for the case that one does not push
}

// pinBlock is eight pins of one colour: joints that do nothing but hold two anchors together. 1,280 bytes. See Joint.
type pinBlock struct {
	a, b               [8]uint32 // offsets of the bodies in the solver's bodies, in bytes
	inertiaA, inertiaB lanes     // inverse moments of inertia

	// At the start of the step.
	armAX, armAY, armBX, armBY lanes
	apartX, apartY             lanes
	driftX, driftY             lanes
	spinA, spinB               lanes
	biasRate, soft             lanes // of the softness: biasRate and impulseScale

	// In the present sub-step.
	rAX, rAY, rBX, rBY lanes // arms, both to B's anchor
	i11, i12, i22      lanes // inverse matrix of the two rows
	biasU, biasV       lanes // velocities that correct the errors of position
	startU, startV     lanes // velocities by the motion at the start of the step
	goalU, goalV       lanes // the same with the mean velocities by the curvature

	impulseU, impulseV lanes // of one sub-step
	totalX, totalY     lanes // impulses of all sub-steps on B, and minus those on A
	torqueA, torqueB   lanes

	owners
	n uint32    // lanes in use
	_ [7]uint32 // keeps rows aligned
}

// constants are the numbers that the kernels read, each in all lanes.
type constants struct {
	zero, half, one lanes
	pairSlop        lanes
	invEdge         lanes // 1/springEdge
	time, invH      lanes // since the start of the step, and the inverse of a sub-step's
	biasRate, share lanes // of the contactSpring
	push            lanes // minus the fastest speed at which overlap is pushed apart
	bounceSpeed     lanes // smallest approach speed with restitution
	hitSpeed        lanes // smallest approach speed of a hit

	// Those of pins.
	halfStep, sign      lanes // half of a sub-step; 1 before a sub-step, -1 after it
	mostBias, mostCurve lanes
	impactSpeed         lanes
	singular, leastDet  lanes
	mostDet             lanes // the largest float32

	// Those of bodies.
	step                    lanes // sub-step, seconds
	quarterTurn             lanes
	sin3, sin5, sin7, sin9  lanes // of the Taylor series
	cos4, cos6, cos8, cos10 lanes
}
