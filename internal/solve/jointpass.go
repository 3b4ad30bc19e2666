package solve

// Joints are solved before the contacts in each pass, colour by colour: of each colour first those that are no pins,
// each by itself, springs and motors first, then limits, and rigid rows last; then the blocks of pins (pin.go).

// jointGrain is the number of joints in a range that a worker takes.
const jointGrain = 32

// fillJoints numbers the joints of the batch by their colours, and packs them.
func (s *worker) fillJoints() {
	s.numberJoints()
	s.each(len(s.batch.joints), jointGrain, (*worker).fillJointRange)
	s.treeDrives = s.treeDrives[:0]
	for k := int(s.firstTree); k < len(s.joints); k++ {
		if s.joints[k].drive {
			s.treeDrives = append(s.treeDrives, int32(k))
		}
	}
}

// numberJoints numbers the joints of the batch. If the batches are kept (Keep), and the worker has solved no other
// batch since, it still has the numbers of the step before.
func (s *worker) numberJoints() {
	t := s.batch
	if s.numbered == t.index+1 {
		return
	}
	s.numbered = t.index + 1
	clear(s.usedByJoints[t.from:t.to])
	n := len(t.joints)
	s.colors, s.jointNumbers = resized(s.colors, n), resized(s.jointNumbers, n)
	s.pinGroups.contacts = [groupCount]int32{}
	counts := &s.jointGroups
	*counts = [groupCount + 1]int32{}
	s.findTrees()
	trees := 0
	for k, i := range t.joints {
		if s.inTree[k] {
			trees++
			continue
		}
		l := &s.JointLinks[i]
		a, b := s.bodyOf[l.A], s.bodyOf[l.B]
		of := moving
		if int(a) < s.fixedCount || int(b) < s.fixedCount {
			of = fixed
		}
		g := s.color(s.usedByJoints, a, b, of)
		s.colors[k] = uint8(g)
		if l.Pin {
			s.pinGroups.contacts[g]++
		} else {
			counts[g+1]++
		}
	}
	s.jointColors = s.jointColors[:0]
	for g, n := range s.pinGroups.contacts {
		if n+counts[g+1] > 0 {
			s.jointColors = append(s.jointColors, uint8(g))
		}
	}
	sumUp(counts[:])
	s.beginPins()
	s.firstTree = counts[groupCount]
	others := int(counts[groupCount]) + trees
	s.joints, s.jointStarts, s.axes = resized(s.joints, others), resized(s.jointStarts, others), resized(s.axes, others)
	s.jointWork = resized(s.jointWork, others)
	clear(s.jointWork)
	at := *counts
	s.numberTrees()
	for k, i := range t.joints {
		if s.inTree[k] {
			continue
		}
		g, l := int(s.colors[k]), &s.JointLinks[i]
		if l.Pin {
			_, p := s.pinGroups.place(g)
			s.jointNumbers[k] = p
			s.pins[p>>3].note(int(p&7), i, s.jointIslands[i], s.pins[p>>3].n)
			continue
		}
		j := &s.joints[at[g]]
		j.source, j.island = i, s.jointIslands[i]
		s.jointNumbers[k] = s.pinNumbers() + at[g]
		at[g]++
	}
}

// fillJointRange fills a range of the batch's joints, in their order: neighbours there are neighbours in memory.
func (s *worker) fillJointRange(helper *worker, from, to int) {
	pins, out := s.pinNumbers(), &helper.joint
	for at, i := range s.batch.joints[from:to] {
		k, l := s.jointNumbers[from+at], &s.JointLinks[i]
		a, b := s.ownBodyOf(l.A), s.ownBodyOf(l.B)
		*out = Joint{}
		s.Joints.FillJoint(helper.number, i, out)
		if k < pins {
			s.pins[k>>3].pack(out, k, a, b, &s.rareBodies[a], &s.rareBodies[b], s.h)
			continue
		}
		s.begin(int(k-pins), out, a, b, s.h)
	}
}

// eachJoint runs jobs over the joints of the batch that are no pins, and over the blocks of pins, colour by colour:
// joints of one colour may run at once, joints of an overflow may not. pin may be nil.
func (s *worker) eachJoint(do, pin job) {
	for _, group := range s.jointColors {
		g := int(group)
		if s.firstJoint = int(s.jointGroups[g]); s.firstJoint < int(s.jointGroups[g+1]) {
			n := int(s.jointGroups[g+1]) - s.firstJoint
			if isOverflow(g) {
				do(s, s, 0, n)
			} else {
				s.each(n, jointGrain, do)
			}
		}
		if pin != nil {
			s.eachBlock(&s.pinGroups, g, pin)
		}
	}
	s.firstJoint = 0
}

