package main

import (
	"bytes"
	"fmt"
	"text/template"
)

// neon prints a kernel as NEON instructions. A register has four float32 or two float64, so the nodes are printed once
// for each part of a block: two in a kernel of float32, four in one of float64.
//
// Go's assembler has no mnemonics for most instructions on vectors of floating-point numbers: they are words, with the
// mnemonic in a comment.
type neon struct {
	registers
	out   bytes.Buffer
	part  int // of the block
	label string
	count int // of labels
}

// Registers of addresses.
const (
	neonBodies   = "R0" // or the motions, in a kernel of doubles
	neonBlock    = "R1"
	neonBeside   = "R2"
	neonConstant = "R3" // or the present input
	neonLeft     = "R4"
	neonStack    = "R5"
	neonOffset   = "R6" // of a lane's record; then its address
	neonBits     = "R7"
	neonNumber   = "R8"
)

// vectorOp is an instruction on vectors: its word for registers 0, and its mnemonic.
type vectorOp struct {
	word uint32
	name string
}

// Instructions on three registers, of four float32 and of two float64, or of bits.
var (
	fadd  = [2]vectorOp{{0x4e20d400, "fadd.4s"}, {0x4e60d400, "fadd.2d"}}
	fsub  = [2]vectorOp{{0x4ea0d400, "fsub.4s"}, {0x4ee0d400, "fsub.2d"}}
	fmul  = [2]vectorOp{{0x6e20dc00, "fmul.4s"}, {0x6e60dc00, "fmul.2d"}}
	zip1  = [2]vectorOp{{0x4e803800, "zip1.4s"}, {0x4ec03800, "zip1.2d"}}
	zip2  = [2]vectorOp{{0x4e807800, "zip2.4s"}, {0x4ec07800, "zip2.2d"}}
	fdiv  = vectorOp{0x6e20fc00, "fdiv.4s"}
	fcmgt = vectorOp{0x6ea0e400, "fcmgt.4s"}
	fcmge = vectorOp{0x6e20e400, "fcmge.4s"}
	and   = vectorOp{0x4e201c00, "and"}
	orr   = vectorOp{0x4ea01c00, "orr"}
	eor   = vectorOp{0x6e201c00, "eor"}
	bsl   = vectorOp{0x6e601c00, "bsl"} // to: where its bits are set the first, elsewhere the second
	bit   = vectorOp{0x6ea01c00, "bit"} // the first, where the bits of the second are set
	bif   = vectorOp{0x6ee01c00, "bif"} // the first, where they are not
	uzp1  = vectorOp{0x4e801800, "uzp1.4s"}
	uzp2  = vectorOp{0x4e805800, "uzp2.4s"}
)

// Instructions on two registers.
var (
	fsqrt = vectorOp{0x6ea1f800, "fsqrt.4s"}
	fcvtl = vectorOp{0x0e617800, "fcvtl.2d"} // two float32 to float64
	fcvtn = vectorOp{0x0e616800, "fcvtn.2s"} // and back
	umaxv = vectorOp{0x6eb0a800, "umaxv.4s"}
	addv  = vectorOp{0x4eb1b800, "addv.4s"}
)

var neonFrame = template.Must(template.New("").Parse(`
// func {{.Name}}NEON({{.Records}} []byte, {{if .Doubles}}inputs []byte, blocks []byte, rare []byte{{else}}blocks []byte, rare []byte, c *byte{{end}})
TEXT ·{{.Name}}NEON(SB), 0, ${{.Frame}}-{{.Arguments}}
	MOVD {{.Records}}_base+0(FP), R0
{{- if .Doubles}}
	MOVD inputs_base+24(FP), R3
	MOVD blocks_base+48(FP), R1
	MOVD blocks_len+56(FP), R4
{{- if .Rare}}
	MOVD rare_base+72(FP), R2
{{- end}}
{{- else}}
	MOVD c+72(FP), R3
	MOVD blocks_base+24(FP), R1
	MOVD blocks_len+32(FP), R4
{{- if .Rare}}
	MOVD rare_base+48(FP), R2
{{- end}}
{{- end}}
{{- if .Frame}}
	MOVD $slots-{{.Frame}}(SP), R5
{{- end}}
	CBZ  R4, done

next:
{{.Body}}
	ADD  ${{.BlockSize}}, R1
{{- if .Rare}}
	ADD  ${{.RareSize}}, R2
{{- end}}
{{- if .Doubles}}
	ADD  ${{.InputSize}}, R3
{{- end}}
	SUB  $1, R4
	CBNZ R4, next

done:
	RET
`))

