package main

import "fmt"

// neon prints NEON instructions. Go's assembler has no mnemonics for most instructions on vectors of floating-point
// numbers: they are words, with the mnemonic in a comment.
type neon struct {
	text
	flag string // the register that a skip reads
}

// vectorOp is an instruction on vectors: its word for registers 0, and its mnemonic.
type vectorOp struct {
	word uint32
	name string
}

// neonOps are instructions on three registers, of four float32 and of two float64, or of bits.
var neonOps = map[operation][2]vectorOp{
	opAdd:     {{0x4e20d400, "fadd.4s"}, {0x4e60d400, "fadd.2d"}},
	opSub:     {{0x4ea0d400, "fsub.4s"}, {0x4ee0d400, "fsub.2d"}},
	opMul:     {{0x6e20dc00, "fmul.4s"}, {0x6e60dc00, "fmul.2d"}},
	opDiv:     {{0x6e20fc00, "fdiv.4s"}},
	opGreater: {{0x6ea0e400, "fcmgt.4s"}},
	opAtLeast: {{0x6e20e400, "fcmge.4s"}},
	opAnd:     {{0x4e201c00, "and"}},
	opOr:      {or},
	opLow32:   {{0x4e803800, "zip1.4s"}},
	opHigh32:  {{0x4e807800, "zip2.4s"}},
	opLow64:   {{0x4ec03800, "zip1.2d"}, {0x4ec03800, "zip1.2d"}},
	opHigh64:  {{0x4ec07800, "zip2.2d"}, {0x4ec07800, "zip2.2d"}},
}

var (
	and   = vectorOp{0x4e201c00, "and"}
	or    = vectorOp{0x4ea01c00, "orr"}
	eor   = vectorOp{0x6e201c00, "eor"}
	bsl   = vectorOp{0x6e601c00, "bsl"} // to: where its bits are set the first, elsewhere the second
	fcmgt = vectorOp{0x6ea0e400, "fcmgt.4s"}
	uzp1  = vectorOp{0x4e801800, "uzp1.4s"}
	uzp2  = vectorOp{0x4e805800, "uzp2.4s"}
	// on two registers
	fsqrt = vectorOp{0x6ea1f800, "fsqrt.4s"}
	fcvtl = vectorOp{0x0e617800, "fcvtl.2d"} // two float32 to float64
	fcvtn = vectorOp{0x0e616800, "fcvtn.2s"} // and back
	umaxv = vectorOp{0x6eb0a800, "umaxv.4s"}
	addv  = vectorOp{0x4eb1b800, "addv.4s"}
)

// printNEON returns the assembly of the kernels.
func printNEON(kernels []*kernel) ([]byte, error) {
	out := []byte(header + "\n//go:build arm64\n\n#include \"textflag.h\"\n")
	for _, k := range kernels {
		m := &neon{text: text{
			k: k, suffix: "NEON", move: "MOVD", add: "ADD ", left: "R4",
			names: map[base]string{
				inBlock: "R1", inRare: "R2", inConstants: "R3", onStack: "R5", inBodies: "R0", inRecord: "R6",
			},
		}}
		printKernel(k, m)
		out = append(out, m.Bytes()...)
	}
	return out, nil
}

func (m *neon) traits() traits { return traits{registers: 32, bytes: 16} }

func (m *neon) head(k *kernel, slots int) {
	m.Reset()
	m.labels = 0
	m.open(k, "0, ", 16*slots)
	if slots > 0 {
		m.line("MOVD $slots-%d(SP), R5", 16*slots)
	}
	m.line("CBZ  R4, done\n\nnext:")
}

func (m *neon) tail(k *kernel) {
	m.next(k)
	m.line("SUB  $1, R4")
	m.line("CBNZ R4, next\n\ndone:")
	m.line("RET")
}

func (m *neon) at(a address) string { return fmt.Sprintf("%d(%s)", a.offset, m.names[a.base]) }

