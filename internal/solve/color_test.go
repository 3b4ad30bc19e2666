package solve

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// TestBlocks: every contact is in one lane. It has the first colour that no contact before it
// has at one of its bodies that move, or is alone in a block; so no such body is twice in a
// block. The blocks are solved in order of their groups.
func TestBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := solver(1)
		s.Reset()
		n := rapid.IntRange(2, 40).Draw(t, "bodies")
		for i := range n {
			m := Motion{C: 1, InvMass: 1, InvI: 1}
			if i%8 == 3 {
				m.InvMass, m.InvI = 0, 0 // kinematic; held or asleep where a contact is not Static
			}
			s.Motions = append(s.Motions, m)
		}
		// Few bodies have most contacts, so that some overflow.
		busy := rapid.IntRange(1, n).Draw(t, "busy")
		taken := make([]map[int]bool, n+1)
		for i := range taken {
			taken[i] = map[int]bool{}
		}
		var groups []int // of the contacts
		for range rapid.IntRange(0, 300).Draw(t, "contacts") {
			a, b := rapid.IntRange(0, busy).Draw(t, "A"), rapid.IntRange(1, n).Draw(t, "B")
			moves := func(i int) bool { return s.Motions[i].InvMass > 0 }
			if a == b || !moves(a) && !moves(b) {
				continue
			}
			c := Contact{A: int32(a), B: int32(b), NX: 1, N: int8(1 + len(groups)%2), Static: (!moves(a) || !moves(b)) && len(groups)%5 > 0}
			s.Contacts, s.Normals = append(s.Contacts, c), append(s.Normals, Normal{X: 1})
			first, group := 0, 0
			if c.Static {
				first = firstFixed
			}
			for g := first + 1; g <= first+colorsEach && group == 0; g++ {
				if !(moves(a) && taken[a][g]) && !(moves(b) && taken[b][g]) {
					group = g
				}
			}
			if group == 0 {
				group = first
			} else {
				taken[a][group], taken[b][group] = true, true
			}
			groups = append(groups, group)
		}
		w := s.prepare()
		seen := make([]bool, len(s.Contacts))
		check := func(g int, k *contactRows, points int) {
			if k.n == 0 || isOverflow(g) && k.n != 1 {
				t.Fatalf("group %d has a block of %d contacts", g, k.n)
			}
			for l := range 8 {
				i := k.source[l]
				if l >= int(k.n) {
					if k.a[l] != 0 || k.b[l] != 0 || k.massA[l] != 0 {
						t.Fatalf("an empty lane has bodies")
					}
					continue
				}
				c := &s.Contacts[i]
				if groups[i] != g || int(c.N) != points || seen[i] || k.a[l] != bodySize*uint32(s.bodyOf[c.A]) || k.b[l] != bodySize*uint32(s.bodyOf[c.B]) {
					t.Fatalf("contact %d, of group %d, is in group %d", i, groups[i], g)
				}
				seen[i] = true
				if at, _, lane := w.at(i); at != k || lane != l {
					t.Fatalf("contact %d is not where it should be", i)
				}
			}
		}
		blocks := 0
		for g := range groupCount {
			for j := w.groupTwo.starts[g]; j < w.groupTwo.starts[g+1]; j++ {
				check(g, &w.twos[j].contactRows, 2)
				blocks++
			}
			for j := w.groupOne.starts[g]; j < w.groupOne.starts[g+1]; j++ {
				check(g, &w.ones[j].contactRows, 1)
				blocks++
			}
		}
		for i, ok := range seen {
			if !ok {
				t.Fatalf("contact %d is in no block", i)
			}
		}
		if blocks != len(w.ones)+len(w.twos) {
			t.Fatalf("%d blocks of %d are solved", blocks, len(w.ones)+len(w.twos))
		}
	})
}

// TestSizes: the bytes that docs/solver.md and the comments state.
func TestSizes(t *testing.T) {
	for _, x := range []struct {
		name      string
		got, want uintptr
	}{
		{"body", unsafe.Sizeof(body{}), bodySize},
		{"body", unsafe.Sizeof(body{}), 64},
		{"Contact", unsafe.Sizeof(Contact{}), 192},
		{"block1", unsafe.Sizeof(block1{}), 1120},
		{"block2", unsafe.Sizeof(block2{}), 1728},
		{"contactRows", unsafe.Sizeof(contactRows{}), 640},
		{"pointRows", unsafe.Sizeof(pointRows{}), 480},
	} {
		if x.got != x.want {
			t.Errorf("%s: %d bytes, want %d", x.name, x.got, x.want)
		}
	}
}

// TestPyramidAllocatesNothing: a warm Run of thousands of contacts, of both numbers of points.
func TestPyramidAllocatesNothing(t *testing.T) {
	s := pyramid(40)
	for i := range s.Contacts {
		if i%3 == 0 {
			s.Contacts[i].N = 1
		}
	}
	s.Run(1.0/60, 4)
	if n := testing.AllocsPerRun(5, func() { s.Run(1.0/60, 4) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestKernelsAgree: a whole Run has the same bits with the kernels and with the twin.
func TestKernelsAgree(t *testing.T) {
	used := kernels
	if used.name == "go" {
		t.Skip("this processor runs the twin: there is no second implementation to compare")
	}
	defer func() { kernels = used }()
	var ends [2][]Motion
	for i, set := range []kernelSet{used, goKernels} {
		kernels = set
		s := pyramid(20)
		for range 10 {
			s.Run(1.0/60, 4)
		}
		ends[i] = s.Motions
	}
	for i := range ends[0] {
		if ends[0][i] != ends[1][i] {
			t.Fatalf("body %d: %+v, twin %+v", i, ends[0][i], ends[1][i])
		}
	}
}
