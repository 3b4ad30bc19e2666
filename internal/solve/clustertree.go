package solve

// A component of joints is one member of a cluster (cluster.go). An impulse on one of its bodies moves them all: the
// response of the component to unit impulses and a unit torque on that body is three solves of its factored matrix. So
// rounds visit contacts alone, with effective masses of the bodies and their joints, and the joints hold
// all the time. When the rounds have converged the component is solved for the sum of the impulses, which gives those
// of the joints. If a limit then begins to hold, or ceases to, the rounds go on with other responses.

// clusterTree is a component of a cluster.
type clusterTree struct {
	component   int32
	first       int32 // index in clusters.bodies of its first body; the others follow in the order of its nodes
	firstJoints int32 // index in clusters.joints of its first joint
}

// nodeOfBody returns the index of the node of body b, or -1 if it is in no component.
func (s *worker) nodeOfBody(b int32) int32 {
	if len(s.components) == 0 {
		return -1
	}
	if n := s.nodeOf[int(b)-s.batch.from] - 1; n >= 0 && int(n) < len(s.nodes) && s.nodes[n].body == b {
		return n
	}
	return -1
}

// joinTree adds a component to the cluster.
func (s *worker) joinTree(component int32) {
	m, c, t := &s.clusters, &s.components[component], int32(len(s.clusters.trees))
	m.trees = append(m.trees, clusterTree{
		component: component, first: int32(len(m.bodies)),
		firstJoints: int32(len(m.joints)),
	})
	for k := c.from; k < c.to; k++ {
		s.addBody(s.nodes[k].body, t)
	}
	for k := c.first; k < c.end; k++ {
		m.joints = append(m.joints, s.joints[s.direct[k].joint].RigidImpulses)
	}
	s.settle(&m.trees[t], true)
}

// settle solves the joints of t for the impulses of the contacts on its bodies, and reports whether other limits hold
// than before. first tells that those that hold are to be found.
func (s *worker) settle(t *clusterTree, first bool) bool {
	m, c := &s.clusters, &s.components[t.component]
	for k := c.from; k < c.to; k++ {
		b, n := &m.bodies[t.first+k-c.from], &s.nodes[k]
		v, w := &s.bodies[b.body], &b.wrench
		v.vx, v.vy = b.before.vx+float32(v.invMass*w.vx), b.before.vy+float32(v.invMass*w.vy)
		v.w = b.before.w + float32(n.invInertia*w.w)
	}
	for k := c.first; k < c.end; k++ {
		s.joints[s.direct[k].joint].RigidImpulses = RigidImpulses{}
	}
	*m.visits -= int(c.to - c.from)
	return s.solveComponent(c, s.loopImpulses[:], treePass{cluster: true, holds: !first, invH: 1 / m.h})
}

// settleTrees settles the components, and reports whether other limits hold than before. Then the responses are others,
// too.
func (s *worker) settleTrees() (changed bool) {
	m := &s.clusters
	for k := range m.trees {
		changed = s.settle(&m.trees[k], false) || changed
	}
	if changed {
		m.responses = m.responses[:0]
		for k := range m.bodies {
			m.bodies[k].response = -1
		}
		for k := range m.contacts {
			if x := &m.contacts[k]; x.jointed {
				s.weighMember(x)
			}
		}
	}
	return changed
}

// respond finds the velocities of all bodies of a component for a unit impulse along x, along y, and a unit torque on
// the cluster's body k.
func (s *worker) respond(k int32) {
	m := &s.clusters
	b := &m.bodies[k]
	t := &m.trees[b.tree]
	c := &s.components[t.component]
	n := int(c.to - c.from)
	b.response = int32(len(m.responses))
	m.responses = append(m.responses, make([]float32, 9*n)...)
	r := m.responses[b.response:]
	for i := range 3 {
		for j := c.from; j < c.to; j++ {
			s.nodes[j].wanted = [3]float64{}
		}
		for j := c.loops; j < c.end; j++ {
			s.direct[j].wanted = [3]float64{}
		}
		f := &s.nodes[c.from+k-t.first].f[i]
		*f = 1
		if s.solveTree(c); c.rows > 0 {
			*f = 1
			s.solveLoops(c, s.loopImpulses[:])
		}
		for j := range n {
			v, q := &s.nodes[int(c.from)+j].v, r[9*j+3*i:][:3]
			q[0], q[1], q[2] = float32(v[0]), float32(v[1]), float32(v[2])
		}
	}
	*m.visits -= 3 * n
}