// on3 prints an instruction on three registers.
func (m *neon) on3(op vectorOp, first, second, to int) {
	m.line("WORD $%#08x // %s v%d, v%d, v%d", op.word|uint32(second<<16|first<<5|to), op.name, to, first, second)
}

// on2 prints an instruction on two registers.
func (m *neon) on2(op vectorOp, from, to int) {
	m.line("WORD $%#08x // %s v%d, v%d", op.word|uint32(from<<5|to), op.name, to, from)
}

func (m *neon) load(a address, r int)     { m.line("FMOVQ %s, F%d", m.at(a), r) }
func (m *neon) store(r int, a address)    { m.line("FMOVQ F%d, %s", r, m.at(a)) }
func (m *neon) loadLow(a address, r int)  { m.load(a, r) }
func (m *neon) storeLow(r int, a address) { m.store(r, a) }
func (m *neon) insert(address, int)       {} // there are 16 bytes
func (m *neon) storeHigh(int, address)    {}
func (m *neon) zero(r int)                { m.on3(eor, r, r, r) }

func (m *neon) widen(a address, r int) {
	m.line("FMOVD %s, F%d", m.at(a), r)
	m.on2(fcvtl, r, r)
}

func (m *neon) narrow(r, t int, a address) {
	m.on2(fcvtn, r, t)
	m.line("FMOVD F%d, %s", t, m.at(a))
}

func (m *neon) halves(r, t, _ int, even, odd address) {
	for i, a := range []address{even, odd} {
		m.on3([]vectorOp{uzp1, uzp2}[i], r, r, t)
		m.line("FMOVD F%d, %s", t, m.at(a))
	}
}

func (m *neon) record(a address, pointer bool, _ int) address {
	if pointer {
		m.line("MOVD %s, R6", m.at(a))
	} else {
		m.line("MOVWU %s, R6", m.at(a))
		m.line("ADD R0, R6")
	}
	return address{base: inRecord}
}

func (m *neon) three(op operation, x int, y operand, r int) {
	switch op {
	case opLess: // the operands the other way round
		m.three(opGreater, y.r, operand{r: x}, r)
	case opAtMost:
		m.three(opAtLeast, y.r, operand{r: x}, r)
	case opMin: // not fmin and fmax, which treat NaN and zeros otherwise
		m.on3(fcmgt, y.r, x, r)
		m.on3(bsl, x, y.r, r)
	case opMax:
		m.on3(fcmgt, x, y.r, r)
		m.on3(bsl, x, y.r, r)
	default:
		ops := neonOps[op]
		if m.k.doubles {
			ops[0] = ops[1]
		}
		m.on3(ops[0], x, y.r, r)
	}
}

func (m *neon) sqrt(x operand, r int) { m.on2(fsqrt, x.r, r) }

func (m *neon) pick(mask int, yes operand, no, r int) {
	if r != mask {
		m.on3(or, mask, mask, r)
	}
	m.on3(bsl, yes.r, no, r)
}

// bits stores the bits of all parts so far, unless they are added to the number in the block.
func (m *neon) bits(r, t int, a address, part int, adds bool) {
	shift := 4 * part
	m.line("VMOVQ $%#016x, $%#016x, V%d", uint64(2<<32|1)<<shift, uint64(8<<32|4)<<shift, t)
	m.on3(and, r, t, t)
	m.on2(addv, t, t)
	m.line("FMOVS F%d, R7", t)
	if adds || part > 0 {
		m.line("MOVWU %s, R8", m.at(a))
		m.line("ORR R8, R7")
	}
	m.line("MOVW R7, %s", m.at(a))
}

func (m *neon) testWord(a address) {
	m.line("MOVWU %s, R8", m.at(a))
	m.flag = "R8"
}

func (m *neon) testMask(r, t int) {
	m.on2(umaxv, r, t)
	m.line("FMOVS F%d, R7", t)
	m.flag = "R7"
}

func (m *neon) skip() { m.skipTo("CBZ " + m.flag + ", %s") }
