package solve

// What meets at speed is stopped apart from all else, and to the last of it: before the
// first sub-step, and in each one once bodies have moved.
//
// The passes of the sub-steps go over each point once, and begin with the impulses
// of the sub-step before. Both are right for loads, which change little, and wrong
// for a blow. One point of two takes what is the other's, the body turns, sinks in,
// and is kicked up by what comes back of it. And where a light body is between a
// heavy one and the ground, each pass takes but the light one's share of the heavy
// one's speed, so the impulse grows from sub-step to sub-step until it has stopped
// it, and is then given again and again, for a pass takes as little of it back: the
// heavy one was thrown up as fast as it had come. So a blow is solved here, from
// nothing and as of one instant, with all that it goes on to; and it is no part of what
// the sub-steps begin from.
//
// What is solved is an impact without restitution: impulses x >= 0 along the normals,
// after which no point approaches, and none that has an impulse leaves. With v the speeds
// before, and A what the impulses do to them, that is the linear complementarity problem
// x >= 0, Ax+v >= 0, x.(Ax+v) = 0. A is symmetric and positive semidefinite, so its x are
// where x.Ax/2 + x.v is least under x >= 0: the energy that the blow gives, 0 at first.
// That is sought in rounds. A round goes over the contacts in turn and solves each
// exactly, the others held (projected Gauss-Seidel, in blocks of a contact), which never
// raises the energy. Then all goes on in the direction of the whole round, to where the
// energy is least on that line or an impulse comes to 0: the pattern move of R. Hooke and
// T. A. Jeeves (Direct Search, J. ACM 8, 1961), by a length that is known, since the
// energy is square in it. So wherever this is broken off, the energy is no more than 0.
//
// A point that has a gap yet to close may approach by what closes it in a sub-step, and
// its v is without that: the energy of motion then falls by more than the one above does.
// Friction is no part of all this: as in the passes it is bounded by the normal impulses
// so far, round by round.

// impactSpeed is the speed of approach, in units a second, from which a contact
// is a blow. Below, what the passes leave of it is hardly seen.
const impactSpeed = 1.5

// A blow goes on to what then approaches at passSpeed, in units a second. It is
// solved when a round over it changes no speed by more than blowSlop, in units a second,
// or at the end of its rounds; see rounds.
const (
	passSpeed = 0.25
	blowSlop  = 0.01
)

// How many rounds a blow has at most: baseRounds, and two for each time that the lightest
// body that it moves goes into the heaviest, by which a round falls short; but no more
// than mostRounds, nor, beyond baseRounds, such as solve more contacts than mostLoads in
// all. (Of many bodies, or of some with one mass, the next step will see to what is left.)
// A body that meets one thing takes one round, and one to see that it did.
const (
	baseRounds = 4
	mostRounds = 128
	mostLoads  = 4096
)

// All blows of a step together go over baseWork contacts and workEach for each that there
// is, and look at as many for what they go on to; each that comes after is a blow to its own
// two bodies, and calm does no more. A few thousand bodies that all meet at once are so
// many blows, each of the whole pile, that a step would take seconds. This is a few times
// what the passes do, and what two dozen bodies meet by is far from it.
const (
	baseWork = 1 << 16
	workEach = 8
)

// leastBend is how small a share of what each would do to its two bodies alone the impulses
// of a round may do together, for the blow to go on their way. Where less comes of them they
// press against each other, as on what is stuck in a press: no impulse stops that, and as far
// as seems to take energy away would be without end.
const leastBend = 1e-3

// impact is what a contact takes of a blow.
type impact struct {
	contact         int32
	normal, tangent [2]float32
	was             [2]float32 // the normal impulses before the last round
}

// impacts is what blows are solved in.
type impacts struct {
	coming  []int32 // contacts that approached at speed when the step began
	closing []int32 // and those of them that close a gap in this sub-step
	leaving []int32 // those that the last passes found leaving; see calm.go
	uneven  []bool  // of each body: it touches a much heavier or lighter one

	blow   []impact // the contacts of the blow in work
	struck []int32  // and the bodies that it moves
	number uint32   // of that blow, in this step
	left   int      // contacts that blows of this step may still go over; see baseWork
	inBlow []uint32 // of each contact, the number of the last blow that it was in
	moved  []uint32 // of each body, likewise
	along  []change // of each body that it moves, by the last round
	before []change // what those had changed by before the blow

	linked bool    // the next two are set
	first  []int32 // of each body, where its contacts begin in links; one more at the end
	links  []int32 // contacts
}

// change is a change of velocity and spin.
type change struct{ vx, vy, w float32 }

