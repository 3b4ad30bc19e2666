package solve

// A joint is strained if a rigid row or limit has a large error of position, or if its bodies turn fast against each
// other. The passes hold nearly all joints well. They converge slowly where arms are many times as long as the gyration
// radii of light bodies, as in a light body that a heavy one hangs from. There
//
//   - a pass takes back only a part of the velocity that has corrected an error of position. The rest is kinetic
//     energy: a joint that has opened lifts its load, and throws it as it closes;
//   - while such a joint closes, the impulses of its warm start do work, and the bound of that work (warm.go) takes
//     them away: the joint drops its load, and opens further.
//
// And where bodies turn fast, the directions of the impulses change from one sub-step to the next. The part of that
// change that the passes do not solve is lost energy: a pendulum of five links lost half of its energy in 18 s, with
// short sub-steps as with long ones.
//
// So in islands of a few joints of which one is strained, the joints are solved once more at the end of each sub-step,
// by conjugate gradients. Like each pass, these do not raise x.v + x.Ax/2, the energy that the impulses x give to the
// velocities v before them. A limit that pushes is an equation there, and the impulses change by the share at which the
// first of these limits ceases to push.
//
// Where that leaves rows violated, the impulses of the island have a bound: they are scaled so that they give at most
// the energy of the slack of warm.go. The impulses of contacts, springs and motors are in v.

// An island is solved so if it has at most mostStrained joints, of which one has an error of position above
// strainedError, in units of length or radians, or bodies that turn against each other faster than strainedSpin, in
// radians a second, when the step begins.
//
// Errors of joints that their definition makes softer than usualHertz, and which so sag by more, count by the ratio
// of the stiffnesses. Other joints stay below strainedError: those that hold loads of 1,000 times the mass of their
// bodies are open by half of it. In larger islands rounds end long before they converge: in chains of 100 links they
// hold worse than the passes.
const (
	mostStrained          = 16
	strainedError float32 = 0.05
	strainedSpin  float32 = 8
	usualHertz    float32 = 60 // that of internal/joint
)

// There are at most strainedRounds rounds of conjugate gradients. They end when the energy that they could still remove
// is below strainedSlop times the slack of the island.
const (
	strainedRounds = 32
	strainedSlop   = 0.1
)

// strainedSoftness is the softness of the rows, relative to the inverse masses of each block alone. Rows of a loop of
// joints, such as two hinges between the same bodies, contradict each other a little. Without softness, opposed
// impulses of such rows, which move nothing, would grow until the rounding errors of their sums move bodies.
const strainedSoftness float32 = 1e-3

// strainedIsland is an island whose joints solveStrained solves, with the account of its joints' impulses in a sub-step. A is
// the matrix of the velocity changes of rows for unit impulses.
type strainedIsland struct {
	of     *island
	goesOn bool    // rounds go on; afterwards: the energy of the impulses needs the bound
	share  float32 // part of the impulses that limits admit, or the bound

	// Of a round, with the residual r (strained.missing), z the impulses by which each block alone would remove it, and d the
	// direction (strained.toward).
	missing   float64 // r.z: twice the energy that the blocks alone could still remove
	curvature float64 // d.Ad
	next      float64 // missing of the next round

	// Of the bound, with x the impulses and v the velocities before them.
	work    float64 // x.v + x.Ax/2: the energy that the impulses give
	ownWork float64 // x.Ax/2
}

// strained is a joint of a strainedIsland.
type strained struct {
	*joint
	in   *strainedIsland
	pin  *pinBlock // of which joint is a copy; nil if it is no pin
	lane int32

	line, turn bool // these rows hold the bodies

	// Of the rows u and v, of the row along the line and of that of the angle: the missing velocities (the residual of the
	// conjugate gradients), the direction of the round, the velocities that it gives, those of them that each block alone
	// gives, and the change of the impulses.
	missing, toward, given, own, change [4]float32
}

// strained reports whether j is strained.
func (j *Joint) strained() bool {
	most := max(j.Linear.beyond(), j.Angular.beyond())
	if j.Flags&Rigid != 0 {
		if most = max(most, j.ApartY, -j.ApartY); j.Shape == Point2 {
			most = max(most, j.ApartX, -j.ApartX)
		}
	}
	if j.Flags&RigidAngle != 0 {
		most = max(most, j.Angle, -j.Angle)
	}
	if k := j.Hertz / usualHertz; k < 1 {
		most *= square(k)
	}
	return most > strainedError || max(j.Spin, -j.Spin) > strainedSpin
}

