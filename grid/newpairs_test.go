package grid

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// apart is so many workers, each of which has every so manieth item of a loop, alone.
type apart int

func (n apart) Workers() int { return int(n) }

func (n apart) Each(count, _ int, do func(worker, from, to int)) {
	var all sync.WaitGroup
	for worker := range int(n) {
		all.Go(func() {
			for i := worker; i < count; i += int(n) {
				do(worker, i, i+1)
			}
		})
	}
	all.Wait()
}

// checkNewPairs compares the new pairs of moved objects with a search of all objects, one by one.
func (m *model) checkNewPairs(moves []Move, mask uint64, limit int) {
	m.t.Helper()
	before := make([]geom.AABB, len(m.objects))
	for i, o := range m.objects {
		before[i] = o.Box
	}
	moved := make([]bool, len(m.objects))
	for _, v := range moves {
		before[v.ID], moved[v.ID] = v.Was, true
	}
	near := make([]int, len(m.objects))
	m.each(mask, func(a ID, p geom.AABB) {
		m.each(mask, func(b ID, q geom.AABB) {
			if a != b && p.Overlaps(q) {
				near[a]++
			}
		})
	})
	crowded := func(id ID) bool { return moved[id] && near[id] > limit }
	var want [][2]ID
	m.each(mask, func(a ID, p geom.AABB) {
		m.each(mask, func(b ID, q geom.AABB) {
			if a < b && p.Overlaps(q) && (moved[a] || moved[b]) && !before[a].Overlaps(before[b]) && !crowded(a) &&
				!crowded(b) {
				want = append(want, [2]ID{a, b})
			}
		})
	})
	for _, g := range m.grids {
		for _, on := range []Workers{alone{}, apart(2), apart(3)} {
			if got := g.AppendNewPairsOn(on, nil, moves, mask, limit); !slices.Equal(got, want) {
				m.t.Fatalf("%v: AppendNewPairsOn(%v, %v, %x, %d) = %v, want %v", g.Kind(), on, moves, mask, limit, got,
					want)
			}
		}
		for _, v := range moves {
			if int(v.Near) != near[v.ID] {
				m.t.Fatalf("%v: object %d is near %d, want %d", g.Kind(), v.ID, v.Near, near[v.ID])
			}
		}
	}
}

// TestNewPairs moves objects of all sizes, with new ones among them, over several levels and regions.
func TestNewPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel(t, 1)
		mask := rapid.SampledFrom([]uint64{All, 1, 3, 4}).Draw(t, "mask")
		for range rapid.IntRange(0, 60).Draw(t, "objects") {
			b := drawBox(t)
			if m.grids[0].check(b) != nil {
				continue
			}
			m.setCategory(m.add(b), drawMask(t))
		}
		for range 3 {
			var moves []Move
			for _, id := range m.live {
				o := &m.objects[id]
				if o.Category&mask == 0 || rapid.Bool().Draw(t, "rests") {
					continue
				}
				v := Move{ID: id, Was: o.Box}
				if rapid.IntRange(0, 4).Draw(t, "new") == 0 {
					v.Was = geom.Empty
				}
				by := geom.V(drawSize(t), drawSize(t)).Mul(rapid.SampledFrom([]float64{0.01, 0.1, 1, -1}).Draw(t, "by"))
				if b := o.Box.Translate(by); m.grids[0].check(b) == nil {
					m.update(id, b)
					moves = append(moves, v)
				}
			}
			m.checkNewPairs(moves, mask, len(m.objects))
			// The memory of a search does not affect the next.
			m.checkNewPairs(moves, mask, rapid.IntRange(0, 5).Draw(t, "limit"))
		}
	})
}

// TestNewPairsOfCrowd has more objects in a cell than are tested at once.
func TestNewPairsOfCrowd(t *testing.T) {
	m := newModel(t, 1)
	for i := range 700 {
		x := float64(i%97) / 97
		m.add(geom.Box(geom.V(x-0.3, 0.1), geom.V(x+0.02, 0.9)))
	}
	var moves []Move
	for i := range 700 {
		if i%3 > 0 {
			was := m.objects[i].Box
			m.update(ID(i), was.Translate(geom.V(0.004*float64(i%50), 0)))
			moves = append(moves, Move{ID: ID(i), Was: was})
		}
	}
	m.checkNewPairs(moves, All, 700)
	m.checkNewPairs(moves, All, 330)
}
