package state

import (
	"cmp"
	"math"
	"sync/atomic"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/pool"
)

// SleepTime is the usual time, in seconds, for which all bodies of an island must be at rest until
// it falls asleep.
const SleepTime = 0.5

// Bodies that overlap with no room to part keep a speed for ever: the solver pushes each
// pair apart in each step, and the corrections of the pairs cancel. In a jammed island, an
// island with a contact that is too deep, a body counts as at rest at any speed, once it has
// stayed within stayReach (units of length, times Islands.Pace, or its own extent if that is less) of one pose
// for stayTime (seconds). With stricter bounds, piles of 20 boxes that slip a little now and
// then stay awake for a quarter of a minute.
const (
	stayTime  = 1.0
	stayReach = 0.2
)

// Restless is the rest time of a body that never rests, and of an island that stays awake.
const Restless = -1.0

// Islands holds the islands of a step: the sets of bodies that touch one another or have a joint, and how long they
// have been at rest. They are found once a step, before the solver, which limits energy and work for each island; sleep
// uses the same islands after it. Bodies are indices, 1 and up, and 0 stands for all static bodies. The zero value is
// ready for Reset; its slices are kept from step to step.
type Islands struct {
	sets       pool.UnionFind // of bodies
	keptAwake  []int32        // bodies whose islands stay awake
	driven     []int32        // bodies whose islands stay awake in this step
	support    []supportFlags // of each island; see Falls
	islandOf   []int32        // number of each body's island; see Number
	bodyRest   []float64      // rest time of each body, seconds; see Rest
	islandRest []float64      // rest time of each island, the least of its bodies; see SumUp
	// of each island: the bits of the shortest time of its bodies near their StayPose, or notJammed
	stayTime  []uint64
	Time      float64 // seconds at rest before an island falls asleep; 0 means SleepTime
	Pace      float64 // at which overlap is pushed apart, see narrow.Pace; 0 means 1
	jammed    bool    // some island is jammed
	wasJammed bool    // some island was jammed in the step before
}

// notJammed is above the bits of all times, which ascend as the times do.
const notJammed = math.MaxUint64

// Reset begins a step with the bodies 1 to n, each an island of its own.
func (s *Islands) Reset(n int) {
	s.sets.Reset(n + 1)
	s.keptAwake = s.keptAwake[:0]
}

// Join puts the bodies i and j, which touch, into one island. Kinematic bodies belong to
// island 0.
func (s *Islands) Join(i, j int32) { s.sets.Join(i, j) }

// Touch records that the bodies i and j touch or have a joint; 0 stands for a body that does not move. With static, one
// of the two is not dynamic: they join no island, and if both move, the kinematic one keeps the other awake.
func (s *Islands) Touch(i, j int32, static bool) {
	switch {
	case i == 0 || j == 0:
	case static:
		s.KeepAwake(i)
		s.KeepAwake(j)
	default:
		s.Join(i, j)
	}
}

// KeepAwake keeps the island of body i awake in this step.
func (s *Islands) KeepAwake(i int32) { s.keptAwake = append(s.keptAwake, i) }

// Drive keeps the island of body i awake in this step. It is called between Number and SumUp.
func (s *Islands) Drive(i int32) { s.driven = append(s.driven, i) }

// Number numbers the islands from 1 on, in the order of their first bodies, after all calls of Join and KeepAwake. Each
// body counts as at rest for ever until Rest is called.
func (s *Islands) Number() {
	s.islandOf, s.islandRest, s.stayTime, s.bodyRest = s.islandOf[:0], s.islandRest[:0], s.stayTime[:0], s.bodyRest[:0]
	s.wasJammed, s.jammed = s.jammed, false
	s.driven = s.driven[:0]
	n := 0
	s.islandOf, n = s.sets.AppendNumbers(s.islandOf)
	for range n {
		s.islandRest, s.stayTime = append(s.islandRest, math.MaxFloat64), append(s.stayTime, notJammed)
	}
	for range s.sets {
		s.bodyRest = append(s.bodyRest, math.MaxFloat64)
	}
	for _, i := range s.keptAwake {
		s.islandRest[s.islandOf[i]] = Restless
	}
}

// Of returns the number of each body's island, in memory that the next Number reuses. Island 0
// holds the static and kinematic bodies.
func (s *Islands) Of() []int32 { return s.islandOf }

// Len returns the number of islands, island 0 included.
func (s *Islands) Len() int { return len(s.islandRest) }

