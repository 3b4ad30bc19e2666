package solve

// A pin is a joint that does nothing but hold two anchors together: a revolute joint without spring, motor and limit,
// the most frequent of all. Pins are in blocks (pinBlock), solved by kernels as contacts are. All other joints
// are solved one at a time (jointpass.go).
//
// A joint of a batch has a number: of a pin its place in the blocks, which is 8 times the block, plus the lane;
// of others the index in worker.joints, beyond those places.

// pinNumbers returns how many numbers pins take.
func (s *worker) pinNumbers() int32 { return int32(8 * len(s.pins)) }

// beginPins makes the blocks of the batch's pins, whose groups are counted.
func (s *worker) beginPins() {
	s.pinGroups.divide()
	s.pins = resized(s.pins, s.pinGroups.blocks())
	for g := range groupCount {
		for j := s.pinGroups.starts[g]; j < s.pinGroups.starts[g+1]; j++ {
			k, n := &s.pins[j], s.pinGroups.lanesOf(g, j)
			if n < 8 {
				*k = pinBlock{}
			}
			k.n, k.mixed = n, 0
		}
	}
}

// pack fills lane l for a step with sub-steps of h seconds. The bodies are those with indices ia and ib.
func (k *pinBlock) pack(from *Joint, l, ia, ib int32, a, b *rareBody, h float32) {
	l &= 7
	k.a[l], k.b[l] = uint32(ia)*bodySize, uint32(ib)*bodySize
	k.inertiaA[l], k.inertiaB[l] = a.invI, b.invI
	k.armAX[l], k.armAY[l], k.armBX[l], k.armBY[l] = from.ArmAX, from.ArmAY, from.ArmBX, from.ArmBY
	k.apartX[l], k.apartY[l] = from.ApartX, from.ApartY
	k.driftX[l], k.driftY[l] = from.DriftX, from.DriftY
	k.spinA[l], k.spinB[l] = a.spin, b.spin
	soft := from.soft(h)
	k.biasRate[l], k.soft[l] = soft.biasRate, soft.impulseScale
	k.impulseU[l], k.impulseV[l] = from.U, from.V
	k.totalX[l], k.totalY[l], k.torqueA[l], k.torqueB[l] = 0, 0, 0, 0
}

// setPinConstants sets the numbers of the kernels, time seconds into the step, for rows of a sub-step of h seconds: of
// the one before, if h is negative.
func (s *worker) setPinConstants(time, h float32) {
	c := &s.of[moving]
	c.time.fill(time)
	c.sign.fill(1)
	if h < 0 {
		h = -h
		c.sign.fill(-1)
	}
	c.halfStep.fill(0.5 * h)
}

// readyPins sets the rows of a range of the blocks.
func (s *worker) readyPins(_ *worker, from, to int) {
	kernels.readyPins(s.bodies, s.pins[from:to], nil, &s.of[moving])
}

// runPins runs the kernel of the pass over a range of the present group's blocks.
func (s *worker) runPins(_ *worker, from, to int) {
	s.kernelPins(s.bodies, s.pins[s.first+from:s.first+to], nil, &s.of[moving])
}