// updateJoints sets the rows of the joints, time seconds into the step, for a sub-step of h seconds.
func (s *worker) updateJoints(time, h float32) {
	if len(s.batch.joints) > 0 {
		for i := range s.components {
			s.components[i].factored = false
		}
		s.rowTime, s.rowStep = time, h
		s.setPinConstants(time, h)
		s.each(len(s.joints), jointGrain, (*worker).updateJointRange)
		s.each(len(s.pins), kernelGrain, (*worker).readyPins)
	}
}

func (s *worker) updateJointRange(_ *worker, from, to int) {
	for k := from; k < to; k++ {
		s.update(k, s.rowTime, s.rowStep)
	}
}

// warmJoints applies the impulses that the joints bring with them. Those of springs and motors may add energy, so they
// come first: the energy of the others is bounded.
func (s *worker) warmJoints() {
	if len(s.batch.joints) == 0 {
		return
	}
	trees := int(s.firstTree)
	s.eachJoint((*worker).warmDrives, nil)
	s.warmDrives(s, trees, len(s.joints))
	s.kernelPins = kernels.warmPins
	s.eachJoint((*worker).warmRigid, (*worker).runPins)
	s.warmRigid(s, trees, len(s.joints))
	for k, work := range s.jointWork {
		s.islands[s.joints[k].island].work += float64(work)
	}
	for j := range s.pins {
		s.pins[j].addWork(s.islands)
	}
}

// warmDrives applies the impulses of springs and motors.
func (s *worker) warmDrives(_ *worker, from, to int) {
	for k := s.firstJoint + from; k < s.firstJoint+to; k++ {
		j := &s.joints[k]
		if !j.drive {
			continue
		}
		a, b, x := &s.bodies[j.a], &s.bodies[j.b], j.axes
		if j.flags&(Pulled|Dragged) != 0 {
			j.pushRows(a, b, x.pullX+x.dragX, x.pullY+x.dragY)
		}
		j.pushTurn(a, b, x.angular.drive.Spring+x.angular.drive.Motor)
		if j.line {
			j.pushLine(a, b, x.linear.drive.Spring+x.linear.drive.Motor)
		}
	}
}

// warmRigid applies the impulses of rigid rows and limits, and keeps their work.
func (s *worker) warmRigid(_ *worker, from, to int) {
	for k := s.firstJoint + from; k < s.firstJoint+to; k++ {
		if j := &s.joints[k]; j.stiff {
			s.jointWork[k] = s.applyRigid(j, 1)
		}
	}
}

// sum returns the impulse of the rows.
func (x *AxisImpulses) sum() float32 { return x.Held + x.Lower + x.Upper }

// applyRigid applies the share f of the impulses of j's rigid rows and limits, and returns their work: their product
// with the mean of the velocities before and after.
func (s *worker) applyRigid(j *joint, f float32) (work float32) {
	a, b := &s.bodies[j.a], &s.bodies[j.b]
	u, v, line, turn := float32(f*j.U), float32(f*j.V), float32(f*j.Linear.sum()), float32(f*j.Angular.sum())
	before := j.power(a, b, u, v, line, turn)
	j.pushRows(a, b, u, v)
	if turn != 0 {
		j.pushTurn(a, b, turn)
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
		p += float32(turn * (j.axes.angular.v0 + (b.w - a.w)))
	}
	if line != 0 {
		p += float32(line * (j.axes.linear.v0 + j.lineChange(a, b)))
	}
	return p
}

// scale keeps the share f.
func (x *RigidImpulses) scale(f float32) {
	x.U *= f
	x.V *= f
	for _, y := range [2]*AxisImpulses{&x.Linear, &x.Angular} {
		y.Held *= f
		y.Lower *= f
		y.Upper *= f
	}
}

// jointPass is a kind of pass.
type jointPass uint8

const (
	springJoints jointPass = iota // errors of position are corrected
	relaxJoints                   // they stay, and the impulses of the sub-step are summed
)

