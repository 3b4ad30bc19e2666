package main

import "fmt"

// avx2 prints AVX2 instructions.
type avx2 struct{ text }

// avx2Names are the instructions on three registers. Those on numbers end in the kind of number.
var avx2Names = map[operation]string{
	opAdd: "VADDP", opSub: "VSUBP", opMul: "VMULP", opDiv: "VDIVP", opMin: "VMINP", opMax: "VMAXP", opAnd: "VANDP",
	opOr: "VORP", opLess: "VCMPP", opAtMost: "VCMPP", opAtLeast: "VCMPP", opGreater: "VCMPP",
	opLow32: "VUNPCKLPS", opHigh32: "VUNPCKHPS", opLow64: "VUNPCKLPD", opHigh64: "VUNPCKHPD",
}

// predicates of comparisons: ordered, quiet.
var predicates = map[operation]string{
	opLess: "$0x11, ", opAtMost: "$0x12, ", opAtLeast: "$0x1d, ", opGreater: "$0x1e, ",
}

// printAVX2 returns the assembly of the kernels.
func printAVX2(kernels []*kernel) ([]byte, error) {
	out := []byte(header + "\n//go:build amd64\n")
	for _, k := range kernels {
		m := &avx2{text{
			k: k, suffix: "AVX2", move: "MOVQ", add: "ADDQ", left: "CX",
			names: map[base]string{inBlock: "DI", inRare: "R12", inConstants: "DX", onStack: "BX", inBodies: "SI"},
		}}
		printKernel(k, m)
		out = append(out, m.Bytes()...)
	}
	return out, nil
}

func (m *avx2) traits() traits { return traits{registers: 16, bytes: 32, folds: true} }

func (m *avx2) head(k *kernel, slots int) {
	m.Reset()
	m.labels = 0
	frame := 0
	if slots > 0 {
		frame = 32*slots + 32
	}
	m.open(k, "", frame)
	if slots > 0 {
		m.line("LEAQ 31(SP), BX")
		m.line("ANDQ $-32, BX")
	}
	m.line("TESTQ CX, CX")
	m.line("JZ done\n\nnext:")
}

func (m *avx2) tail(k *kernel) {
	m.next(k)
	m.line("DECQ CX")
	m.line("JNZ next\n\ndone:")
	m.line("VZEROUPPER")
	m.line("RET")
}

func (m *avx2) at(a address) string {
	switch a.base {
	case inBodies:
		return fmt.Sprintf("%d(SI)(R%d*1)", a.offset, 8+a.i)
	case inRecord:
		return fmt.Sprintf("%d(R%d)", a.offset, 8+a.i)
	}
	return fmt.Sprintf("%d(%s)", a.offset, m.names[a.base])
}

func (m *avx2) of(x operand) string {
	if x.in {
		return m.at(x.at)
	}
	return fmt.Sprint("Y", x.r)
}

func (m *avx2) load(a address, r int)      { m.line("VMOVUPS %s, Y%d", m.at(a), r) }
func (m *avx2) store(r int, a address)     { m.line("VMOVUPS Y%d, %s", r, m.at(a)) }
func (m *avx2) loadLow(a address, r int)   { m.line("VMOVUPS %s, X%d", m.at(a), r) }
func (m *avx2) insert(a address, r int)    { m.line("VINSERTF128 $1, %s, Y%d, Y%d", m.at(a), r, r) }
func (m *avx2) storeLow(r int, a address)  { m.line("VMOVUPS X%d, %s", r, m.at(a)) }
func (m *avx2) storeHigh(r int, a address) { m.line("VEXTRACTF128 $1, Y%d, %s", r, m.at(a)) }
func (m *avx2) widen(a address, r int)     { m.line("VCVTPS2PD %s, Y%d", m.at(a), r) }
func (m *avx2) zero(r int)                 { m.line("VXORPS Y%d, Y%d, Y%d", r, r, r) }

func (m *avx2) narrow(r, t int, a address) {
	m.line("VCVTPD2PSY Y%d, X%d", r, t)
	m.storeLow(t, a)
}

func (m *avx2) halves(r, t, u int, even, odd address) {
	m.line("VEXTRACTF128 $1, Y%d, X%d", r, t)
	for i, a := range []address{even, odd} {
		m.line("VSHUFPS $%d, X%d, X%d, X%d", []int{0x88, 0xdd}[i], t, r, u)
		m.storeLow(u, a)
	}
}

func (m *avx2) record(a address, pointer bool, i int) address {
	if pointer {
		m.line("MOVQ %s, R%d", m.at(a), 8+i)
		return address{base: inRecord, i: i}
	}
	m.line("MOVL %s, R%d", m.at(a), 8+i)
	return address{base: inBodies, i: i}
}

func (m *avx2) three(op operation, x int, y operand, r int) {
	name := avx2Names[op]
	switch {
	case op >= opLow32:
	case m.k.doubles:
		name += "D"
	default:
		name += "S"
	}
	m.line("%s %s%s, Y%d, Y%d", name, predicates[op], m.of(y), x, r)
}

func (m *avx2) sqrt(x operand, r int) { m.line("VSQRTPS %s, Y%d", m.of(x), r) }

func (m *avx2) pick(mask int, yes operand, no, r int) {
	m.line("VBLENDVPS Y%d, %s, Y%d, Y%d", mask, m.of(yes), no, r)
}

func (m *avx2) bits(r, _ int, a address, _ int, adds bool) {
	m.line("VMOVMSKPS Y%d, AX", r)
	if adds {
		m.line("ORL AX, %s", m.at(a))
	} else {
		m.line("MOVL AX, %s", m.at(a))
	}
}

func (m *avx2) testWord(a address) { m.line("CMPL %s, $0", m.at(a)) }

func (m *avx2) testMask(r, _ int) {
	m.line("VMOVMSKPS Y%d, AX", r)
	m.line("TESTL AX, AX")
}

func (m *avx2) skip() { m.skipTo("JZ %s") }
