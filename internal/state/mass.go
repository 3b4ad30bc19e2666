package state

import (
	"cmp"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
)

// UpdateMass computes the mass, centre of mass and extent of a body from its shapes and tiles. The
// body's frame stays in place; the velocity becomes the velocity of the new centre.
func (w *World) UpdateMass(i int32) {
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
	for _, c := range w.ContactsOf(i) {
		c.Last = narrow.Last{} // arms and poses are those of the centre of mass
	}
	b.Measure(w.Rare(i), &w.Shapes, w.RowShapes, &w.Grounds)
}

// MassOf returns the mass that its shapes and tiles give body i, in the body's frame.
func (w *World) MassOf(i int32) geom.Mass {
	parts, b := w.masses[:0], w.Bodies.At(i)
	for s := b.FirstShape; s >= 0; s = w.Shapes.At(s).Next {
		if sh := w.Shapes.At(s); sh.Density > 0 {
			parts = append(parts, sh.Geometry.Mass(sh.Density))
		}
	}
	for g := b.FirstGround; g >= 0; g = w.Grounds.At(g).Next {
		parts = w.appendTileMasses(parts, &w.Grounds.At(g).Tiles)
	}
	w.masses = parts
	return mass.Combine(parts)
}

// TileMass returns the mass of t, on a dynamic body, in the body's frame. It sets Moments.
func (w *World) TileMass(t *oneway.Tiles) geom.Mass {
	w.masses = w.appendTileMasses(w.masses[:0], t)
	return mass.Combine(w.masses)
}

// appendTileMasses appends the mass of the tiles of each material.
func (w *World) appendTileMasses(dst []geom.Mass, t *oneway.Tiles) []geom.Mass {
	t.Grid.TrackMoments()
	w.Moments = t.Grid.AppendMoments(w.Moments[:0])
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