// stopComing stops what meets at speed in the sub-step that begins so many seconds into
// the step, but for as much as closes a gap in it, and notes what does that.
func (s *Solver) stopComing(h, time float32) {
	m := &s.impacts
	m.closing = m.closing[:0]
	for _, i := range m.coming {
		c := &s.Contacts[i]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		for k := range c.Points[:c.N] {
			v, gap := c.closing(a, b, &c.Points[k], h, time)
			if v <= -impactSpeed {
				s.link()
				s.settle(i, false, h, time)
			}
			if v < 0 && gap {
				m.closing = append(m.closing, i)
				break
			}
		}
	}
}

// arrive stops what has closed its gap in the sub-step that ends so many seconds into
// the step.
func (s *Solver) arrive(h, time float32) {
	for _, i := range s.impacts.closing {
		if c := &s.Contacts[i]; c.meets(s, -impactSpeed, h, time) {
			s.link()
			s.settle(i, false, h, time)
		}
	}
}

// link lists the contacts of each body.
func (s *Solver) link() {
	m := &s.impacts
	if m.linked {
		return
	}
	m.linked = true
	m.first = resized(m.first, len(s.bodies)+1)
	m.along = resized(m.along, len(s.bodies))
	m.moved = resized(m.moved, len(s.bodies))
	m.inBlow = resized(m.inBlow, len(s.Contacts))
	m.links = resized(m.links, 2*len(s.Contacts))
	m.number = 0
	clear(m.first)
	clear(m.moved)
	clear(m.inBlow)
	for i := range s.Contacts {
		m.first[s.Contacts[i].A]++
		m.first[s.Contacts[i].B]++
	}
	at := int32(0)
	for i := range m.first {
		at += m.first[i]
		m.first[i] = at
	}
	for i := len(s.Contacts) - 1; i >= 0; i-- {
		for _, b := range [2]int32{s.Contacts[i].A, s.Contacts[i].B} {
			m.first[b]--
			m.links[m.first[b]] = int32(i)
		}
	}
}

// resized returns a of length n; what is in it is to be cleared or set.
func resized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/4)
	}
	return a[:n]
}

// take adds contact i to the blow, with the impulses that it has if those are kept.
func (m *impacts) take(s *Solver, i int32, kept bool) {
	m.inBlow[i] = m.number
	x := impact{contact: i}
	if kept {
		for k := range s.Contacts[i].N {
			p := &s.Contacts[i].Points[k]
			x.normal[k], x.tangent[k] = p.NormalImpulse, p.TangentImpulse
		}
	}
	m.blow = append(m.blow, x)
	for _, b := range [2]int32{s.Contacts[i].A, s.Contacts[i].B} {
		if s.bodies[b].invMass > 0 && m.moved[b] != m.number {
			m.moved[b] = m.number
			m.struck = append(m.struck, b)
			m.before = append(m.before, change{s.bodies[b].vx, s.bodies[b].vy, s.bodies[b].w})
		}
	}
}

// settle solves contact i with all that it goes on to: as a blow, from nothing; or, if
// kept is set, from the impulses of the last pass, in whose place come those it finds.
// (Before the first round of a blow nothing presses, so there is no friction.)
func (s *Solver) settle(i int32, kept bool, h, time float32) {
	m := &s.impacts
	if kept && m.left <= 0 {
		return
	}
	m.number++
	m.blow, m.struck, m.before = m.blow[:0], m.struck[:0], m.before[:0]
	m.take(s, i, kept)
	for round := 0; round < s.rounds(); round++ {
		m.left -= len(m.blow)
		most := float32(0)
		for k := range m.blow {
			p := &m.blow[k]
			p.was = p.normal
			if round > 0 || kept {
				s.rub(p)
			}
			most = max(most, s.stop(p, h, time))
		}
		if m.left <= 0 {
			break
		}
		n := len(m.blow)
		for k := 0; k < len(m.struck); k++ {
			b := m.struck[k]
			of := m.links[m.first[b]:m.first[b+1]]
			m.left -= len(of)
			for _, j := range of {
				if m.inBlow[j] != m.number && (s.Contacts[j].meets(s, -passSpeed, h, time) || kept && s.Contacts[j].leaves(s)) {
					m.take(s, j, kept)
				}
			}
		}
		if len(m.blow) > n {
			continue
		}
		if most <= blowSlop {
			break
		}
		if round > 0 {
			s.further(h, time)
		}
	}
	if kept && s.work() > 0 {
		// Friction may give more energy than the normals take: then all is left as it was.
		s.exchange()
		return
	}
	for k := range m.blow {
		x := &m.blow[k]
		c := &s.Contacts[x.contact]
		for j := range c.Points[:c.N] {
			p := &c.Points[j]
			p.MaxImpulse = max(p.MaxImpulse, x.normal[j])
			p.normalTotal += x.normal[j]
			p.tangentTotal += x.tangent[j]
			if kept {
				p.normalTotal -= p.NormalImpulse
				p.tangentTotal -= p.TangentImpulse
				p.NormalImpulse, p.TangentImpulse = x.normal[j], x.tangent[j]
			}
		}
	}
}

