package surfaces_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/scene"
)

// contactIDs returns the ids of the points of the contacts with a shape of b, in order.
func contactIDs(w *quarry.World, b quarry.Body) []quarry.ContactID {
	var ids []quarry.ContactID
	for _, c := range w.AppendContacts(nil) {
		for s := range b.Shapes() {
			if c.ShapeB != s.ID() {
				continue
			}
			for k := range c.N {
				ids = append(ids, c.Points[k].ID)
			}
		}
	}
	return ids
}

func vertexOf(i int32) quarry.ContactFeature {
	return quarry.ContactFeature{Kind: quarry.ShapeVertex, Index: i}
}

func edgeOf(i int32) quarry.ContactFeature {
	return quarry.ContactFeature{Kind: quarry.ShapeEdge, Index: i}
}

// hasIDs fails the test unless ids and want are the same set.
func hasIDs(t *testing.T, what string, ids []quarry.ContactID, want ...quarry.ContactID) {
	t.Helper()
	left := map[quarry.ContactID]bool{}
	for _, id := range want {
		left[id] = true
	}
	for _, id := range ids {
		if !left[id] {
			t.Errorf("%s: a point is %v", what, id)
		}
		delete(left, id)
	}
	for id := range left {
		t.Errorf("%s: no point is %v", what, id)
	}
}

// TestContactIDsStay is law 4 of contact: a box that slides over twenty tiles has the
// same two contact ids in every step, of its lower vertices on the line of the floor,
// over each seam and through edits below it.
func TestContactIDsStay(t *testing.T) {
	w := worldtest.New()
	g := tiledFloor(t, w)
	b := worldtest.Add(w, geom.V(2, 0.5), geom.NewBox(0.5, 0.5))
	for range 30 {
		w.Step(worldtest.DT)
	}
	line := quarry.ContactFeature{Kind: quarry.GroundLine, X: -1} // to the left, through y = 0
	want := []quarry.ContactID{{A: line, B: vertexOf(0)}, {A: line, B: vertexOf(1)}}
	for i := range 120 {
		if i%20 == 10 {
			if err := g.Set(int32(b.Position().X), -3, gridseg.Tile{Shape: gridseg.Slab}); err != nil {
				t.Fatal(err)
			}
		}
		b.SetVelocity(geom.V(8, b.Velocity().Y))
		w.Step(worldtest.DT)
		hasIDs(t, "on the floor", contactIDs(w, b), want...)
	}
	if x := b.Position().X; x < 15 {
		t.Fatalf("the box is at %v", x)
	}
}

