package main

import (
	"bytes"
	"fmt"
)

// text is the assembly of kernels for Go's assembler.
type text struct {
	bytes.Buffer
	k         *kernel
	suffix    string
	move, add string          // instructions on addresses
	names     map[base]string // of the registers of addresses
	left      string          // number of blocks left
	labels    int
}

func (t *text) line(form string, args ...any) { fmt.Fprintf(t, "\t"+form+"\n", args...) }

// open prints the beginning of a function with a frame of so many bytes.
func (t *text) open(k *kernel, flags string, frame int) {
	records, constants, blocks, rare, size := "bodies", "c+72", 24, 48, 80
	parameters := "bodies []byte, blocks []byte, rare []byte, c *byte"
	if k.doubles {
		records, constants, blocks, rare, size = "motions", "inputs_base+24", 48, 72, 96
		parameters = "motions []byte, inputs []byte, blocks []byte, rare []byte"
	}
	name := k.name + t.suffix
	fmt.Fprintf(t, "\n// func %s(%s)\nTEXT ·%s(SB), %s$%d-%d\n", name, parameters, name, flags, frame, size)
	t.line("%s %s_base+0(FP), %s", t.move, records, t.names[inBodies])
	t.line("%s %s(FP), %s", t.move, constants, t.names[inConstants])
	t.line("%s blocks_base+%d(FP), %s", t.move, blocks, t.names[inBlock])
	t.line("%s blocks_len+%d(FP), %s", t.move, blocks+8, t.left)
	if k.hasRare() {
		t.line("%s rare_base+%d(FP), %s", t.move, rare, t.names[inRare])
	}
}

// next prints the steps to the next block.
func (t *text) next(k *kernel) {
	t.line("%s $%d, %s", t.add, k.layout.size(k.block), t.names[inBlock])
	if k.hasRare() {
		t.line("%s $%d, %s", t.add, k.layout.size(k.beside()), t.names[inRare])
	}
	if k.doubles {
		t.line("%s $%d, %s", t.add, k.layout.size("input"), t.names[inConstants])
	}
}

// skipTo prints a jump to a new label.
func (t *text) skipTo(form string) {
	t.labels++
	t.line(form, fmt.Sprint("skip", t.labels))
}

func (t *text) unskip() { fmt.Fprintf(t, "\nskip%d:\n", t.labels) }
