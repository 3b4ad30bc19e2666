package state

import "github.com/quarry2d/quarry/geom"

// combineMasses returns the mass of all parts together: the sum of their masses, their common centre,
// and their inertia about it.
func combineMasses(parts []geom.Mass) geom.Mass {
	var total geom.Mass
	for _, m := range parts {
		total.Center = total.Center.MulAdd(m.Mass, m.Center)
		total.Mass += m.Mass
	}
	if total.Mass > 1e-300 { // the inverse of a smaller mass overflows
		total.Center = total.Center.Mul(1 / total.Mass)
	}
	for _, m := range parts {
		total.Inertia += m.Inertia + float64(m.Mass*m.Center.Sub(total.Center).Len2())
	}
	return total
}

// fallingMass returns the mass and the inertia of a dynamic body of the mass m: without mass it gets a
// mass of 1, so that it falls.
func fallingMass(m geom.Mass) (mass, inertia float64) {
	if !(m.Mass > 0) {
		return 1, 0
	}
	return m.Mass, m.Inertia
}

// leastInverse and mostInverse bound the inverse of a mass and of an inertia: the solver's float32 can multiply
// two of them, with squares of arms, as the block of two points does. A body of 1e-4 cells turns as if it were
// heavier; one of density 1e20 moves as if it were lighter.
const leastInverse, mostInverse = 1e-15, 1e15

// inverseMasses returns the inverses of a mass and an inertia, as the solver takes them. The inverse of
// an inertia of 0, or of a body with a fixed rotation, is 0: the body does not turn.
func inverseMasses(mass, inertia float64, fixedRot bool) (invMass, invInertia float64) {
	if inertia > 0 && !fixedRot {
		invInertia = min(mostInverse, 1/inertia)
	}
	return max(leastInverse, min(mostInverse, 1/mass)), invInertia
}

// extentOf returns the distance of the farthest point of box from center; 0 if box is empty.
func extentOf(box geom.AABB, center geom.Vec) float64 {
	if box.IsEmpty() {
		return 0
	}
	far := func(a, b, c float64) float64 { return max(c-a, b-c) }
	return geom.V(far(box.Min.X, box.Max.X, center.X), far(box.Min.Y, box.Max.Y, center.Y)).Len()
}
