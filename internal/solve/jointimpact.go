package solve

// Clusters (impact.go) pass through joints. A joint whose rigid rows or limits the impulses of a cluster violate belongs
// to it, and is solved in each round before the contacts. Springs and motors give no impulse in an instant.
//
// A rigid row is an equation: its impulse may have either sign, and its speed afterwards is 0. The cluster is
// still the minimum of an energy, so it adds none.

// jointImpact is a joint of a cluster, with its impulses there.
type jointImpact struct {
	joint int32 // its number
	pin   int32 // index in impacts.pins, if it is a pin
	RigidImpulses
}

// solveJointImpacts solves the joints that part at impact speed at the start of a step of dt seconds. A cluster that
// ends before it has converged leaves others. all tells that passes have moved all bodies.
func (s *worker) solveJointImpacts(dt float32, all bool) {
	for j := range s.pins {
		k := &s.pins[j]
		if !all && !s.impacts.linked && k.fast == 0 {
			continue
		}
		for l := range k.n {
			l &= 7
			if all || k.fast>>l&1 != 0 || s.clusterMoved(k.a[l]/bodySize) || s.clusterMoved(k.b[l]/bodySize) {
				s.solveIfFast(int32(8*j)+int32(l), dt)
			}
		}
	}
	for k := range s.joints {
		s.solveIfFast(s.pinNumbers()+int32(k), dt)
	}
}

// clusterMoved reports whether a cluster of the step has moved body b: the blocks of pins then do not tell
// whether it parts from others.
func (s *worker) clusterMoved(b uint32) bool {
	k := int(b) - s.batch.from
	return s.impacts.linked && k >= 0 && s.impacts.moved[k] != 0
}

// solveIfFast solves joint number k if it parts at impact speed.
func (s *worker) solveIfFast(k int32, dt float32) {
	if s.rowError(k, 1/dt) > ImpactSpeed {
		s.solveCluster(^k, false, dt, 0)
	}
}

// islandOfJoint returns the island of joint number k.
func (s *worker) islandOfJoint(k int32) int32 {
	if n := s.pinNumbers(); k >= n {
		return s.joints[k-n].island
	}
	return s.pins[k>>3].island[k&7]
}

// jointOf returns the joint of x; of a pin its copy.
func (s *worker) jointOf(x *jointImpact) *joint {
	if n := s.pinNumbers(); x.joint >= n {
		return &s.joints[x.joint-n]
	}
	return &s.impacts.pins[x.pin]
}

// joinJoint adds joint number k to the cluster, if warm with the impulses that it has.
func (m *impacts) joinJoint(s *worker, k int32, warm bool) {
	s.clustered[k] = m.number
	x := jointImpact{joint: k, pin: int32(len(m.pins))}
	if k < s.pinNumbers() {
		m.pins = append(m.pins, s.pins[k>>3].joint(k))
	}
	j := s.jointOf(&x)
	if warm {
		x.RigidImpulses = j.rigid()
	}
	m.joints = append(m.joints, x)
	m.joinBody(s, j.a)
	m.joinBody(s, j.b)
}

// joinAllJoints makes the joints of the cluster those of the batch, for impactPasses, which needs no list of bodies.
func (s *worker) joinAllJoints() {
	m := &s.impacts
	m.joints, m.pins = m.joints[:0], m.pins[:0]
	for _, k := range s.jointNumbers {
		x := jointImpact{joint: k, pin: int32(len(m.pins))}
		if k < s.pinNumbers() {
			m.pins = append(m.pins, s.pins[k>>3].joint(k))
		}
		m.joints = append(m.joints, x)
	}
}

// rowError returns the greatest velocity error of the rigid rows and limits of joint number k. A limit may be reached
// in a time of 1/invH seconds.
func (s *worker) rowError(k int32, invH float32) (most float32) {
	n := s.pinNumbers()
	if k < n {
		return s.pins[k>>3].error(s.bodies, k)
	}
	j := &s.joints[k-n]
	a, b := &s.bodies[j.a], &s.bodies[j.b]
	if j.flags&(Rigid|RigidAngle) != 0 {
		u, v := j.rowSpeeds(a, b)
		u, v = u+j.curveU, v+j.curveV
		most = max(u, -u, v, -v)
	}
	if j.axes != nil {
		if x := &j.axes.angular; x.Flags&(Held|Limited) != 0 {
			most = max(most, x.error(x.v0+(b.w-a.w), invH))
		}
		if x := &j.axes.linear; x.Flags&(Held|Limited) != 0 {
			most = max(most, x.error(x.v0+x.curve+j.lineChange(a, b), invH))
		}
	}
	return most
}

// solveJointImpact solves the rigid rows and limits of x, and returns the largest change of velocity that it makes at
// its anchors.
func (s *worker) solveJointImpact(x *jointImpact, h float32) float32 {
	j := s.jointOf(x)
	a, b := &s.bodies[j.a], &s.bodies[j.b]
	u, v := j.rowChanges(a, b)
	l := j.lineChange(a, b)
	w := b.w - a.w
	if j.axes != nil {
		j.solveAxes(j.axes, &x.Linear, &x.Angular, a, b, &s.hard, 1/h)
	}
	if j.flags&(Rigid|RigidAngle) != 0 {
		j.solveBlock(&x.U, &x.V, a, b, &s.hard)
	}
	u2, v2 := j.rowChanges(a, b)
	most := max(u2-u, u-u2, v2-v, v-v2)
	if j.axes != nil {
		w2, l2 := b.w-a.w, j.lineChange(a, b)
		most = max(most, w2-w, w-w2, l2-l, l-l2)
	}
	return most
}

// takeJointImpacts gives the impulses of the cluster's joints to these.
func (s *worker) takeJointImpacts(warm bool) {
	for k := range s.impacts.joints {
		x := &s.impacts.joints[k]
		j := s.jointOf(x)
		d := x.RigidImpulses
		if warm {
			was := j.rigid()
			d.sub(&was)
			j.setRigid(&x.RigidImpulses)
		}
		if x.joint < s.pinNumbers() {
			k, l := &s.pins[x.joint>>3], x.joint&7
			k.impulseU[l], k.impulseV[l] = j.pu, j.pv
			k.add(l, d.U, d.V)
			continue
		}
		j.add(float64(d.U), float64(d.V), float64(d.Linear.sum()), float64(d.Angular.sum()))
	}
}

// sub subtracts y.
func (x *RigidImpulses) sub(y *RigidImpulses) {
	x.U -= y.U
	x.V -= y.V
	x.Linear.sub(&y.Linear)
	x.Angular.sub(&y.Angular)
}

func (x *AxisImpulses) sub(y *AxisImpulses) {
	x.Held -= y.Held
	x.Lower -= y.Lower
	x.Upper -= y.Upper
}

// jointPower returns the change of the joints' impulses times the present speeds.
func (s *worker) jointPower() (sum float32) {
	for k := range s.impacts.joints {
		x := &s.impacts.joints[k]
		j := s.jointOf(x)
		d := x.RigidImpulses
		was := j.rigid()
		d.sub(&was)
		sum += j.power(&s.bodies[j.a], &s.bodies[j.b], d.U, d.V, d.Linear.sum(), d.Angular.sum())
	}
	return sum
}
