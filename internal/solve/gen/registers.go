package main

// registers gives out the vector registers of a processor to the values of a kernel, in the order of the nodes: where
// none is free, the value that is used last is dropped, and read again from the row that it was loaded from, or from
// the stack.
//
// A printer goes through a kernel twice. The first time tells which values the stack must hold; they are stored there
// as soon as they are computed, so that no branch can skip it.
type registers struct {
	k      *kernel
	dry    bool // the first time
	now    int
	in     []*node
	locked []bool
	slot   map[*node]int // on the stack
	inside []*node       // registers at the start of the statements under a condition

	fill  func(n *node, r int) // loads n from memory, into register r
	spill func(n *node, r int) // stores it in its slot
}

func newRegisters(k *kernel, count int, slots map[*node]int, fill, spill func(n *node, r int)) registers {
	return registers{k: k, in: make([]*node, count), locked: make([]bool, count), slot: slots, fill: fill, spill: spill}
}

// each calls print for the nodes of the kernel.
func (a *registers) each(print func(n *node)) {
	for _, n := range a.k.nodes {
		a.now = n.at
		clear(a.locked)
		a.free()
		print(n)
	}
	a.now = len(a.k.nodes)
	a.free()
}

// free empties the registers whose values are not used from now on.
func (a *registers) free() {
	for r, n := range a.in {
		if n != nil && n.nextUse(a.now) < 0 {
			a.in[r] = nil
		}
	}
}

// again reports whether n can be read again from where it was loaded.
func (a *registers) again(n *node) bool {
	if a.k.doubles && n.op != opVariable {
		return false // zero is not in memory, and rows are converted
	}
	return n.isLoad() && !a.k.changed(n, n.lastUse())
}

// slotOf returns the slot of n on the stack.
func (a *registers) slotOf(n *node) int {
	s, ok := a.slot[n]
	if !ok {
		if !a.dry {
			panic("no slot")
		}
		s = len(a.slot)
		a.slot[n] = s
	}
	return s
}

// find returns the register of n, or -1.
func (a *registers) find(n *node) int {
	for r, m := range a.in {
		if m == n {
			return r
		}
	}
	return -1
}

// take returns a register for n, which may be nil for a moment's use.
func (a *registers) take(n *node) int {
	best, far := -1, -1
	for r, m := range a.in {
		if a.locked[r] {
			continue
		}
		if m == nil {
			best = r
			break
		}
		next := m.nextUse(a.now)
		if a.again(m) {
			next += 12 // costs no store
		}
		if next > far {
			best, far = r, next
		}
	}
	if best < 0 {
		panic("too few registers")
	}
	if m := a.in[best]; m != nil && !a.again(m) {
		a.slotOf(m) // notes that it needs one
	}
	a.in[best] = n
	a.locked[best] = true
	return best
}

// hasFree reports whether a register is free.
func (a *registers) hasFree() bool {
	for r, m := range a.in {
		if m == nil && !a.locked[r] {
			return true
		}
	}
	return false
}

// register returns a register with n.
func (a *registers) register(n *node) int {
	r := a.find(n)
	if r < 0 {
		r = a.take(n)
		a.fill(n, r)
	}
	a.locked[r] = true
	return r
}

// dies reports whether n is in a register, and not used after now.
func (a *registers) dies(n *node) bool { return a.find(n) >= 0 && n.nextUse(a.now+1) < 0 }

// define returns a register for the result of n: an operand's register, if the operand is not used any more.
func (a *registers) define(n *node) int {
	for _, m := range n.args {
		if a.dies(m) {
			r := a.find(m)
			a.in[r] = n
			return r
		}
	}
	return a.take(n)
}

// defined stores n on the stack, if it is needed there.
func (a *registers) defined(n *node, r int) {
	if _, ok := a.slot[n]; ok && !a.dry {
		a.spill(n, r)
	}
}

// begin begins statements under a condition.
func (a *registers) begin() { a.inside = append([]*node(nil), a.in...) }

// end ends them. It restores the registers' contents at their start, so that nothing depends on whether they were
// skipped.
func (a *registers) end() {
	for r, n := range a.inside {
		if n != nil && n.nextUse(a.now) < 0 {
			n = nil
		}
		if n != nil && a.in[r] != n {
			a.fill(n, r)
		}
		a.in[r] = n
	}
	a.inside = nil
}

// components returns the components of the gather n, nil if unused.
func (a *registers) components(n *node) (out [4]*node) {
	for _, m := range a.k.nodes[n.at+1:] {
		if m.op != opBody || m.at > n.at+4 {
			break
		}
		if len(m.uses) > 0 {
			out[m.part] = m
		}
	}
	return out
}