// Rest records for how many seconds body i has been at rest, or Restless. Several goroutines may call it at once, for
// different bodies.
func (s *Islands) Rest(i int32, seconds float64) { s.bodyRest[i] = seconds }

// SumUp computes the rest times of the islands, after all calls of Rest and Drive, before Stay and Asleep.
func (s *Islands) SumUp() {
	for i, seconds := range s.bodyRest {
		if at := &s.islandRest[s.islandOf[i]]; seconds < *at {
			*at = seconds
		}
	}
	for _, i := range s.driven {
		s.islandRest[s.islandOf[i]] = Restless
	}
}

// supportFlags tell why an island at rest falls, or does not.
type supportFlags uint8

const (
	supported supportFlags = 1 << iota
	pulled
)

// BeginSupport forgets all calls of Support and Pull. It is called after SumUp.
func (s *Islands) BeginSupport() {
	s.support = append(s.support[:0], make([]supportFlags, s.Len())...)
}

// Support records that something that stands still holds body i.
func (s *Islands) Support(i int32) { s.support[s.islandOf[i]] |= supported }

// Pull records that a force acts on body i.
func (s *Islands) Pull(i int32) { s.support[s.islandOf[i]] |= pulled }

// Falls reports whether forces act on the island of body i, and nothing that stands still holds it.
func (s *Islands) Falls(i int32) bool { return s.support[s.islandOf[i]] == pulled }

// Jam records that body i has a contact that is too deep.
func (s *Islands) Jam(i int32) {
	s.stayTime[s.islandOf[i]], s.jammed = math.Float64bits(math.MaxFloat64), true
}

// AnyJam reports whether an island is jammed, or was in the step before: then Stay must be
// called for each body, after all calls of Jam.
func (s *Islands) AnyJam() bool { return s.jammed || s.wasJammed }

// Asleep reports whether the island of body i falls asleep.
func (s *Islands) Asleep(i int32) bool { return s.asleep(s.islandOf[i]) }

// AnyAsleep reports whether an island falls asleep.
func (s *Islands) AnyAsleep() bool {
	for n := range s.islandRest {
		if n > 0 && s.asleep(int32(n)) {
			return true
		}
	}
	return false
}

func (s *Islands) asleep(n int32) bool {
	return s.islandRest[n] >= cmp.Or(s.Time, SleepTime) ||
		s.stayTime[n] != notJammed && math.Float64frombits(s.stayTime[n]) >= stayTime && s.islandRest[n] > Restless
}

// StayPose is the pose near which a body of a jammed island stays, and the time for which it has stayed.
type StayPose struct {
	Center geom.Vec
	Rot    geom.Rot
	Time   float64 // seconds; 0 if the body's island is not jammed
}

// Visit visits p. A hash leaves out p if the body's island is not jammed.
func (p *StayPose) Visit(c *pool.Codec) {
	if !c.Hashing() || p.Time != 0 {
		c.Floats(&p.Center.X, &p.Center.Y, &p.Rot.C, &p.Rot.S)
		c.Positive(&p.Time)
	}
}

// Visit visits the only state of s that outlasts a step: whether some island was jammed in the last step.
func (s *Islands) Visit(c *pool.Codec) {
	if !c.Hashing() {
		c.Flag(&s.jammed)
	}
}

// Jammed reports whether some island was jammed in the last step.
func (s *Islands) Jammed() bool { return s.jammed }

// SetJammed sets the result of Jammed.
func (s *Islands) SetJammed(on bool) { s.jammed = on }

// Stay advances the time of p, the StayPose of body i, by dt seconds. p is set again, with a time of 0, when the body,
// with its centre of mass at center, has left it, or when the body's island is no longer jammed. extent is the distance
// of the body's farthest point from its centre. Several goroutines may call Stay at once, for different bodies.
func (s *Islands) Stay(i int32, p *StayPose, center geom.Vec, rot geom.Rot, extent, dt float64) {
	least := &s.stayTime[s.islandOf[i]]
	if atomic.LoadUint64(least) == notJammed {
		*p = StayPose{}
		return
	}
	turned := geom.V(rot.C-p.Rot.C, rot.S-p.Rot.S).Len()
	if p.Time == 0 || center.Dist(p.Center)+float64(turned*extent) > min(stayReach*cmp.Or(s.Pace, 1), extent) {
		*p = StayPose{Center: center, Rot: rot}
	}
	p.Time += dt
	now := math.Float64bits(p.Time)
	for old := atomic.LoadUint64(least); now < old && !atomic.CompareAndSwapUint64(least, old, now); {
		old = atomic.LoadUint64(least)
	}
}
