package solve

// Clusters (impact.go) pass through joints. A joint whose rigid rows or limits the impulses of a cluster violate belongs
// to it, and is solved in each round before the contacts. Springs and motors give no impulse in an instant.
//
// A rigid row is an equation: its impulse may have either sign, and its speed afterwards is 0. The cluster is
// still the minimum of an energy, so it adds none.

// jointImpact is a joint of a cluster, with its impulses there.
type jointImpact struct {
	joint int32 // index in worker.joints
	RigidImpulses
}

// joinJoint adds joint k of the batch to the cluster, if warm with the impulses that it has.
func (m *impacts) joinJoint(s *worker, k int32, warm bool) {
	j := &s.joints[k]
	j.number = m.number
	x := jointImpact{joint: k}
	if warm {
		x.RigidImpulses = j.rigid()
	}
	m.joints = append(m.joints, x)
	m.joinBody(s, j.a)
	m.joinBody(s, j.b)
}

// rowError returns the greatest velocity error of the rigid rows and limits of joint k of the batch. A limit may be reached
// in a time of 1/invH seconds.
func (s *worker) rowError(k int32, invH float32) (most float32) {
	j := &s.joints[k]
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

// solveJointImpact solves the rigid rows and limits of x, and returns the largest change of velocity that it makes at its anchors.
func (s *worker) solveJointImpact(x *jointImpact, h float32) float32 {
	j := &s.joints[x.joint]
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
		j := &s.joints[x.joint]
		d := x.RigidImpulses
		if warm {
			was := j.rigid()
			d.sub(&was)
			j.setRigid(&x.RigidImpulses)
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
		j := &s.joints[x.joint]
		d := x.RigidImpulses
		was := j.rigid()
		d.sub(&was)
		sum += j.power(&s.bodies[j.a], &s.bodies[j.b], d.U, d.V, d.Linear.sum(), d.Angular.sum())
	}
	return sum
}