// printNEON returns the assembly of the kernels.
func printNEON(kernels []*kernel) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(header + "\n//go:build arm64\n\n#include \"textflag.h\"\n")
	for _, k := range kernels {
		slots := map[*node]int{}
		dry := newNEON(k, slots)
		dry.dry = true
		dry.each(dry.node)
		p := newNEON(k, slots)
		parts, arguments, records := 2, 80, "bodies"
		if k.doubles {
			parts, arguments, records = 4, 96, "motions"
		}
		for p.part = range parts {
			p.each(p.node)
		}
		err := neonFrame.Execute(&out, map[string]any{
			"Name": k.name, "Doubles": k.doubles, "Rare": k.hasRare(), "Records": records, "Body": p.out.String(),
			"Frame": 16 * (len(slots) + k.variables), "Arguments": arguments,
			"BlockSize": k.layout.size(k.block), "RareSize": k.layout.size(k.beside()),
			"InputSize": k.layout.size("input"),
		})
		if err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func newNEON(k *kernel, slots map[*node]int) *neon {
	p := &neon{}
	p.registers = newRegisters(k, 32, slots,
		func(n *node, r int) { p.line("FMOVQ %s, F%d", p.memory(n), r) },
		func(n *node, r int) { p.line("FMOVQ F%d, %s", r, p.memory(n)) })
	return p
}

func (p *neon) line(form string, args ...any) { fmt.Fprintf(&p.out, "\t"+form+"\n", args...) }

// three prints an instruction on three registers.
func (p *neon) three(op vectorOp, first, second, to int) {
	p.line("WORD $%#08x // %s v%d, v%d, v%d", op.word|uint32(second<<16|first<<5|to), op.name, to, first, second)
}

// two prints an instruction on two registers.
func (p *neon) two(op vectorOp, from, to int) {
	p.line("WORD $%#08x // %s v%d, v%d", op.word|uint32(from<<5|to), op.name, to, from)
}

// of returns the instruction of two for the numbers of the kernel.
func (p *neon) of(ops [2]vectorOp) vectorOp {
	if p.k.doubles {
		return ops[1]
	}
	return ops[0]
}

// memory returns where n is in memory.
func (p *neon) memory(n *node) string {
	if p.again(n) {
		return p.place(n)
	}
	return fmt.Sprintf("%d(%s)", 16*(p.slotOf(n)+p.k.variables), neonStack)
}

func (p *neon) place(n *node) string {
	switch n.op {
	case opConstant:
		return fmt.Sprintf("%d(%s)", n.where.offset, neonConstant) // all lanes are the same
	case opVariable, opSet:
		return fmt.Sprintf("%d(%s)", 16*n.where.offset, neonStack)
	}
	return p.row(n.where)
}

// row returns the address of this part of a row.
func (p *neon) row(of place) string {
	if p.k.doubles {
		return p.at(of, 8*p.part)
	}
	return p.at(of, 16*p.part)
}

// at returns the address of a place in the block or beside it, so many bytes on.
func (p *neon) at(of place, on int) string {
	if of.rare {
		return fmt.Sprintf("%d(%s)", of.offset+on, neonBeside)
	}
	return fmt.Sprintf("%d(%s)", of.offset+on, neonBlock)
}

func (p *neon) node(n *node) {
	switch n.op {
	case opRow, opConstant, opVariable:
		p.read(n)
	case opBody: // by its gather
	case opGather:
		if p.k.doubles {
			p.gatherDoubles(n)
		} else {
			p.gather(n)
		}
	case opGive:
		p.line("FMOVQ F%d, %d(%s)", p.register(n.args[0]), n.where.offset+16*p.part, neonConstant)
	case opHalves:
		r, out := p.register(n.args[0]), p.take(nil)
		for i, to := range []place{n.where, n.also} {
			p.three([]vectorOp{uzp1, uzp2}[i], r, r, out)
			p.line("FMOVD F%d, %s", out, p.row(to))
		}
	case opAdd:
		p.binary(n, p.of(fadd))
	case opSub:
		p.binary(n, p.of(fsub))
	case opMul:
		p.binary(n, p.of(fmul))
	case opDiv:
		p.binary(n, fdiv)
	case opGreater:
		p.binary(n, fcmgt)
	case opAtLeast:
		p.binary(n, fcmge)
	case opAnd:
		p.binary(n, and)
	case opOr:
		p.binary(n, orr)
	case opLess, opAtMost: // the operands the other way round
		op := fcmgt
		if n.op == opAtMost {
			op = fcmge
		}
		x, y := p.register(n.args[0]), p.register(n.args[1])
		r := p.define(n)
		p.three(op, y, x, r)
		p.defined(n, r)
	case opMin, opMax: // not fmin and fmax, which treat NaN and zeros otherwise
		x, y, r := p.register(n.args[0]), p.register(n.args[1]), p.take(n)
		if n.op == opMin {
			p.three(fcmgt, y, x, r)
		} else {
			p.three(fcmgt, x, y, r)
		}
		p.three(bsl, x, y, r)
		p.defined(n, r)
	case opSqrt:
		x := p.register(n.args[0])
		r := p.define(n)
		p.two(fsqrt, x, r)
		p.defined(n, r)
	case opPick:
		p.pick(n)
	case opStore, opSet:
		r := p.register(n.args[0])
		if p.k.doubles {
			out := p.take(nil)
			p.two(fcvtn, r, out)
			p.line("FMOVD F%d, %s", out, p.row(n.where))
			break
		}
		p.line("FMOVQ F%d, %s", r, p.place(n))
	case opBits:
		p.bits(n)
	case opIf:
		p.line("MOVWU %s, %s", p.at(n.where, 0), neonNumber)
		p.enter(neonNumber)
	case opWhen:
		r, most := p.register(n.args[0]), p.take(nil)
		p.two(umaxv, r, most)
		p.line("FMOVS F%d, %s", most, neonBits)
		p.free()
		p.enter(neonBits)
	case opEnd:
		p.end()
		fmt.Fprintf(&p.out, "\n%s:\n", p.label)
	case opSetBody, opSetPart:
		p.scatter(n)
	}
}

// read loads a row, a constant or a variable, unless it is read where it is used.
func (p *neon) read(n *node) {
	if p.again(n) {
		return
	}
	r := p.take(n)
	switch {
	case !p.k.doubles:
		p.line("FMOVQ %s, F%d", p.place(n), r)
	case n.op == opConstant:
		p.three(eor, r, r, r)
	default:
		p.line("FMOVD %s, F%d", p.row(n.where), r)
		p.two(fcvtl, r, r)
	}
	p.defined(n, r)
}

func (p *neon) binary(n *node, op vectorOp) {
	x, y := p.register(n.args[0]), p.register(n.args[1])
	r := p.define(n)
	p.three(op, x, y, r)
	p.defined(n, r)
}

// pick overwrites an operand that is not used any more, or a copy of the mask.
func (p *neon) pick(n *node) {
	mask, yes, no := p.register(n.args[0]), p.register(n.args[1]), p.register(n.args[2])
	into := func(r int) { p.in[r] = n }
	r := -1
	switch {
	case p.dies(n.args[0]):
		r = mask
		p.three(bsl, yes, no, r)
		into(r)
	case p.dies(n.args[1]):
		r = yes
		p.three(bif, no, mask, r)
		into(r)
	case p.dies(n.args[2]):
		r = no
		p.three(bit, yes, mask, r)
		into(r)
	default:
		r = p.take(n)
		p.three(orr, mask, mask, r)
		p.three(bsl, yes, no, r)
	}
	p.defined(n, r)
}

// bits stores the lanes of a mask as bits of a number of the block. The first part of the block stores the number
// again, unless the bits are added to it.
func (p *neon) bits(n *node) {
	r, of := p.register(n.args[0]), p.take(nil)
	at := 4 * p.part
	p.line("VMOVQ $%#016x, $%#016x, V%d", uint64(2<<32|1)<<at, uint64(8<<32|4)<<at, of)
	p.three(and, r, of, of)
	p.two(addv, of, of)
	p.line("FMOVS F%d, %s", of, neonBits)
	if n.adds || p.part > 0 {
		p.line("MOVWU %s, %s", p.at(n.where, 0), neonNumber)
		p.line("ORR %s, %s", neonNumber, neonBits)
	}
	p.line("MOVW %s, %s", neonBits, p.at(n.where, 0))
}

// enter begins statements that are skipped if the register is 0.
func (p *neon) enter(register string) {
	p.count++
	p.label = fmt.Sprint("skip", p.count)
	p.line("CBZ %s, %s", register, p.label)
	p.begin()
}

// address returns the address of n's part of a lane's body. If the body is not in the block, it prints the instructions
// that load its offset and add it to the address of the bodies.
func (p *neon) address(n *node, lane int) string {
	lane += 4 * p.part
	if p.k.block == bodyBlock {
		return p.at(place{rare: n.where.rare}, p.k.layout.size("body")*lane+16*n.part) // a rareBody is as large
	}
	p.line("MOVWU %s, %s", p.at(place{offset: n.where.offset}, 4*lane), neonOffset)
	p.line("ADD %s, %s", neonBodies, neonOffset)
	return fmt.Sprintf("%d(%s)", 16*n.part, neonOffset)
}

// transposed prints instructions that turn rows of four numbers into columns.
func (p *neon) transposed(rows [4]int) (columns [4]int) {
	var pairs [4]int
	for i := range pairs {
		pairs[i], columns[i] = p.take(nil), p.take(nil)
	}
	p.three(zip1[0], rows[0], rows[1], pairs[0])
	p.three(zip1[0], rows[2], rows[3], pairs[1])
	p.three(zip2[0], rows[0], rows[1], pairs[2])
	p.three(zip2[0], rows[2], rows[3], pairs[3])
	for i, to := range columns {
		op := zip1[1]
		if i%2 == 1 {
			op = zip2[1]
		}
		p.three(op, pairs[i/2*2], pairs[i/2*2+1], to)
	}
	return columns
}

// gather loads a part of a body of each lane, and turns four times four numbers into four rows.
func (p *neon) gather(n *node) {
	var rows [4]int
	for i := range rows {
		from := p.address(n, i)
		rows[i] = p.take(nil)
		p.line("FMOVQ %s, F%d", from, rows[i])
	}
	columns := p.transposed(rows)
	for i, m := range p.components(n) {
		if m != nil {
			p.in[columns[i]] = m
			p.defined(m, columns[i])
		}
	}
}

// scatter stores a part of a body of each lane.
func (p *neon) scatter(n *node) {
	var columns [4]int
	for i := range columns {
		columns[i] = p.register(n.args[i])
	}
	for i, r := range p.transposed(columns) {
		to := p.address(n, i)
		p.line("FMOVQ F%d, %s", r, to)
	}
}

// gatherDoubles loads a part of a record of each of two lanes, and turns two times four numbers into four rows.
func (p *neon) gatherDoubles(n *node) {
	out := p.components(n)
	var rows [2][2]int
	for i := range rows {
		if lane := 2*p.part + i; n.pointer {
			p.line("MOVD %d(%s), %s", n.where.offset+8*lane, neonConstant, neonOffset)
		} else {
			p.line("MOVWU %d(%s), %s", n.where.offset+4*lane, neonConstant, neonOffset)
			p.line("ADD %s, %s", neonBodies, neonOffset)
		}
		for half := range 2 {
			if out[2*half] != nil || out[2*half+1] != nil {
				rows[i][half] = p.take(nil)
				p.line("FMOVQ %d(%s), F%d", 32*n.part+16*half, neonOffset, rows[i][half])
			}
		}
	}
	for i, m := range out {
		if m == nil {
			continue
		}
		op := zip1[1]
		if i%2 == 1 {
			op = zip2[1]
		}
		r := p.take(m)
		p.three(op, rows[0][i/2], rows[1][i/2], r)
		p.defined(m, r)
	}
}
