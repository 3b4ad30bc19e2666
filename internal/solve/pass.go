package solve

// setConstants sets the numbers of a pass, time seconds into the step, in sub-steps of h
// seconds.
func (s *worker) setConstants(h, time float32) {
	s.ofMoving.set(&s.soft, h, time, s.PushSpeed)
	s.ofFixed.set(&s.softStatic, h, time, s.PushSpeed)
}

func (c *constants) set(soft *softness, h, time, push float32) {
	c.zero.fill(0)
	c.half.fill(0.5)
	c.one.fill(1)
	c.separating.fill(separateSpeed)
	c.pairSlop.fill(pairSlop)
	c.invEdge.fill(1 / springEdge)
	c.time.fill(time)
	c.invH.fill(1 / h)
	c.biasRate.fill(soft.biasRate)
	c.soft.fill(soft.impulseScale)
	c.push.fill(-push)
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
		s.eachGroup(kernels.springOne, kernels.springTwo)
	} else {
		s.eachGroup(kernels.relaxOne, kernels.relaxTwo)
	}
}

// eachGroup runs kernels over all blocks, group by group.
func (s *worker) eachGroup(one kernel[block1], two kernel[block2]) {
	for g := range groupCount {
		c := &s.ofMoving
		if g >= firstFixed {
			c = &s.ofFixed
		}
		if i, j := s.groupTwo.starts[g], s.groupTwo.starts[g+1]; i < j {
			two(s.bodies, s.twos[i:j], c)
		}
		if i, j := s.groupOne.starts[g], s.groupOne.starts[g+1]; i < j {
			one(s.bodies, s.ones[i:j], c)
		}
	}
}
