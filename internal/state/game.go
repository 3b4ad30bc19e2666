package state

import (
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
)

// Game has the functions of the game that changes of the records call: the custom filter, and the receivers of events.
// The pre-solve function is a matter of step.Game.
type Game interface {
	// Refuses reports whether the custom filter refuses the pair of a and b; it is called on all workers.
	Refuses(a, b broad.Owner) bool
	// Touched reports that contact c begins to touch if on is set, and otherwise ends to touch. at is the source of
	// its first point, or nil if it has none; at the begin of a sensor's overlap nil if it is not known.
	Touched(c *Contact, on bool, at *contact.Source)
	// TouchedMaterial reports that contact c begins to touch the material of a point of side 0 or 1 if on is set,
	// and otherwise ends to touch it.
	TouchedMaterial(c *Contact, side int, at *contact.Source, on bool)
	// Crossed reports that a and a shape, of which one is a sensor, passed each other within the step.
	Crossed(a broad.Owner, shape int32)
	// Edited reports that tiles or polygons in the cells of a ground have changed, and the ground's Version since then.
	Edited(ground int32, cells gridseg.Rect, version uint64)
	Crushed(body int32) // the body is crushed
	Lost(body int32)    // the body has left the world's bounds
}

// Refused reports whether the custom filter refuses the pair of o and b (see broad.B). It asks the filter only if the
// flag AskFilter of a side is set.
func (w *World) Refused(o broad.Owner, b int32) bool {
	if w.FlagsOf(o, b)&AskFilter == 0 {
		return false
	}
	o, b = broad.KeyOf(o, b).Sides()
	return w.Game.Refuses(o, broad.OwnerOfB(b))
}

// SetTouching records that contact i begins or ends to touch, and reports it to the game; at is the source of its
// first point, in this step at a begin and in the step before at an end; nil if there is none.
func (w *World) SetTouching(i int32, on bool, at *contact.Source) {
	c := w.Contacts.At(i)
	if c.Touching == on {
		return
	}
	if c.Touching = on; !c.Sensor {
		w.Contacts.Touching.Set(i, on)
	}
	if c.Reports() {
		w.Game.Touched(c, on, at)
	}
}

// ReportMaterials reports that the sides of c, of the state s, touch the given materials of A and B, and no others.
func (w *World) ReportMaterials(c *Contact, s *SurfaceContact, now [2][]contact.Source) {
	for side, now := range now {
		was := &s.Materials[side]
		if len(*was)+len(now) == 0 {
			continue
		}
		for i := range *was {
			if from := &(*was)[i]; !contact.HasMaterial(now, from.Material) {
				w.Game.TouchedMaterial(c, side, from, false)
			}
		}
		for i := range now {
			if from := &now[i]; !contact.HasMaterial(*was, from.Material) {
				w.Game.TouchedMaterial(c, side, from, true)
			}
		}
		*was = append((*was)[:0], now...)
	}
}

// ReportCrushed reports body i as crushed, unless it was reported since it was last free. With stuck, the call only
// records that a body reported before is still not free.
func (w *World) ReportCrushed(i int32, stuck bool) {
	r := w.Rare(i)
	known := r.CrushedAt != 0 && float64(w.Steps+1-r.CrushedAt)*w.DT <= narrow.StuckTime
	if !known && !stuck {
		w.Game.Crushed(i)
	}
	if known || !stuck {
		r.CrushedAt = w.Steps + 1
	}
}

// MarkLost makes a body that has left the world's bounds static, and reports it as lost.
func (w *World) MarkLost(bi int32) {
	b := w.Bodies.At(bi)
	w.Game.Lost(bi)
	b.FallAsleep(w.Rare(bi))
	b.Type, b.InvMass, b.InvInertia, b.Awake = broad.StaticBody, 0, 0, true // static bodies count as awake
	for e := range w.ProxiesOf(bi) {
		w.Broad.SetBodyType(e.ID(), broad.StaticBody)
	}
}

// NoteMaterials lists the materials of s, of contact c, by side, and updates the sources of reported materials. It
// returns true if a material begins or ends to be touched.
func (s *SurfaceContact) NoteMaterials(c *Contact, list *[2][]contact.Source) bool {
	list[0], list[1] = s.AppendMaterials(list[0][:0], false), list[1][:0]
	if c.OfGrounds() && s.Owner.Kind() == broad.Ground {
		list[1] = s.AppendMaterials(list[1], true)
	}
	same := contact.SameMaterials(list[0], s.Materials[0]) && contact.SameMaterials(list[1], s.Materials[1])
	if same {
		copy(s.Materials[0], list[0])
		copy(s.Materials[1], list[1])
	}
	return !same
}
