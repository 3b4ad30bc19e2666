package quarry

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// TestOneWayFilter compares the searches by cell among one-way tiles with linear searches: for the
// faces on which a shape stands, for the buried faces behind one-way faces, and for the segments at
// a vertex.
func TestOneWayFilter(t *testing.T) {
	worlds, stood, covered, met := 40, 0, 0, 0
	if testing.Short() {
		worlds = 10
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 9))
		o := gridseg.Cell{X: -oracleSize / 2, Y: -oracleSize / 2}
		w := NewWorld(Config{Gravity: geom.V(0, -10)})
		for way := range OneWay(3) {
			w.AddMaterial(Material{OneWay: way})
		}
		grid := oracleGround(t, r, o, seed%4 == 0)
		for range 200 {
			_ = grid.Set(o.X+r.Int32N(oracleSize), o.Y+r.Int32N(oracleSize), gridseg.Tile{Shape: gridseg.Full, Material: 2, Layer: uint8(r.IntN(2))})
		}
		if _, err := w.AddGround(0, GroundDef{Grid: grid}); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			id := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(20*(r.Float64()-0.5), 20+20*r.Float64())})
			for k := range 1 + r.IntN(3) {
				w.AddShape(id, geom.NewOffsetBox(1+8*r.Float64(), 1, geom.V(0, 2.5*float64(k)), geom.Identity), ShapeDef{})
			}
		}
		for range 150 {
			w.Step(1.0 / 60)
			for i := range w.contacts.Slots() {
				c := w.contacts.At(i)
				if len(c.manifolds) == 0 || c.ground < 0 {
					continue
				}
				b := w.bodies.At(c.bodyB)
				at := geom.Transform{P: b.rot.Apply(b.localCenter).Neg(), Q: b.rot}
				oq := w.oneWayQueryOf(c, c.manifolds, at, b.center, false)
				near, _ := oq.cellsMet(w)
				for range r.IntN(6) {
					near = surface.GrowRect(near)
				}
				sq := &w.scratch.surface
				if !w.collectOneWay(sq, oq.g, near, &oq) {
					continue
				}
				for j := range sq.Segments {
					if !sq.isOneWayFace(j) {
						continue
					}
					want := slowStood(w, &oq, sq.Segments[j].ID.Cell)
					if got := oq.stateOf(sq, &sq.Segments[j], sq.oneWays[j]) & (standsOn | otherStandsOn); got != want {
						t.Fatalf("world %d, step %d: the state of %v is %b, want %b", seed, w.StepCount(), sq.Segments[j].ID, got, want)
					}
					if want != 0 {
						stood++
					}
				}
				want := slowCover(sq, &oq)
				covered += len(sq.buried) - len(want)
				sq.dropBehindOneWay(&oq)
				if !slices.Equal(sq.buried, want) {
					t.Fatalf("world %d, step %d: %d buried faces are left, want %d", seed, w.StepCount(), len(sq.buried), len(want))
				}
				sq.dropPassable(&oq)
				sq.insert()
				for j := range sq.Segments {
					s := &sq.Segments[j]
					if sq.RadialMatch(s.B, s.A, false) != slowMatch(sq, s.B, s.A, false) || sq.RadialMatch(s.A, s.B, true) != slowMatch(sq, s.A, s.B, true) {
						t.Fatalf("world %d, step %d: the links of %v differ", seed, w.StepCount(), s.ID)
					}
				}
				if len(sq.Segments) > surface.FewSegments {
					met++
				}
			}
		}
	}
	if stood < 10*worlds || covered < worlds || met < 10*worlds {
		t.Errorf("%d faces stood on, %d covered, %d times many segments", stood, covered, met)
	}
}

// slowStood searches all points for points on one-way tiles in the cell at.
func slowStood(w *World, oq *oneWayQuery, at gridseg.Cell) (v oneWayState) {
	on := func(manifolds []contact.Manifold) bool {
		for i := range manifolds {
			for _, p := range manifolds[i].Points[:manifolds[i].N] {
				if p.Source.Cell == at && w.material(MaterialID(p.Source.Material)).OneWay != NotOneWay {
					return true
				}
			}
		}
		return false
	}
	if on(oq.manifolds) {
		v |= standsOn
	}
	for i := w.bodies.At(oq.c.bodyB).firstShape; i >= 0; i = w.shapes.At(i).next {
		if o := w.siblingContact(oq.c, i); i != oq.c.shapeB && o != nil && o.drop != dropping && on(o.manifolds) {
			v |= otherStandsOn
		}
	}
	return v
}

// slowCover compares each buried face with each segment.
func slowCover(sq *surfaceQuery, oq *oneWayQuery) (left []gridseg.Segment) {
	left = slices.Clone(sq.buried)
	for i := range sq.Segments {
		s := &sq.Segments[i]
		if sq.oneWays[i] == NotOneWay || !sq.blocks(i, oq) {
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
func slowMatch(sq *surfaceQuery, p, q gridseg.Point, incoming bool) int {
	m := surface.RadialSearch{P: p, Q: q, Incoming: incoming, Best: -1}
	for j := range sq.Segments {
		m.Consider(j, &sq.Segments[j])
	}
	return m.Best
}
