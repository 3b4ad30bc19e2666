package broad_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
)

// owners is a world of boxes: the proxies of shapes, grounds and chains, by slot of each kind.
type owners struct {
	phase *broad.Phase
	ids   map[broad.Owner]broad.ID
	apart map[[2]int32]int // bodies that do not collide, the lower first
}

func (w *owners) Proxy(shape int32) broad.ID { return w.ids[broad.OwnerOf(broad.Shape, shape)] }
func (w *owners) Tight(shape int32) geom.AABB {
	return w.phase.At(w.Proxy(shape)).Box
}

func (w *owners) unpair(k broad.Key) {
	a, b := k.Sides()
	w.phase.Pairs.Delete(uint64(broad.KeyOf(a, b)))
	w.phase.Unfind(w.ids[a], w.ids[broad.OwnerOfB(b)])
}

// exclude excludes the bodies a and a+1 from contacts, or undoes that once, as the world does.
func (w *owners) exclude(a int32, on, swap bool) {
	b, key := a+1, [2]int32{a, a + 1}
	if swap {
		a, b = b, a
	}
	was := w.overlapping()
	if on {
		w.apart[key]++
		w.phase.Exclude(a, b)
	} else if w.apart[key] > 0 {
		w.apart[key]--
		if last := w.phase.Admit(a, b); last {
			for _, id := range w.ids {
				if e := w.phase.At(id); e.Body == b {
					w.phase.Renew(e)
				}
			}
		}
	}
	now := w.overlapping()
	for _, k := range was {
		if !slices.Contains(now, k) {
			if _, ok := w.phase.Pairs.Get(uint64(k)); ok {
				w.unpair(k)
			}
		}
	}
}

// mayCollide is MayCollide said again, case by case.
func mayCollide(a, b *broad.Entry) bool {
	switch {
	case a.Group < 0 && a.Group == b.Group:
		return false
	case a.Group > 0 && a.Group == b.Group:
	case a.Category&b.Mask == 0 || b.Category&a.Mask == 0:
		return false
	}
	isShape := func(e *broad.Entry) bool { return e.Owner.Kind() == broad.Shape }
	switch {
	case a.Body == b.Body || a.Sensor && b.Sensor:
		return false
	case a.Owner.Kind() == broad.Chain && b.Owner.Kind() == broad.Chain:
		return false
	case !isShape(a) && b.Sensor: // a sensor sees grounds that move
		if b.SensesGround && (a.BodyType != broad.StaticBody || b.BodyType != broad.StaticBody) {
			return true
		}
		return a.Owner.Kind() == broad.Ground && a.BodyType != broad.StaticBody
	case !isShape(a):
		return (a.BodyType == broad.DynamicBody || b.BodyType == broad.DynamicBody)
	case !isShape(b):
		return mayCollide(b, a)
	case a.BodyType == broad.DynamicBody || b.BodyType == broad.DynamicBody:
		return true
	}
	return (a.Sensor || b.Sensor) && (a.BodyType == broad.KinematicBody || b.BodyType == broad.KinematicBody)
}

func filter(t *rapid.T) broad.Filter {
	return broad.Filter{
		Category: rapid.Uint64Range(0, 3).Draw(t, "category"), Mask: rapid.Uint64Range(0, 3).Draw(t, "mask"),
		SensesGround: rapid.Bool().Draw(t, "senses ground"),
		Group:        rapid.Int32Range(-1, 1).Draw(t, "group"),
	}
}

