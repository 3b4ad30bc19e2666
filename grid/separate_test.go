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

// Separate is for empty grids.
func TestSeparatePanics(t *testing.T) {
	g := NewHierarchical(1)
	if _, err := g.Add(geom.Box(geom.V(0, 0), geom.V(1, 1)), 0); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if s, ok := recover().(string); !ok || !strings.Contains(s, "Separate in a grid with 1 objects") {
			t.Errorf("panic %q", s)
		}
	}()
	g.Separate(1)
}
