package solve

import "unsafe"

// number is a row, seen from one of its numbers: the next row is 32 bytes on.
type number struct {
	v float32
	_ [28]byte
}

// contactColumn is one lane of contactRows: the rows have the same names. (An index in each row would cost two
// instructions for each.)
type contactColumn struct {
	a, b struct {
		v uint32
		_ [28]byte
	}
	nx, ny             number
	inertiaA, inertiaB number

	drift, radiusA, radiusB number
}

// integer is a row of integers, seen from one of them.
type integer struct {
	v int32
	_ [28]byte
}

// rareColumn is one lane of rareRows, in the same way.
type rareColumn struct {
	island integer
	work   number

	points [2]struct{ normalTotal, tangentTotal, most, normalMass number }

	between number
	source  integer

	spin, rolling, rollMass, rollImpulse, rollTotal number
}

// column returns lane l.
func (k *contactRows) column(l int) *contactColumn {
	return (*contactColumn)(unsafe.Pointer(&k.a[l&7]))
}

// column returns lane l.
func (r *rareRows) column(l int) *rareColumn {
	return (*rareColumn)(unsafe.Pointer(&r.island[l&7]))
}

// Lane is the place where Source.Fill puts a contact: one number in each row of a block, and in its input.
type Lane struct {
	rows *contactColumn
	rare *rareColumn
	in   *input
	l    int // number of the lane
}

// SetManifold sets the manifold, which must stay as it is during Run. Run stores the impulses of the last sub-step
// there.
func (x Lane) SetManifold(m *Manifold) { x.in.manifold[x.l&7] = m }

// SetTotals sets where Run stores the impulses of the step: of each point along the normal and along the tangent.
func (x Lane) SetTotals(t *[2][2]float32) { x.in.totals[x.l&7] = t }

// SetRound sets the radii of the two shapes, the side of a disc, and the rolling resistance with its impulse.
func (x Lane) SetRound(radiusA, radiusB float32, disc Disc, rolling, impulse float32) {
	x.rows.radiusA.v, x.rows.radiusB.v = radiusA, radiusB
	x.rare.rolling.v, x.rare.rollImpulse.v = rolling, impulse
	x.in.disc[x.l&7] = disc
}

// Ask makes the solver call Source.Take for the contact at the end of the step, even if it approaches more slowly than
// HitSpeed.
func (x Lane) Ask() { x.in.asked |= 1 << (x.l & 7) }

// SetSurfaces sets the mixed surfaces at the two points, which must stay as they are during Run. Of a contact of one
// point the second has no effect.
func (x Lane) SetSurfaces(first, second *Surface) {
	x.in.surface[0][x.l&7], x.in.surface[1][x.l&7] = first, second
}
