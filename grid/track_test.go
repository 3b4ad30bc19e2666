package grid

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestTracker: after each Flush the tracker's pairs equal the batch's, and the pairs
// begun and ended are the difference.
func TestTracker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		margin := rapid.SampledFrom([]float64{0, 0.25, 3}).Draw(t, "margin")
		tr := NewTracker(newGrids(1, box(-20, -20, 20, 20))[rapid.IntRange(0, 3).Draw(t, "kind")], margin)
		boxes := map[ID]geom.AABB{}
		var live []ID
		var before [][2]ID
		for range rapid.IntRange(1, 20).Draw(t, "frames") {
			for range rapid.IntRange(0, 12).Draw(t, "changes") {
				what := rapid.IntRange(0, 7).Draw(t, "what")
				if len(live) == 0 || what == 0 {
					b := drawBox(t)
					if id, err := tr.Add(b, 0); err == nil {
						boxes[id] = b
						live = append(live, id)
					}
					continue
				}
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				id := live[i]
				switch what {
				case 1:
					tr.Remove(id)
					live = slices.Delete(live, i, i+1)
					delete(boxes, id)
				case 2:
					if tr.Grid().Excluded(id) {
						tr.Grid().Include(id)
					} else {
						tr.Grid().Exclude(id)
					}
					tr.Touch(id)
				default:
					b := boxes[id].Translate(geom.V(rapid.Float64Range(-1, 1).Draw(t, "dx"), rapid.Float64Range(-1,
						1).Draw(t, "dy")))
					if _, err := tr.Update(id, b); err == nil {
						boxes[id] = b
					}
				}
			}
			begin, end := tr.Flush()
			after := tr.Grid().AppendPairs(nil)
			if got := tr.AppendPairs(nil); !slices.Equal(got, after) {
				t.Fatalf("pairs %v, the batch gives %v", got, after)
			}
			minus := func(a, b [][2]ID) (d [][2]ID) {
				for _, p := range a {
					if !slices.Contains(b, p) {
						d = append(d, p)
					}
				}
				return d
			}
			if want := minus(after, before); !slices.Equal(begin, want) {
				t.Fatalf("began %v, want %v", begin, want)
			}
			if want := minus(before, after); !slices.Equal(end, want) {
				t.Fatalf("ended %v, want %v", end, want)
			}
			for id, b := range boxes {
				if !tr.Grid().Box(id).Contains(b) {
					t.Fatalf("object %d at %v has left its box %v", id, b, tr.Grid().Box(id))
				}
			}
			before = after
		}
	})
}

// TestTrackerRefuses: a refused box changes nothing, an empty one that the margin
// would fill included.
func TestTrackerRefuses(t *testing.T) {
	tr := NewTracker(NewHashed(1), 5)
	id, _ := tr.Add(box(0, 0, 1, 1), 0)
	for _, b := range []geom.AABB{box(1, 0, 0, 1), box(0, 0, 1e300, 1)} {
		if _, err := tr.Add(b, 0); err == nil {
			t.Errorf("Add(%v) is not refused", b)
		}
		if _, err := tr.Update(id, b); err == nil {
			t.Errorf("Update(%v) is not refused", b)
		}
	}
	if got := tr.Grid().Box(id); got != box(-5, -5, 6, 6) || tr.Grid().Len() != 1 {
		t.Errorf("the box is %v", got)
	}
}

// TestPairsWith: objects of two grids, each pair once, a of the first one first.
func TestPairsWith(t *testing.T) {
	a, b := newCrowd(300, 20, 0.5), newCrowd(200, 4, 0.1)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range b.boxes {
		b.boxes[i] = b.boxes[i].Translate(geom.V(r.Float64(), r.Float64()).Mul(10))
	}
	var want [][2]ID
	for i, x := range a.boxes {
		for j, y := range b.boxes {
			if x.Overlaps(y) {
				want = append(want, [2]ID{ID(i), ID(j)})
			}
		}
	}
	if len(want) < 20 {
		t.Fatalf("only %d pairs", len(want))
	}
	for _, g := range newGrids(4, box(0, 0, 50, 50)) {
		for _, h := range newGrids(3, box(0, 0, 40, 40)) {
			g.Clear()
			a.addTo(g)
			b.addTo(h)
			if got := g.AppendPairsWith(nil, h); !slices.Equal(got, want) {
				t.Errorf("%v with %v: %d pairs, want %d", g.Kind(), h.Kind(), len(got), len(want))
			}
		}
	}
}

