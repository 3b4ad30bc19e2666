package quarry

import (
	"cmp"
	"math"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/rows"
)

// setMass sets the mass, the inertia and their inverses.
func (b *body) setMass(m geom.Mass) {
	b.mass, b.inertia, b.invMass, b.invInertia = m.Mass, m.Inertia, 0, 0
	if b.kind == Dynamic {
		b.mass, b.inertia = mass.Falling(m)
		b.invMass, b.invInertia = mass.Inverses(b.mass, b.inertia, b.fixedRot)
	}
}

// updateMass computes the mass, centre of mass and extent of a body from its shapes and tiles. The
// body's frame stays in place; the velocity becomes the velocity of the new centre.
func (w *World) updateMass(i int32) {
	b := w.bodies.At(i)
	origin := b.transform().P
	var total geom.Mass
	if b.flags&ownMass != 0 && b.kind == Dynamic {
		total = w.rare(i).mass
	} else if b.kind == Dynamic {
		total = w.massOf(i)
	}
	b.localCenter = total.Center
	b.setMass(total)
	old := b.center
	b.center = origin.Add(b.rot.Apply(b.localCenter))
	b.velocity = b.free(b.velocity.Add(b.center.Sub(old).Left().Mul(b.spin)))
	for _, c := range w.contactsOf(i) {
		c.last = narrow.Last{} // arms and poses are those of the centre of mass
	}

	b.extent, b.coreGate, w.rare(i).gate = 0, math.MaxFloat64, math.MaxFloat64
	for g := b.firstGround; g >= 0 && b.kind == Dynamic; g = w.grounds.At(g).next {
		b.extent = max(b.extent, mass.Extent(w.grounds.At(g).box, b.localCenter))
		b.coreGate = ccd.CoreGate(0.5) // of a block
	}
	for s := b.firstShape; s >= 0; s = w.shapes.At(s).next {
		sh := w.shapes.At(s)
		b.extent, w.rare(i).gate = max(b.extent, sh.hull.Extent(b.localCenter)), min(w.rare(i).gate, ccd.Gate(sh.core))
		w.rowShapes[s] = rows.ShapeOf(&sh.hull, uint16(sh.material), b.localCenter)
		if !sh.sensor {
			b.coreGate = min(b.coreGate, ccd.CoreGate(sh.core))
		}
	}
}

// massOf returns the mass that its shapes and tiles give body i, in the body's frame.
func (w *World) massOf(i int32) geom.Mass {
	parts, b := w.scratch.masses[:0], w.bodies.At(i)
	for s := b.firstShape; s >= 0; s = w.shapes.At(s).next {
		if sh := w.shapes.At(s); sh.density > 0 {
			parts = append(parts, sh.geometry.Mass(sh.density))
		}
	}
	for g := b.firstGround; g >= 0; g = w.grounds.At(g).next {
		parts = w.appendTileMasses(parts, &w.grounds.At(g).tiles)
	}
	w.scratch.masses = parts
	return mass.Combine(parts)
}

// appendTileMasses appends the mass of the tiles of each material.
func (w *World) appendTileMasses(dst []geom.Mass, t *oneway.Tiles) []geom.Mass {
	t.Grid.TrackMoments()
	w.scratch.moments = t.Grid.AppendMoments(w.scratch.moments[:0])
	for _, m := range w.scratch.moments {
		d := cmp.Or(w.Material(MaterialID(t.Material(m.Material))).Density, 1)
		dst = append(dst, geom.Mass{Mass: d * m.Area, Center: geom.V(m.X, m.Y), Inertia: d * m.Inertia})
	}
	return dst
}

// CenterOfMass returns the body's centre of mass, in the world.
func (b Body) CenterOfMass() geom.Vec { return b.get().center }

// Mass returns the body's mass; 0 if it is not dynamic.
func (b Body) Mass() float64 { return b.get().mass }

// Inertia returns the moment of inertia about the centre of mass; 0 if the body is not dynamic.
func (b Body) Inertia() float64 { return b.get().inertia }

// MassData returns the mass that SetMass has set; ok is false if it is that of the shapes and tiles.
func (b Body) MassData() (m geom.Mass, ok bool) {
	ok = b.get().flags&ownMass != 0
	return b.w.rare(b.slot).mass, ok
}

// SetMass replaces the mass that the shapes and tiles give the body, until ResetMass: m.Mass is 1e-30 to 1e30, m.Center
// the centre of mass in the body's frame, and m.Inertia, 0 to 1e60, the moment of inertia about it; with 0
// contacts do not turn the body. Shapes and tiles that are added, removed or changed later do not change it. Static and
// kinematic bodies have a mass only once they become dynamic. The frame stays in place, and the velocity becomes
// that of the new centre. SetMass wakes the body with its island.
func (b Body) SetMass(m geom.Mass) {
	record.Call1(b.w.recorder(b.get()), "Body.SetMass", b.id, m)
	check.Within("SetMass", "m.Mass", m.Mass, leastDensity, mostDensity, "")
	check.Within("SetMass", "m.Inertia", m.Inertia, 0, mostDensity*mostDensity, "")
	check.VecWithin("SetMass", "m.Center", m.Center, geom.MaxCoord)
	b.change().flags |= ownMass
	b.w.rare(b.slot).mass = m
	b.w.updateMass(b.slot)
}

// ResetMass gives the body the mass of its shapes and tiles again, and wakes it with its island.
func (b Body) ResetMass() {
	record.Call0(b.w.recorder(b.get()), "Body.ResetMass", b.id)
	b.change().flags &^= ownMass
	b.w.rare(b.slot).mass = geom.Mass{}
	b.w.updateMass(b.slot)
}
