package main

// machine prints the instructions of a processor, or of WebAssembly. Registers are numbers; each holds a part of a row:
// numbers of four bytes, or of eight in a kernel of doubles.
type machine interface {
	traits() traits
	head(k *kernel, slots int) // begins the kernel, which needs so many vectors on the stack
	tail(k *kernel)

	load(a address, r int)
	store(r int, a address)
	loadLow(a address, r int) // 16 bytes; then insert the next 16, and the same to store
	insert(a address, r int)
	storeLow(r int, a address)
	storeHigh(r int, a address)
	widen(a address, r int)     // loads float32 as float64
	narrow(r, t int, a address) // stores them, by the register t
	halves(r, t, u int, even, odd address)
	record(a address, pointer bool, i int) address // loads the address of a record; i is one of four

	zero(r int)
	three(op operation, x int, y operand, r int)
	sqrt(x operand, r int)
	pick(mask int, yes operand, no, r int)
	bits(r, t int, a address, part int, adds bool) // stores a mask as bits, by the register t

	testWord(a address) // tests whether a number is 0
	testMask(r, t int)  // tests whether a mask is empty
	skip()              // begins statements that are skipped if so
	unskip()            // ends them
}

// traits are the properties of a machine on which the printed code depends.
type traits struct {
	registers, bytes int  // number of registers, and the size of one
	folds            bool // operands may be in memory, and temporaries are the machine's own
}

// base is the memory to which an address is relative.
type base uint8

const (
	inBlock base = iota
	inRare
	inConstants // or the present input, in a kernel of doubles
	onStack
	inBodies // or the motions, at an offset that is loaded
	inRecord
)

// address is memory; i is the number of the offset or record.
type address struct {
	base      base
	offset, i int
}

// operand is a register, or memory.
type operand struct {
	r  int
	in bool // memory
	at address
}

// printer prints a kernel by the instructions of a machine.
type printer struct {
	registers
	machine
	part int // of the block
}

// printKernel prints k. No part of a block depends on another.
func printKernel(k *kernel, m machine) {
	slots := map[*node]int{}
	dry := newPrinter(k, m, slots)
	dry.dry = true
	dry.each(dry.node)
	m.head(k, len(slots)+k.variables)
	p := newPrinter(k, m, slots)
	for p.part = range 8 / p.lanes() {
		p.each(p.node)
	}
	m.tail(k)
}

func newPrinter(k *kernel, m machine, slots map[*node]int) *printer {
	p := &printer{machine: m}
	p.registers = newRegisters(k, m.traits().registers, slots,
		func(n *node, r int) { m.load(p.memory(n), r) },
		func(n *node, r int) { m.store(r, p.memory(n)) })
	return p
}

// lanes returns the number of lanes in a register.
func (p *printer) lanes() int {
	if p.k.doubles {
		return p.traits().bytes / 8
	}
	return p.traits().bytes / 4
}

// memory returns where n is in memory.
func (p *printer) memory(n *node) address {
	if p.again(n) {
		return p.place(n)
	}
	return address{base: onStack, offset: p.traits().bytes * (p.slotOf(n) + p.k.variables)}
}

func (p *printer) place(n *node) address {
	switch n.op {
	case opConstant:
		return address{base: inConstants, offset: n.where.offset} // all lanes are the same
	case opVariable, opSet:
		return address{base: onStack, offset: p.traits().bytes * n.where.offset}
	}
	return p.row(n.where)
}

// at returns the address of a place in the block or beside it.
func at(p place) address {
	if p.rare {
		return address{base: inRare, offset: p.offset}
	}
	return address{base: inBlock, offset: p.offset}
}

// row returns the address of this part of a row of float32.
func (p *printer) row(of place) address {
	a := at(of)
	a.offset += 4 * p.lanes() * p.part
	return a
}

// operand returns n as an operand that the machine may fold into an instruction.
func (p *printer) operand(n *node) operand {
	if p.traits().folds && p.find(n) < 0 && (n.nextUse(p.now+1) < 0 || !p.hasFree()) {
		return operand{in: true, at: p.memory(n)}
	}
	return operand{r: p.register(n)}
}

// temporary returns a register for a moment's use, if the machine needs one.
func (p *printer) temporary() int {
	if p.traits().folds {
		return -1
	}
	return p.take(nil)
}

