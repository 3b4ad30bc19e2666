package solve

// Joints are solved before the contacts in each pass, colour by colour, each by itself: springs and motors
// first, then limits, and rigid rows last.

// jointGrain is the number of joints in a range that a worker takes.
const jointGrain = 32

// fillJoints packs the joints of the batch, in the order of their colours.
func (s *worker) fillJoints() {
	t := s.batch
	n := len(t.joints)
	s.joints = resized(s.joints, n)
	if n == 0 {
		return
	}
	s.colors = resized(s.colors, n)
	counts := &s.jointStarts
	*counts = [groupCount + 1]int32{}
	for k, i := range t.joints {
		l := &s.JointLinks[i]
		a, b := s.bodyOf[l.A], s.bodyOf[l.B]
		g := s.color(s.usedByJoints, a, b, int(a) < s.carriers || int(b) < s.carriers)
		s.colors[k] = uint8(g)
		counts[g+1]++
	}
	sumUp(counts[:])
	at := *counts
	for k, i := range t.joints {
		p := &at[s.colors[k]]
		j, l := &s.joints[*p], &s.JointLinks[i]
		j.source = i
		j.island = s.islandOf(l)
		*p++
	}
	s.each(n, contactGrain, (*worker).fillJointRange)
}

// fillJointRange fills a range of the batch's joints.
func (s *worker) fillJointRange(helper *worker, from, to int) {
	for k := from; k < to; k++ {
		j := &s.joints[k]
		l := &s.JointLinks[j.source]
		j.start = Joint{}
		s.Joints.FillJoint(helper.number, j.source, &j.start)
		j.begin(s.bodyIn(l.A), s.bodyIn(l.B), s.h)
	}
}

// eachJoint runs a job over the joints of the batch: those of a colour may run at once, those of an overflow
// may not.
func (s *worker) eachJoint(do job) {
	if !s.split {
		do(s, s, 0, len(s.joints))
		return
	}
	for g := range groupCount {
		s.firstJoint = int(s.jointStarts[g])
		n := int(s.jointStarts[g+1]) - s.firstJoint
		switch {
		case n == 0:
		case isOverflow(g):
			do(s, s, 0, n)
		default:
			s.each(n, jointGrain, do)
		}
	}
	s.firstJoint = 0
}

// updateJoints sets the rows of the joints, time seconds into the step, for a sub-step of h seconds.
func (s *worker) updateJoints(time, h float32) {
	if len(s.joints) > 0 {
		s.rowTime, s.rowStep = time, h
		s.each(len(s.joints), jointGrain, (*worker).updateJointRange)
	}
}

func (s *worker) updateJointRange(_ *worker, from, to int) {
	for k := from; k < to; k++ {
		s.update(&s.joints[k], s.rowTime, s.rowStep)
	}
}

// warmDrives applies the impulses of springs and motors. They may add energy, so they come before those
// whose energy is bounded.
func (s *worker) warmDrives(_ *worker, from, to int) {
	for k := s.firstJoint + from; k < s.firstJoint+to; k++ {
		j := &s.joints[k]
		if !j.drive {
			continue
		}
		a, b := &s.bodies[j.a], &s.bodies[j.b]
		if j.flags&(Pulled|Dragged) != 0 {
			j.pushRows(a, b, j.pullX+j.dragX, j.pullY+j.dragY)
		}
		if d := j.angular.drive.Spring + j.angular.drive.Motor; d != 0 {
			pushTurn(a, b, d)
		}
		if j.line {
			j.pushLine(a, b, j.linear.drive.Spring+j.linear.drive.Motor)
		}
	}
}

// warmRigid applies the impulses of rigid rows and limits, and stores their work.
func (s *worker) warmRigid(_ *worker, from, to int) {
	for k := s.firstJoint + from; k < s.firstJoint+to; k++ {
		if j := &s.joints[k]; j.stiff {
			j.work = s.applyRigid(j, 1)
		}
	}
}

// sum returns the impulse of the rows.
func (x *AxisImpulses) sum() float32 { return x.Held + x.Lower + x.Upper }

