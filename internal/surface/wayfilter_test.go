package surface

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/lattice"
)

// randomManifolds returns manifolds with points on tiles of t in the cells of r.
func randomManifolds(r *rand.Rand, t *Tiles, cells gridseg.Rect) (found []contact.SurfaceManifold) {
	segments := t.Grid.AppendSegments(nil, cells)
	for range r.IntN(12) {
		if len(segments) == 0 {
			break
		}
		m := contact.SurfaceManifold{Manifold: contact.Manifold{N: 1 + r.Int32N(2)}}
		for k := range m.N {
			s := &segments[r.IntN(len(segments))]
			m.Sources[k] = contact.Source{Cell: s.ID.Cell, Tile: s.Tile, Material: t.Material(s.Tile.Material)}
			m.Points[k].Separation = 0.01 * (r.Float64() - 0.7)
		}
		found = append(found, m)
	}
	return found
}

// TestFilter compares the searches among one-way tiles with searches through all tiles near a body, all its shapes and
// all their points: for the faces that stop each shape, for the buried faces behind them, and for the segments at a
// vertex.
func TestFilter(t *testing.T) {
	worlds, stopping, passing, covered, plain, met := 60, 0, 0, 0, 0, 0
	if testing.Short() {
		worlds = 15
	}
	var f, slow Filter
	listing := uint64(0)
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 9))
		o := gridseg.Cell{X: -gridtest.Size / 2, Y: -gridtest.Size / 2}
		tiles := Tiles{Grid: gridtest.Ground(t, r, o, seed%4 == 0), Version: 1}
		tiles.SetWays(waysOf([]Direction{None, None, Up, Left}...))
		for range 200 {
			_ = tiles.Grid.Set(o.X+r.Int32N(gridtest.Size), o.Y+r.Int32N(gridtest.Size),
				gridseg.Tile{Shape: gridseg.Full, Material: 2, Layer: uint8(r.IntN(2))})
		}
		tiles.Grid.Resolve()
		for range 100 {
			p := geom.V(30*(r.Float64()-0.5), 30*(r.Float64()-0.5))
			q := WayQuery{
				Now: geom.Transform{Q: geom.NewRot(6 * r.Float64())}, Origin: p,
				Passes: r.IntN(20) == 0, Memory: new(WayMemory), Whole: r.IntN(8) == 0,
			}
			q.Was = geom.Transform{P: geom.V(r.Float64()-0.5, r.Float64()), Q: q.Now.Q}
			if r.IntN(3) > 0 {
				listing++
				q.Listing = listing
			}
			var manifolds [][]contact.SurfaceManifold
			n := 1 + r.IntN(5)
			hulls := make([]collide.Hull, n)
			size := []float64{0.05, 0.3, 2}[r.IntN(3)]
			for k := range n {
				at := geom.V(3*size*(r.Float64()-0.5), 3*size*float64(k))
				hulls[k] = collide.NewHull(geom.NewOffsetBox(size*(0.25+2*r.Float64()), size/2, at, geom.Identity))
				q.Shapes = append(q.Shapes, WayShape{Hull: &hulls[k]})
				if !q.Whole {
					q.Shapes[k].Dropping, q.Shapes[k].Ignored = r.IntN(8) == 0, r.IntN(8) == 0
				}
			}
			near, _ := q.cellsMet()
			for k := range n {
				m := randomManifolds(r, &tiles, near)
				manifolds = append(manifolds, m)
				if r.IntN(3) == 0 {
					q.Shapes[k].Stood = appendStood(nil, m, tiles.ways)
				}
			}
			for own := range n {
				q.Own, q.Old, q.Drop = q.Shapes[own], manifolds[own], NotDropping
				if q.Own.Dropping {
					q.Drop = Dropping
				}
				q.Prepare()
				cells, _ := Cells(hulls[own].Bounds(q.Now).Expand(contact.SpeculativeDistance).Translate(p))
				for range r.IntN(3) {
					cells = GrowRect(cells)
				}
				if !f.collectNear(&tiles, &q, cells) {
					if q.Memory.plainAt != 2 || !containsRect(GrowRect(cells), q.Memory.plainCells) {
						t.Fatal("the cells are not noted as plain")
					}
					slow.gather(&tiles, GrowRect(UnionRect(cells, near)))
					if len(slow.oneWayCells) == 0 || tiles.Grid.Engine(lattice.Key{}).Preserves() {
						continue
					}
					slow.stopping = slowStopping(&slow, &q)
					if slow.join(&q, cells); !slices.Equal(slow.Segments, tiles.Grid.AppendSegments(nil, cells)) {
						t.Fatalf("world %d: one-way tiles away from shape %d change the surface near it", seed, own)
					}
					plain++
					continue
				}
				slow.gather(&tiles, GrowRect(UnionRect(cells, near)))
				slow.stopping = slowStopping(&slow, &q)
				for j := range f.Segments {
					s := &f.Segments[j]
					if f.stopping[j] != slow.stopping[slow.IndexOf(s.ID)] {
						t.Fatalf("world %d: %v stops shape %d: %v, want %v", seed, s.ID, own, f.stopping[j],
							!f.stopping[j])
					}
					if f.stopping[j] {
						stopping++
					} else if f.isOneWayFace(j) {
						passing++
					}
				}
				want := slowCover(&slow, &q)
				covered += len(slow.buried) - len(want)
				if slow.dropBehindOneWay(&q); !slices.Equal(slow.buried, want) {
					t.Fatalf("world %d: %d buried faces are left, want %d", seed, len(slow.buried), len(want))
				}
				slow.dropPassable(&q)
				slow.insert()
				for j := range slow.Segments {
					s := &slow.Segments[j]
					if slow.RadialMatch(s.B, s.A, false) != slowMatch(&slow, s.B, s.A, false) ||
						slow.RadialMatch(s.A, s.B, true) != slowMatch(&slow, s.A, s.B, true) {
						t.Fatalf("world %d: the links of %v differ", seed, s.ID)
					}
				}
				if len(slow.Segments) > FewSegments {
					met++
				}
				slow.gather(&tiles, GrowRect(UnionRect(cells, near)))
				slow.join(&q, cells)
				if f.join(&q, cells); !slices.Equal(f.Segments, slow.Segments) || !slices.Equal(f.Runs.List,
					slow.Runs.List) {
					t.Fatalf("world %d: the surface that stops shape %d differs", seed, own)
				}
			}
		}
	}
	if stopping < 10*worlds || passing < 10*worlds || covered < worlds || plain < worlds || met < 10*worlds {
		t.Errorf("%d faces stop a shape, %d let it pass, %d covered, %d times tiles away, %d times many segments",
			stopping, passing, covered, plain, met)
	}
}