// passJoints solves every joint of the batch once, in sub-steps of h seconds.
func (s *worker) passJoints(h float32, pass jointPass) {
	if len(s.batch.joints) == 0 {
		return
	}
	s.jointPass, s.rowStep = pass, h
	s.kernelPins = [...]kernel[pinBlock]{kernels.springPins, kernels.relaxPins}[pass]
	s.eachJoint((*worker).passJointRange, (*worker).runPins)
	for _, k := range s.treeDrives {
		j := &s.joints[k]
		j.solveDrives(j.axes, &s.bodies[j.a], &s.bodies[j.b])
	}
}

// sumTrees adds the impulses of the joints of components in a sub-step to the step's sums.
func (s *worker) sumTrees() {
	for k := int(s.firstTree); k < len(s.joints); k++ {
		s.joints[k].sum()
	}
}

func (s *worker) passJointRange(_ *worker, from, to int) {
	invH := 1 / s.rowStep
	for k := s.firstJoint + from; k < s.firstJoint+to; k++ {
		j := &s.joints[k]
		a, b := &s.bodies[j.a], &s.bodies[j.b]
		soft := softness{}
		if s.jointPass == springJoints {
			soft = j.soft
		}
		x := j.axes
		if x != nil {
			j.solveDrives(x, a, b)
			j.solveAxes(x, a, b, &soft, invH)
		}
		if j.flags&(Rigid|RigidAngle) != 0 {
			j.solveBlock(a, b, &soft)
		}
		if s.jointPass == relaxJoints {
			j.sum()
		}
	}
}

