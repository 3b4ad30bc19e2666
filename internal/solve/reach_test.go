package solve

import (
	"testing"

	"pgregory.net/rapid"
)

// TestReach: in an island larger than a batch holds, the blocks that rigid passes visit have all contacts whose bodies are no more contacts
// away from a load than there are passes, found by a search from body to body; and, of each colour, no more than seven others. Static
// bodies hand nothing on. Each contact has a place of its own.
func TestReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const wide, high = 48, 30
		s := solver(1)
		s.Reset()
		still := rapid.IntRange(2, 50).Draw(t, "still")
		for i := range wide * high {
			m := Motion{C: 1, InvMass: 1, InvI: 6}
			if i%still == still-1 {
				m.InvMass, m.InvI = 0, 0
			}
			s.Motions = append(s.Motions, m)
		}
		moves := func(i int32) bool { return s.Motions[i].InvMass > 0 }
		beside := make([][]int32, wide*high+1)
		meet := func(a, b int32) {
			if !moves(a) && !moves(b) {
				return
			}
			s.meet(Contact{A: a, B: b, Static: !moves(a) || !moves(b)}, 1, 0, 0.5, 0, -0.5, 0)
			beside[a], beside[b] = append(beside[a], b), append(beside[b], a)
		}
		for i := range wide * high {
			b := int32(i + 1)
			if i%wide > 0 {
				meet(b-1, b)
			}
			if i >= wide {
				meet(b-wide, b)
			}
		}
		if len(s.Contacts) <= mostContacts {
			return
		}
		w := s.prepare()
		w.batch.passes = rapid.IntRange(1, 40).Draw(t, "passes")
		away := map[int32]int{}
		var next []int32
		for range rapid.IntRange(0, 5).Draw(t, "loads") {
			l := &s.Links[rapid.IntRange(0, len(s.Links)-1).Draw(t, "load")]
			l.Impulse = 2 * freeLoad
			for _, b := range []int32{l.A, l.B} {
				if _, ok := away[b]; !ok && moves(b) {
					away[b], next = 0, append(next, b)
				}
			}
		}
		for len(next) > 0 {
			b := next[0]
			next = next[1:]
			for _, o := range beside[b] {
				if _, ok := away[o]; !ok && moves(o) && away[b] < w.batch.passes {
					away[o], next = away[b]+1, append(next, o)
				}
			}
		}
		g := &s.groups[0]
		clear(s.used)
		w.colorContacts(g)
		w.placeContacts(g)
		taken, others := map[int32]bool{}, map[uint8]int{}
		for i := range s.Links {
			l, c, at := &s.Links[i], w.colors[i], s.places[i]
			if taken[at] {
				t.Fatalf("two contacts at %d", at)
			}
			taken[at] = true
			_, nearA := away[l.A]
			_, nearB := away[l.B]
			near := (nearA || !moves(l.A)) && (nearB || !moves(l.B))
			visited := at>>3 < g.one.starts[c]+int32(g.one.nearBlocks(int(c)))
			if near && !visited {
				t.Fatalf("no rigid pass visits contact %d of %+v", i, *l)
			}
			if visited && !near {
				others[c]++
			}
		}
		for c, n := range others {
			if n > 7 || isOverflow(int(c)) {
				t.Fatalf("rigid passes visit %d contacts of group %d out of reach", n, c)
			}
		}
	})
}
