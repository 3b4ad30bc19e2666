package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/query"
	"github.com/quarry2d/quarry/internal/state"
)

// Sense is the stage that finds the overlaps of sensors.
//
// Needs: begin and end events of the shapes, grounds and chains that overlap a sensor, which describe the end of
// the step; both events for those that passed a sensor within the step without an overlap at either end.
//
// Assumes: all bodies have moved. SetTransform is no motion: a sweep begins at the pose that SetTransform set.
//
// Algorithm: the new pairs of sensors get contacts, since Pairs ran before the bodies moved. Bodies that moved
// far enough to pass a thin sensor are swept against the sensors near their paths. Then each contact of a sensor
// of which a side has moved is compared at the poses at the end of the step.
//
// Data: contacts of sensors are in state.Contacts, with Touching as the overlap. The stage keeps the fast
// motions, the boxes around their paths, and the current pair.
type Sense struct {
	ccd.Fast        // the motions of bodies that may pass a sensor, or whose sensors may pass a shape
	A, B     sensed // of the current pair: B is a shape
	// of its overlap; a local would be allocated for each pair, since an interface takes its address
	at     contact.Source
	paths  []path // of the shapes, grounds and chains of fast bodies
	pairs  []broad.Key
	adding adding

	scratch query.Scratch
	probe   query.Probe
	hits    []query.Hit
	pieces  narrow.Pieces // of A
}

// Step computes the overlaps of the sensors of w at the end of a step. dynamic has the motions of the dynamic
// bodies that may pass a sensor, kinematic the kinematic bodies'; bodies is the number of bodies that the
// solver moved.
func (s *Sense) Step(w *state.World, dynamic, kinematic []ccd.Motion, bodies int) {
	if !w.Broad.HasSensors() {
		return
	}
	// Pairs runs at the start of a step, so it would find the pairs whose boxes came to overlap in this step one
	// step late.
	s.pairs = w.Broad.SensorPairs(s.pairs[:0])
	s.adding.add(w, nil, s.pairs)
	s.List = append(s.List[:0], dynamic...)
	s.cross(w, kinematic, bodies)
	for i := range w.Contacts.Active.All() {
		c := w.Contacts.At(i)
		if !c.Sensor || w.Bodies.At(c.BodyA).SolverIndex == 0 && w.Bodies.At(c.BodyB).SolverIndex == 0 && !c.Stale {
			continue
		}
		c.Stale = false
		if !w.BoxesOverlap(c) {
			w.RemoveContact(i, false)
			continue
		}
		s.set(w, w.Contacts.SideA(c), c.ShapeB)
		var overlaps bool
		s.at, overlaps = s.overlap()
		w.SetTouching(i, overlaps && !c.Refused, &s.at)
	}
}

// Place returns the source of the first tile or chain segment that overlaps in the contact c of a sensor, with
// the bodies at their present poses; zero if none does.
func (s *Sense) Place(w *state.World, c *state.Contact) *contact.Source {
	s.set(w, w.Contacts.SideA(c), c.ShapeB)
	s.at, _ = s.overlap()
	return &s.at
}

// set sets the current pair to o and the shape in slot b.
func (s *Sense) set(w *state.World, o broad.Owner, b int32) {
	s.A, s.B = sideOf(w, o), sideOf(w, broad.OwnerOf(broad.Shape, b))
}

// sideOf returns o at its present pose.
func sideOf(w *state.World, o broad.Owner) sensed {
	b := w.Bodies.At(w.Proxied(o).Body)
	return sensed{
		Target: w.TargetOf(o), Frame: b.Transform(), Center: b.Center, LocalCenter: b.LocalCenter, Extent: b.Extent,
		Number: b.SolverIndex,
	}
}

// cross reports the shapes, grounds and chains that have passed sensors within the step: pairs that
// neither touched after the step before nor overlap at the end of this one.
func (s *Sense) cross(w *state.World, kinematic []ccd.Motion, bodies int) {
	for k := range kinematic {
		if motion := &kinematic[k]; w.Bodies.At(motion.Body).MayPass(w.Rare(motion.Body), motion, &w.Grounds,
			&w.Chains) {
			s.List = append(s.List, *motion)
		}
	}
	s.Number(bodies+1, func(body int32) int32 { return w.Bodies.At(body).SolverIndex })
	s.paths = s.paths[:0]
	for k := range s.List {
		for o, p := range w.OwnersOf(s.List[k].Body) {
			if p.Proxy != broad.None {
				s.A = sideOf(w, o)
				s.paths = append(s.paths, path{p.Proxy, s.A.sweptBox(&s.List[k])})
			}
		}
	}
	s.pairs = s.appendPairs(s.pairs[:0], w.Broad)
	for _, key := range s.pairs {
		s.report(w, key)
	}
}

// report reports the begin and the end of the overlap of a sensor and a shape, ground or chain, if
// one passed the other within the step.
func (s *Sense) report(w *state.World, key broad.Key) {
	if ci, ok := w.Broad.Pairs.Get(uint64(key)); ok && w.Contacts.At(ci).Touching {
		return
	}
	o, b := key.Sides()
	s.set(w, o, b)
	if _, overlaps := s.overlap(); overlaps {
		return // Step reports the begin, and the overlap lasts
	}
	if w.FlagsOf(o, b)&state.NoSensorEvents == 0 && !w.Refused(o, b) && s.crosses() {
		w.Game.Crossed(o, b)
	}
}