// solveDrives solves springs and motors.
func (j *joint) solveDrives(x *axes, a, b *body) {
	if !j.drive {
		return
	}
	if y := &x.angular; y.Flags&drives != 0 {
		j.pushTurn(a, b, y.solveDrives(y.v0+(b.w-a.w)))
	}
	if y := &x.linear; y.Flags&drives != 0 {
		j.pushLine(a, b, y.solveDrives(y.v0+y.curve+j.lineChange(a, b)))
	}
	if j.flags&Pulled != 0 {
		k := &x.pull
		u, v := j.rowSpeeds(a, b)
		u = float32(k.mass*(u+j.curveU)) + k.pull(j.u)
		v = float32(k.mass*(v+j.curveV)) + k.pull(j.v)
		px := float32(k.mass*x.pullX) - (float32(j.i11*u) + float32(j.i12*v))
		py := float32(k.mass*x.pullY) - (float32(j.i12*u) + float32(j.i22*v))
		px, py = within(px, py, x.maxPull)
		j.pushRows(a, b, px-x.pullX, py-x.pullY)
		x.pullX, x.pullY = px, py
	}
	if j.flags&Dragged != 0 {
		u, v := j.rowSpeeds(a, b)
		u, v = u-x.velX, v-x.velY
		px := x.dragX - (float32(j.i11*u) + float32(j.i12*v))
		py := x.dragY - (float32(j.i12*u) + float32(j.i22*v))
		px, py = within(px, py, x.maxDrag)
		j.pushRows(a, b, px-x.dragX, py-x.dragY)
		x.dragX, x.dragY = px, py
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

// solveAxes solves the rigid rows and limits of the axes.
func (j *joint) solveAxes(x *axes, a, b *body, soft *softness, invH float32) {
	if y := &x.angular; y.Flags&(Held|Limited) != 0 {
		j.pushTurn(a, b, y.solveRigid(y.v0+(b.w-a.w), soft, invH))
	}
	if y := &x.linear; y.Flags&(Held|Limited) != 0 {
		j.pushLine(a, b, y.solveRigid(y.v0+y.curve+j.lineChange(a, b), soft, invH))
	}
}

// solveBlock solves the rows u and v.
func (j *joint) solveBlock(a, b *body, soft *softness) {
	u, v := j.rowSpeeds(a, b)
	u += j.curveU + soft.bias(j.u)
	v += j.curveV + soft.bias(j.v)
	keep := 1 - soft.impulseScale
	du := -float32(keep*(float32(j.i11*u)+float32(j.i12*v))) - float32(soft.impulseScale*j.U)
	dv := -float32(keep*(float32(j.i12*u)+float32(j.i22*v))) - float32(soft.impulseScale*j.V)
	j.U, j.V = j.U+du, j.V+dv
	j.pushRows(a, b, du, dv)
}

// sum adds the impulses of a sub-step to the step's sums.
func (j *joint) sum() {
	u, v, line, turn := float64(j.U), float64(j.V), 0.0, 0.0
	if x := j.axes; x != nil {
		u += float64(x.pullX) + float64(x.dragX)
		v += float64(x.pullY) + float64(x.dragY)
		line = float64(x.linear.rigid.sum()) + (float64(x.linear.drive.Spring) + float64(x.linear.drive.Motor))
		turn = float64(x.angular.rigid.sum()) + (float64(x.angular.drive.Spring) + float64(x.angular.drive.Motor))
	}
	j.add(u, v, line, turn)
}

// add adds impulses along the rows to the step's sums.
func (j *joint) add(u, v, line, turn float64) {
	if j.shape == Point2 {
		j.addPoint(u, v, turn)
		return
	}
	nx, ny := float64(j.lineX), float64(j.lineY)
	turn += v
	j.x += float64(nx*line) - float64(ny*u)
	j.y += float64(ny*line) + float64(nx*u)
	j.torqueA += float64(float64(j.across[0])*u) + float64(float64(j.along[0])*line) + turn
	j.torqueB += float64(float64(j.across[1])*u) + float64(float64(j.along[1])*line) + turn
	if j.twist += turn; j.shape == Turns {
		j.twist += float64(float64(j.along[1]) * line)
	}
}

// addPoint is add for Point2.
func (j *joint) addPoint(u, v, turn float64) {
	j.x += u
	j.y += v
	j.torqueA += float64(float64(j.rAX)*v) - float64(float64(j.rAY)*u) + turn
	j.torqueB += float64(float64(j.rBX)*v) - float64(float64(j.rBY)*u) + turn
	j.twist += turn
}

// takeJoints gives the impulses of a range of the batch's joints back to the source.
func (s *worker) takeJoints(helper *worker, from, to int) {
	did, inv, pins := &helper.jointDid, 1/s.dt, s.pinNumbers()
	for at, i := range s.batch.joints[from:to] {
		k := s.jointNumbers[from+at]
		if k < pins {
			p, l, out := &s.pins[k>>3], k&7, &helper.pinTaken
			out.U, out.V = p.impulseU[l], p.impulseV[l]
			*did = Reaction{ForceX: float64(p.totalX[l]) * inv, ForceY: float64(p.totalY[l]) * inv}
			s.Joints.TakeJoint(helper.number, i, out, did)
			continue
		}
		j, out := &s.joints[k-pins], &helper.jointTaken
		*out = JointImpulses{RigidImpulses: j.RigidImpulses}
		if x := j.axes; x != nil {
			out.PullX, out.PullY, out.DragImpulseX, out.DragImpulseY = x.pullX, x.pullY, x.dragX, x.dragY
			out.LinearDrive, out.AngularDrive = x.linear.drive, x.angular.drive
		}
		*did = Reaction{ForceX: j.x * inv, ForceY: j.y * inv, Torque: j.twist * inv}
		s.Joints.TakeJoint(helper.number, i, out, did)
	}
}

// finishJoints gives the impulses of the batch's joints to the source, and their sums to the motions.
func (s *worker) finishJoints() {
	n := len(s.batch.joints)
	if n == 0 {
		return
	}
	s.each(n, jointGrain, (*worker).takeJoints)
	s.each(len(s.parts), 1, (*worker).pushJoints)
}

// pushJoints applies the impulses of the batch's joints to the motions of a range of parts, as pushParts does.
func (s *worker) pushJoints(_ *worker, from, to int) {
	motions, first := s.motionsOf(from, to)
	pins := s.pinNumbers()
	for at, i := range s.batch.joints {
		link := &s.JointLinks[i]
		a, b := uint(link.A)-first, uint(link.B)-first // bodies of other parts are beyond these
		if a >= uint(len(motions)) && b >= uint(len(motions)) {
			continue
		}
		var x, y, torqueA, torqueB float64
		if k := s.jointNumbers[at]; k < pins {
			p, l := &s.pins[k>>3], k&7
			x, y, torqueA, torqueB = float64(p.totalX[l]), float64(p.totalY[l]), float64(p.torqueA[l]),
				float64(p.torqueB[l])
		} else {
			j := &s.joints[k-pins]
			x, y, torqueA, torqueB = j.x, j.y, j.torqueA, j.torqueB
		}
		if a < uint(len(motions)) {
			motions[a].push(-x, -y, -torqueA)
		}
		if b < uint(len(motions)) {
			motions[b].push(x, y, torqueB)
		}
	}
}
