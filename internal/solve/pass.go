package solve

// setConstants sets the numbers of a pass, time seconds into the step, in sub-steps of h
// seconds.
func (s *worker) setConstants(h, time float32) {
	for k := range s.of {
		s.of[k].set(s.Solver, &s.springs[k], h, time)
	}
}

func (c *constants) set(s *Solver, spring *contactSpring, h, time float32) {
	if c.one[0] == 0 {
		c.setNumbers()
	}
	c.step.fill(h)
	c.time.fill(time)
	c.invH.fill(1 / h)
	c.biasRate.fill(spring.biasRate)
	c.share.fill(spring.share)
	c.push.fill(-s.PushSpeed)
	c.bounceSpeed.fill(s.BounceSpeed)
	c.hitSpeed.fill(s.HitSpeed)
}

// setNumbers sets the numbers that do not change.
func (c *constants) setNumbers() {
	rows := [...]*lanes{
		&c.zero, &c.half, &c.one, &c.pairSlop, &c.invEdge, &c.impactSpeed, &c.mostBias, &c.mostCurve, &c.singular,
		&c.leastDet, &c.mostDet, &c.quarterTurn,
		&c.sin3, &c.sin5, &c.sin7, &c.sin9, &c.cos4, &c.cos6, &c.cos8, &c.cos10,
	}
	for i, x := range [len(rows)]float32{
		0, 0.5, 1, pairSlop, 1 / springEdge, ImpactSpeed, mostBias, mostCurve, singular,
		leastDet, mostDet, quarterTurn, sin3, sin5, sin7, sin9, cos4, cos6, cos8, cos10,
	} {
		rows[i].fill(x)
	}
}

func (row *lanes) fill(x float32) {
	for i := range row {
		row[i] = x
	}
}

// pass solves every contact of the batch once, time seconds into the step, in sub-steps of h seconds. With
// spring, overlap is pushed apart; without, it stays (relax pass).
func (s *worker) pass(h, time float32, spring bool) {
	s.setConstants(h, time)
	if spring {
		s.run(kernels.springOne, kernels.springTwo)
	} else {
		s.run(kernels.relaxOne, kernels.relaxTwo)
	}
}

// run runs kernels over all blocks.
func (s *worker) run(one kernel[block1], two kernel[block2]) {
	s.kernelOne, s.kernelTwo = one, two
	s.eachGroup((*worker).runOnes, (*worker).runTwos)
}

// runOnes runs the kernel over a range of the present group's blocks of one point.
func (s *worker) runOnes(_ *worker, from, to int) {
	s.kernelOne(s.bodies, s.ones[s.first+from:s.first+to], s.rareOnes[s.first+from:s.first+to], s.constants)
}

// runTwos does the same for blocks of two points.
func (s *worker) runTwos(_ *worker, from, to int) {
	s.kernelTwo(s.bodies, s.twos[s.first+from:s.first+to], s.rareTwos[s.first+from:s.first+to], s.constants)
}

// eachGroup runs jobs over the blocks of one and of two points, group by group: blocks of a colour
// may run at once, blocks of an overflow may not.
func (s *worker) eachGroup(one, two job) {
	groups := s.grouped
	for _, group := range groups.list[:groups.listed] {
		g := int(group)
		s.constants = &s.of[g/groupsEach]
		s.eachBlock(&groups.two, g, two)
		s.eachBlock(&groups.one, g, one)
	}
}

// eachBlock runs a job over the blocks of a group.
func (s *worker) eachBlock(blocks *groups, g int, do job) {
	n := int(blocks.starts[g+1] - blocks.starts[g])
	if s.first = int(blocks.starts[g]); n == 0 {
		return
	}
	if isOverflow(g) {
		do(s, s, 0, n)
	} else {
		s.each(n, kernelGrain, do)
	}
}
