package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/internal/pool"
)

// touches lists the begin and end events of one kind. The next step reports events of changes between steps.
type touches[E any] struct {
	begins, ends pool.Log[E]
	before       [2]int // begins and ends in Now of changes before the step computes contacts; see settle
}

// add adds a begin or an end of the step in progress, or else of the next one.
func (t *touches[E]) add(ev E, begins, now bool) {
	if begins {
		t.begins.Add(ev, now)
	} else {
		t.ends.Add(ev, now)
	}
}

// next begins a step.
func (t *touches[E]) next() {
	t.begins.Next()
	t.ends.Next()
	t.before = [2]int{}
}

// changed notes that all events so far are of changes before the step computes contacts.
func (t *touches[E]) changed() { t.before = [2]int{len(t.begins.Now), len(t.ends.Now)} }

// copy makes t the events to come of from.
func (t *touches[E]) copy(from *touches[E]) {
	t.begins.Copy(&from.begins)
	t.ends.Copy(&from.ends)
}

// settle makes the events tell the difference between the ends of the last step and of the one before. A change between
// steps, such as SetGeometry, ends the contacts of a shape, and the step begins those that go on; a change of flags may
// end and begin the events of a pair several times. Of such a pair, only a begin or an end remains, or neither. A pair
// without such a change has a begin and an end only if it crossed within the step. net is memory that is kept.
func (t *touches[E]) settle(net map[pair]int, pairOf func(*E) pair) {
	if t.before == [2]int{} {
		return
	}
	clear(net)
	for k, list := range [...][]E{t.begins.Now, t.ends.Now} {
		for i := range list[:t.before[k]] {
			net[pairOf(&list[i])] = 0
		}
	}
	for k, list := range [...][]E{t.begins.Now, t.ends.Now} {
		for i := range list {
			if p := pairOf(&list[i]); k == 0 {
				if _, ok := net[p]; ok {
					net[p]++
				}
			} else if _, ok := net[p]; ok {
				net[p]--
			}
		}
	}
	keep := func(list []E, what int) []E {
		from := len(list)
		for i := len(list) - 1; i >= 0; i-- { // the last event of a pair has its tile
			p := pairOf(&list[i])
			if n, ok := net[p]; ok {
				if n != what {
					continue
				}
				net[p] = 0
			}
			from--
			list[from] = list[i]
		}
		return slices.Delete(list, 0, from)
	}
	t.begins.Now, t.ends.Now = keep(t.begins.Now, 1), keep(t.ends.Now, -1)
}

// pair names the two sides of an event, and the material of a MaterialEvent.
type pair struct {
	shapeA, shapeB  ShapeID
	ground, groundB GroundID
	chain           ChainID
	material        MaterialID
}

func (ev *ContactEvent) pair() pair {
	return pair{shapeA: ev.ShapeA, shapeB: ev.ShapeB, ground: ev.Ground, groundB: ev.GroundB, chain: ev.Chain}
}

func (ev *MaterialEvent) pair() pair {
	p := ev.ContactEvent.pair()
	p.material = ev.Material
	return p
}
