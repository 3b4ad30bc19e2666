package broad

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// fewSensors is the number of sensors up to which looking at all of them is faster than a query
// of the grid.
const fewSensors = 32

// HasSensors reports whether a proxy is a sensor.
func (p *Phase) HasSensors() bool { return len(p.sensors) > 0 }

// SensorPairs appends the pairs of a sensor and a shape, ground or chain that have no contact, whose boxes overlap, and
// of which one has moved since FindPairs, in ascending order.
func (p *Phase) SensorPairs(dst []Key) []Key {
	for _, id := range p.Moved {
		if id != None {
			dst = p.AppendSensed(dst, &p.entries[id], p.entries[id].Box)
		}
	}
	slices.Sort(dst)
	return slices.DeleteFunc(slices.Compact(dst), func(k Key) bool {
		_, ok := p.Pairs.Get(uint64(k))
		return ok
	})
}

// AppendSensed appends the pairs of the shape, ground or chain e with sensors, or of the sensor e with shapes, grounds
// and chains, whose boxes overlap box.
func (p *Phase) AppendSensed(dst []Key, e *Entry, box geom.AABB) []Key {
	add := func(o *Entry) {
		a, b := o, e
		if e.Owner.Kind() != Shape {
			a, b = e, o
		}
		if o.Box.Overlaps(box) && MayCollide(a, b) {
			dst = append(dst, KeyOf(a.Owner, b.Owner.Slot()))
		}
	}
	partners := uint64(Sensors)
	if e.Sensor {
		if partners = Dynamic | Fixed | Grounds | MovingGrounds; e.SensesGround {
			partners |= Chains
		}
	} else if len(p.sensors) <= fewSensors {
		for _, id := range p.sensors {
			add(&p.entries[id])
		}
		return dst
	}
	for _, id := range p.Near(box, partners) {
		add(&p.entries[id])
	}
	return dst
}
