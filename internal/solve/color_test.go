package solve

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/internal/pool"

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
			c := Contact{
				A: int32(a), B: int32(b), NX: 1, N: int8(1 + len(groups)%2),
				Static: (!moves(a) || !moves(b)) && len(groups)%5 > 0,
			}
			s.Contacts, s.Normals = append(s.Contacts, c), append(s.Normals, Normal{X: 1})
			groups = append(groups, 0)
		}
		of := map[int32]int{} // contacts of each body
		for _, c := range s.Contacts {
			of[c.A]++
			of[c.B]++
		}
		for i, c := range s.Contacts {
			first, row := 1+colorsEach, 0
			switch slim := func(i int32) bool { return s.Motions[i].InvMass > 0 && of[i] <= 2 }; {
			case c.Static:
				first, row = 2*(1+colorsEach), 1+colorsEach
			case slim(c.A) && slim(c.B):
				first = 0
			}
			color := 0
			moves := func(i int32) bool { return s.Motions[i].InvMass > 0 }
			for g := 1; g <= colorsEach && color == 0; g++ {
				if !(moves(c.A) && taken[c.A][row+g]) && !(moves(c.B) && taken[c.B][row+g]) {
					color = g
				}
			}
			if color > 0 {
				taken[c.A][row+color], taken[c.B][row+color] = true, true
			}
			groups[i] = first + color
		}
		w := s.prepare()
		seen := make([]bool, len(s.Contacts))
		check := func(g int, k *contactRows, r *rareRows, points int) {
			if k.n == 0 || isOverflow(g) && k.n != 1 {
				t.Fatalf("group %d has a block of %d contacts", g, k.n)
			}
			for l := range 8 {
				i := r.source[l]
				if l >= int(k.n) {
					if k.a[l] != 0 || k.b[l] != 0 || k.inertiaA[l] != 0 {
						t.Fatalf("an empty lane has bodies")
					}
					continue
				}
				c := &s.Contacts[i]
				if groups[i] != g || int(c.N) != points || seen[i] || k.a[l] != bodySize*uint32(s.bodyOf[c.A]) ||
					k.b[l] != bodySize*uint32(s.bodyOf[c.B]) {
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
			for j := w.grouped.two.starts[g]; j < w.grouped.two.starts[g+1]; j++ {
				check(g, &w.twos[j].contactRows, &w.rareTwos[j], 2)
				blocks++
			}
			for j := w.grouped.one.starts[g]; j < w.grouped.one.starts[g+1]; j++ {
				check(g, &w.ones[j].contactRows, &w.rareOnes[j], 1)
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

// TestKeptColors: a solver that has the colours of the step before, which differs in nothing or little, colours and
// moves as a new one.
func TestKeptColors(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		type stand struct {
			a, b int32
			n    int8
		}
		bodies := rapid.IntRange(3, 12).Draw(t, "bodies")
		body := rapid.Int32Range(0, int32(bodies))
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) stand {
			return stand{body.Draw(t, "A"), body.Draw(t, "B"), rapid.Int8Range(1, 2).Draw(t, "N")}
		}), 1, 40).Draw(t, "contacts")
		fixed, held := body.Draw(t, "fixed"), rapid.Bool().Draw(t, "held") // contacts of held bodies are not Static
		most, heavy := 4, body.Draw(t, "heavy")
		set := func(s *listed) {
			s.Reset()
			for i := range int32(bodies) {
				m := Motion{C: 1, InvMass: 1, InvI: 6, AY: -10, Load: float32(100 * i)}
				if i+1 == heavy {
					m.InvMass = 0.1
				}
				if i+1 == fixed {
					m.InvMass, m.InvI = 0, 0
				}
				s.Motions = append(s.Motions, m)
			}
			var in pool.UnionFind
			in.Reset(bodies + 1)
			for _, c := range list {
				moves := func(i int32) bool { return s.Motions[i].InvMass > 0 }
				if c.a == c.b || !moves(c.a) && !moves(c.b) {
					continue
				}
				k := s.meetFlat(Contact{A: c.a, B: c.b, Static: !held && !(moves(c.a) && moves(c.b))},
					[2]float64{-0.5, 0.5}, 0.5, -0.5)
				if k.N = c.n; moves(c.a) && moves(c.b) {
					in.Join(c.a, c.b)
				}
			}
			s.most = most
			s.Islands, s.IslandCount = in.AppendNumbers(nil)
		}
		old := solver(1)
		same := false // as in the step before
		for range rapid.IntRange(2, 5).Draw(t, "steps") {
			fresh := solver(1)
			set(old)
			set(fresh)
			old.keep = same && rapid.Bool().Draw(t, "keep")
			old.Run(1.0/60, 4)
			fresh.Run(1.0/60, 4)
			if fresh.same {
				t.Fatal("a new solver keeps colours")
			}
			if old.same {
				kept++
			}
			if !slices.Equal(old.places, fresh.places) || !slices.Equal(old.groups, fresh.groups) ||
				!slices.Equal(old.Motions, fresh.Motions) {
				t.Fatalf("a new solver differs (kept: %v)", old.same)
			}
			same = false
			switch k := rapid.IntRange(0, len(list)-1).Draw(t, "changed"); rapid.IntRange(0, 7).Draw(t, "change") {
			case 0:
				list[k].n = 3 - list[k].n
			case 1:
				list[k].a = body.Draw(t, "A")
			case 2:
				fixed = body.Draw(t, "fixed")
			case 3:
				most = rapid.IntRange(1, 60).Draw(t, "most")
			case 4:
				list = append(list[:k], list[k+1:]...)
				list = append(list, stand{body.Draw(t, "A"), body.Draw(t, "B"), 1})
			default:
				same = true
			}
		}
	})
	if kept == 0 {
		t.Error("no colours were kept")
	}
}

// TestSizes: the bytes that docs/solver.md and the comments state.
func TestSizes(t *testing.T) {
	for _, x := range []struct {
		name      string
		got, want uintptr
	}{
		{"body", unsafe.Sizeof(body{}), bodySize},
		{"body", unsafe.Sizeof(body{}), 32},
		{"rareBody", unsafe.Sizeof(rareBody{}), 32},
		{"block1", unsafe.Sizeof(block1{}), 704},
		{"block2", unsafe.Sizeof(block2{}), 1120},
		{"input", unsafe.Sizeof(input{}), 592},
		{"contactRows", unsafe.Sizeof(contactRows{}), 320},
		{"rareRows", unsafe.Sizeof(rareRows{}), 576},
		{"pointRows", unsafe.Sizeof(pointRows{}), 352},
		{"pinBlock", unsafe.Sizeof(pinBlock{}), 1280},
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
