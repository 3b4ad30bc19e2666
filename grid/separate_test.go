package grid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// A query for categories that are not set apart visits none of the objects that are, and the other
// way round, as long as no object is in both kinds of categories.
func TestSeparateSkips(t *testing.T) {
	const dust, rock = 1, 4
	g := NewHierarchical(1)
	g.Separate(dust)
	for i := range 40 {
		id, err := g.Add(geom.Box(geom.V(float64(i), 0), geom.V(float64(i)+0.5, 0.5)), 0)
		if err != nil {
			t.Fatal(err)
		}
		g.SetCategory(id, dust)
	}
	if g.levelsFor(rock) != 0 || g.levelsFor(dust) == 0 {
		t.Errorf("with dust alone, levels %b for rock and %b for dust", g.levelsFor(rock), g.levelsFor(dust))
	}
	id, _ := g.Add(geom.Box(geom.V(3, 0), geom.V(4, 1)), 0)
	if g.levelsFor(dust) != g.used {
		t.Error("an object in all categories is not visited for dust")
	}
	g.SetCategory(id, rock)
	if a, b := g.levelsFor(dust), g.levelsFor(rock); a&b != 0 || a|b != g.used {
		t.Errorf("levels %b for dust, %b for rock, %b in use", a, b, g.used)
	}
	all := geom.Box(geom.V(math.Inf(-1), math.Inf(-1)), geom.V(math.Inf(1), math.Inf(1)))
	if got := g.AppendOverlaps(nil, all, rock); !slices.Equal(got, []ID{id}) {
		t.Errorf("rock: %v, want %d", got, id)
	}
	checkInvariants(t, g)
}

// Each of two classes is in levels of its own, and so are all other objects. Objects in categories of both classes
// count as others, and are visited for each.
func TestSeparateTwo(t *testing.T) {
	const dust, sense, rock = 1, 2, 4
	g := NewHierarchical(1)
	g.Separate(dust, sense)
	for _, c := range []uint64{dust, sense, rock} {
		id, err := g.Add(geom.Box(geom.V(3, 0), geom.V(3.5, 0.5)), 0)
		if err != nil {
			t.Fatal(err)
		}
		g.SetCategory(id, c)
	}
	all := uint64(0)
	for _, c := range []uint64{dust, sense, rock} {
		if l := g.levelsFor(c); l == 0 || l&(l-1) != 0 || l&all != 0 {
			t.Errorf("levels %b for the category %d, %b for those before", l, c, all)
		} else {
			all |= l
		}
	}
	if both := g.levelsFor(dust | sense); both != g.levelsFor(dust)|g.levelsFor(sense) || all != g.used {
		t.Errorf("levels %b for two classes, %b for all, %b in use", both, all, g.used)
	}
	id, _ := g.Add(geom.Box(geom.V(3, 0), geom.V(4, 1)), 0)
	g.SetCategory(id, dust|sense)
	if g.levelsFor(sense)&g.levelsFor(rock) == 0 {
		t.Error("an object of both classes is not visited for one")
	}
	checkInvariants(t, g)
	if loads := g.AppendLoads(nil); len(loads) != 4 || loads[3].Level != 0 || loads[0].N != 4 {
		t.Errorf("loads %v: want four objects in a cell of level 0, and one in three beside it", loads)
	}
}

// Separate is for empty grids, and for at most two masks without a common category.
func TestSeparatePanics(t *testing.T) {
	g := NewHierarchical(1)
	if _, err := g.Add(geom.Box(geom.V(0, 0), geom.V(1, 1)), 0); err != nil {
		t.Fatal(err)
	}
	for _, masks := range [][]uint64{{1, 2, 4}, {3, 2}} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.Contains(s, "Separate") {
					t.Errorf("%v: panic %q", masks, s)
				}
			}()
			NewHierarchical(1).Separate(masks...)
		}()
	}
	defer func() {
		if s, ok := recover().(string); !ok || !strings.Contains(s, "Separate in a grid with 1 objects") {
			t.Errorf("panic %q", s)
		}
	}()
	g.Separate(1)
}
