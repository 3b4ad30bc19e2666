package grid

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// scene is n boxes of extents from least to most in a square that they fill to
// about a third, with cells for the smallest of them.
type scene struct {
	g     *Grid
	boxes []geom.AABB
	way   []geom.Vec
	ids   []ID
	side  float64
}

func newScene(n int, least, most float64) *scene {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := make([]geom.Vec, n)
	area := 0.0
	for i := range sizes {
		// Evenly spread over the orders of magnitude.
		s := least
		for s*2 <= most && r.IntN(8) > 0 {
			s *= 2
		}
		s = min(most, s*(1+r.Float64()))
		sizes[i] = geom.V(s, s*(0.5+0.5*r.Float64()))
		area += sizes[i].X * sizes[i].Y
	}
	side := 1.0
	for side*side < 3*area {
		side *= 1.1
	}
	s := &scene{g: New(2 * least), side: side}
	for _, z := range sizes {
		p := geom.V(r.Float64()*side, r.Float64()*side)
		b := geom.AABB{Min: p, Max: p.Add(z)}
		id, err := s.g.Add(b, 0)
		if err != nil {
			panic(err)
		}
		s.boxes = append(s.boxes, b)
		s.ids = append(s.ids, id)
		s.way = append(s.way, geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(0.2*z.X))
	}
	return s
}

// move moves every box by a tenth of its size at most, back again after 16
// times so that the scene stays what it is.
func (s *scene) move(step int) {
	f := 1.0
	if step>>4&1 == 1 {
		f = -1
	}
	for i, id := range s.ids {
		s.boxes[i] = s.boxes[i].Translate(s.way[i].Mul(f))
		if err := s.g.Update(id, s.boxes[i]); err != nil {
			panic(err)
		}
	}
}

// TestWarmAllocatesNothing runs a scene until its tables have their size, and
// then expects no allocation from changes and questions.
func TestWarmAllocatesNothing(t *testing.T) {
	for _, most := range []float64{4, 1000} {
		s := newScene(3000, 1, most)
		var ids []ID
		var pairs [][2]ID
		step := 0
		frame := func() {
			s.move(step)
			step++
			for _, b := range s.boxes {
				ids = s.g.AppendOverlaps(ids[:0], b)
			}
			ids = s.g.AppendRay(ids[:0], geom.Vec{}, geom.V(s.side, s.side))
			pairs = s.g.AppendPairs(pairs[:0])
		}
		for range 32 {
			frame()
		}
		if n := testing.AllocsPerRun(32, frame); n != 0 {
			t.Errorf("sizes to %g: %g allocations a frame", most, n)
		}
		if n := testing.AllocsPerRun(100, func() {
			s.g.Remove(s.ids[7])
			s.ids[7], _ = s.g.Add(s.boxes[7], 0)
		}); n != 0 {
			t.Errorf("sizes to %g: %g allocations for Remove and Add", most, n)
		}
		checkInvariants(t, s.g)
	}
}

// TestConcurrentQuestions asks from several goroutines at once; the race
// detector watches, and all must hear the same.
func TestConcurrentQuestions(t *testing.T) {
	s := newScene(2000, 1, 100)
	want := s.g.AppendPairs(nil)
	ray := s.g.AppendRay(nil, geom.Vec{}, geom.V(s.side, s.side))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := s.g.AppendPairs(nil); !slices.Equal(got, want) {
				t.Error("pairs differ")
			}
			if got := s.g.AppendRay(nil, geom.Vec{}, geom.V(s.side, s.side)); !slices.Equal(got, ray) {
				t.Error("rays differ")
			}
			var got [][2]ID
			var ids []ID
			for i, b := range s.boxes {
				a := s.ids[i]
				ids = s.g.AppendOverlaps(ids[:0], b)
				for _, id := range ids {
					if id > a {
						got = append(got, [2]ID{a, id})
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Error("overlaps differ from pairs")
			}
		})
	}
	wg.Wait()
}

// TestTableDoesNotRot moves a crowd through a long stretch of the world: the
// tables must neither grow with the way gone nor keep bounds of it.
func TestTableDoesNotRot(t *testing.T) {
	s := newScene(200, 1, 8)
	var before int
	for step := range 2000 {
		for i, id := range s.ids {
			s.boxes[i] = s.boxes[i].Translate(geom.V(1.5, -2.25))
			if err := s.g.Update(id, s.boxes[i]); err != nil {
				t.Fatal(err)
			}
		}
		if step == 20 {
			before = s.slots()
		}
	}
	if after := s.slots(); after > 2*before {
		t.Errorf("%d slots, after %d early on", after, before)
	}
	for at := range s.g.levels {
		l := &s.g.levels[at]
		if l.count == 0 {
			continue
		}
		if w := (float64(l.bounds.x1) - float64(l.bounds.x0)) * l.size; w > 3000 {
			t.Errorf("level %d keeps bounds %g wide", at, w)
		}
	}
	checkInvariants(t, s.g)
	for i := len(s.ids) - 1; i > 0; i-- {
		s.g.Remove(s.ids[i])
	}
	if n := s.slots(); n > 64*Levels/4 {
		t.Errorf("%d slots for one object", n)
	}
	if b, ok := s.g.Bounds(); !ok || b != s.boxes[0] {
		t.Errorf("Bounds = %v, %v, want the one box left", b, ok)
	}
}

func (s *scene) slots() int {
	n := 0
	for i := range s.g.levels {
		n += len(s.g.levels[i].cells.slots)
	}
	return n
}

// TestLargeQueryAmongSmall: boxes that cover 10^4 to 10^14 cells, of which few
// are in use, must find them through every tier of blocks. (Each once looked
// through all cells in use, and a frame of such boxes took 40 seconds.)
func TestLargeQueryAmongSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	m := newModel(t, 1)
	for i := range 3000 {
		reach := []float64{30, 300, 3000, 3e6}[i&3]
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(reach)
		m.add(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()))})
	}
	for i := range 200 {
		size := []float64{5, 50, 100, 500, 4000, 1e7}[i%6]
		p := geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(size)
		m.checkOverlaps(geom.AABB{Min: p, Max: p.Add(geom.V(r.Float64(), r.Float64()).Mul(size))})
	}
	checkInvariants(t, m.g)
}

// TestStaleIDs: using an id that is not in the grid is the caller's mistake.
func TestStaleIDs(t *testing.T) {
	g := New(1)
	a, _ := g.Add(box(0, 0, 1, 1), 42)
	b, _ := g.Add(box(0, 0, 1, 1), 43)
	if g.Data(a) != 42 || g.Data(b) != 43 {
		t.Error("Data is mixed up")
	}
	g.Remove(a)
	for name, f := range map[string]func(){
		"Remove":   func() { g.Remove(a) },
		"Update":   func() { _ = g.Update(a, box(0, 0, 1, 1)) },
		"Box":      func() { g.Box(-1) },
		"Data":     func() { g.Data(2) },
		"New(0)":   func() { New(0) },
		"New(inf)": func() { New(1e101) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not panic", name)
				}
			}()
			f()
		}()
	}
	if c, _ := g.Add(box(5, 5, 6, 6), 44); c != a || g.Data(c) != 44 {
		t.Errorf("got id %d, want %d again", c, a)
	}
}