// beyond returns the greatest error of position of x's rigid row and limits.
func (x *Axis) beyond() (most float32) {
	if x.Flags&Held != 0 {
		most = max(x.FromRest, -x.FromRest)
	}
	if x.Flags&Lowest != 0 {
		most = max(most, -x.FromLower)
	}
	if x.Flags&Highest != 0 {
		most = max(most, x.FromUpper)
	}
	return most
}

// findStrained lists the islands of the batch that solveStrained solves.
func (s *worker) findStrained() {
	if s.anyStrained = s.anyStrained && !s.large(s.batch); !s.anyStrained {
		return
	}
	for k := range s.joints {
		j := &s.joints[k]
		s.islands[j.island].count(j.strained)
	}
	for j := range s.pins {
		k := &s.pins[j]
		for l, in := range k.island[:k.n] {
			s.islands[in].count(k.strained[l&7])
		}
	}
	s.strainedIslands = s.strainedIslands[:0]
	for i := range s.batch.islands {
		if u := &s.batch.islands[i]; u.strained && u.joints <= mostStrained {
			s.strainedIslands = append(s.strainedIslands, strainedIsland{of: u})
			u.strainedAt = int32(len(s.strainedIslands))
		}
	}
	s.anyStrained = len(s.strainedIslands) > 0
}

// reserveStrained makes memory for the joints of the batch, so that a joint that is strained later allocates nothing.
func (s *worker) reserveStrained() {
	if t := s.batch; !s.large(t) {
		n := len(t.joints)
		s.strainedIslands = resized(s.strainedIslands, min(len(t.islands), n))[:0]
		s.strained, s.strainedPins = resized(s.strained, n)[:0], resized(s.strainedPins, n)[:0]
		s.given = resized(s.given, t.to-t.from)
	}
}

// count counts a joint of u.
func (u *island) count(strained bool) {
	u.joints++
	u.strained = u.strained || strained
}

// solveStrained solves the joints of the strained islands.
func (s *worker) solveStrained() {
	if !s.anyStrained {
		return
	}
	s.listStrained()
	s.conjugate()
	s.boundStrained()
}

// strainedIslandOf returns the strainedIsland of an island, or nil.
func (s *worker) strainedIslandOf(island int32) *strainedIsland {
	if at := s.islands[island].strainedAt; at > 0 {
		return &s.strainedIslands[at-1]
	}
	return nil
}

// listStrained lists the joints of the strained islands, with their rows and impulses of this sub-step.
func (s *worker) listStrained() {
	s.strained, s.strainedPins = s.strained[:0], s.strainedPins[:0]
	for k := range s.joints {
		if j := &s.joints[k]; j.stiff {
			if u := s.strainedIslandOf(j.island); u != nil {
				s.strained = append(s.strained, strained{joint: j, in: u})
			}
		}
	}
	n := len(s.strained)
	for j := range s.pins {
		k := &s.pins[j]
		for l, in := range k.island[:k.n] {
			if u := s.strainedIslandOf(in); u != nil {
				s.strainedPins = append(s.strainedPins, k.joint(int32(l)))
				s.strained = append(s.strained, strained{in: u, pin: k, lane: int32(l)})
			}
		}
	}
	for k := range s.strainedPins {
		s.strained[n+k].joint = &s.strainedPins[k]
	}
	for k := range s.strained {
		s.strained[k].begin(s)
	}
}

// begin sets which rows of o hold its bodies, and the velocities that are missing until no row is violated.
func (o *strained) begin(s *worker) {
	if x := o.axes; x != nil {
		o.line, o.turn = x.linear.holds(), x.angular.holds()
	}
	v := o.velocities(&s.bodies[o.a], &s.bodies[o.b])
	o.missing = [4]float32{-v[0], -v[1], -v[2], -v[3]}
	if o.block() {
		o.missing[0], o.missing[1] = o.missing[0]-o.curveU, o.missing[1]-o.curveV
	}
	if o.line {
		o.missing[2] -= o.axes.linear.curve
	}
}

// velocities returns the velocities of o's rows.
func (o *strained) velocities(a, b *body) [4]float32 {
	v := o.changes(a, b)
	if o.block() {
		v[0], v[1] = v[0]+o.u0, v[1]+o.v0
	}
	if o.line {
		v[2] += o.axes.linear.v0
	}
	if o.turn {
		v[3] += o.axes.angular.v0
	}
	return v
}