// slowStopping compares all shapes with all one-way faces that f has gathered, and returns which of them stop the shape
// of q.
func slowStopping(f *Filter, q *WayQuery) []bool {
	type state struct{ inFront, behind, crossing, standsOn, otherStandsOn bool }
	faces, stops, done := make([]state, len(f.Segments)), make([]bool, len(f.Segments)), make([]bool, len(f.Segments))
	for i := range f.Segments {
		s, v := &f.Segments[i], &faces[i]
		for k := 0; k < len(q.Shapes) && f.isOneWayFace(i); k++ {
			h, own, tol := &q.Shapes[k], q.Whole || q.Shapes[k].Hull == q.Own.Hull, q.tolerance
			if slices.Contains(h.Stood, s.ID.Cell) {
				v.standsOn, v.otherStandsOn = v.standsOn || own, v.otherStandsOn || !own
			}
			if h.Ignored {
				continue
			}
			if !own && h.Dropping {
				tol = -contact.SpeculativeDistance
			}
			at := sideOf(s, f.ways[i], h.Hull, q.Was, q.Origin, tol)
			v.inFront = v.inFront || own && at == inFront
			v.behind = v.behind || (!own || q.Whole) && at == behind
			v.crossing = v.crossing || at == across
		}
	}
	for i := range f.Segments {
		if !f.isOneWayFace(i) || done[i] {
			continue
		}
		platform, all := []int{i}, state{}
		done[i] = true
		for k := 0; k < len(platform); k++ {
			at := platform[k]
			all.crossing = all.crossing || faces[at].crossing
			all.standsOn = all.standsOn || faces[at].standsOn
			all.otherStandsOn = all.otherStandsOn || faces[at].otherStandsOn
			for j := range f.Segments {
				a, b := &f.Segments[at], &f.Segments[j]
				if !done[j] && f.isOneWayFace(j) && (a.HasGhost2 && a.Next == b.ID || b.HasGhost2 && b.Next == a.ID) {
					platform, done[j] = append(platform, j), true
				}
			}
		}
		for _, k := range platform {
			v := &faces[k]
			stops[k] = !q.passesAll && (all.standsOn || v.inFront && !v.behind && (!all.crossing || all.otherStandsOn))
		}
	}
	return stops
}

