package solve

import "math"

// A cluster is rows on which the passes do not converge, solved together until they do: contacts, and the joints of
// components (jointtree.go). The passes visit each row once and start from the impulses of the sub-step before. That is
// right for loads, which change little, and wrong where velocities change at once. One point of two takes the share of
// the other, so a body turns, sinks in and is kicked up. And where a light body lies between a heavy one and the
// ground, each pass removes only the light one's share of the heavy one's speed: the impulse grows until it has stopped
// the heavy body, is then applied again and again, and throws it up as fast as it had come.
//
// There are two calls in a step (impact.go), which differ in the goals of the rows and in the impulses that they
// begin with:
//
//	before the sub-steps  impacts  no point approaches, but at the speed that closes its gap  from zero
//	after the sub-steps   bounces  points separate at their restitution times their approach  from the last impulses
//
// The velocities of bodies and the impulses in the blocks come in; both leave with the changes that the cluster made.
// In between, members hold copies of their rows. A cluster grows from one contact by the contacts of bodies that it
// moves (clustergrow.go). It is a linear complementarity problem: impulses x >= 0 after which no point is below its
// goal, and none with an impulse above. Its solutions minimize x.Ax/2 + x.v under x >= 0, with v the speeds before and
// A the speed changes for unit impulses. Each round visits the contacts in turn and solves each exactly (projected
// Gauss-Seidel in blocks of a contact), which never raises that energy. (E. Anitescu and F. Potra, Nonlinear Dynamics
// 14, 1997; M. Silcowitz and others, Visual Computer 26, 2010.) Friction is bounded by the normal impulses so far, as
// in the passes.
//
// A component is one member: its bodies move together by its factored matrix (clustertree.go), so rounds have no joints
// to visit.

// clusterKind tells the call that a cluster belongs to.
type clusterKind uint8

const (
	impacts clusterKind = iota
	bounces
)

// clusters is the memory in which clusters are solved, one at a time.
type clusters struct {
	kind   clusterKind
	h      float32 // seconds in which a gap may close
	number uint32  // of the cluster in this batch
	begun  uint32  // number of the last cluster before this call

	contacts  []clusterContact
	bodies    []clusterBody
	trees     []clusterTree
	joints    []RigidImpulses // of the trees' joints, as they were before the cluster
	responses []float32       // of the bodies of trees; see respond
	bodyAt    []int32         // of each body of the batch: 1 + its index in bodies, or 0
	visits    *int            // left to the clusters of the island

	listed int     // 1 + the index of the batch of which first and links have the lists; 0: none
	first  []int32 // of each body of the batch: 1 + its first end in links, or 0
	links  []link
	linked bool   // links is ready for this step
	search uint32 // number of the search for contacts that join, in this batch
}

// velocity is a change of velocity and spin since the start of the step, or an impulse and its torque.
type velocity struct{ vx, vy, w float32 }

// clusterBody is a body that a cluster moves.
type clusterBody struct {
	body, tree int32 // index in Solver.bodies, and in clusters.trees; -1: in no component
	response   int32 // index in clusters.responses; -1: not known
	before     velocity
	wrench     velocity // impulses of the cluster's contacts on a body of a component
}

// clusterContact is a contact of a cluster.
type clusterContact struct {
	contact            int32
	n                  int32 // points
	a, b               int32 // bodies
	inA, inB           int32 // their indices in clusters.bodies, or -1
	jointed            bool  // one of them is in a component
	nx, ny             float32
	inertiaA, inertiaB float32 // inverse moments of inertia
	pair                       // of two points
	points             [2]clusterPoint
}

// clusterPoint is a point of a contact, with its impulses.
type clusterPoint struct {
	arms
	of                                     int32   // number of the point in the contact
	goal                                   float32 // what is added to the normal velocity for its error
	gap                                    float32 // speed that closes the gap; 0 if there is none
	friction                               float32
	normalMass, tangentMass                float32 // effective
	change                                 float32 // of the normal velocity by a unit impulse
	normal, tangent, wasNormal, wasTangent float32 // impulses
}

// resized returns a with length n. Its elements are to be cleared or set.
func resized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/4)
	}
	return a[:n]
}

// beginClusters begins a call. A gap may close in h seconds.
func (s *worker) beginClusters(kind clusterKind, h float32) {
	s.listLinks()
	m := &s.clusters
	m.kind, m.h, m.begun = kind, h, m.number
}

