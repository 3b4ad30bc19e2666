package state

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/surface"
)

// UpdateMass computes the mass, centre of mass and extent of a body from its shapes and tiles. The
// body's frame stays in place; the velocity becomes the velocity of the new centre.
func (w *World) UpdateMass(i int32) {
	w.recenter(i)
	w.measure(i)
}

// ShapeChanged is UpdateMass after a change of shape s, of body i, which has it, but it leaves the measures to
// MeasureAll.
func (w *World) ShapeChanged(i, s int32) {
	w.weigh(i, s)
	w.ShapesChanged(i)
}

// ShapesChanged is UpdateMass after RemoveShape or MoveShape, but it leaves the measures to MeasureAll.
func (w *World) ShapesChanged(i int32) {
	w.recenter(i)
	if n := len(w.unmeasured); n == 0 || w.unmeasured[n-1] != i {
		w.unmeasured = append(w.unmeasured, i)
	}
}

// MeasureAll measures the bodies whose shapes have changed since the last call. So the changes of all shapes of a body
// take time in proportion to their number. It must be called before the state is saved, and before a change other than
// of shapes: the measures follow from the shapes and the centre of mass, so it does not matter when.
func (w *World) MeasureAll() {
	if len(w.unmeasured) == 0 {
		return
	}
	slices.Sort(w.unmeasured)
	for _, i := range slices.Compact(w.unmeasured) {
		if w.Bodies.Used(i) {
			w.measure(i)
		}
	}
	w.unmeasured = w.unmeasured[:0]
}

// weigh enters the mass of shape s of body i, which is new or has changed, in the tree of the body, if there is one.
func (w *World) weigh(i, s int32) {
	if t := w.weights[i]; t != nil {
		t.Set(s, w.Shapes.At(s).mass())
	}
}

// unweigh takes shape s out of the tree of body i, if there is one.
func (w *World) unweigh(i, s int32) {
	if t := w.weights[i]; t != nil {
		t.Remove(s)
	}
}

// mass returns the mass of s.
func (s *Shape) mass() (m geom.Mass) {
	if s.Density > 0 {
		m = s.Geometry.Mass(s.Density)
	}
	return m
}

// recenter computes the mass and the centre of mass of a body.
func (w *World) recenter(i int32) {
	b := w.Bodies.At(i)
	origin := b.Transform().P
	var total geom.Mass
	if b.Flags&OwnMass != 0 && b.Type == broad.DynamicBody {
		total = w.Rare(i).Mass
	} else if b.Type == broad.DynamicBody {
		total = w.MassOf(i)
	}
	b.LocalCenter = total.Center
	b.SetMass(total)
	old := b.Center
	b.Center = origin.Add(b.Rot.Apply(b.LocalCenter))
	b.Velocity = b.Free(b.Velocity.Add(b.Center.Sub(old).Left().Mul(b.Spin)))
}

// measure computes the extent of a body about its centre of mass, and the solver's form of its shapes.
func (w *World) measure(i int32) {
	w.Measures++
	for _, c := range w.ContactsOf(i) {
		c.Last = narrow.Last{} // arms and poses are relative to the centre of mass
	}
	w.Bodies.At(i).Measure(w.Rare(i), &w.Shapes, w.RowShapes, &w.Grounds)
}

// manyShapes is the number of shapes of a body above which a tree sums its mass (massTree).
const manyShapes = 64

// MassOf returns the mass that its shapes and tiles give body i, in the body's frame.
func (w *World) MassOf(i int32) geom.Mass {
	parts, b := w.masses[:0], w.Bodies.At(i)
	t := w.weights[i]
	if t != nil && t.Len() <= manyShapes { // the result depends on the shapes alone
		delete(w.weights, i)
		t = nil
	}
	n := 0
	for s := b.FirstShape; s >= 0 && t == nil; s = w.Shapes.At(s).Next {
		if n++; n > manyShapes {
			t = w.newWeights(i)
		} else if sh := w.Shapes.At(s); sh.Density > 0 {
			parts = append(parts, sh.mass())
		}
	}
	if t != nil {
		parts = append(parts[:0], t.Mass())
	}
	for g := b.FirstGround; g >= 0; g = w.Grounds.At(g).Next {
		parts = w.appendTileMasses(parts, &w.Grounds.At(g).Tiles)
	}
	w.masses = parts
	return combineMasses(parts)
}

// newWeights makes the tree of body i.
func (w *World) newWeights(i int32) *massTree {
	t := &massTree{}
	for s := w.Bodies.At(i).FirstShape; s >= 0; s = w.Shapes.At(s).Next {
		t.Set(s, w.Shapes.At(s).mass())
	}
	if w.weights == nil {
		w.weights = map[int32]*massTree{}
	}
	w.weights[i] = t
	return t
}

// TileMass returns the mass of t, on a dynamic body, in the body's frame. It sets Moments.
func (w *World) TileMass(t *surface.Tiles) geom.Mass {
	w.masses = w.appendTileMasses(w.masses[:0], t)
	return combineMasses(w.masses)
}

// appendTileMasses appends the mass of the tiles of each material.
func (w *World) appendTileMasses(dst []geom.Mass, t *surface.Tiles) []geom.Mass {
	t.Grid.Engine(lattice.Key{}).TrackMoments()
	w.Moments = t.Grid.Engine(lattice.Key{}).AppendMoments(w.Moments[:0])
	for _, m := range w.Moments {
		d := cmp.Or(w.Materials[w.Surfaces.Number(t.Material(m.Material))].Density, 1)
		dst = append(dst, geom.Mass{Mass: d * m.Area, Center: geom.V(m.X, m.Y), Inertia: d * m.Inertia})
	}
	return dst
}

// TilesChanged updates the mass of body i, whose grounds have changed, and wakes it, if it is dynamic.
func (w *World) TilesChanged(i int32) {
	if w.Bodies.At(i).Type == broad.DynamicBody {
		w.UpdateMass(i)
		w.WakeUnlessNew(i)
	}
}

// Tear makes the next step look for parts of a ground that have come off, if it may break.
func (w *World) Tear(gi int32) {
	if g := w.Grounds.At(gi); g.Breaks || w.Bodies.At(g.Body).Type == broad.DynamicBody {
		w.Torn.Add(gi)
	}
}
