package oneway

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/surface"
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

// TestFilter compares the searches by cell among one-way tiles with linear searches: for the
// faces on which a shape stands, for the buried faces behind one-way faces, and for the segments at
// a vertex.
func TestFilter(t *testing.T) {
	worlds, stood, covered, met := 60, 0, 0, 0
	if testing.Short() {
		worlds = 15
	}
	var f Filter
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 9))
		o := gridseg.Cell{X: -gridtest.Size / 2, Y: -gridtest.Size / 2}
		tiles := Tiles{Grid: gridtest.Ground(t, r, o, seed%4 == 0), Version: 1}
		tiles.SetWays(waysOf([]Direction{None, None, Up, Left}...))
		for range 200 {
			_ = tiles.Grid.Set(o.X+r.Int32N(gridtest.Size), o.Y+r.Int32N(gridtest.Size), gridseg.Tile{Shape: gridseg.Full, Material: 2, Layer: uint8(r.IntN(2))})
		}
		tiles.Grid.Resolve()
		for range 150 {
			p := geom.V(30*(r.Float64()-0.5), 30*(r.Float64()-0.5))
			q := Query{
				Now: geom.Transform{Q: geom.NewRot(6 * r.Float64())}, Origin: p,
				Passes: r.IntN(20) == 0, Memory: new(Memory),
			}
			q.Was = geom.Transform{P: geom.V(r.Float64()-0.5, r.Float64()), Q: q.Now.Q}
			var manifolds [][]contact.SurfaceManifold
			n := 1 + r.IntN(3)
			own := r.IntN(n)
			hulls := make([]collide.Hull, n)
			for k := range n {
				hulls[k] = collide.NewHull(geom.NewOffsetBox(0.5+4*r.Float64(), 0.5, geom.V(0, 1.5*float64(k)), geom.Identity))
				q.Shapes = append(q.Shapes, Shape{ID: int32(k), Hull: &hulls[k], Dropping: r.IntN(8) == 0, Ignored: r.IntN(8) == 0})
			}
			near, _ := q.cellsMet()
			for k := range n {
				m := randomManifolds(r, &tiles, near)
				manifolds = append(manifolds, m)
				q.Shapes[k].Stood = appendStood(nil, m, tiles.ways)
			}
			q.Own, q.Old = q.Shapes[own], manifolds[own]
			q.Prepare()
			for range r.IntN(6) {
				near = surface.GrowRect(near)
			}
			if !f.collectNear(&tiles, &q, near) {
				if q.Memory.plainAt != 2 || !containsRect(near, q.Memory.plainCells) {
					t.Fatal("the cells are not noted as plain")
				}
				continue
			}
			for j := range f.Segments {
				if !f.isOneWayFace(j) {
					continue
				}
				want := slowStood(&tiles, own, manifolds, f.Segments[j].ID.Cell)
				if got := f.stateOf(&q, &f.Segments[j], f.ways[j]) & (standsOn | otherStandsOn); got != want {
					t.Fatalf("world %d: the state of %v is %b, want %b", seed, f.Segments[j].ID, got, want)
				}
				if want != 0 {
					stood++
				}
			}
			want := slowCover(&f, &q)
			covered += len(f.buried) - len(want)
			f.dropBehindOneWay(&q)
			if !slices.Equal(f.buried, want) {
				t.Fatalf("world %d: %d buried faces are left, want %d", seed, len(f.buried), len(want))
			}
			f.dropPassable(&q)
			f.insert()
			for j := range f.Segments {
				s := &f.Segments[j]
				if f.RadialMatch(s.B, s.A, false) != slowMatch(&f, s.B, s.A, false) || f.RadialMatch(s.A, s.B, true) != slowMatch(&f, s.A, s.B, true) {
					t.Fatalf("world %d: the links of %v differ", seed, s.ID)
				}
			}
			if len(f.Segments) > surface.FewSegments {
				met++
			}
		}
	}
	if stood < 10*worlds || covered < worlds || met < 10*worlds {
		t.Errorf("%d faces stood on, %d covered, %d times many segments", stood, covered, met)
	}
}

// slowStood searches all points for points on one-way tiles in the cell at.
func slowStood(t *Tiles, own int, manifolds [][]contact.SurfaceManifold, at gridseg.Cell) (v state) {
	for k := range manifolds {
		for i := range manifolds[k] {
			for _, s := range manifolds[k][i].Sources[:manifolds[k][i].N] {
				if s.Cell != at || t.wayOf(s.Material) == None {
					continue
				}
				if k == own {
					v |= standsOn
				} else {
					v |= otherStandsOn
				}
			}
		}
	}
	return v
}

// slowCover compares each buried face with each segment.
func slowCover(f *Filter, q *Query) (left []gridseg.Segment) {
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
	m := surface.RadialSearch{P: p, Q: q, Incoming: incoming, Best: -1}
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
	h, above := collide.NewHull(geom.NewBox(0.4, 0.4)), geom.V(0.5, 1.4-geom.LinearSlop/2)
	for _, c := range []struct {
		name  string
		other Shape
		runs  bool
	}{
		{"alone on top", Shape{Ignored: true}, true},
		{"beside a shape that drops", Shape{Dropping: true}, false},
		{"beside a shape that drops and is ignored", Shape{Dropping: true, Ignored: true}, true},
	} {
		var f Filter
		c.other.ID, c.other.Hull = 1, &h
		q := Query{Was: geom.At(geom.Vec{}), Now: geom.At(geom.Vec{}), Origin: above, Shapes: []Shape{{Hull: &h}, c.other}, Own: Shape{Hull: &h}, Memory: new(Memory)}
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
