package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// assembler prints a kernel as AVX2 instructions.
type assembler struct {
	*build.Context
	registers
	label   string // after the statements under a condition
	counter int
	half    int // of the block, in a kernel of doubles
}

var (
	wide = []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9,
		reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
	}
	narrow = []reg.VecPhysical{
		reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9,
		reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
	}
	bodies   = reg.RSI
	block    = reg.RDI // the present one
	beside   = reg.R12 // its rare rows
	constant = reg.RDX
	left     = reg.RCX
	stack    = reg.RBX
	offsets  = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11}
)

// printAVX2 returns the assembly of the kernels.
func printAVX2(kernels []*kernel) ([]byte, error) {
	ctx := build.NewContext()
	ctx.ConstraintExpr("amd64")
	for _, k := range kernels {
		slots := map[*node]int{}
		dry := newAssembler(build.NewContext(), k, slots)
		dry.dry = true
		dry.Function("dry")
		dry.body()
		newAssembler(ctx, k, slots).function()
	}
	file, err := ctx.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	return printer.NewGoAsm(printer.Config{Name: "internal/solve/gen", Pkg: "solve"}).Print(file)
}

func newAssembler(ctx *build.Context, k *kernel, slots map[*node]int) *assembler {
	a := &assembler{Context: ctx}
	a.registers = newRegisters(k, len(wide), slots,
		func(n *node, r int) { a.VMOVUPS(a.memory(n), wide[r]) },
		func(n *node, r int) { a.VMOVUPS(wide[r], a.memory(n)) })
	return a
}

func (a *assembler) function() {
	a.Function(a.k.name + "AVX2")
	if a.k.doubles {
		a.SignatureExpr("func(motions []byte, inputs []byte, blocks []byte, rare []byte)")
		a.Load(a.Param("motions").Base(), bodies)
		a.Load(a.Param("inputs").Base(), constant)
	} else {
		a.SignatureExpr("func(bodies []byte, blocks []byte, rare []byte, c *byte)")
		a.Load(a.Param("bodies").Base(), bodies)
		a.Load(a.Param("c"), constant)
	}
	a.Load(a.Param("blocks").Base(), block)
	hasRare := a.k.hasRare()
	if hasRare {
		a.Load(a.Param("rare").Base(), beside)
	}
	a.Load(a.Param("blocks").Len(), left)
	if n := len(a.slot) + a.k.variables; n > 0 {
		local := a.AllocLocal(32*n + 32)
		a.LEAQ(local.Offset(31), stack)
		a.ANDQ(operand.I8(-32), stack)
	}
	a.TESTQ(left, left)
	a.JZ(operand.LabelRef("done"))
	a.Label("next")
	a.body()
	if a.k.doubles {
		a.half = 1
		a.body()
		a.ADDQ(operand.I32(a.k.layout.size("input")), constant)
	}
	a.ADDQ(operand.I32(a.k.layout.size(a.k.block)), block)
	if hasRare {
		a.ADDQ(operand.I32(a.k.layout.size(a.k.beside())), beside)
	}
	a.DECQ(left)
	a.JNZ(operand.LabelRef("next"))
	a.Label("done")
	a.VZEROUPPER()
	a.RET()
}

func (a *assembler) body() {
	a.each(a.node)
}

// memory returns where n is in memory.
func (a *assembler) memory(n *node) operand.Mem {
	if a.again(n) {
		return a.place(n)
	}
	return operand.Mem{Base: stack, Disp: 32 * (a.slotOf(n) + a.k.variables)}
}

func (a *assembler) place(n *node) operand.Mem {
	switch n.op {
	case opConstant:
		return operand.Mem{Base: constant, Disp: n.where.offset}
	case opVariable, opSet:
		return operand.Mem{Base: stack, Disp: 32 * n.where.offset}
	}
	return a.at(n.where, 0)
}

// at returns the address of a place in the block or beside it, so many bytes on.
func (a *assembler) at(p place, on int) operand.Mem {
	if p.rare {
		return operand.Mem{Base: beside, Disp: p.offset + on}
	}
	return operand.Mem{Base: block, Disp: p.offset + on}
}

// operand returns n as the last operand of an instruction: memory, if it is not in a register.
func (a *assembler) operand(n *node) operand.Op {
	if r := a.find(n); r >= 0 {
		a.locked[r] = true
		return wide[r]
	}
	if n.nextUse(a.now+1) >= 0 && a.hasFree() {
		return wide[a.register(n)]
	}
	return a.memory(n)
}