// rounds returns how many rounds the blow has at most, with what it moves so far.
func (s *Solver) rounds() int {
	m := &s.impacts
	least, most := s.bodies[m.struck[0]].invMass, s.bodies[m.struck[0]].invMass
	for _, i := range m.struck {
		least, most = min(least, s.bodies[i].invMass), max(most, s.bodies[i].invMass)
	}
	n := int(min(mostRounds, baseRounds+2*most/least))
	return min(n, max(baseRounds, mostLoads/len(m.blow)))
}

// meets reports whether a point of c approaches by that speed or more.
func (c *Contact) meets(s *Solver, speed, h, time float32) bool {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	for k := range c.Points[:c.N] {
		if v, _ := c.closing(a, b, &c.Points[k], h, time); v <= speed {
			return true
		}
	}
	return false
}

// further goes on in the direction of the last round, if that lowers the energy. Where a
// light body is between heavy ones a round goes but a small part of the way, and the next
// one a little less far in the same direction.
func (s *Solver) further(h, time float32) {
	s.lookAlong()
	f, ok := s.farAlong(h, time)
	if !ok {
		return
	}
	m := &s.impacts
	for k := range m.blow {
		x := &m.blow[k]
		for j := range s.Contacts[x.contact].N {
			x.normal[j] = max(0, x.normal[j]+float32(f*(x.normal[j]-x.was[j])))
		}
	}
	for _, i := range m.struck {
		b, d := &s.bodies[i], &m.along[i]
		b.vx += float32(f * d.vx)
		b.vy += float32(f * d.vy)
		b.w += float32(f * d.w)
	}
}

// lookAlong finds how the normal impulses of the last round changed each body.
func (s *Solver) lookAlong() {
	m := &s.impacts
	for _, b := range m.struck {
		m.along[b] = change{}
	}
	for k := range m.blow {
		x := &m.blow[k]
		c := &s.Contacts[x.contact]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		da, db := &m.along[c.A], &m.along[c.B]
		sum := float32(0)
		for j := range c.Points[:c.N] {
			p, d := &c.Points[j], x.normal[j]-x.was[j]
			sum += d
			da.w -= float32(a.invI * float32(p.NormalA*d))
			db.w += float32(b.invI * float32(p.NormalB*d))
		}
		da.vx -= float32(a.invMass * float32(sum*c.NX))
		da.vy -= float32(a.invMass * float32(sum*c.NY))
		db.vx += float32(b.invMass * float32(sum*c.NX))
		db.vy += float32(b.invMass * float32(sum*c.NY))
	}
}

// farthest is how many times the last round is gone on with at most: in effect, any.
const farthest = 1e6

// farAlong returns how many times the change d of the last round is to be made again: to
// where the energy is least, as far as no impulse falls below 0. That is at -slope/bend,
// with the slope d.(Ax+v) and the bend d.Ad; lone is what d.Ad would be if no two contacts
// shared a body. ok is false where the energy does not fall that way, or as good as not.
func (s *Solver) farAlong(h, time float32) (f float32, ok bool) {
	m := &s.impacts
	var slope, bend, lone float32
	most := float32(farthest)
	for k := range m.blow {
		x := &m.blow[k]
		c := &s.Contacts[x.contact]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		da, db := &m.along[c.A], &m.along[c.B]
		vn := float32((db.vx-da.vx)*c.NX) + float32((db.vy-da.vy)*c.NY)
		for j := range c.Points[:c.N] {
			p, d := &c.Points[j], x.normal[j]-x.was[j]
			if d == 0 {
				continue
			}
			v, _ := c.closing(a, b, p, h, time)
			slope += float32(d * v)
			lone += float32(float32(d*d) * (c.mass + float32(a.invI*float32(p.NormalA*p.NormalA)) + float32(b.invI*float32(p.NormalB*p.NormalB))))
			bend += float32(d * (vn + float32(db.w*p.NormalB) - float32(da.w*p.NormalA)))
			if d < 0 {
				most = min(most, -x.normal[j]/d)
			}
		}
	}
	if !(slope < 0 && bend > leastBend*lone) {
		return 0, false
	}
	return min(most, -slope/bend), true
}