// After FindPairs, the pairs with a contact and the new ones together are all pairs that overlap and may
// collide, by comparing each proxy with each other one. Contacts of boxes that part are removed, as the
// world does.
func TestFindPairsFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &owners{broad.NewPhase(1), map[broad.Owner]broad.ID{}, map[[2]int32]int{}}
		box := func() geom.AABB {
			at := geom.V(rapid.Float64Range(-6, 6).Draw(t, "x"), rapid.Float64Range(-6, 6).Draw(t, "y"))
			return geom.Box(at, at.Add(geom.V(rapid.Float64Range(0, 4).Draw(t, "w"), rapid.Float64Range(0, 4).Draw(t,
				"h"))))
		}
		for step := range uint64(rapid.IntRange(1, 8).Draw(t, "steps")) {
			for range rapid.IntRange(0, 16).Draw(t, "changes") {
				if rapid.IntRange(0, 3).Draw(t, "exclude") == 0 {
					w.exclude(rapid.Int32Range(0, 4).Draw(t, "a"), rapid.Bool().Draw(t, "on"),
						rapid.Bool().Draw(t, "swap"))
					continue
				}
				kind := rapid.SampledFrom([]broad.Owner{
					broad.Shape, broad.Shape, broad.Shape, broad.Shape, broad.Shape,
					broad.Ground, broad.Chain,
				}).Draw(t, "kind")
				o := broad.OwnerOf(kind, rapid.Int32Range(0, 7).Draw(t, "slot"))
				id, ok := w.ids[o]
				switch {
				case !ok:
					e := broad.Entry{Box: box(), Owner: o, Body: rapid.Int32Range(0, 5).Draw(t, "body")}
					e.Filter = filter(t)
					if kind != broad.Chain {
						e.BodyType = broad.BodyType(rapid.SampledFrom([]int{0, 1, 2, 2, 2}).Draw(t, "type"))
						e.Sensor = kind == broad.Shape && rapid.IntRange(0, 3).Draw(t, "sensor") == 0
					}
					var err error
					if w.ids[o], err = w.phase.Add(e); err != nil {
						t.Fatal(err)
					}
				case rapid.IntRange(0, 4).Draw(t, "filter") == 0:
					was := w.overlapping()
					w.phase.SetFilter(id, filter(t))
					now := w.overlapping()
					for _, key := range was {
						if !slices.Contains(now, key) {
							w.unpair(key)
						}
					}
				case rapid.IntRange(0, 4).Draw(t, "remove") == 0:
					for _, key := range w.overlapping() {
						a, b := key.Sides()
						if a == o || broad.OwnerOfB(b) == o {
							w.unpair(key)
						}
					}
					w.phase.Remove(id)
					delete(w.ids, o)
				default:
					w.update(t, id, box())
				}
			}
			if rapid.IntRange(0, 2).Draw(t, "all move") == 0 {
				for slot := range int32(8) {
					id, ok := w.ids[broad.OwnerOf(broad.Shape, slot)]
					if !ok || w.phase.At(id).BodyType != broad.DynamicBody {
						continue
					}
					by := geom.V(rapid.Float64Range(-3, 3).Draw(t, "dx"), rapid.Float64Range(-3, 3).Draw(t, "dy"))
					w.update(t, id, w.phase.At(id).Box.Translate(by))
				}
			}
			for _, key := range w.phase.FindPairs(nil, step+1, w) {
				if _, ok := w.phase.Pairs.Get(uint64(key)); ok {
					t.Fatalf("step %d: the pair %x has a contact", step, key)
				}
				w.phase.Pairs.Put(uint64(key), 1)
			}
			want := w.overlapping()
			for _, key := range want {
				if _, ok := w.phase.Pairs.Get(uint64(key)); !ok {
					a, b := key.Sides()
					t.Fatalf("step %d: no contact of %x and shape %d", step, a, b)
				}
			}
			if w.phase.Pairs.Len() != len(want) {
				t.Fatalf("step %d: %d contacts, want %d", step, w.phase.Pairs.Len(), len(want))
			}
		}
	})
}

// update gives a proxy another box, and removes the contacts that it parts.
func (w *owners) update(t *rapid.T, id broad.ID, box geom.AABB) {
	was := w.overlapping()
	if err := w.phase.Update(id, box); err != nil {
		t.Fatal(err)
	}
	now := w.overlapping()
	for _, key := range was {
		if !slices.Contains(now, key) {
			w.unpair(key)
		}
	}
}

// overlapping returns the pairs whose boxes overlap and that may collide.
func (w *owners) overlapping() (keys []broad.Key) {
	for a, i := range w.ids {
		for b, k := range w.ids {
			x, y := w.phase.At(i), w.phase.At(k)
			if b.Kind() == broad.Chain || a.Kind() < b.Kind() || a.Kind() == b.Kind() && a >= b ||
				!x.Box.Overlaps(y.Box) || !mayCollide(x, y) ||
				!x.Sensor && !y.Sensor && w.apart[[2]int32{min(x.Body, y.Body), max(x.Body, y.Body)}] > 0 {
				continue
			}
			keys = append(keys, broad.KeyOf(a, broad.B(b)))
		}
	}
	return keys
}
