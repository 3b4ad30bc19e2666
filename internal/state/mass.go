package state

import (
	"cmp"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/surface"
)

// UpdateMass computes the mass and the centre of mass of a body from its shapes and tiles, and leaves the measures to
// MeasureAll. The body's frame stays in place; the velocity becomes the velocity of the new centre.
func (w *World) UpdateMass(i int32) {
	w.recenter(i)
	w.unmeasured.Add(i)
}

// MassChanged is UpdateMass of the body of a shape or ground o, after a change of the mass of o.
func (w *World) MassChanged(o broad.Owner) {
	w.weigh(o)
	w.UpdateMass(w.Proxied(o).Body)
}

// MeasureAll measures the bodies that UpdateMass has left. A step measures before it looks for pairs, and so must
// a copy of the state: so changes of all parts of a body take time in proportion to their number, with any other
// calls in between. The measures follow from the parts and the centre of mass, so it does not matter when.
func (w *World) MeasureAll() {
	for i := range w.unmeasured.All() {
		w.measure(i)
	}
	w.unmeasured = w.unmeasured[:0]
}

// weigh enters the mass of the shape or ground o, which is new or has changed, in the tree of its body, if there is
// one.
func (w *World) weigh(o broad.Owner) {
	if o.Kind() == broad.Chain {
		return
	}
	if t := w.weights[o.Kind()>>32][w.Proxied(o).Body]; t != nil {
		t.Set(o.Slot(), w.partMass(o))
	}
}

// unweigh takes o out of the tree of its body, if there is one.
func (w *World) unweigh(o broad.Owner) {
	if o.Kind() == broad.Chain {
		return
	}
	if t := w.weights[o.Kind()>>32][w.Proxied(o).Body]; t != nil {
		t.Remove(o.Slot())
	}
}

// partMass returns the mass of the shape or ground o.
func (w *World) partMass(o broad.Owner) geom.Mass {
	if o.Kind() == broad.Shape {
		return w.Shapes.At(o.Slot()).mass()
	}
	return w.TileMass(&w.Grounds.At(o.Slot()).Tiles)
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

// manyParts is the number of shapes, or of grounds, of a body above which a tree sums their masses (massTree).
const manyParts = 64

// MassOf returns the mass that its shapes and tiles give body i, in the body's frame.
func (w *World) MassOf(i int32) geom.Mass {
	w.masses = w.appendPartMasses(w.masses[:0], broad.Shape, i)
	w.masses = w.appendPartMasses(w.masses, broad.Ground, i)
	return combineMasses(w.masses)
}

// appendPartMasses appends the masses of the shapes or the grounds of body i; of many, the sum.
func (w *World) appendPartMasses(dst []geom.Mass, kind broad.Owner, i int32) []geom.Mass {
	t, first, from := w.weights[kind>>32][i], *w.Bodies.At(i).listOf(kind), len(dst)
	if t != nil && t.Len() <= manyParts { // the result depends on the parts alone
		delete(w.weights[kind>>32], i)
		t = nil
	}
	n := 0
	for k := first; k >= 0 && t == nil; {
		o := broad.OwnerOf(kind, k)
		k = w.Proxied(o).Next
		if n++; n > manyParts {
			t = w.newWeights(kind, i)
		} else if kind == broad.Ground {
			dst = w.appendTileMasses(dst, &w.Grounds.At(o.Slot()).Tiles)
		} else if m := w.partMass(o); m.Mass > 0 {
			dst = append(dst, m)
		}
	}
	if t != nil {
		dst = append(dst[:from], t.Mass())
	}
	return dst
}

// newWeights makes the tree of the shapes or the grounds of body i.
func (w *World) newWeights(kind broad.Owner, i int32) *massTree {
	t, all := &massTree{}, &w.weights[kind>>32]
	for k := *w.Bodies.At(i).listOf(kind); k >= 0; {
		o := broad.OwnerOf(kind, k)
		t.Set(k, w.partMass(o))
		k = w.Proxied(o).Next
	}
	if *all == nil {
		*all = massTrees{}
	}
	(*all)[i] = t
	return t
}

// TileMass returns the mass of t, on a dynamic body, in the body's frame. It sets Moments.
func (w *World) TileMass(t *surface.Tiles) geom.Mass {
	w.tileMasses = w.appendTileMasses(w.tileMasses[:0], t)
	return combineMasses(w.tileMasses)
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

// TilesChanged updates the mass of the body of ground gi, whose tiles have changed, and wakes it, if it is dynamic.
func (w *World) TilesChanged(gi int32) {
	w.weigh(broad.OwnerOf(broad.Ground, gi))
	w.GroundsChanged(w.Grounds.At(gi).Body)
}

// GroundsChanged updates the mass of body i, a ground of which is new or gone, and wakes it, if it is dynamic.
func (w *World) GroundsChanged(i int32) {
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