// applyRigid applies the share f of the impulses of j's rigid rows and limits, and returns their work: their product
// with the mean of the velocities before and after.
func (s *worker) applyRigid(j *joint, f float32) (work float32) {
	a, b := &s.bodies[j.a], &s.bodies[j.b]
	u, v := float32(f*j.rigid.U), float32(f*j.rigid.V)
	turn := float32(f * j.rigid.Angular.sum())
	line := float32(0)
	if j.line {
		line = float32(f * j.rigid.Linear.sum())
	}
	before := j.power(a, b, u, v, line, turn)
	j.pushRows(a, b, u, v)
	if turn != 0 {
		pushTurn(a, b, turn)
	}
	if line != 0 {
		j.pushLine(a, b, line)
	}
	return 0.5 * (before + j.power(a, b, u, v, line, turn))
}

// power returns the product of impulses and the velocities of their rows.
func (j *joint) power(a, b *body, u, v, line, turn float32) float32 {
	ru, rv := j.rowSpeeds(a, b)
	p := float32(u*ru) + float32(v*rv)
	if turn != 0 {
		p += float32(turn * (j.angular.v0 + (b.w - a.w)))
	}
	if line != 0 {
		p += float32(line * (j.linear.v0 + j.lineChange(a, b)))
	}
	return p
}

// scale keeps the share f of the impulses of j's rigid rows and limits.
func (x *RigidImpulses) scale(f float32) {
	x.U *= f
	x.V *= f
	for _, y := range [2]*AxisImpulses{&x.Linear, &x.Angular} {
		y.Held *= f
		y.Lower *= f
		y.Upper *= f
	}
}

// passJoints solves every joint of the batch once, in sub-steps of h seconds. With spring, errors of position are
// corrected; without, they stay (relax pass), and the impulses of the sub-step are summed.
func (s *worker) passJoints(h float32, spring bool) {
	if len(s.joints) == 0 {
		return
	}
	s.jointSpring, s.rowStep = spring, h
	s.eachJoint((*worker).passJointRange)
}

func (s *worker) passJointRange(_ *worker, from, to int) {
	invH := 1 / s.rowStep
	for k := s.firstJoint + from; k < s.firstJoint+to; k++ {
		j := &s.joints[k]
		a, b := &s.bodies[j.a], &s.bodies[j.b]
		if j.drive {
			s.solveDrives(j, a, b)
		}
		if s.jointSpring {
			j.solveRigid(a, b, &j.rigid, &j.soft, invH)
		} else {
			j.solveRigid(a, b, &j.rigid, &softness{}, invH)
			j.sum()
		}
	}
}

// solveDrives solves springs and motors.
func (s *worker) solveDrives(j *joint, a, b *body) {
	if x := &j.angular; x.Flags&drives != 0 {
		pushTurn(a, b, x.solveDrives(x.v0+(b.w-a.w)))
	}
	if x := &j.linear; x.Flags&drives != 0 {
		j.pushLine(a, b, x.solveDrives(x.v0+x.curve+j.lineChange(a, b)))
	}
	if j.flags&Pulled != 0 {
		k := &j.pull
		u, v := j.rowSpeeds(a, b)
		u = float32(k.mass*(u+j.curveU)) + float32(k.rate*j.u)
		v = float32(k.mass*(v+j.curveV)) + float32(k.rate*j.v)
		x := float32(k.mass*j.pullX) - (float32(j.i11*u) + float32(j.i12*v))
		y := float32(k.mass*j.pullY) - (float32(j.i12*u) + float32(j.i22*v))
		x, y = within(x, y, j.maxPull)
		j.pushRows(a, b, x-j.pullX, y-j.pullY)
		j.pullX, j.pullY = x, y
	}
	if j.flags&Dragged != 0 {
		u, v := j.rowSpeeds(a, b)
		u, v = u-j.start.DragX, v-j.start.DragY
		x := j.dragX - (float32(j.i11*u) + float32(j.i12*v))
		y := j.dragY - (float32(j.i12*u) + float32(j.i22*v))
		x, y = within(x, y, j.maxDrag)
		j.pushRows(a, b, x-j.dragX, y-j.dragY)
		j.dragX, j.dragY = x, y
	}
}

// within returns the vector (x, y), shortened to the length most if it is longer.
func within(x, y, most float32) (float32, float32) {
	if l := length(x, y); l > most {
		k := most / l
		return x * k, y * k
	}
	return x, y
}

