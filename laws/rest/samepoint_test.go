package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// heap is bodies that are added at one point, above a floor or in a static shape.
type heap struct {
	shapes []geom.Shape // in turn
	in     geom.Shape   // static; nil if there is none
	at     geom.Vec
	angle  float64
	n      int
}

// add adds the floor and the bodies to w. Ends are walls, so that discs do not roll away.
func (h *heap) add(w *quarry.World) (all []quarry.Body) {
	floor := worldtest.AddBody(w, quarry.BodyDef{Position: h.at}, geom.NewOffsetBox(12, 1, geom.V(0, -1),
		geom.Identity), quarry.ShapeDef{})
	for _, x := range []float64{-12, 12} {
		w.AddShape(floor.ID(), geom.NewOffsetBox(1, 40, geom.V(x, 40), geom.Identity), quarry.ShapeDef{})
	}
	place := quarry.BodyDef{Position: h.at.Add(geom.V(0, 4)), Angle: h.angle}
	if h.in != nil {
		worldtest.AddBody(w, place, h.in, quarry.ShapeDef{})
	}
	place.Type = quarry.Dynamic
	for i := range h.n {
		all = append(all, worldtest.AddBody(w, place, h.shapes[i%len(h.shapes)], quarry.ShapeDef{}))
	}
	return all
}

// samePoint is a kind of body for a heap, and the smallest width of its shape: a column of n bodies is at least n times
// as high.
type samePoint struct {
	shape geom.Shape
	width float64
}

// samePoints returns kinds of bodies whose shape has its centroid at the body's origin.
func samePoints(t *testing.T) []samePoint {
	var corners []geom.Vec
	for i := range 5 {
		corners = append(corners, geom.NewRot(0.4*math.Pi*float64(i)).Apply(geom.V(0.4, 0)))
	}
	pentagon, err := geom.NewPolygon(corners, 0)
	worldtest.Must(t, err)
	return []samePoint{
		{geom.Circle{Radius: 0.4}, 0.8},
		{geom.Circle{Radius: 0.25}, 0.5},
		{geom.NewBox(0.4, 0.4), 0.8},
		{geom.NewRoundedBox(0.2, 0.2, 0.1), 0.6},
		{geom.NewBox(0.6, 0.15), 0.3},
		{geom.Capsule{A: geom.V(-0.3, 0), B: geom.V(0.3, 0), Radius: 0.2}, 0.4},
		{pentagon, 0.7},
	}
}

// TestSamePoint: bodies that are added at one point come apart to a heap, not to a column in exact balance: 100 discs
// stood 78 high, asleep. All shapes, alike and mixed, far away, turned, and in a static shape with the same centre. A
// snapshot goes on with the same bits, and so does a world with more workers.
func TestSamePoint(t *testing.T) {
	kinds := samePoints(t)
	for i := range 18 {
		h := heap{n: 40, angle: 0.3 * float64(i%2)}
		width := 0.0
		for k := range 1 + 2*(i/14) { // the last ones are mixed
			kind := kinds[(i+k)%len(kinds)]
			h.shapes = append(h.shapes, kind.shape)
			width = max(width, kind.width)
		}
		if i%3 == 0 {
			h.at = geom.V(1e6+0.3, -3e5-0.7)
		}
		base := 0.0
		if i%4 > 1 {
			h.in, base = kinds[(i/2)%len(kinds)].shape, 4.6
		}
		w := worldtest.New()
		all := h.add(w)
		if i%6 == 0 {
			h.compareTwins(t, w)
		}
		worldtest.Steps(w, 300)
		top := 0.0
		for _, b := range all {
			top = max(top, b.Position().Y-h.at.Y)
		}
		if column := width * float64(h.n); top-base > 0.3*column {
			t.Errorf("%d: %v: the heap is %.3g high; a column is %.3g", i, h.shapes, top-base, column)
		}
	}
}

// TestSamePointGrounds: grounds at one point come apart to a heap, too: 40 of 3 x 3 tiles stood 120 high, or lay in a
// row, since all pairs came apart along the same axis.
func TestSamePointGrounds(t *testing.T) {
	for _, c := range []struct {
		tiles []gridseg.Rect
		angle float64
	}{
		{[]gridseg.Rect{{}}, 0},
		{[]gridseg.Rect{{}}, 0.3},
		{[]gridseg.Rect{{MaxX: 1, MaxY: 1}}, math.Pi / 2},
		{[]gridseg.Rect{{MaxX: 2, MaxY: 2}}, math.Pi / 2},
		{[]gridseg.Rect{{MaxX: 2, MaxY: 2}}, math.Pi},
		{[]gridseg.Rect{{MaxX: 2}, {MaxY: 2}}, -math.Pi / 2},
	} {
		w := worldtest.New()
		worldtest.AddBody(w, quarry.BodyDef{}, geom.NewOffsetBox(100, 1, geom.V(0, -1), geom.Identity),
			quarry.ShapeDef{})
		const n = 40
		var all []quarry.Body
		size := 0.0
		for range n {
			b, _ := w.Body(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 6), Angle: c.angle}))
			g := worldtest.AddGround(t, w, b.ID())
			for _, r := range c.tiles {
				worldtest.Must(t, g.Fill(r, gridseg.Tile{Shape: gridseg.Full}))
				size = max(size, float64(r.MaxX+1), float64(r.MaxY+1))
			}
			all = append(all, b)
		}
		worldtest.Steps(w, 240)
		box := geom.Empty
		for _, b := range all {
			box = box.Union(geom.AABB{Min: b.CenterOfMass(), Max: b.CenterOfMass()})
		}
		if d := box.Max.Sub(box.Min); d.Y > 0.3*n*size || d.X > n*size {
			t.Errorf("%v at %v: the heap is %v; a column is %v", c.tiles, c.angle, d, n*size)
		}
	}
}

// compareTwins compares w, which has just been set up, with a world of more workers and with one from a snapshot.
func (h *heap) compareTwins(t *testing.T, w *quarry.World) {
	twin, other := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 3}), quarry.NewWorld(quarry.Config{})
	h.add(twin)
	worldtest.Must(t, other.Restore(w.AppendSnapshot(nil)))
	worldtest.Steps(w, 30)
	worldtest.Steps(twin, 30)
	worldtest.Steps(other, 30)
	if a, b, c := w.Hash(), twin.Hash(), other.Hash(); a != b || a != c {
		t.Errorf("%v: hashes %x, with 3 workers %x, from a snapshot %x", h.shapes, a, b, c)
	}
}