func (a *assembler) node(n *node) {
	switch n.op {
	case opRow, opConstant, opVariable:
		if !a.again(n) {
			r := a.take(n)
			switch {
			case !a.k.doubles:
				a.VMOVUPS(a.place(n), wide[r])
			case n.op == opConstant:
				a.VXORPS(wide[r], wide[r], wide[r])
			default:
				a.VCVTPS2PD(a.at(n.where, 16*a.half), wide[r])
			}
			a.defined(n, r)
		}
	case opBody: // by its gather
	case opGather:
		if a.k.doubles {
			a.read(n)
		} else {
			a.gather(n)
		}
	case opGive:
		a.VMOVUPS(wide[a.register(n.args[0])], operand.Mem{Base: constant, Disp: n.where.offset + 32*a.half})
	case opHalves:
		r := a.register(n.args[0])
		high, out := a.take(nil), a.take(nil)
		a.VEXTRACTF128(operand.U8(1), wide[r], narrow[high])
		for i, to := range []place{n.where, n.also} {
			a.VSHUFPS(operand.U8([]uint8{0x88, 0xdd}[i]), narrow[high], narrow[r], narrow[out])
			a.VMOVUPS(narrow[out], a.at(to, 16*a.half))
		}
	case opAdd, opSub, opMul, opDiv, opMin, opMax, opLess, opAtMost, opGreater, opAtLeast, opAnd, opOr:
		a.binary(n)
	case opSqrt:
		from := a.operand(n.args[0])
		r := a.define(n)
		a.VSQRTPS(from, wide[r])
		a.defined(n, r)
	case opPick:
		mask, no := a.register(n.args[0]), a.register(n.args[2])
		yes := a.operand(n.args[1])
		r := a.define(n)
		a.VBLENDVPS(wide[mask], yes, wide[no], wide[r])
		a.defined(n, r)
	case opStore, opSet:
		r := a.register(n.args[0])
		if a.k.doubles {
			out := a.take(nil)
			a.VCVTPD2PSY(wide[r], narrow[out])
			a.VMOVUPS(narrow[out], a.at(n.where, 16*a.half))
			break
		}
		a.VMOVUPS(wide[r], a.place(n))
	case opBits:
		r := a.register(n.args[0])
		a.VMOVMSKPS(wide[r], reg.EAX)
		m := a.at(n.where, 0)
		if n.adds {
			a.ORL(reg.EAX, m)
		} else {
			a.MOVL(reg.EAX, m)
		}
	case opIf:
		a.CMPL(a.at(n.where, 0), operand.I8(0))
		a.enter()
	case opWhen:
		r := a.register(n.args[0])
		a.VMOVMSKPS(wide[r], reg.EAX)
		a.TESTL(reg.EAX, reg.EAX)
		a.free()
		a.enter()
	case opEnd:
		a.leave()
	case opSetBody, opSetPart:
		a.scatter(n)
	}
}

func (a *assembler) enter() {
	a.counter++
	a.label = fmt.Sprint("skip", a.counter)
	a.JZ(operand.LabelRef(a.label))
	a.begin()
}

func (a *assembler) leave() {
	a.end()
	a.Label(a.label)
}

var predicates = map[operation]uint8{opLess: 0x11, opAtMost: 0x12, opAtLeast: 0x1d, opGreater: 0x1e} // ordered, quiet

func (a *assembler) binary(n *node) {
	x, y := n.args[0], n.args[1]
	commutes := n.op == opAdd || n.op == opMul || n.op == opAnd || n.op == opOr
	if commutes && a.find(x) < 0 && a.find(y) >= 0 {
		x, y = y, x
	}
	first := wide[a.register(x)]
	second := a.operand(y)
	r := a.define(n)
	to := wide[r]
	switch n.op {
	case opAdd:
		if a.k.doubles {
			a.VADDPD(second, first, to)
		} else {
			a.VADDPS(second, first, to)
		}
	case opSub:
		if a.k.doubles {
			a.VSUBPD(second, first, to)
		} else {
			a.VSUBPS(second, first, to)
		}
	case opMul:
		if a.k.doubles {
			a.VMULPD(second, first, to)
		} else {
			a.VMULPS(second, first, to)
		}
	case opDiv:
		a.VDIVPS(second, first, to)
	case opMin:
		a.VMINPS(second, first, to)
	case opMax:
		a.VMAXPS(second, first, to)
	case opAnd:
		a.VANDPS(second, first, to)
	case opOr:
		a.VORPS(second, first, to)
	default:
		a.VCMPPS(operand.U8(predicates[n.op]), second, first, to)
	}
	a.defined(n, r)
}