// solveRigid solves rigid rows and limits, whose impulses are in imp.
func (j *joint) solveRigid(a, b *body, imp *RigidImpulses, soft *softness, invH float32) {
	if x := &j.angular; x.Flags&(Held|Limited) != 0 {
		pushTurn(a, b, x.solveRigid(&imp.Angular, x.v0+(b.w-a.w), soft, invH))
	}
	if x := &j.linear; x.Flags&(Held|Limited) != 0 {
		j.pushLine(a, b, x.solveRigid(&imp.Linear, x.v0+x.curve+j.lineChange(a, b), soft, invH))
	}
	if j.flags&(Rigid|RigidAngle) == 0 {
		return
	}
	u, v := j.rowSpeeds(a, b)
	u += j.curveU + float32(soft.biasRate*j.u)
	v += j.curveV + float32(soft.biasRate*j.v)
	keep := 1 - soft.impulseScale
	du := -float32(keep*(float32(j.i11*u)+float32(j.i12*v))) - float32(soft.impulseScale*imp.U)
	dv := -float32(keep*(float32(j.i12*u)+float32(j.i22*v))) - float32(soft.impulseScale*imp.V)
	imp.U += du
	imp.V += dv
	j.pushRows(a, b, du, dv)
}

// sum adds the impulses of a sub-step to those of the step.
func (j *joint) sum() {
	u, v := float64(j.rigid.U), float64(j.rigid.V)
	if j.flags&(Pulled|Dragged) != 0 {
		u, v = u+float64(j.pullX)+float64(j.dragX), v+float64(j.pullY)+float64(j.dragY)
	}
	turn := float64(j.rigid.Angular.sum()) + (float64(j.angular.drive.Spring) + float64(j.angular.drive.Motor))
	line := float64(0)
	if j.line {
		line = float64(j.rigid.Linear.sum()) + (float64(j.linear.drive.Spring) + float64(j.linear.drive.Motor))
	}
	j.add(u, v, line, turn)
}

// add adds impulses along the rows to those of the step.
func (j *joint) add(u, v, line, turn float64) {
	if j.shape == Point2 {
		j.sumX += u
		j.sumY += v
		j.torqueA += float64(float64(j.rAX)*v) - float64(float64(j.rAY)*u) + turn
		j.torqueB += float64(float64(j.rBX)*v) - float64(float64(j.rBY)*u) + turn
		j.twist += turn
		return
	}
	nx, ny := float64(j.lineX), float64(j.lineY)
	turn += v
	j.sumX += float64(nx*line) - float64(ny*u)
	j.sumY += float64(ny*line) + float64(nx*u)
	j.torqueA += float64(float64(j.across[0])*u) + float64(float64(j.along[0])*line) + turn
	j.torqueB += float64(float64(j.across[1])*u) + float64(float64(j.along[1])*line) + turn
	j.twist += turn
}

// takeJoints gives the impulses of a range of the batch's joints back to the source.
func (s *worker) takeJoints(helper *worker, from, to int) {
	for k := from; k < to; k++ {
		j := &s.joints[k]
		out := &helper.jointTaken
		*out = JointImpulses{
			RigidImpulses: j.rigid,
			PullX:         j.pullX, PullY: j.pullY, DragX2: j.dragX, DragY2: j.dragY,
			LinearDrive: j.linear.drive, AngularDrive: j.angular.drive,
		}
		did := &helper.jointDid
		*did = Reaction{ForceX: j.sumX / s.dt, ForceY: j.sumY / s.dt, Torque: j.twist / s.dt}
		force, torque := float64(j.start.ForceLimit), float64(j.start.TorqueLimit)
		did.Over = force > 0 && float64(did.ForceX*did.ForceX)+float64(did.ForceY*did.ForceY) > force*force ||
			torque > 0 && max(did.Torque, -did.Torque) > torque
		s.Joints.TakeJoint(helper.number, j.source, out, did)
	}
}

// finishJoints gives the impulses of the batch's joints to the source, and their sums to the motions.
func (s *worker) finishJoints() {
	if len(s.joints) == 0 {
		return
	}
	s.each(len(s.joints), contactGrain, (*worker).takeJoints)
	for k := range s.joints {
		j := &s.joints[k]
		l := &s.JointLinks[j.source]
		s.Motions[l.A].push(-j.sumX, -j.sumY, -j.torqueA)
		s.Motions[l.B].push(j.sumX, j.sumY, j.torqueB)
	}
}