// block reports whether o has the rows u and v.
func (o *strained) block() bool { return o.flags&(Rigid|RigidAngle) != 0 }

// holds reports whether x has a rigid row, or a limit that pushes.
func (x *axis) holds() bool { return x.Flags&Held != 0 || x.rigid.Lower != 0 || x.rigid.Upper != 0 }

// alone returns the impulses by which each block of o's rows alone would get the missing velocities.
func (o *strained) alone() (x [4]float32) {
	u, v := o.missing[0], o.missing[1]
	x[0] = float32(o.i11*u) + float32(o.i12*v)
	x[1] = float32(o.i12*u) + float32(o.i22*v)
	if o.line {
		x[2] = o.axes.linear.mass * o.missing[2]
	}
	if o.turn {
		x[3] = o.axes.angular.mass * o.missing[3]
	}
	return x
}

// apply applies impulses along o's rows.
func (o *strained) apply(a, b *body, x *[4]float32) {
	o.pushRows(a, b, x[0], x[1])
	if o.line {
		o.pushLine(a, b, x[2])
	}
	if o.turn {
		o.pushTurn(a, b, x[3])
	}
}

// changes returns the changes of the velocities of o's rows since the start of the step.
func (o *strained) changes(a, b *body) (v [4]float32) {
	if o.block() {
		v[0], v[1] = o.rowChanges(a, b)
	}
	if o.line {
		v[2] = o.lineChange(a, b)
	}
	if o.turn {
		v[3] = b.w - a.w
	}
	return v
}

// dot returns the sum of the products.
func dot(x, y *[4]float32) float64 {
	return float64(float64(x[0])*float64(y[0])) + float64(float64(x[1])*float64(y[1])) +
		float64(float64(x[2])*float64(y[2])) + float64(float64(x[3])*float64(y[3]))
}

// give sets given of the joints in islands that go on: the velocities that these impulses give to their rows.
func (s *worker) give(impulses func(o *strained) *[4]float32) {
	first := s.batch.from
	s.given = resized(s.given, s.batch.to-first)
	for i := range s.given {
		s.given[i] = body{invMass: s.bodies[first+i].invMass}
	}
	s.eachStrained(func(o *strained, _ *strainedIsland) { o.apply(s.givenTo(o.a), s.givenTo(o.b), impulses(o)) })
	s.eachStrained(func(o *strained, _ *strainedIsland) { o.given = o.changes(s.givenTo(o.a), s.givenTo(o.b)) })
}

// givenTo returns the velocities that impulses have given body i, which are 0 of a body that does not move.
func (s *worker) givenTo(i int32) *body {
	if k := int(i) - s.batch.from; k >= 0 {
		return &s.given[k]
	}
	return &s.still
}

// eachStrained calls do with each strained joint whose island goes on.
func (s *worker) eachStrained(do func(o *strained, u *strainedIsland)) {
	for k := range s.strained {
		if o := &s.strained[k]; o.in.goesOn {
			do(o, o.in)
		}
	}
}

