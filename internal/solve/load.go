package solve

import "math"

// A contact is as stiff as the lighter of its bodies allows: a spring that one sub-step can follow has a stiffness in
// proportion to its mass. Under a load that is heavy for the body, such a spring sinks in deeply, and a Gauss-Seidel
// pass passes on only the body's share of the load's momentum. So boxes under boxes a thousand times as heavy were
// squeezed out and thrown.
//
// So a body that passes a load on, from contacts on one side to those on another, has the inertia of a part of the
// load if that is more than its own: as much as lets the load sink in by loadSag, and up to the heaviest body of its
// island. Its weight and the forces on it stay, so that loads at rest are as large as without. This is the mass scaling
// of explicit finite elements (Olovsson, Simonsson, Unosson, "Selective mass scaling for explicit finite element
// analyses", 2005), for bodies under load only. Islands without bodies of different masses are left alone.
//
// Inertia that appears in a body that moves is energy from nothing (law 5), and the spring that grows with it throws
// bodies that have sunk in. Three rules prevent both:
//
//   - the load is a mean over some steps (loadRate): inertia that follows the swings of a pile feeds them;
//   - the inertia grows by a share in a step (loadGrowth): an impact is over before;
//   - its energy in the frame of the island is bounded (loadEnergy): a body that is thrown has only its own.
//
// The momentum that the added inertia takes from an island is given back to the island at the end of the step
// (giveBack), so it stays exactly (law 1), and a body whose load has gone falls as it should.

// press is the sum of the normal impulses of the contacts on a body in a step.
type press struct {
	x, y float64
	size float64 // sum of the sizes of the impulses
}

func (p *press) add(x, y, size float64) {
	p.x += x
	p.y += y
	p.size += size
}

// through returns the impulse that goes through the body: half of the impulses that cancel.
func (p *press) through() float64 {
	return max(0, p.size-math.Sqrt(float64(p.x*p.x)+float64(p.y*p.y))) / 2
}

// loaded is an island with bodies of different masses.
type loaded struct {
	heaviest float64 // mass of the heaviest body that touches a lighter one; 0: the masses are alike
	mass     float64 // of all bodies that impulses move
	px, py   float64 // momentum of these; at the end of the step, of the added inertia
}

// scaled is a body with added inertia.
type scaled struct {
	motion        int32
	added         float64 // mass
	vx, vy        float64 // velocity at the start of the step
	invMass, invI float64 // its own
}

// scaleMasses gives each body the inertia with which it carries its load.
func (s *Solver) scaleMasses() {
	if s.scaled = s.scaled[:0]; len(s.Heavy) == 0 {
		return
	}
	s.loaded, s.presses = resized(s.loaded, s.IslandCount), resized(s.presses, len(s.Motions))
	clear(s.loaded)
	clear(s.presses)
	for _, i := range s.Heavy {
		l := &s.Links[i]
		u := &s.loaded[s.islandOf(l)]
		u.heaviest = max(u.heaviest, 1/min(s.Motions[l.A].InvMass, s.Motions[l.B].InvMass))
	}
	for i := range s.Motions {
		if m, u := &s.Motions[i], &s.loaded[s.Islands[i]]; m.InvMass > 0 && u.heaviest > 0 {
			u.mass += 1 / m.InvMass
			u.px += m.VX / m.InvMass
			u.py += m.VY / m.InvMass
		}
	}
	perMass := s.loadOfMass()
	for i := range s.Motions {
		m, u := &s.Motions[i], &s.loaded[s.Islands[i]]
		if m.InvMass == 0 || u.heaviest == 0 {
			continue
		}
		if mass := min(float64(m.Load)/perMass, u.most(m)); float64(mass*m.InvMass) > 1 {
			s.scaled = append(s.scaled, scaled{int32(i), mass - 1/m.InvMass, m.VX, m.VY, m.InvMass, m.InvI})
			m.scale(1 / float64(mass*m.InvMass))
		}
	}
}

// most returns the largest mass that m may have.
func (u *loaded) most(m *Motion) float64 {
	x, y := m.VX-u.px/u.mass, m.VY-u.py/u.mass
	e := float64(x*x) + float64(y*y) // twice the energy of a unit of mass
	if m.InvI > 0 {
		e += float64(float64(m.Spin*m.Spin) * (m.InvMass / m.InvI))
	}
	return min(u.heaviest, 1/m.InvMass+float64(2*loadEnergy*u.heaviest)/e)
}

// scale multiplies the inverse masses of m by f. The forces on it stay.
func (m *Motion) scale(f float64) {
	m.InvMass *= f
	m.InvI *= f
	m.AX *= f
	m.AY *= f
	m.AW *= f
}

// giveBack gives the islands the momentum of the added inertia, and the bodies their own masses again.
func (s *Solver) giveBack() {
	if len(s.scaled) == 0 {
		return
	}
	for i := range s.loaded {
		s.loaded[i].px, s.loaded[i].py = 0, 0
	}
	for i := range s.scaled {
		k := &s.scaled[i]
		m, u := &s.Motions[k.motion], &s.loaded[s.Islands[k.motion]]
		u.px += float64(k.added * (m.VX - k.vx))
		u.py += float64(k.added * (m.VY - k.vy))
		m.InvMass, m.InvI = k.invMass, k.invI
	}
	for i := range s.Motions {
		if m, u := &s.Motions[i], &s.loaded[s.Islands[i]]; m.InvMass > 0 && u.mass > 0 {
			m.VX += u.px / u.mass
			m.VY += u.py / u.mass
		}
	}
}

// loadOfMass returns the load, a force, that sinks in by loadSag between bodies of a unit of mass.
func (s *Solver) loadOfMass() float64 {
	usual := s.Usual
	if usual == 0 {
		usual = s.dt
	}
	w := 2 * math.Pi * movingHertz * float64(s.n) / usual
	return float64(w*w) * loadSag
}

// pressBodies sums the impulses on n motions, from first on, by the contacts of the batch that are in islands with
// loads.
func (s *worker) pressBodies(first uint, n int) {
	presses := s.presses[first:][:n]
	for _, i := range s.batch.contacts {
		if s.loaded[s.contactIslands[i]].heaviest == 0 {
			continue
		}
		link, in, l := &s.Links[i], s.inputOf(i), s.places[i]&7
		size := float64(in.totals[l][0][0])
		if link.N == 2 {
			size += float64(in.totals[l][1][0])
		}
		x, y := float64(in.manifold[l].NX*size), float64(in.manifold[l].NY*size)
		if a := uint(link.A) - first; a < uint(n) {
			presses[a].add(-x, -y, size)
		}
		if b := uint(link.B) - first; b < uint(n) {
			presses[b].add(x, y, size)
		}
	}
}

// noteLoad sets the load of m, which is motion i, at the end of a step.
func (s *Solver) noteLoad(m *Motion, i int32) {
	if len(s.Heavy) == 0 || s.loaded[s.Islands[i]].heaviest == 0 || m.InvMass == 0 {
		m.Load = 0
		return
	}
	p, was := &s.presses[i], float64(m.Load)
	load := was + (p.through()/s.dt-was)/(1+1/float64(s.dt*loadRate))
	m.Load = float32(min(load, max(was, loadGrowth*s.loadOfMass()/m.InvMass)))
}
