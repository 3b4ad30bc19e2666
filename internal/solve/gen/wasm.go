package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"go/format"
)

// wasm prints a kernel as a function of WebAssembly with SIMD of 128 bits, in binary form. A vector has four float32 or
// two float64, so the nodes are printed once for each part of a block, as for NEON. Each node is a local: the browser's
// compiler allocates the registers.
type wasm struct {
	k    *kernel
	code []byte
	part int
}

// Parameters of a function, all i32, and the locals after them.
const (
	wasmBodies = iota // or the motions, in a kernel of doubles
	wasmBlocks
	wasmLeft // number of blocks left
	wasmRare
	wasmConstants // or the present input
	wasmTemporary // four vectors
	wasmNodes     = wasmTemporary + 4
)

// Opcodes.
const (
	wasmBlock, wasmLoop, wasmIf, wasmEnd, wasmBr, wasmBrIf = 0x02, 0x03, 0x04, 0x0b, 0x0c, 0x0d
	wasmGet, wasmSet, wasmTee                              = 0x20, 0x21, 0x22
	wasmLoad, wasmStore, wasmConst                         = 0x28, 0x36, 0x41
	wasmEqz, wasmAdd, wasmSub, wasmOr, wasmShl             = 0x45, 0x6a, 0x6b, 0x72, 0x74
	wasmEmpty                                              = 0x40 // type of a block without results

	simdLoad, simdLoad64, simdStore, simdStore64 = 0x00, 0x5d, 0x0b, 0x5b
	simdConst, simdShuffle                       = 0x0c, 0x0d
	simdAnd, simdOr, simdSelect, simdAny         = 0x4e, 0x50, 0x52, 0x53
	simdBitmask                                  = 0xa4
	simdDemote, simdPromote                      = 0x5e, 0x5f
)

// simdOps are the opcodes on four float32 and on two float64. pmin(y, x) is x where it is less, else y, as VMINPS(x,
// y).
var simdOps = map[operation][2]uint32{
	opLess: {0x43, 0x49}, opGreater: {0x44, 0x4a}, opAtMost: {0x45, 0x4b}, opAtLeast: {0x46, 0x4c},
	opSqrt: {0xe3, 0xef}, opAdd: {0xe4, 0xf0}, opSub: {0xe5, 0xf1}, opMul: {0xe6, 0xf2}, opDiv: {0xe7, 0xf3},
	opMin: {0xea, 0xf6}, opMax: {0xeb, 0xf7}, opAnd: {simdAnd, simdAnd}, opOr: {simdOr, simdOr},
}

// printWASM returns Go source with the module of the kernels, which imports the memory of a Go program ("go", "mem")
// and exports a function for each kernel.
func printWASM(kernels []*kernel) ([]byte, error) {
	var types, imports, functions, exports, codes []byte
	// one: five i32, no result
	types = append(types, 1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0)
	// a memory of a page at least
	imports = append(append(append(append(imports, 1), wasmName("go")...), wasmName("mem")...), 2, 0, 1)
	n := binary.AppendUvarint(nil, uint64(len(kernels)))
	functions, exports, codes = append(functions, n...), append(exports, n...), append(codes, n...)
	for i, k := range kernels {
		functions = append(functions, 0)
		exports = binary.AppendUvarint(append(append(exports, wasmName(k.name)...), 0), uint64(i))
		p := &wasm{k: k}
		p.function()
		codes = append(binary.AppendUvarint(codes, uint64(len(p.code))), p.code...)
	}
	module := []byte("\x00asm\x01\x00\x00\x00")
	for _, section := range []struct {
		id   byte
		body []byte
	}{{1, types}, {2, imports}, {3, functions}, {7, exports}, {10, codes}} {
		module = append(binary.AppendUvarint(append(module, section.id), uint64(len(section.body))), section.body...)
	}
	text := base64.StdEncoding.EncodeToString(module)
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\npackage simd\n\n// module is the WebAssembly module of the kernels, in base64.\nconst "+
		"module = \"\" +\n", header)
	for len(text) > 2000 {
		fmt.Fprintf(&out, "\t%q +\n", text[:2000])
		text = text[2000:]
	}
	fmt.Fprintf(&out, "\t%q\n", text)
	return format.Source(out.Bytes())
}