// approach returns the least normal velocity of c's points at the start of the
// step, or 0 if none approaches.
func (c *Contact) approach() float32 {
	v := float32(0)
	for k := range c.Points[:c.N] {
		if c.Points[k].Velocity < v {
			v = c.Points[k].Velocity
		}
	}
	return v
}

// rub applies the friction of x's points, within bounds by the normal impulses so far.
func (s *Solver) rub(x *impact) {
	c := &s.Contacts[x.contact]
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		vt := float32((b.vx-a.vx)*c.NY) - float32((b.vy-a.vy)*c.NX)
		v := p.Slip + (vt + float32(b.w*p.TangentB) - float32(a.w*p.TangentA))
		limit := p.Friction * x.normal[k]
		sum := max(-limit, min(limit, x.tangent[k]-float32(p.tangentMass*v)))
		d := sum - x.tangent[k]
		x.tangent[k] = sum
		a.w -= float32(a.invI * float32(p.TangentA*d))
		b.w += float32(b.invI * float32(p.TangentB*d))
		c.push(a, b, 0, d)
	}
}

// stop applies the normal impulses that leave x's points with no approach, but for what
// closes a gap in a sub-step, and returns the most that one of them changes the speed at
// its point.
func (s *Solver) stop(x *impact, h, time float32) float32 {
	c := &s.Contacts[x.contact]
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	if c.i11 > 0 {
		p, q := &c.Points[0], &c.Points[1]
		v, _ := c.closing(a, b, p, h, time)
		u, _ := c.closing(a, b, q, h, time)
		n, o := c.both(a, b, v, u, x.normal[0], x.normal[1])
		return max(s.load(x, 0, n), s.load(x, 1, o))
	}
	// The two are as good as one, or there is one.
	most := float32(0)
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		v, _ := c.closing(a, b, p, h, time)
		most = max(most, s.load(x, k, max(0, x.normal[k]-float32(p.normalMass*v))))
	}
	return most
}

// closing returns the normal velocity at p, so many seconds into the step; of one that
// approaches what is more than closes its gap in a sub-step, if it has one.
func (c *Contact) closing(a, b *body, p *Point, h, time float32) (v float32, gap bool) {
	if v = c.speed(a, b, p); v >= 0 {
		return v, false
	}
	moved := float32(c.Drift*time) + (float32((b.dx-a.dx)*c.NX) + float32((b.dy-a.dy)*c.NY))
	sep := p.Separation + moved + p.risen(c, a.dc-1, b.dc-1, a.ds, b.ds)
	return v + max(0, sep)/h, sep > 0
}

// load makes n the normal impulse of x's point k, and returns by how much that by itself
// changes the speed there.
func (s *Solver) load(x *impact, k int, n float32) float32 {
	c := &s.Contacts[x.contact]
	a, b, p := &s.bodies[c.A], &s.bodies[c.B], &c.Points[k]
	d := n - x.normal[k]
	x.normal[k] = n
	c.press(a, b, p, d)
	if d < 0 {
		d = -d
	}
	return d * c.give(a, b, p)
}

// work returns twice the work that the change of the impulses does, from what they were in
// the last pass: the change times the sum of the speeds before and after, at each point.
func (s *Solver) work() float32 {
	after := s.power()
	s.exchange()
	before := s.power()
	s.exchange()
	return before + after
}

// power returns the change of the impulses times the speeds that there are now.
func (s *Solver) power() (sum float32) {
	m := &s.impacts
	for k := range m.blow {
		x := &m.blow[k]
		c := &s.Contacts[x.contact]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		vt := float32((b.vx-a.vx)*c.NY) - float32((b.vy-a.vy)*c.NX)
		for j := range c.Points[:c.N] {
			p := &c.Points[j]
			v := p.Slip + (vt + float32(b.w*p.TangentB) - float32(a.w*p.TangentA))
			sum += float32((x.normal[j]-p.NormalImpulse)*c.speed(a, b, p)) + float32((x.tangent[j]-p.TangentImpulse)*v)
		}
	}
	return sum
}

// exchange swaps the velocities of the bodies that the blow moves with those that they had
// before it.
func (s *Solver) exchange() {
	m := &s.impacts
	for k, i := range m.struck {
		b, d := &s.bodies[i], &m.before[k]
		b.vx, d.vx = d.vx, b.vx
		b.vy, d.vy = d.vy, b.vy
		b.w, d.w = d.w, b.w
	}
}