func (p *printer) node(n *node) {
	switch n.op {
	case opRow, opConstant, opVariable:
		if p.again(n) {
			break
		}
		r := p.take(n)
		switch {
		case !p.k.doubles:
			p.load(p.place(n), r)
		case n.op == opConstant:
			p.zero(r)
		default:
			p.widen(p.row(n.where), r)
		}
		p.defined(n, r)
	case opBody: // by its gather
	case opGather:
		p.gather(n)
	case opGive:
		p.store(p.register(n.args[0]), address{base: inConstants, offset: n.where.offset + 8*p.lanes()*p.part})
	case opHalves:
		p.halves(p.register(n.args[0]), p.take(nil), p.take(nil), p.row(n.where), p.row(n.also))
	case opSqrt:
		x := p.operand(n.args[0])
		r := p.define(n)
		p.sqrt(x, r)
		p.defined(n, r)
	case opPick:
		p.printPick(n)
	case opStore, opSet:
		if r := p.register(n.args[0]); p.k.doubles {
			p.narrow(r, p.take(nil), p.row(n.where))
		} else {
			p.store(r, p.place(n))
		}
	case opBits:
		p.bits(p.register(n.args[0]), p.temporary(), at(n.where), p.part, n.adds)
	case opIf:
		p.testWord(at(n.where))
		p.skip()
		p.begin()
	case opWhen:
		p.testMask(p.register(n.args[0]), p.temporary())
		p.free()
		p.skip()
		p.begin()
	case opEnd:
		p.end()
		p.unskip()
	case opSetBody, opSetPart:
		p.scatter(n)
	default:
		p.binary(n)
	}
}

func (p *printer) binary(n *node) {
	x, y := n.args[0], n.args[1]
	if commutes := n.op == opAdd || n.op == opMul || n.op == opAnd || n.op == opOr; commutes && p.find(x) < 0 &&
		p.find(y) >= 0 {
		x, y = y, x
	}
	first := p.register(x)
	second := p.operand(y)
	var r int
	if (n.op == opMin || n.op == opMax) && !p.traits().folds {
		r = p.take(n) // two instructions, which read both operands
	} else {
		r = p.define(n)
	}
	p.three(n.op, first, second, r)
	p.defined(n, r)
}

// printPick prints a pick; where an instruction overwrites the mask, into its register or a copy.
func (p *printer) printPick(n *node) {
	mask, no := p.register(n.args[0]), p.register(n.args[2])
	yes := p.operand(n.args[1])
	r := mask
	switch {
	case p.traits().folds:
		r = p.define(n)
	case p.dies(n.args[0]):
		p.in[r] = n
	default:
		r = p.take(n)
	}
	p.pick(mask, yes, no, r)
	p.defined(n, r)
}

// recordOf returns the address of n's part of a lane's record: a body, a motion, or the record to which an input
// points. The address is loaded as number i of the record addresses.
func (p *printer) recordOf(n *node, lane, i int) address {
	lane += p.lanes() * p.part
	if p.k.block == bodyBlock {
		return at(place{rare: n.where.rare, offset: p.k.layout.size("body")*lane + 16*n.part}) // a rareBody is as large
	}
	a, size, step := address{base: inBlock, offset: n.where.offset}, 4, 16
	if p.k.doubles {
		a.base, step = inConstants, 32
	}
	if n.pointer {
		size = 8
	}
	a.offset += size * lane
	a = p.record(a, n.pointer, i%4)
	a.offset = step * n.part
	return a
}

// gather loads a part of a record of each lane, and turns the lanes' four numbers into four rows. A register has two
// lanes' halves of 16 bytes if it has 32.
func (p *printer) gather(n *node) {
	out := p.components(n)
	rows, pieces := [4]int{}, 1 // of 16 bytes
	if p.k.doubles {
		pieces = 2
	}
	count := 4 / pieces
	for i := range count {
		lanes := []address{p.recordOf(n, i, 2*i)}
		if p.traits().bytes == 32 {
			lanes = append(lanes, p.recordOf(n, i+count, 2*i+1))
		}
		for piece := range pieces {
			if pieces == 2 && out[2*piece] == nil && out[2*piece+1] == nil {
				continue
			}
			r := p.take(nil)
			rows[piece*2+i] = r
			for half, a := range lanes {
				if a.offset += 16 * piece; half == 0 {
					p.loadLow(a, r)
				} else {
					p.insert(a, r)
				}
			}
		}
	}
	pairs := rows
	if pieces == 1 {
		pairs = p.pairs(rows)
		for _, r := range rows {
			p.locked[r] = false
		}
	}
	for i, m := range out {
		if m != nil {
			r := p.take(m)
			p.column(pairs, i, r)
			p.defined(m, r)
		}
	}
}

// scatter stores a part of a body of each lane.
func (p *printer) scatter(n *node) {
	var rows [4]int
	for i := range rows {
		rows[i] = p.register(n.args[i])
	}
	pairs, t := p.pairs(rows), p.take(nil)
	for i := range 4 {
		p.column(pairs, i, t)
		p.storeLow(t, p.recordOf(n, i, 2*i))
		if p.traits().bytes == 32 {
			p.storeHigh(t, p.recordOf(n, i+4, 2*i+1))
		}
	}
}

// pairs begins to transpose rows of four numbers in each 16 bytes: it interleaves two rows each.
func (p *printer) pairs(rows [4]int) (pairs [4]int) {
	for i := range pairs {
		pairs[i] = p.take(nil)
		p.three([]operation{opLow32, opHigh32}[i/2], rows[i%2*2], operand{r: rows[i%2*2+1]}, pairs[i])
	}
	return pairs
}

// column ends it: it sets a register to column i.
func (p *printer) column(pairs [4]int, i, to int) {
	p.three([]operation{opLow64, opHigh64}[i%2], pairs[i/2*2], operand{r: pairs[i/2*2+1]}, to)
}