func wasmName(s string) []byte { return append(binary.AppendUvarint(nil, uint64(len(s))), s...) }

// function prints the body of the kernel's function.
func (p *wasm) function() {
	k := p.k
	p.code = append(p.code, 1) // a group of locals: vectors
	p.number(uint64(4 + len(k.nodes) + k.variables))
	p.code = append(p.code, 0x7b)
	p.op(wasmBlock, wasmEmpty)
	p.get(wasmLeft)
	p.op(wasmEqz, wasmBrIf, 0)
	p.op(wasmLoop, wasmEmpty)
	parts := 2
	if k.doubles {
		parts = 4
	}
	for p.part = range parts {
		for _, n := range k.nodes {
			p.node(n)
		}
	}
	p.step(wasmBlocks, k.layout.size(k.block))
	p.step(wasmRare, k.layout.size(k.beside()))
	if k.doubles {
		p.step(wasmConstants, k.layout.size("input"))
	}
	p.get(wasmLeft)
	p.integer(1)
	p.op(wasmSub, wasmTee, wasmLeft, wasmBrIf, 0)
	p.op(wasmEnd, wasmEnd, wasmEnd)
}

func (p *wasm) op(code ...byte) { p.code = append(p.code, code...) }

// number prints an unsigned number.
func (p *wasm) number(x uint64) { p.code = binary.AppendUvarint(p.code, x) }

// integer prints an i32.const.
func (p *wasm) integer(x int) {
	p.op(wasmConst)
	for {
		b := byte(x & 0x7f)
		if x >>= 7; x == 0 && b&0x40 == 0 || x == -1 && b&0x40 != 0 {
			p.op(b)
			return
		}
		p.op(b | 0x80)
	}
}

func (p *wasm) get(local int) {
	p.op(wasmGet)
	p.number(uint64(local))
}

func (p *wasm) set(local int) {
	p.op(wasmSet)
	p.number(uint64(local))
}

func (p *wasm) simd(op uint32) {
	p.op(0xfd)
	p.number(uint64(op))
}

// access prints an access to a vector, or to a half of it, at an offset from the address on the stack.
func (p *wasm) access(op uint32, offset int) {
	p.simd(op)
	p.op(2) // aligned to four bytes at least
	p.number(uint64(offset))
	if op == simdStore64 {
		p.op(0) // the lane
	}
}

// step adds to an address.
func (p *wasm) step(local, by int) {
	p.get(local)
	p.integer(by)
	p.op(wasmAdd)
	p.set(local)
}

func (p *wasm) local(n *node) int { return wasmNodes + n.at }

func (p *wasm) variable(n *node) int { return wasmNodes + len(p.k.nodes) + n.where.offset }

// base pushes the address that the offset of a place in the block, or beside it, is from.
func (p *wasm) base(of place) {
	if of.rare {
		p.get(wasmRare)
	} else {
		p.get(wasmBlocks)
	}
}

// row returns the offset of this part of a row.
func (p *wasm) row(of place) int {
	if p.k.doubles {
		return of.offset + 8*p.part
	}
	return of.offset + 16*p.part
}

// word loads an integer at a place and an offset from there.
func (p *wasm) word(of place, on int) {
	p.base(of)
	p.op(wasmLoad, 2)
	p.number(uint64(of.offset + on))
}

