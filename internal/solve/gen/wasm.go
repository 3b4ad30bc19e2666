package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"go/format"
)

// wasm prints a kernel as a function of WebAssembly with SIMD of 128 bits, in binary form. Registers and the stack are
// locals: the browser's compiler allocates the registers.
type wasm struct {
	k    *kernel
	code []byte
}

// Parameters of a function, all i32, and the locals after them.
const (
	wasmBodies = iota // or the motions, in a kernel of doubles
	wasmBlocks
	wasmLeft // number of blocks left
	wasmRare
	wasmConstants // or the present input
	wasmRecords   // four addresses
	wasmVectors   = wasmRecords + 4
	wasmRegisters = 48
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
		printKernel(k, p)
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

func (p *wasm) traits() traits { return traits{registers: wasmRegisters, bytes: 16} }

func (p *wasm) head(_ *kernel, slots int) {
	p.code = []byte{2, 4, 0x7f} // two groups of locals: addresses, and vectors
	p.number(uint64(wasmRegisters + slots))
	p.op(0x7b)
	p.op(wasmBlock, wasmEmpty)
	p.get(wasmLeft)
	p.op(wasmEqz, wasmBrIf, 0)
	p.op(wasmLoop, wasmEmpty)
}

func (p *wasm) tail(k *kernel) {
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

// push and pop move a register to the stack of values, and back.
func (p *wasm) push(r int) { p.get(wasmVectors + r) }
func (p *wasm) pop(r int)  { p.set(wasmVectors + r) }

func (p *wasm) simd(op uint32) {
	p.op(0xfd)
	p.number(uint64(op))
}

// step adds to an address.
func (p *wasm) step(local, by int) {
	p.get(local)
	p.integer(by)
	p.op(wasmAdd)
	p.set(local)
}

// slot returns the local of an address on the stack.
func (p *wasm) slot(a address) int { return wasmVectors + wasmRegisters + a.offset/16 }

// base pushes the address that the offset of a is from.
func (p *wasm) base(a address) {
	p.get(map[base]int{
		inBlock: wasmBlocks, inRare: wasmRare, inConstants: wasmConstants, inRecord: wasmRecords + a.i,
	}[a.base])
}

// access prints an access to a vector, or to its first half, at the offset of a from the address pushed.
func (p *wasm) access(op uint32, a address) {
	p.simd(op)
	p.op(2) // aligned to four bytes at least
	p.number(uint64(a.offset))
	if op == simdStore64 {
		p.op(0) // the lane
	}
}

// word loads an integer.
func (p *wasm) word(a address) {
	p.base(a)
	p.op(wasmLoad, 2)
	p.number(uint64(a.offset))
}

func (p *wasm) load(a address, r int) {
	if a.base == onStack {
		p.get(p.slot(a))
	} else {
		p.base(a)
		p.access(simdLoad, a)
	}
	p.pop(r)
}

func (p *wasm) store(r int, a address) {
	if a.base == onStack {
		p.push(r)
		p.set(p.slot(a))
		return
	}
	p.base(a)
	p.push(r)
	p.access(simdStore, a)
}

func (p *wasm) loadLow(a address, r int)  { p.load(a, r) }
func (p *wasm) storeLow(r int, a address) { p.store(r, a) }
func (p *wasm) insert(address, int)       {} // there are 16 bytes
func (p *wasm) storeHigh(int, address)    {}

func (p *wasm) widen(a address, r int) {
	p.base(a)
	p.access(simdLoad64, a)
	p.simd(simdPromote)
	p.pop(r)
}

func (p *wasm) narrow(r, _ int, a address) {
	p.base(a)
	p.push(r)
	p.simd(simdDemote)
	p.access(simdStore64, a)
}

func (p *wasm) halves(r, _, _ int, even, odd address) {
	for i, a := range []address{even, odd} {
		p.base(a)
		p.push(r)
		p.push(r)
		p.shuffle(4*i, 8+4*i, 4*i, 8+4*i)
		p.access(simdStore64, a)
	}
}

func (p *wasm) record(a address, pointer bool, i int) address {
	p.word(a) // the low half of a pointer is all of it
	if !pointer {
		p.get(wasmBodies)
		p.op(wasmAdd)
	}
	p.set(wasmRecords + i)
	return address{base: inRecord, i: i}
}

func (p *wasm) zero(r int) {
	p.simd(simdConst)
	p.op(make([]byte, 16)...)
	p.pop(r)
}

// shuffle joins four words of the two vectors on the stack, which begin at these bytes of both.
func (p *wasm) shuffle(words ...int) {
	p.simd(simdShuffle)
	for _, w := range words {
		p.op(byte(w), byte(w+1), byte(w+2), byte(w+3))
	}
}

// simdZips are the words of a shuffle.
var simdZips = map[operation][]int{
	opLow32: {0, 16, 4, 20}, opHigh32: {8, 24, 12, 28}, opLow64: {0, 4, 16, 20}, opHigh64: {8, 12, 24, 28},
}

func (p *wasm) three(op operation, x int, y operand, r int) {
	if op == opMin || op == opMax {
		x, y.r = y.r, x
	}
	p.push(x)
	p.push(y.r)
	switch words := simdZips[op]; {
	case words != nil:
		p.shuffle(words...)
	case p.k.doubles:
		p.simd(simdOps[op][1])
	default:
		p.simd(simdOps[op][0])
	}
	p.pop(r)
}

func (p *wasm) sqrt(x operand, r int) {
	p.push(x.r)
	p.simd(simdOps[opSqrt][0])
	p.pop(r)
}

func (p *wasm) pick(mask int, yes operand, no, r int) {
	p.push(yes.r)
	p.push(no)
	p.push(mask)
	p.simd(simdSelect)
	p.pop(r)
}

func (p *wasm) bits(r, _ int, a address, part int, adds bool) {
	p.base(a)
	p.push(r)
	p.simd(simdBitmask)
	p.integer(4 * part)
	p.op(wasmShl)
	if adds || part > 0 {
		p.word(a)
		p.op(wasmOr)
	}
	p.op(wasmStore, 2)
	p.number(uint64(a.offset))
}

func (p *wasm) testWord(a address) { p.word(a) }

func (p *wasm) testMask(r, _ int) {
	p.push(r)
	p.simd(simdAny)
}

func (p *wasm) skip()   { p.op(wasmIf, wasmEmpty) }
func (p *wasm) unskip() { p.op(wasmEnd) }

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