// tiledFloor is a floor of tiles, 40 wide and 3 deep, whose top is y = 0.
func tiledFloor(t *testing.T, w *quarry.World) quarry.Ground {
	t.Helper()
	g := worldtest.AddGround(t, w, 0)
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: -3, MaxX: 39, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestContactIDs: points whose features are known have the right ids, for each kind of
// feature.
func TestContactIDs(t *testing.T) {
	w := worldtest.New()
	g := tiledFloor(t, w)
	if err := g.Set(3, 2, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	if err := g.Set(10, 0, gridseg.Tile{Shape: gridseg.Ramp, Turn: 3}); err != nil { // falls to the right
		t.Fatal(err)
	}
	low := worldtest.Add(w, geom.V(20, 0.5), geom.NewBox(0.5, 0.5))
	high := worldtest.Add(w, geom.V(20.2, 1.25), geom.NewBox(1, 0.25))
	tip := worldtest.Add(w, geom.V(2.85, 3.2), geom.Circle{Radius: 0.25}) // on the tile's upper left corner
	slope := worldtest.Add(w, geom.V(10.5, 0.5).Add(geom.V(0.25, 0.25)), geom.Circle{Radius: 0.35355339059327373})
	cid, err := w.AddChain(0, quarry.ChainDef{Points: []geom.Vec{{X: 60}, {X: 55}, {X: 50}, {X: 50, Y: -5}}})
	if err != nil {
		t.Fatal(err)
	}
	onChain := worldtest.Add(w, geom.V(54, 0.5), geom.NewBox(0.5, 0.5))
	onCorner := worldtest.Add(w, geom.V(49.85, 0.2), geom.Circle{Radius: 0.25})
	w.Step(worldtest.DT)

	floorLine := quarry.ContactFeature{Kind: quarry.GroundLine, X: -1}
	hasIDs(t, "box on the floor", contactIDs(w, low), quarry.ContactID{A: floorLine, B: vertexOf(0)},
		quarry.ContactID{A: floorLine, B: vertexOf(1)})
	// The upper box overhangs on both sides, so the lower one's vertices are under its edge.
	hasIDs(t, "box on the box", contactIDs(w, high), quarry.ContactID{A: vertexOf(2), B: edgeOf(0)},
		quarry.ContactID{A: vertexOf(3), B: edgeOf(0)})
	corner := quarry.ContactFeature{Kind: quarry.GroundVertex, X: 3 * gridseg.Unit, Y: 3 * gridseg.Unit}
	hasIDs(t, "ball on the corner", contactIDs(w, tip), quarry.ContactID{A: corner, B: vertexOf(0)})
	// The slope runs up to the left from (11, 0): x + y = 11 cells.
	down := quarry.ContactFeature{Kind: quarry.GroundLine, X: -1, Y: 1, Offset: 11 * gridseg.Unit}
	hasIDs(t, "ball on the slope", contactIDs(w, slope), quarry.ContactID{A: down, B: vertexOf(0)})
	face := quarry.ContactFeature{Kind: quarry.ChainFace, Index: 0} // segments 0 and 1 are in one line
	hasIDs(t, "box on the chain", contactIDs(w, onChain), quarry.ContactID{A: face, B: vertexOf(0)},
		quarry.ContactID{A: face, B: vertexOf(1)})
	point := quarry.ContactFeature{Kind: quarry.ChainCorner, Index: 2}
	hasIDs(t, "ball on the chain's corner", contactIDs(w, onCorner), quarry.ContactID{A: point, B: vertexOf(0)})
	if _, ok := w.Chain(cid); !ok {
		t.Fatal("no chain")
	}
	for _, c := range []struct {
		id   quarry.ContactID
		want string
	}{
		{quarry.ContactID{A: down, B: vertexOf(0)}, "ground line (-1, 1) at 45056; vertex 0"},
		{quarry.ContactID{A: corner, B: edgeOf(3)}, "ground vertex (12288, 12288); edge 3"},
		{
			quarry.ContactID{A: quarry.ContactFeature{Kind: quarry.ChainFace, Index: 7, Another: true}, B: vertexOf(1)},
			"chain face 7, another way; vertex 1",
		},
		{quarry.ContactID{A: quarry.ContactFeature{Kind: quarry.InsideGround}}, "inside ground; nothing"},
	} {
		if got := c.id.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestContactIDsAreUnique: no two points of one pair have the same id on any ground, and
// no point has the zero id.
func TestContactIDsAreUnique(t *testing.T) {
	type pair struct {
		a, b   quarry.ShapeID
		ground quarry.GroundID
		chain  quarry.ChainID
	}
	for _, name := range []string{"stairs", "wedges", "junctions", "chains", "peaks", "craters", "tiles_bumpy"} {
		s, _ := scene.Get(name)
		in := s.New()
		points := 0
		var contacts []quarry.Contact
		for step := range 150 {
			in.Step()
			if step%10 != 9 {
				continue
			}
			seen := map[pair]map[quarry.ContactID]bool{}
			contacts = in.World.AppendContacts(contacts[:0])
			for _, c := range contacts {
				p := pair{c.ShapeA, c.ShapeB, c.Ground, c.Chain}
				if seen[p] == nil {
					seen[p] = map[quarry.ContactID]bool{}
				}
				for k := range c.N {
					id := c.Points[k].ID
					if id.A.Kind == quarry.NoFeature || seen[p][id] {
						t.Fatalf("%s, step %d: the id %v of two points of one pair, or of none", name, step, id)
					}
					seen[p][id] = true
					points++
				}
			}
		}
		if points == 0 {
			t.Errorf("%s: no points", name)
		}
	}
}
