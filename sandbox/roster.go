package sandbox

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// roster numbers the bodies of a world and records the last change of each, so that clients are
// sent only changes.
type roster struct {
	index   map[quarry.BodyID]uint32
	entries []rosterEntry
	free    []uint32
	revs    uint64 // the largest revision of an entry
}

// rosterEntry is a body, or a free number.
type rosterEntry struct {
	id quarry.BodyID
	// rev grows with each change of the body's shapes; 0 means a free number.
	rev    uint64
	shapes uint64 // see digestOf
	t      geom.Transform
	place  place   // of t
	reach  float64 // radius around t.P that contains the shapes
	awake  bool
	moved  uint64 // the last look at which t or awake had changed
	seen   uint64 // the last look at which the body existed
}

// look brings the roster up to date with the world. The number look must grow with each call. redrawn returns a number
// that changes when a shape of a body gets another geometry.
func (r *roster) look(w *quarry.World, look uint64, redrawn func(quarry.BodyID) uint64) {
	if r.index == nil {
		r.index = map[quarry.BodyID]uint32{}
	}
	for b := range w.Bodies() {
		id := b.ID()
		i, ok := r.index[id]
		if !ok {
			i = r.add(id)
		}
		e := &r.entries[i]
		digest := digestOf(b) + redrawn(id)
		if e.rev == 0 || digest != e.shapes {
			r.revs++
			e.rev, e.shapes, e.moved = r.revs, digest, look
			e.reach = reachOf(b)
		}
		if t, awake := b.Transform(), b.Awake(); t != e.t || awake != e.awake {
			if t != e.t {
				e.t, e.place = t, placeOf(t)
			}
			e.awake, e.moved = awake, look
		}
		e.seen = look
	}
	for i := range r.entries {
		if e := &r.entries[i]; e.rev != 0 && e.seen != look {
			delete(r.index, e.id)
			*e = rosterEntry{}
			r.free = append(r.free, uint32(i))
		}
	}
}

// digestOf returns a number that changes when a body gets other shapes, another type or another material.
func digestOf(b quarry.Body) uint64 {
	const odd = 0x9e3779b97f4a7c15
	digest := uint64(b.Type()) + 1
	for s := range b.Shapes() {
		digest = (digest+uint64(s.Material()))*odd + uint64(s.ID())
	}
	return digest
}

// reachOf returns the radius around the origin of a body that contains its box, and so its shapes at any angle.
func reachOf(b quarry.Body) float64 {
	box, p := b.Bounds(), b.Position()
	if box.IsEmpty() {
		return 0
	}
	return max(p.Sub(box.Min).Len(), p.Sub(box.Max).Len(), p.Sub(geom.V(box.Min.X, box.Max.Y)).Len(),
		p.Sub(geom.V(box.Max.X, box.Min.Y)).Len())
}

func (r *roster) add(id quarry.BodyID) uint32 {
	var i uint32
	if n := len(r.free); n > 0 {
		i = r.free[n-1]
		r.free = r.free[:n-1]
	} else {
		i = uint32(len(r.entries))
		r.entries = append(r.entries, rosterEntry{})
	}
	r.entries[i] = rosterEntry{id: id}
	r.index[id] = i
	return i
}