// address returns the address of n's part of a lane's body, whose offset it loads if it is not in the block.
func (a *assembler) address(n *node, lane int) operand.Mem {
	if a.k.block == bodyBlock {
		return a.at(place{rare: n.where.rare}, a.k.layout.size("body")*lane+16*n.part) // a rareBody is as large
	}
	r := offsets[lane%len(offsets)]
	a.MOVL(operand.Mem{Base: block, Disp: n.where.offset + 4*lane}, r.(reg.GP).As32())
	return operand.Mem{Base: bodies, Index: r, Scale: 1, Disp: 16 * n.part}
}

// gather loads a part of a body of each lane, and turns eight times four numbers into four rows.
func (a *assembler) gather(n *node) {
	var rows, pairs [4]int
	for i := range rows {
		rows[i] = a.take(nil)
		low := a.address(n, i)
		a.VMOVUPS(low, narrow[rows[i]])
		high := a.address(n, i+4)
		a.VINSERTF128(operand.U8(1), high, wide[rows[i]], wide[rows[i]])
	}
	for i := range pairs {
		pairs[i] = a.take(nil)
	}
	a.pair(rows, pairs)
	for i, m := range a.components(n) {
		if m != nil {
			a.column(pairs, i, rows[i])
			a.in[rows[i]] = m
			a.defined(m, rows[i])
		}
	}
}

// pair begins to transpose rows of four numbers in each half of a register: it interleaves two rows each.
func (a *assembler) pair(rows, pairs [4]int) {
	a.VUNPCKLPS(wide[rows[1]], wide[rows[0]], wide[pairs[0]])
	a.VUNPCKLPS(wide[rows[3]], wide[rows[2]], wide[pairs[1]])
	a.VUNPCKHPS(wide[rows[1]], wide[rows[0]], wide[pairs[2]])
	a.VUNPCKHPS(wide[rows[3]], wide[rows[2]], wide[pairs[3]])
}

// column ends it: it sets a register to column i.
func (a *assembler) column(pairs [4]int, i, to int) {
	x, y := wide[pairs[i/2*2]], wide[pairs[i/2*2+1]]
	if i%2 == 0 {
		a.VUNPCKLPD(y, x, wide[to])
	} else {
		a.VUNPCKHPD(y, x, wide[to])
	}
}

// read loads a part of a record of each lane of half a block, and turns four times four numbers into four rows.
func (a *assembler) read(n *node) {
	var rows, pairs [4]int
	for i := range rows {
		rows[i] = a.take(nil)
		r, lane := offsets[i], i+4*a.half
		from := operand.Mem{Base: r, Disp: 32 * n.part}
		if n.pointer {
			a.MOVQ(operand.Mem{Base: constant, Disp: n.where.offset + 8*lane}, r)
		} else {
			a.MOVL(operand.Mem{Base: constant, Disp: n.where.offset + 4*lane}, r.(reg.GP).As32())
			from = operand.Mem{Base: bodies, Index: r, Scale: 1, Disp: 32 * n.part}
		}
		a.VMOVUPS(from, wide[rows[i]])
	}
	for i := range pairs {
		pairs[i] = a.take(nil)
	}
	r, p := rows, pairs
	a.VUNPCKLPD(wide[r[1]], wide[r[0]], wide[p[0]])
	a.VUNPCKHPD(wide[r[1]], wide[r[0]], wide[p[1]])
	a.VUNPCKLPD(wide[r[3]], wide[r[2]], wide[p[2]])
	a.VUNPCKHPD(wide[r[3]], wide[r[2]], wide[p[3]])
	for i, m := range a.components(n) {
		if m != nil {
			a.VPERM2F128(operand.U8([]uint8{0x20, 0x31}[i/2]), wide[p[2+i%2]], wide[p[i%2]], wide[r[i]])
			a.in[r[i]] = m
			a.defined(m, r[i])
		}
	}
}

// scatter stores a part of a body of each lane.
func (a *assembler) scatter(n *node) {
	var rows, pairs [4]int
	for i := range rows {
		rows[i] = a.register(n.args[i])
	}
	for i := range pairs {
		pairs[i] = a.take(nil)
	}
	a.pair(rows, pairs)
	t := a.take(nil)
	for i := range 4 {
		a.column(pairs, i, t)
		low := a.address(n, i)
		a.VMOVUPS(narrow[t], low)
		high := a.address(n, i+4)
		a.VEXTRACTF128(operand.U8(1), wide[t], high)
	}
}