// slowCover compares each buried face with each segment.
func slowCover(f *Filter, q *WayQuery) (left []gridseg.Segment) {
	left = slices.Clone(f.buried)
	for i := range f.Segments {
		s := &f.Segments[i]
		if f.ways[i] == None || !f.blocks(i, q) {
			continue
		}
		left = slices.DeleteFunc(left, func(h gridseg.Segment) bool {
			meets := h.A == s.A || h.A == s.B || h.B == s.A || h.B == s.B
			return meets && leftOf(s, h.A)+leftOf(s, h.B) > 0
		})
	}
	return left
}

// slowMatch compares all segments.
func slowMatch(f *Filter, p, q gridseg.Point, incoming bool) int {
	m := RadialSearch{P: p, Q: q, Incoming: incoming, Best: -1}
	for j := range f.Segments {
		m.Consider(j, &f.Segments[j])
	}
	return m.Best
}

// TestSiblingsShareStates: while one shape of a body drops, a face that the body's other shapes
// touch stops none of them; a shape that the ground ignores is on no side of a face.
func TestSiblingsShareStates(t *testing.T) {
	grid := gridseg.New(nil)
	if err := grid.Set(0, 0, gridseg.Tile{Shape: gridseg.Full, Material: 1}); err != nil {
		t.Fatal(err)
	}
	grid.Resolve()
	tiles := Tiles{Grid: grid, Version: 1}
	tiles.SetWays(waysOf([]Direction{None, Up}...))
	h, other := collide.NewHull(geom.NewBox(0.4, 0.4)), collide.NewHull(geom.NewBox(0.4, 0.4))
	above := geom.V(0.5, 1.4-geom.LinearSlop/2)
	for _, c := range []struct {
		name  string
		other WayShape
		runs  bool
	}{
		{"alone on top", WayShape{Ignored: true}, true},
		{"beside a shape that drops", WayShape{Dropping: true}, false},
		{"beside a shape that drops and is ignored", WayShape{Dropping: true, Ignored: true}, true},
	} {
		var f Filter
		c.other.Hull = &other
		q := WayQuery{Was: geom.At(geom.Vec{}), Now: geom.At(geom.Vec{}), Origin: above, Shapes: []WayShape{
			{Hull: &h},
			c.other,
		}, Own: WayShape{Hull: &h}, Memory: new(WayMemory)}
		q.Prepare()
		r, _ := q.cellsMet()
		f.Collect(&tiles, &q, r)
		if got := len(f.Runs.List) > 0; got != c.runs {
			t.Errorf("%s: a top that stops the shape: %v, want %v", c.name, got, c.runs)
		}
	}
}

// waysOf returns a table of directions.
func waysOf(list ...Direction) *Ways {
	w := new(Ways)
	w.Set(list)
	return w
}
