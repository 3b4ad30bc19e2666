package scene

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestRadialMatch: in each case of the scene the three segments of the article's worked
// example and a fourth meet in one vertex, and seg1 has the article's ghost vertex there.
// Balls come to rest in the corners of the two cases.
func TestRadialMatch(t *testing.T) {
	in := radialMatch.New()
	var grid gridseg.View
	for g := range in.World.Grounds() {
		grid = g.Grid()
	}
	for _, c := range []struct {
		name         string
		vertex       gridseg.Cell
		other, ghost [2]int64 // from the vertex: seg1's other end, and its ghost beyond the vertex
	}{
		{"A", radialA, [2]int64{0, 1}, [2]int64{1, 0}},
		{"B", radialB, [2]int64{0, 1}, [2]int64{-1, 1}},
	} {
		at := func(d [2]int64) gridseg.Point {
			return gridseg.Point{X: (int64(c.vertex.X) + d[0]) * gridseg.Unit, Y: (int64(c.vertex.Y) + d[1]) *
				gridseg.Unit}
		}
		v, meet, found := at([2]int64{}), 0, false
		for _, s := range grid.AppendSegments(nil, gridseg.Rect{
			MinX: c.vertex.X - 1, MinY: c.vertex.Y - 1,
			MaxX: c.vertex.X, MaxY: c.vertex.Y,
		}) {
			if s.A == v || s.B == v {
				meet++
			}
			switch {
			case s.A == v && s.B == at(c.other):
				found = s.HasGhost1 && s.Ghost1 == at(c.ghost)
			case s.B == v && s.A == at(c.other):
				found = s.HasGhost2 && s.Ghost2 == at(c.ghost)
			}
		}
		if meet != 4 || !found {
			t.Errorf("case %s: %d segments meet, want 4; seg1 with its ghost: %v", c.name, meet, found)
		}
	}
	for range radialMatch.Steps {
		in.Step()
	}
	for name, want := range map[string]geom.Vec{
		"A, against seg2 and seg1": geom.V(0.3, 0.3),
		"A, against the fourth":    geom.V(-0.3, -0.7),
		"B, against seg3 and seg1": geom.V(9.7, 0.7243), // 0.3 (1 + the root of 2) above the vertex
	} {
		nearest := 1e9
		for b := range in.World.Bodies() {
			nearest = min(nearest, b.Position().Dist(want))
		}
		if nearest > 2*geom.LinearSlop {
			t.Errorf("case %s: no ball at %v, the nearest is %.4f away", name, want, nearest)
		}
	}
}