// conjugate solves the rows of the strained islands by conjugate gradients, each island for itself. Afterwards islands go on
// whose rows it leaves violated.
func (s *worker) conjugate() {
	islands := s.strainedIslands
	for i := range islands {
		u := &islands[i]
		u.goesOn, u.missing, u.share = true, 0, 1
	}
	s.eachStrained(func(o *strained, u *strainedIsland) {
		o.toward, o.own = o.alone(), o.missing
		u.missing += dot(&o.missing, &o.toward)
	})
	for range strainedRounds {
		on := false
		for i := range islands {
			u := &islands[i]
			u.goesOn = u.goesOn && u.missing > strainedSlop*u.of.slack
			u.curvature, u.next, on = 0, 0, on || u.goesOn
		}
		if !on {
			break
		}
		s.give(func(o *strained) *[4]float32 { return &o.toward })
		s.eachStrained(func(o *strained, u *strainedIsland) {
			for i, v := range o.own {
				o.given[i] += float32(strainedSoftness * v)
			}
			u.curvature += dot(&o.toward, &o.given)
		})
		s.eachStrained(func(o *strained, u *strainedIsland) {
			if !(u.curvature > 0) {
				return // next stays 0, which ends the rounds
			}
			f := float32(u.missing / u.curvature)
			for i := range o.change {
				o.change[i] += float32(f * o.toward[i])
				o.missing[i] -= float32(f * o.given[i])
			}
			x := o.alone()
			u.next += dot(&o.missing, &x)
		})
		s.eachStrained(func(o *strained, u *strainedIsland) {
			keep := float32(u.next / u.missing)
			for i, x := range o.alone() {
				o.toward[i] = x + float32(keep*o.toward[i])
				o.own[i] = o.missing[i] + float32(keep*o.own[i])
			}
		})
		for i := range islands {
			if u := &islands[i]; u.goesOn {
				u.missing = u.next
			}
		}
	}
	// No limit is to pull.
	for k := range s.strained {
		o := &s.strained[k]
		u := o.in
		if o.line {
			u.share = min(u.share, o.axes.linear.room(o.change[2]))
		}
		if o.turn {
			u.share = min(u.share, o.axes.angular.room(o.change[3]))
		}
	}
	for k := range s.strained {
		o := &s.strained[k]
		f := o.in.share
		for i := range o.change {
			o.change[i] *= f
		}
		o.pu, o.pv = o.pu+o.change[0], o.pv+o.change[1]
		if o.line {
			o.axes.linear.gain(o.change[2])
		}
		if o.turn {
			o.axes.angular.gain(o.change[3])
		}
		s.changeStrained(o)
	}
	for i := range islands {
		u := &islands[i]
		u.goesOn = !(u.share == 1 && u.missing <= strainedSlop*u.of.slack)
	}
}

// room returns the share of a change d of x's impulse by which a limit ceases to push; 1 if it does not.
func (x *axis) room(d float32) float32 {
	switch r := &x.rigid; {
	case x.Flags&Held != 0:
	case r.Lower > 0:
		if r.Lower+d < 0 {
			return -r.Lower / d
		}
	case r.Upper+d > 0:
		return -r.Upper / d
	}
	return 1
}

// gain adds d to the impulse of x's rigid row, or of the limit that pushes.
func (x *axis) gain(d float32) {
	switch r := &x.rigid; {
	case x.Flags&Held != 0:
		r.Held += d
	case r.Lower > 0:
		r.Lower = max(0, r.Lower+d)
	default:
		r.Upper = min(0, r.Upper+d)
	}
}

// changeStrained applies the change of o's impulses, which are those after it, to its bodies, and adds it to
// the impulses of the step.
func (s *worker) changeStrained(o *strained) {
	x := &o.change
	o.apply(&s.bodies[o.a], &s.bodies[o.b], x)
	if k := o.pin; k != nil {
		k.impulseU[o.lane&7], k.impulseV[o.lane&7] = o.pu, o.pv
		k.add(o.lane, x[0], x[1])
		return
	}
	o.add(float64(x[0]), float64(x[1]), float64(x[2]), float64(x[3]))
}

// boundStrained bounds the energy that the impulses of the strained joints give, where rows are left violated: others
// give none.
func (s *worker) boundStrained() {
	islands := s.strainedIslands
	for i := range islands {
		u := &islands[i]
		u.work, u.ownWork = 0, 0
	}
	s.eachStrained(func(o *strained, u *strainedIsland) {
		x := o.rigid()
		o.toward = [4]float32{x.U, x.V, x.Linear.sum(), x.Angular.sum()}
		v := o.velocities(&s.bodies[o.a], &s.bodies[o.b])
		u.work += dot(&o.toward, &v)
	})
	s.give(func(o *strained) *[4]float32 { return &o.toward })
	s.eachStrained(func(o *strained, u *strainedIsland) { u.ownWork += float64(0.5 * dot(&o.toward, &o.given)) })
	for i := range islands {
		u := &islands[i]
		u.work -= u.ownWork // the sum is x.v + x.Ax, at the velocities after the impulses
		if u.goesOn = u.goesOn && tooMuch(u.work, u.of.slack); u.goesOn {
			// Half of the impulses would give x.v/2 + x.Ax/8.
			u.share = share(float64(0.5*u.work)-float64(0.25*u.ownWork), u.work, u.of.slack)
		}
	}
	s.eachStrained(func(o *strained, u *strainedIsland) {
		for i, x := range o.toward {
			o.change[i] = float32((u.share - 1) * x)
		}
		x := o.rigid()
		x.scale(u.share)
		o.setRigid(&x)
		s.changeStrained(o)
	})
}