// solveCluster solves contact i with the cluster that it spreads to.
func (s *worker) solveCluster(i int32) {
	m := &s.clusters
	m.visits = &s.islands[s.contactIslands[i]].visitsLeft
	m.number++
	m.contacts, m.bodies, m.trees, m.joints, m.responses = m.contacts[:0], m.bodies[:0], m.trees[:0], m.joints[:0],
		m.responses[:0]
	s.join(s.positionOf(i))
	for round := 0; round < s.rounds(); round++ {
		most := s.visit(round > 0 || m.kind != impacts)
		if *m.visits <= 0 {
			break
		}
		n := len(m.contacts)
		s.grow()
		if len(m.contacts) == n && most <= clusterSlop && !s.settleTrees() {
			break
		}
	}
	s.settleTrees()
	s.bound()
	s.keep()
	for k := range m.bodies {
		m.bodyAt[int(m.bodies[k].body)-s.batch.from] = 0
	}
}

// visit visits each contact once, and returns the largest change of speed. (Before the first round of an impact nothing
// presses, so there is no friction.)
func (s *worker) visit(friction bool) (most float32) {
	m := &s.clusters
	for k := range m.contacts {
		x := &m.contacts[k]
		if friction {
			s.solveFriction(x)
		}
		most = max(most, s.solveNormals(x))
	}
	*m.visits -= len(m.contacts)
	return most
}

// rounds returns the maximum number of rounds for the cluster as it is: baseRounds, and two more for each unit of its
// largest mass ratio, by which rounds converge slowly. (Between many bodies, or bodies of one mass, the next step
// solves the rest.)
func (s *worker) rounds() int {
	m := &s.clusters
	least, most := float32(math.MaxFloat32), float32(0)
	for k := range m.bodies {
		inv := s.bodies[m.bodies[k].body].invMass
		least, most = min(least, inv), max(most, inv)
	}
	n := int(min(mostRounds, baseRounds+2*most/least))
	return min(n, max(baseRounds, mostVisits/len(m.contacts)))
}

// join adds the contact at an index in links to the cluster.
func (s *worker) join(position int32) {
	m := &s.clusters
	l := &m.links[position]
	l.cluster = m.number
	k, points, lane := s.at(l.contact)
	m.contacts = append(m.contacts, clusterContact{
		contact: l.contact, a: int32(k.a[lane] / bodySize), b: int32(k.b[lane] / bodySize),
		nx: k.nx[lane], ny: k.ny[lane], inertiaA: k.inertiaA[lane], inertiaB: k.inertiaB[lane],
	})
	x := &m.contacts[len(m.contacts)-1]
	in := s.inputOf(l.contact)
	for j := range points {
		r := &points[j]
		p := clusterPoint{
			arms: r.arms(lane), of: int32(j), friction: r.friction[lane], tangentMass: r.tangentMass[lane],
		}
		if m.kind == bounces {
			e := float32(in.surface[j&1][lane].Restitution)
			if !s.bouncesAt(e, r.velocity[lane], s.rareOf(l.contact).points[j&1].most[lane]) {
				continue
			}
			p.goal, p.friction = float32(e*p.velocity), 0
		} else {
			p.gap = s.closing(r, lane)
		}
		if m.kind != impacts {
			p.normal, p.tangent = r.normal[lane], r.tangent[lane]
		}
		p.wasNormal, p.wasTangent = p.normal, p.tangent
		x.points[x.n] = p
		x.n++
	}
	x.inA, x.inB = s.joinBody(x.a), s.joinBody(x.b)
	x.jointed = x.inA >= 0 && m.bodies[x.inA].tree >= 0 || x.inB >= 0 && m.bodies[x.inB].tree >= 0
	s.weighMember(x)
}

// joinBody adds body b to those that the cluster moves, with the component that it is in, and returns its index there;
// -1 if no impulse moves it.
func (s *worker) joinBody(b int32) int32 {
	m := &s.clusters
	k := int(b) - s.batch.from
	if k < 0 {
		return -1
	}
	if m.bodyAt[k] == 0 {
		if n := s.nodeOfBody(b); n >= 0 {
			s.joinTree(s.nodes[n].component)
		} else {
			s.addBody(b, -1)
		}
	}
	return m.bodyAt[k] - 1
}

// addBody adds body b of a tree.
func (s *worker) addBody(b, tree int32) {
	m, v := &s.clusters, &s.bodies[b]
	m.bodies = append(m.bodies, clusterBody{body: b, tree: tree, response: -1, before: velocity{v.vx, v.vy, v.w}})
	m.bodyAt[int(b)-s.batch.from] = int32(len(m.bodies))
}

