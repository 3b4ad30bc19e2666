package state

import "github.com/quarry2d/quarry/geom"

// movingMass is a body, or a part of one, that moves.
type movingMass struct {
	geom.Mass // in the world, the inertia about the centre
	velocity  geom.Vec
	spin      float64
}

// stick returns the velocity and the spin of the body that a and b have become, so that it has their momentum, and
// their angular momentum if it can turn.
func stick(a, b *movingMass, whole geom.Mass) (v geom.Vec, spin float64) {
	var p geom.Vec
	l := 0.0
	for _, m := range [...]*movingMass{a, b} {
		p = p.MulAdd(m.Mass.Mass, m.velocity)
		l += float64(m.Inertia*m.spin) + float64(m.Mass.Mass*m.Center.Sub(whole.Center).Cross(m.velocity))
	}
	if whole.Inertia > 0 {
		spin = l / whole.Inertia
	}
	return p.Mul(1 / whole.Mass), spin
}

// Joining is what two dynamic bodies were before tiles of one came to the other.
type Joining struct {
	onto, of  int32      // the bodies
	old, part movingMass // the body onto, and the tiles
	ofID      uint64
	whole     geom.Mass // of the shapes and tiles of the body of, if it has OwnMass
	own       bool      // a body has OwnMass
}

// Joins returns what Joined needs, before tiles of the mass given by their materials go from body of to body onto. Of
// a body with OwnMass the tiles take their share, as a part that breaks off does.
func (w *World) Joins(onto, of int32, tiles geom.Mass) Joining {
	a, b := w.Bodies.At(onto), w.Bodies.At(of)
	j := Joining{onto: onto, of: of, ofID: w.Bodies.ID(of), own: (a.Flags|b.Flags)&OwnMass != 0}
	if b.Flags&OwnMass != 0 {
		if j.whole = w.MassOf(of); tiles.Mass > 0 {
			tiles = shareOfMass(w.Rare(of).Mass, j.whole, tiles)
		}
	}
	center := b.Transform().Apply(tiles.Center)
	j.part = movingMass{
		geom.Mass{Mass: tiles.Mass, Inertia: tiles.Inertia, Center: center}, b.VelocityAt(center.Sub(b.Center)), b.Spin,
	}
	j.old = movingMass{geom.Mass{Mass: a.Mass, Inertia: a.Inertia, Center: a.Center}, a.Velocity, a.Spin}
	if tiles.Mass > 0 && a.Flags&OwnMass == 0 && a.Inertia == 0 {
		j.old.Mass = geom.Mass{Center: a.Center} // without tiles and shapes it only falls as if it had a mass
	}
	return j
}

// Joined divides and adds masses that a game has set, and gives the joined body the momentum of both, after the tiles
// have moved. The body that had them may be gone.
func (w *World) Joined(j *Joining) {
	a := w.Bodies.At(j.onto)
	if j.own && j.old.Mass.Mass+j.part.Mass.Mass > 0 {
		sum := combineMasses([]geom.Mass{j.old.Mass, j.part.Mass})
		sum.Center = a.Transform().Inv(sum.Center)
		w.setOwnMass(j.onto, sum)
	}
	if b := w.Bodies.At(j.of); w.Bodies.Is(j.of, j.ofID) && b.Flags&OwnMass != 0 && j.part.Mass.Mass > 0 {
		rest := geom.Mass{}
		if m := w.MassOf(j.of); m.Mass > 0 {
			rest = shareOfMass(w.Rare(j.of).Mass, j.whole, m)
		}
		w.setOwnMass(j.of, rest)
	}
	v, spin := stick(&j.old, &j.part, geom.Mass{Mass: a.Mass, Inertia: a.Inertia, Center: a.Center})
	if a.Velocity = a.Free(v); a.InvInertia > 0 {
		a.Spin = spin
	}
}

// setOwnMass gives a body a mass of its own; with none, the body has the mass of its shapes and tiles.
func (w *World) setOwnMass(i int32, m geom.Mass) {
	b := w.Bodies.At(i)
	if b.Flags &^= OwnMass; m.Mass > 0 {
		b.Flags |= OwnMass
	}
	w.Rare(i).Mass = m
	w.UpdateMass(i)
}