func (p *wasm) node(n *node) {
	doubles := 0
	if p.k.doubles {
		doubles = 1
	}
	arg := func(i int) { p.get(p.local(n.args[i])) }
	switch n.op {
	case opRow:
		if p.base(n.where); p.k.doubles {
			p.access(simdLoad64, p.row(n.where))
			p.simd(simdPromote)
		} else {
			p.access(simdLoad, p.row(n.where))
		}
		p.set(p.local(n))
	case opConstant:
		if p.k.doubles || n.name == "zero" {
			p.simd(simdConst)
			p.op(make([]byte, 16)...)
		} else {
			p.get(wasmConstants)
			p.access(simdLoad, n.where.offset) // all lanes are the same
		}
		p.set(p.local(n))
	case opVariable:
		p.get(p.variable(n))
		p.set(p.local(n))
	case opBody: // by its gather
	case opGather:
		if p.k.doubles {
			p.gatherDoubles(n)
		} else {
			p.gather(n)
		}
	case opGive:
		p.get(wasmConstants)
		arg(0)
		p.access(simdStore, n.where.offset+16*p.part)
	case opHalves:
		for i, to := range []place{n.where, n.also} {
			p.base(to)
			arg(0)
			arg(0)
			p.shuffle(4*i, 8+4*i, 4*i, 8+4*i)
			p.access(simdStore64, p.row(to))
		}
	case opMin, opMax:
		arg(1)
		arg(0)
		p.simd(simdOps[n.op][doubles])
		p.set(p.local(n))
	case opSqrt:
		arg(0)
		p.simd(simdOps[n.op][doubles])
		p.set(p.local(n))
	case opPick:
		arg(1)
		arg(2)
		arg(0)
		p.simd(simdSelect)
		p.set(p.local(n))
	case opStore:
		p.base(n.where)
		if arg(0); p.k.doubles {
			p.simd(simdDemote)
			p.access(simdStore64, p.row(n.where))
		} else {
			p.access(simdStore, p.row(n.where))
		}
	case opSet:
		arg(0)
		p.set(p.variable(n))
	case opBits:
		p.base(n.where)
		arg(0)
		p.simd(simdBitmask)
		p.integer(4 * p.part)
		p.op(wasmShl)
		if n.adds || p.part > 0 {
			p.word(n.where, 0)
			p.op(wasmOr)
		}
		p.op(wasmStore, 2)
		p.number(uint64(n.where.offset))
	case opIf:
		p.word(n.where, 0)
		p.op(wasmIf, wasmEmpty)
	case opWhen:
		arg(0)
		p.simd(simdAny)
		p.op(wasmIf, wasmEmpty)
	case opEnd:
		p.op(wasmEnd)
	case opSetBody, opSetPart:
		p.scatter(n)
	default:
		arg(0)
		arg(1)
		p.simd(simdOps[n.op][doubles])
		p.set(p.local(n))
	}
}

// shuffle joins four words of the two vectors on the stack, which begin at these bytes of both.
func (p *wasm) shuffle(words ...int) {
	p.simd(simdShuffle)
	for _, w := range words {
		p.op(byte(w), byte(w+1), byte(w+2), byte(w+3))
	}
}

// half joins the first halves, or the second halves, of two locals.
func (p *wasm) half(first, second, i int) {
	p.get(first)
	p.get(second)
	at := 8 * (i & 1)
	p.shuffle(at, at+4, at+16, at+20)
}

// address pushes the address of a body, from which n's part of it is at the offset that it returns.
func (p *wasm) address(n *node, lane int) (offset int) {
	lane += 4 * p.part
	if p.k.block == bodyBlock {
		p.base(place{rare: n.where.rare})
		return p.k.layout.size("body")*lane + 16*n.part // a rareBody is as large
	}
	p.get(wasmBodies)
	p.word(place{offset: n.where.offset}, 4*lane)
	p.op(wasmAdd)
	return 16 * n.part
}