// TestStreaming takes all chunks of a world out, in which objects lie across their
// borders, and brings them back: every result is as before, and the bounds shrink
// meanwhile.
func TestStreaming(t *testing.T) {
	c := newCrowd(2000, 6, 1.0/3)
	for _, g := range newGrids(2, c.bounds()) {
		c.addTo(g)
		want := g.AppendPairs(nil)
		var out [][]Object
		n := int64(c.side/(2*ChunkSide)) + 1
		for x := range n + 1 {
			for y := range n + 1 {
				out = append(out, g.Unload(nil, x, y))
			}
			left := g.Len()
			if left == 0 {
				break
			}
			for at := range g.levels {
				for _, r := range g.levels[at].regions {
					if r.count > 0 && float64(r.cellBounds().x0)*r.size < float64(x-2)*2*ChunkSide {
						t.Errorf("%v: bounds begin at %v when %d columns of chunks are gone", g.Kind(), r.cellBounds(),
							x+1)
					}
				}
			}
		}
		if g.Len() != 0 || g.Stats().Cells != 0 {
			t.Fatalf("%v: %d objects are left", g.Kind(), g.Len())
		}
		for i := len(out) - 1; i >= 0; i-- {
			if err := g.Load(out[i]); err != nil {
				t.Fatal(err)
			}
		}
		checkInvariants(t, g)
		if got := g.AppendPairs(nil); !slices.Equal(got, want) {
			t.Errorf("%v: other pairs after a round trip", g.Kind())
		}
	}
}

func TestTune(t *testing.T) {
	dense, sparse, spread := newCrowd(3000, 4, 0.3), newCrowd(3000, 4, 0.0005), newCrowd(3000, 1000, 0.3)
	// Few large among many small ones.
	mixed := append(newCrowd(3000, 4, 0.3).boxes, newCrowd(100, 4, 0.3).boxes...)
	for i := range 100 {
		b := &mixed[3000+i]
		*b = geom.AABB{Min: b.Min, Max: b.Min.Add(geom.V(80, 60))}
	}
	for _, c := range []struct {
		name     string
		boxes    []geom.AABB
		kind     Kind
		from, to float64
	}{
		{"none", nil, Chunked, 1, 1},
		{"points", []geom.AABB{box(1, 1, 1, 1), box(2, 2, 2, 2)}, Chunked, 1, 1},
		{"dense", dense.boxes, Chunked, 4, 9},
		{"sparse", sparse.boxes, Hashed, 4, 9},
		{"spread", spread.boxes, Chunked, 300, 1000},
		{"mixed", mixed, Hierarchical, 2, 12},
		{"odd", []geom.AABB{geom.Empty, box(0, 0, 1e308, 1), {}, box(0, 0, 1e-200, 0)}, Chunked, 1, 1},
	} {
		p := Tune(c.boxes)
		if p.Kind != c.kind || p.CellSize < c.from || p.CellSize > c.to {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// TestPairsOfNoCategory: pairs have no mask, whichever way they are asked for.
func TestPairsOfNoCategory(t *testing.T) {
	for _, g := range newGrids(1, box(-8, -8, 8, 8)) {
		tr := NewTracker(g, 0)
		for _, b := range []geom.AABB{box(0, 0, 1, 1), box(1, 1, 2, 2), box(0, 0, 5000, 5000)} {
			if _, err := tr.Add(b, 0); err != nil {
				t.Fatal(err)
			}
		}
		for id := range ID(3) {
			g.SetCategory(id, 0)
			tr.Touch(id)
		}
		want := [][2]ID{{0, 1}, {0, 2}, {1, 2}}
		begin, _ := tr.Flush()
		if got := g.AppendPairs(nil); !slices.Equal(got, want) || !slices.Equal(begin, want) {
			t.Errorf("%v: pairs %v, begun %v, want %v", g.Kind(), got, begin, want)
		}
		other := NewHashed(1)
		if _, err := other.Add(box(1, 1, 1, 1), 0); err != nil {
			t.Fatal(err)
		}
		if got := other.AppendPairsWith(nil, g); len(got) != 3 {
			t.Errorf("%v: AppendPairsWith gives %v, want three", g.Kind(), got)
		}
	}
}