// pushMember applies an impulse to the cluster's body k, and to the bodies that joints hold to it; to none if k is -1.
func (s *worker) pushMember(k int32, inertia, px, py, torque float32) {
	if k < 0 {
		return
	}
	m := &s.clusters
	b := &m.bodies[k]
	if b.tree < 0 {
		v := &s.bodies[b.body]
		v.vx, v.vy, v.w = v.vx+float32(v.invMass*px), v.vy+float32(v.invMass*py), v.w+float32(inertia*torque)
		return
	}
	if b.response < 0 {
		s.respond(k)
	}
	b.wrench.vx, b.wrench.vy, b.wrench.w = b.wrench.vx+px, b.wrench.vy+py, b.wrench.w+torque
	t := &m.trees[b.tree]
	c := &s.components[t.component]
	r := m.responses[b.response:]
	for j := range c.to - c.from {
		v, q := &s.bodies[m.bodies[t.first+j].body], r[9*j:][:9]
		v.vx += float32(q[0]*px) + float32(q[3]*py) + float32(q[6]*torque)
		v.vy += float32(q[1]*px) + float32(q[4]*py) + float32(q[7]*torque)
		v.w += float32(q[2]*px) + float32(q[5]*py) + float32(q[8]*torque)
	}
}

// speedChange returns the change of the velocity of B relative to A along (dx, dy), with the arms armA and armB, by a
// unit impulse along the same direction with the arms fromA and fromB.
func (s *worker) speedChange(x *clusterContact, dx, dy, fromA, fromB, armA, armB float32) (sum float32) {
	sides := [2]struct {
		in            int32
		sign, on, arm float32
		inertia       float32
	}{{x.inA, -1, fromA, armA, x.inertiaA}, {x.inB, 1, fromB, armB, x.inertiaB}}
	m := &s.clusters
	for i := range sides {
		p := &sides[i]
		if p.in < 0 {
			continue
		}
		b := &m.bodies[p.in]
		if b.tree < 0 {
			sum += s.bodies[b.body].invMass + float32(p.inertia*float32(p.on*p.arm))
			continue
		}
		if b.response < 0 {
			s.respond(p.in)
			b = &m.bodies[p.in]
		}
		for j := range sides {
			q := &sides[j]
			if q.in < 0 || m.bodies[q.in].tree != b.tree {
				continue
			}
			r := m.responses[b.response+9*(q.in-m.trees[b.tree].first):][:9]
			vx := float32(r[0]*dx) + float32(r[3]*dy) + float32(r[6]*p.on)
			vy := float32(r[1]*dx) + float32(r[4]*dy) + float32(r[7]*p.on)
			w := float32(r[2]*dx) + float32(r[5]*dy) + float32(r[8]*p.on)
			sum += float32(p.sign * q.sign * (float32(vx*dx) + float32(vy*dy) + float32(w*q.arm)))
		}
	}
	return sum
}

// scaleTrees keeps the share f of the impulses of joints.
func (s *worker) scaleTrees(f float32) {
	s.eachTreeJoint(func(j *joint, _ *RigidImpulses) {
		j.scale(f)
	})
}

// keepTrees adds the impulses of joints to the step's sums.
func (s *worker) keepTrees() {
	s.eachTreeJoint(func(j *joint, was *RigidImpulses) {
		x := &j.RigidImpulses
		j.add(float64(x.U), float64(x.V), float64(x.Linear.sum()), float64(x.Angular.sum()))
		*x = *was
	})
}

// eachTreeJoint calls do with each joint of the cluster's components, and its impulses before the cluster.
func (s *worker) eachTreeJoint(do func(j *joint, was *RigidImpulses)) {
	m := &s.clusters
	for i := range m.trees {
		t := &m.trees[i]
		c := &s.components[t.component]
		for k := c.first; k < c.end; k++ {
			do(&s.joints[s.direct[k].joint], &m.joints[t.firstJoints+k-c.first])
		}
	}
}
