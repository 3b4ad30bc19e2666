package solve

// Lane is the place where Source.Fill puts a contact: one number in each row of a block, and in its input.
type Lane struct {
	rows *contactRows
	rare *rareRows
	in   *input
	l    int // number of the lane, 0 to 7
}

// SetManifold sets the manifold, which must stay as it is during Run. Run stores the impulses of the last sub-step
// there.
func (x Lane) SetManifold(m *Manifold) { x.in.manifold[x.l&7] = m }

// SetTotals sets where Run stores the impulses of the step: of each point along the normal and along the tangent.
func (x Lane) SetTotals(t *[2][2]float32) { x.in.totals[x.l&7] = t }

// SetRound sets the radii of the two shapes, the side of a disc, and the rolling resistance with its impulse.
func (x Lane) SetRound(radiusA, radiusB float32, disc Disc, rolling, impulse float32) {
	l := x.l & 7
	x.rows.radiusA[l], x.rows.radiusB[l] = radiusA, radiusB
	x.rare.rolling[l], x.rare.rollImpulse[l] = rolling, impulse
	x.in.disc[l] = disc
}

// Ask makes the solver call Source.Take for the contact at the end of the step, even if it approaches more slowly than
// HitSpeed.
func (x Lane) Ask() { x.in.asked |= 1 << (x.l & 7) }

// SetSurfaces sets the mixed surfaces at the two points, which must stay as they are during Run. Of a contact of one
// point the second has no effect.
func (x Lane) SetSurfaces(first, second *Surface) {
	x.in.surface[0][x.l&7], x.in.surface[1][x.l&7] = first, second
}