// transpose prepares the columns of the rows in the temporaries; see column.
func (p *wasm) transpose() {
	for _, at := range []int{0, 8} {
		for _, row := range []int{0, 2} {
			p.get(wasmTemporary + row)
			p.get(wasmTemporary + row + 1)
			p.shuffle(at, at+16, at+4, at+20)
		}
	}
	for i := 3; i >= 0; i-- {
		p.set(wasmTemporary + i)
	}
}

// column pushes a column, after transpose.
func (p *wasm) column(i int) { p.half(wasmTemporary+i/2*2, wasmTemporary+i/2*2+1, i) }

// components returns the nodes that n, a gather, loads, nil for those that nothing uses.
func (p *wasm) components(n *node) (out [4]*node) {
	for _, m := range p.k.nodes[n.at+1:] {
		if m.op != opBody || m.at > n.at+4 {
			break
		}
		if len(m.uses) > 0 {
			out[m.part] = m
		}
	}
	return out
}

// gather loads a part of a body of each lane, and turns four times four numbers into four rows.
func (p *wasm) gather(n *node) {
	for i := range 4 {
		p.access(simdLoad, p.address(n, i))
		p.set(wasmTemporary + i)
	}
	p.transpose()
	for i, m := range p.components(n) {
		if m != nil {
			p.column(i)
			p.set(p.local(m))
		}
	}
}

// scatter stores a part of a body of each lane.
func (p *wasm) scatter(n *node) {
	for i := range 4 {
		p.get(p.local(n.args[i]))
		p.set(wasmTemporary + i)
	}
	p.transpose()
	for i := range 4 {
		offset := p.address(n, i)
		p.column(i)
		p.access(simdStore, offset)
	}
}

// gatherDoubles loads a part of a record of each of two lanes, and turns two times four numbers into four rows.
func (p *wasm) gatherDoubles(n *node) {
	out := p.components(n)
	for half := range 2 {
		if out[2*half] == nil && out[2*half+1] == nil {
			continue
		}
		for i := range 2 {
			lane := 2*p.part + i
			if !n.pointer {
				p.get(wasmBodies)
			}
			p.get(wasmConstants)
			p.op(wasmLoad, 2)
			if n.pointer {
				p.number(uint64(n.where.offset + 8*lane)) // the low half of a pointer is all of it
			} else {
				p.number(uint64(n.where.offset + 4*lane))
				p.op(wasmAdd)
			}
			p.access(simdLoad, 32*n.part+16*half)
			p.set(wasmTemporary + i)
		}
		for i := range 2 {
			if m := out[2*half+i]; m != nil {
				p.half(wasmTemporary, wasmTemporary+1, i)
				p.set(p.local(m))
			}
		}
	}
}

// stubsWASM prints the Go side: the imports, and the set of the kernels.
func stubsWASM(kernels []*kernel) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n//go:build js && wasm && quarrysimd\n\npackage solve\n\nimport \"unsafe\"\n\nvar "+
		"simdKernels = kernelSet{\nname: \"simd128\",\n", header)
	for _, k := range kernels {
		fmt.Fprintf(&out, "%s: %sSIMD,\n", k.name, k.name)
	}
	out.WriteString("}\n\nfunc start[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }\n")
	for _, k := range kernels {
		fmt.Fprintf(&out, "\n//go:wasmimport quarry %s\n//go:noescape\nfunc %sImport(bodies, blocks unsafe.Pointer, "+
			"n int32, rare, c unsafe.Pointer)\n", k.name, k.name)
		parameters := fmt.Sprintf("(bodies []body, blocks []%s, rare []%s, c *constants)", k.block, k.beside())
		arguments := "start(bodies), start(blocks), int32(len(blocks)), start(rare), unsafe.Pointer(c)"
		if k.doubles {
			parameters = k.parameters()
			arguments = "start(motions), start(blocks), int32(len(blocks)), start(rare), start(inputs)"
		}
		fmt.Fprintf(&out, "\nfunc %sSIMD%s { %sImport(%s) }\n", k.name, parameters, k.name, arguments)
	}
	return format.Source(out.Bytes())
}