// weighMember sets the effective masses of x.
func (s *worker) weighMember(x *clusterContact) {
	mass := s.bodies[x.a].invMass + s.bodies[x.b].invMass
	// along returns the change of the normal velocity at one of two points by a unit impulse at the other.
	along := func(p, q *clusterPoint) float32 {
		if x.jointed {
			return s.speedChange(x, x.nx, x.ny, p.normalA, p.normalB, q.normalA, q.normalB)
		}
		return mass + float32(x.inertiaA*float32(p.normalA*q.normalA)) +
			float32(x.inertiaB*float32(p.normalB*q.normalB))
	}
	for k := range x.points[:x.n] {
		p := &x.points[k]
		p.change = along(p, p)
		p.normalMass = inverse(p.change)
		if x.jointed {
			p.tangentMass = inverse(s.speedChange(x, x.ny, -x.nx, p.tangentA, p.tangentB, p.tangentA, p.tangentB))
		}
	}
	if x.n == 2 {
		p, q := &x.points[0], &x.points[1]
		x.pair = pairOf(p.change, q.change, along(p, q))
	}
}

// solveFriction applies the friction of x's points, bounded by the normal impulses so far.
func (s *worker) solveFriction(x *clusterContact) {
	for k := range x.points[:x.n] {
		if p := &x.points[k]; p.friction != 0 {
			limit := p.friction * p.normal
			sum := max(-limit, min(limit, p.tangent-float32(p.tangentMass*x.slipAt(p, s.velocityOf(x.a),
				s.velocityOf(x.b)))))
			d := sum - p.tangent
			p.tangent = sum
			s.push(x, float32(d*x.ny), -float32(d*x.nx), float32(p.tangentA*d), float32(p.tangentB*d))
		}
	}
}

// solveNormals applies the normal impulses that bring x's points to their goals, and returns the largest change of
// speed that one of them makes at its point.
func (s *worker) solveNormals(x *clusterContact) float32 {
	a, b := s.velocityOf(x.a), s.velocityOf(x.b)
	p, q := &x.points[0], &x.points[1]
	if x.i11 > 0 {
		n, o := x.pair.solve(p.normalMass, q.normalMass, x.excess(p, a, b), x.excess(q, a, b), p.normal, q.normal)
		return max(s.setNormal(x, p, n), s.setNormal(x, q, o))
	}
	// The matrix of two points is singular, or there is one point.
	most := s.setNormal(x, p, max(0, p.normal-float32(p.normalMass*x.excess(p, a, b))))
	if x.n == 2 {
		a, b = s.velocityOf(x.a), s.velocityOf(x.b)
		most = max(most, s.setNormal(x, q, max(0, q.normal-float32(q.normalMass*x.excess(q, a, b)))))
	}
	return most
}

// velocityOf returns the change of velocity of body i.
func (s *worker) velocityOf(i int32) velocity {
	b := &s.bodies[i]
	return velocity{b.vx, b.vy, b.w}
}

// speed returns the normal velocity at p, negative if it approaches, by the changes a and b.
func (x *clusterContact) speed(p *clusterPoint, a, b velocity) float32 {
	vn := float32((b.vx-a.vx)*x.nx) + float32((b.vy-a.vy)*x.ny)
	return p.velocity + (vn + float32(b.w*p.normalB) - float32(a.w*p.normalA))
}

// slipAt is speed along the tangent.
func (x *clusterContact) slipAt(p *clusterPoint, a, b velocity) float32 {
	vt := float32((b.vx-a.vx)*x.ny) - float32((b.vy-a.vy)*x.nx)
	return p.slip + (vt + float32(b.w*p.tangentB) - float32(a.w*p.tangentA))
}

// excess returns by how much the normal velocity at p is above its goal. The velocity that closes a gap is subtracted.
func (x *clusterContact) excess(p *clusterPoint, a, b velocity) float32 {
	v := x.speed(p, a, b) + p.goal
	if v >= 0 {
		return v
	}
	return v + p.gap
}

// setNormal makes n the normal impulse of p, and returns the change of speed that the difference alone makes there.
func (s *worker) setNormal(x *clusterContact, p *clusterPoint, n float32) float32 {
	d := n - p.normal
	if d == 0 {
		return 0
	}
	p.normal = n
	s.push(x, float32(d*x.nx), float32(d*x.ny), float32(p.normalA*d), float32(p.normalB*d))
	return max(d, -d) * p.change
}

// push applies an impulse and its torques to B, and minus those to A.
func (s *worker) push(x *clusterContact, px, py, torqueA, torqueB float32) {
	if x.jointed {
		s.pushMember(x.inA, x.inertiaA, -px, -py, -torqueA)
		s.pushMember(x.inB, x.inertiaB, px, py, torqueB)
		return
	}
	a, b := &s.bodies[x.a], &s.bodies[x.b]
	a.w -= float32(x.inertiaA * torqueA)
	b.w += float32(x.inertiaB * torqueB)
	a.vx -= float32(a.invMass * px)
	a.vy -= float32(a.invMass * py)
	b.vx += float32(b.invMass * px)
	b.vy += float32(b.invMass * py)
}

