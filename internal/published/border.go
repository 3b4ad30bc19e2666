package published

import (
	"cmp"
	"slices"
)

// borders is the lower borders of all cells, or the left ones: each keyed by the
// position of its cell.
type borders struct {
	axis     int // along which they run: 0 is x, 1 is y
	raw      map[key][]*Seg
	resolved map[key][]*Seg
	dirty    keySet
}

func newBorders(axis int) borders {
	return borders{axis: axis, raw: map[key][]*Seg{}, resolved: map[key][]*Seg{}}
}

// takeResolved empties the resolved segments of a border.
func (b *borders) takeResolved(k key) []*Seg {
	segs := b.resolved[k]
	delete(b.resolved, k)
	return segs
}

// event is where a segment begins or ends on the sweep's way up the axis.
type event struct {
	at    float64
	way   int // index of the active counter: 0 runs up the axis, 1 down it
	delta int
	seg   *Seg
}

// resolve sweeps one border. Segments that run up the x axis face down and those
// that run down it up; on the y axis they face right and left.
func (w *World) resolve(b *borders, k key) {
	segs := b.raw[k]
	switch {
	case len(segs) == 0:
		return
	case len(segs) == 1:
		w.keep(b, k, segs)
		return
	case len(segs) == 2 && segs[0].Start.equals(segs[1].End) && segs[0].End.equals(segs[1].Start) &&
		!w.preserved(segs[0], segs[1]):
		return
	}
	var events []event
	for _, s := range segs {
		from, to, way := s.Start[b.axis], s.End[b.axis], 0
		if from > to {
			from, to, way = to, from, 1
		}
		events = append(events, event{from, way, 1, s}, event{to, way, -1, s})
	}
	slices.SortStableFunc(events, func(p, q event) int { return cmp.Compare(p.at, q.at) })

	var active [2]int
	var opened [2]*Seg
	var results []*Seg
	for i := range len(events) - 1 {
		e, next := events[i], events[i+1]
		active[e.way] += e.delta
		if e.delta > 0 {
			opened[e.way] = e.seg
		}
		if next.at == e.at {
			continue
		}
		overlap := active[0] > 0 && active[1] > 0 && !w.preserved(opened[0], opened[1])
		for way := 1; way >= 0; way-- {
			if active[way] == 0 || overlap {
				continue
			}
			r := &Seg{Start: segs[0].Start, End: segs[0].Start, Block: opened[way].Block, cell: opened[way].cell}
			r.Start[b.axis], r.End[b.axis] = e.at, next.at
			if way == 1 {
				r.Start, r.End = r.End, r.Start
			}
			results = append(results, r)
		}
	}
	w.keep(b, k, results)
}

// keep puts the resolved segments of a border in their places.
func (w *World) keep(b *borders, k key, segs []*Seg) {
	for _, s := range segs {
		w.insert(s)
		w.mark(s)
	}
	// A copy, as raw goes on to change.
	b.resolved[k] = slices.Clone(segs)
}

func (w *World) preserved(a, b *Seg) bool {
	return w.ShouldPreserve != nil && w.ShouldPreserve(a.Block, b.Block)
}
