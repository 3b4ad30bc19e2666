package solve

// The soft step: frequencies of the springs of contacts, as fractions of the rate of sub-steps, with steps of the
// usual length (Solver.Usual). Sub-steps can resolve a quarter; fixedHertz is for contacts with static and
// kinematic bodies, which carry all the weight above them, and fixedRate how many times as fast these push overlap
// apart. Between bodies that move a spring has movingHertz. The impulse that a soft spring takes back damps a pile: a
// pyramid of thirty rows swings for twenty seconds at a quarter, for one at movingHertz. But a column of a hundred
// boxes, each off by a hundredth, buckles at 0.17. So columns (kind column) have columnHertz: of 200 such columns 7
// fall, at 0.185 24, at 0.2 one, but there a stack trembles in steps of 1/60 and 1/30 in turn.
const (
	movingHertz = 0.125
	columnHertz = 0.19
	fixedHertz  = 0.25
	fixedRate   = 3
)

// The tuned constants besides these. A change of one is a change of the laws' figures (laws/rest, laws/joints).
const (
	// ImpactSpeed is the smallest speed of approach, in units a second, of an impact. The passes leave little of slower
	// ones.
	ImpactSpeed = 1.5
	// A cluster grows by the contacts that it makes approach at spreadSpeed, in units a second: far below ImpactSpeed,
	// and above the speeds of bodies that tremble at rest.
	spreadSpeed = 0.25
	// heavyRatio is the smallest mass ratio of two bodies that touch from which on their island has loads (load.go):
	// below, passes converge without.
	heavyRatio = 4
	// loadSag is how far a load sinks in at a body with the inertia for it, in units of length. With 0.003, islands of
	// 200 boxes tremble under a thousand times their mass.
	loadSag = 0.0015
	// loadRate is the rate at which the load of a body follows the load of the last step, 1 a second. Without a mean,
	// pyramids of 20 rows tremble under a hundred times their mass.
	loadRate = 10
	// loadGrowth is the largest factor by which the inertia of a body grows in a step. With 1.5 a body that falls on a
	// light one is thrown up again, with 1.25 pyramids of 20 rows under a thousand times their mass stay awake.
	loadGrowth = 1.35
	// loadEnergy is the largest energy of the inertia that a body gets, in units of length squared a second squared,
	// for a unit of mass of the heaviest body of its island. With a fifth, piles of boxes of which half are a thousand
	// times as heavy do not come to rest; with 1, piles gain energy.
	loadEnergy = 0.05
	// warmSlack is the energy for a unit of mass, in units of length squared a second squared, that a warm start may
	// give its island. With none, the warm starts of bodies that land and roll are cut by rounding errors, and a world
	// far from the origin takes another path (TestFarAway: 3e-7 in a second). Only bodies that a contact moves give
	// slack. A body that is so heavy that it counts as static for all that it touches gives its island none, as a
	// static body gives none: the slack of a ground of a million tiles would be no limit to the pebbles on it. Joints
	// that the passes cannot hold would take the whole slack in each sub-step.
	warmSlack = 0.012
	// MostStretch is the largest factor of impulses between steps of different lengths. With 2 a stack of 20 boxes
	// trembles in steps of 1/240 to 1/30, without a limit it falls in steps of 1/60 and 1/6000 in turn, with four
	// sub-steps.
	MostStretch = 4
)

// Limits of work. The results of a step that stays below them do not depend on them.
const (
	// A cluster has at least baseRounds rounds, and at most mostRounds; beyond baseRounds at most as many as visit
	// mostVisits contacts in all. The clusters of an island together visit or examine at most baseVisits contacts and
	// visitsEach for each contact and joint of the island in a step; after that, each impact is a cluster of its own
	// two bodies. Without a limit, a few thousand bodies that collide at once are so many clusters, each of the whole
	// pile, that a step would take seconds.
	baseRounds = 4
	mostRounds = 128
	mostVisits = 4096
	baseVisits = 1 << 14
	visitsEach = 1
	// directRounds is the maximum number of solves of a component in a pass: after each but the last, limits and
	// motors begin and cease to hold. A limit that pulls after the last one is released as the next pass begins.
	directRounds = 4
	// A component is direct if at most mostLoops joints close its loops, and these times its bodies are at most
	// mostLoopWork: factoring takes a solve of the tree for each row of a loop. Others, such as cloth, are solved joint
	// by joint.
	mostLoops    = 24
	mostLoopWork = 4096
)

// Bounds of rounding errors and of numbers that would overflow.
const (
	// clusterSlop is the change of speed, in units a second, at which the rounds of a cluster end.
	clusterSlop = 1e-3
	// limitSlop is the smallest velocity into a limit, in units of length or radians a second, by which it begins to
	// hold.
	limitSlop = 1e-3
	// Softness of rows relative to their inverse masses alone. The rows of joints in no loop are independent, so theirs
	// only keeps the matrix regular. Rows of a loop contradict each other by rounding, and where its bodies are in line
	// they are not independent. A softer loop sags under a load (1e-3: a truss with two sub-steps came apart); loops of
	// welds that contradict each other tremble if they are stiffer (1e-4).
	treeSoftness = 1e-8
	loopSoftness = 2e-4
	// springEdge is the smallest separation, in units of length, at which a contact is rigid and not
	// a spring. It is many times the rounding error of float64 far from the origin, and less
	// than the depth to which a body at rest sinks in.
	springEdge = 5e-5
	// pairSlop is the smallest determinant of the matrix of two points, relative to that of independent points:
	// below it float32 has too few digits.
	pairSlop = 1e-3
	// offSpeed, in units a second, is the smallest speed of a disc's middle about the centre of mass
	// at which the arms of its contact follow the turn: well below the speed at which bodies sleep.
	offSpeed = 0.01
	// staticRatio is the smallest mass ratio of two bodies of which the heavier one counts as static for their contact:
	// beyond the ratios at which a body carries a heavier one. So shapes move on a dynamic ground of that mass as on
	// static ground.
	staticRatio = 1e5
	// mostPull is the largest velocity, in units of length or radians a second, by which a spring's length counts in a
	// sub-step. It is far beyond the speeds of bodies.
	mostPull = 1e4
	// mostStop is the largest change of velocity by the impulse of a spring or motor between anchors: far more than
	// any that stops them. Where the centre of mass is 100,000 units from the anchor, the impulses of a soft weld once
	// grew from step to step to NaN.
	mostStop = 1e6
	// mostCurve is the largest mean velocity by the curvature, in units a second.
	mostCurve float32 = 1
	// mostBias is the largest velocity at which a rigid row corrects an error of position, in units of length or
	// radians a second. Joints that the passes cannot hold would give more energy otherwise when they close.
	mostBias float32 = 10
)