// bound scales the changes of the cluster down to the largest share f that adds no energy (law 5). Rounds may end
// before they have converged, and friction may add more than the normal impulses remove.
//
// With ub and ua the speeds of the points before and after, and x the changes of their impulses, the cluster adds f
// x.(2 ub + f (ua-ub))/2. A bounce counts with the impulses of the whole step, z + f x, and the speeds v at its start:
// the step adds (z+f x).(v+u)/2, which is at most (z+f x).(ev+u)/2, since v is negative and the restitution e at most
// 1. By Newton's law ev+u is 0 at each point with an impulse, so the whole bounce remains where the law holds at each
// point. The friction of the step, y, counts in a second bound with v: a bounce that turns the body changes the slip of
// its points from s to t, and friction adds y.(s+t)/2. The first bound leaves friction out, so a bounce cannot return
// the energy that friction has removed. Joints do no work.
func (s *worker) bound() {
	m := &s.clusters
	var c, d, e float64      // twice the energy is c + d f + e f f
	var moreC, moreD float64 // of the second bound
	for k := range m.contacts {
		x := &m.contacts[k]
		a, b, wasA, wasB := s.velocityOf(x.a), s.velocityOf(x.b), s.velocityOf(x.a), s.velocityOf(x.b)
		if x.inA >= 0 {
			wasA = m.bodies[x.inA].before
		}
		if x.inB >= 0 {
			wasB = m.bodies[x.inB].before
		}
		for j := range x.points[:x.n] {
			p := &x.points[j]
			was, change := float64(x.speed(p, wasA, wasB)), float64(p.normal-p.wasNormal)
			gain := float64(x.speed(p, a, b)) - was
			if m.kind == bounces {
				_, _, l := s.at(x.contact)
				sums := &s.rareOf(x.contact).points[p.of&1]
				z, y := float64(sums.normalTotal[l]), float64(sums.tangentTotal[l])
				was += float64(p.goal)
				c += float64(z * was)
				d += float64(z * gain)
				slip, lost := float64(x.slipAt(p, wasA, wasB)), float64(p.velocity-p.goal)
				moreC += float64(z*lost) + float64(y*(float64(p.slip)+slip))
				moreD += float64(change*lost) + float64(y*(float64(x.slipAt(p, a, b))-slip))
			} else {
				was += was
			}
			d += float64(change * was)
			e += float64(change * gain)
			if change = float64(p.tangent - p.wasTangent); change != 0 {
				was, gain = float64(x.slipAt(p, wasA, wasB)), float64(x.slipAt(p, a, b))
				d += float64(change * (was + was))
				e += float64(change * (gain - was))
			}
		}
	}
	e = max(0, e)
	if share := min(shareOf(c, d, e), shareOf(c+moreC, d+moreD, e)); share < 1 {
		s.scale(float32(share))
	}
}

// shareOf returns the largest share f, of 0 to 1, at which c + d f + e f f is not above 0; 0 if there is none. e is at
// least 0.
func shareOf(c, d, e float64) float64 {
	if !(c+d+e > 0) {
		return 1
	}
	root, share := math.Sqrt(max(0, float64(d*d)-float64(4*float64(c*e)))), 0.0
	if d > 0 { // without the difference of two numbers that are nearly equal
		share = -2 * c / (root + d)
	} else if e > 0 {
		share = (root - d) / (2 * e)
	}
	return max(0, min(share, 1))
}

// scale keeps the share f of the changes that the cluster made.
func (s *worker) scale(f float32) {
	m := &s.clusters
	for k := range m.bodies {
		was := &m.bodies[k].before
		b := &s.bodies[m.bodies[k].body]
		b.vx, b.vy, b.w = was.vx+float32(f*(b.vx-was.vx)), was.vy+float32(f*(b.vy-was.vy)), was.w+float32(f*(b.w-was.w))
	}
	for k := range m.contacts {
		for j := range m.contacts[k].points {
			p := &m.contacts[k].points[j]
			p.normal = p.wasNormal + float32(f*(p.normal-p.wasNormal))
			p.tangent = p.wasTangent + float32(f*(p.tangent-p.wasTangent))
		}
	}
	s.scaleTrees(f)
}

// keep adds the changes of the impulses to the step's sums and, except for impacts, to the warm start.
func (s *worker) keep() {
	m := &s.clusters
	for k := range m.contacts {
		x := &m.contacts[k]
		_, points, l := s.at(x.contact)
		rare := s.rareOf(x.contact)
		for j := range x.points[:x.n] {
			p := &x.points[j]
			sum, r := &rare.points[p.of&1], &points[p.of]
			sum.most[l] = max(sum.most[l], p.normal)
			sum.normalTotal[l] += p.normal - p.wasNormal
			sum.tangentTotal[l] += p.tangent - p.wasTangent
			if m.kind != impacts {
				r.normal[l], r.tangent[l] = p.normal, p.tangent
			}
		}
	}
	s.keepTrees()
}
