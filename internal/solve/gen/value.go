package main

import (
	"fmt"
	"strings"
)

// An operation, and its printed form. Comparisons are false for NaN. min and max are those
// of VMINPS and VMAXPS: the first operand if it is less (greater), else the second, which
// is also the result for NaN and for two zeros.
type operation uint8

const (
	opRow      operation = iota // a row of the block
	opConstant                  // a row of the constants
	opVariable
	opBody // one component of a body
	opAdd
	opSub
	opMul
	opDiv
	opSqrt
	opMin
	opMax
	opLess
	opAtMost
	opGreater
	opAtLeast
	opAnd
	opOr
	opPick // args[1] where args[0] holds, else args[2]

	// Statements.
	opGather  // loads a quarter of a body of each lane: the next nodes are its components
	opStore   // args[0] to a row
	opSet     // args[0] to a variable
	opBits    // the bits of the mask args[0] to a number of the block; or adds them
	opIf      // begins statements for blocks whose number is not 0
	opWhen    // begins statements for lanes of the mask args[0]
	opEnd     // ends either
	opSetBody // stores velocity and spin: args are vx, vy, w, and the inverse mass as loaded
	opSetPart // stores a part of a body of each lane: args are its four components
	opGive    // args[0], a kernel's of doubles, to a row of float64 of the input
	opHalves  // stores the two float32 that each float64 of args[0] consists of, to two rows

	// Instructions without a node: they interleave the low or the high halves of each 16 bytes of two registers, by
	// numbers of 32 or 64 bits.
	opLow32
	opHigh32
	opLow64
	opHigh64
)

// node is one operation of a kernel. Its place in kernel.nodes is its time.
type node struct {
	op    operation
	args  []*node
	name  string // of its local in the twin
	where place  // of rows, variables, numbers
	also  place  // of opHalves: the second row
	// Of opGather in a kernel of doubles: the lanes have pointers, not offsets.
	pointer bool
	at      int
	part    int  // of opGather and opSetPart: 0 or 1, in a kernel of doubles up to 3; of opBody: the component
	adds    bool // of opBits
	uses    []int
	depth   int   // of statements around it
	as      *node // the same, earlier
}

// place is memory: a row of the block, a constant or a variable.
type place struct {
	text   string // in Go
	offset int
	rare   bool // beside the block
}

func (n *node) isLoad() bool { return n.op == opRow || n.op == opConstant || n.op == opVariable }

func (n *node) isStatement() bool { return n.op >= opGather }

// kernel is a kernel in the making.
type kernel struct {
	name      string
	block     string // type of its blocks
	layout    *layout
	nodes     []*node
	depth     int
	variables int
	whole     bool // reads the positions of bodies too
	// doubles tells that lanes are float64, four at a time: the kernel reads inputs, and rounds numbers that it stores
	// in rows.
	doubles bool
}

type value struct {
	k *kernel
	n *node
}

// body is a body of each lane.
type body struct {
	name                            string
	vx, vy, w, mass, dx, dy, dc, ds value
}

// hasRare reports whether the kernel reads or stores rows beside the blocks.
func (k *kernel) hasRare() bool {
	for _, n := range k.nodes {
		if n.where.rare {
			return true
		}
	}
	return false
}

// beside returns the type of the rows beside the kernel's blocks.
func (k *kernel) beside() string {
	if k.block == bodyBlock {
		return rareBodies
	}
	return rare
}

// parameters returns the parameters of the kernel in Go.
func (k *kernel) parameters() string {
	if k.doubles {
		return fmt.Sprintf("(motions []Motion, inputs []input, blocks []%s, rare []%s)", k.block, rare)
	}
	beside := "_"
	if k.hasRare() {
		beside = "rare"
	}
	return fmt.Sprintf("(bodies []body, blocks []%s, %s []%s, c *constants)", k.block, beside, k.beside())
}

// bodyBlock is the type of blocks of kernels whose lanes are bodies.
const bodyBlock = "eightBodies"

// rest is the side of the rest of the bodies, in such a kernel.
const rest = "rest"

type point struct {
	k    *kernel
	path string
}

type variable struct {
	k     *kernel
	where place
}

func (k *kernel) add(n *node) value {
	n.at, n.depth = len(k.nodes), k.depth
	for _, a := range n.args {
		a.uses = append(a.uses, n.at)
	}
	k.nodes = append(k.nodes, n)
	return value{k, n}
}

// gather loads a part of the body on one side of each lane: four numbers, of which fields names the first.
func (k *kernel) gather(side string, part int, fields ...string) [4]value {
	g, of := &node{op: opGather, part: part, name: side, where: place{rare: side == rest}}, "body"
	if g.where.rare {
		of = "rareBody"
	}
	if k.block != bodyBlock {
		g.where = k.layout.field(k.block, side)
	}
	return k.components(g, side, of, 4, fields)
}

// read loads a part of a record of each lane: four float64, of which fields names the first. The field side of the
// input has the offset of the record in the motions, or a pointer to it.
func (k *kernel) read(side, record string, part int, fields ...string) [4]value {
	name := strings.NewReplacer("[", "", "]", "").Replace(side)
	g := &node{op: opGather, part: part, name: name, pointer: record != "Motion", where: k.layout.field("input", side)}
	return k.components(g, name, record, 8, fields)
}

// components adds g, a gather of a part of a record, and the numbers of so many bytes that fields names.
func (k *kernel) components(g *node, name, record string, size int, fields []string) (out [4]value) {
	k.add(g)
	for i, f := range fields {
		if at := k.layout.field(record, f).offset; at != size*(4*g.part+i) {
			panic(fmt.Sprint(f, " is at ", at))
		}
		out[i] = k.add(&node{op: opBody, where: place{text: name + "." + f}, part: i})
	}
	return out
}

// halves stores both float32 of v, a number that is two of them, to two rows.
func (k *kernel) halves(low, high string, v value) {
	k.add(&node{op: opHalves, args: []*node{v.n}, where: k.layout.ofBlock(k.block, low), also: k.layout.ofBlock(k.block,
		high)})
}

// give stores v in a row of float64 of the input.
func (k *kernel) give(field string, v value) {
	k.add(&node{op: opGive, args: []*node{v.n}, where: k.layout.field("input", field)})
}

// body loads the bodies on one side.
func (k *kernel) body(side string) body {
	b := body{name: side}
	v := k.gather(side, 0, "vx", "vy", "w", "invMass")
	b.vx, b.vy, b.w, b.mass = v[0], v[1], v[2], v[3]
	if k.whole {
		v = k.gather(side, 1, "dx", "dy", "dc", "ds")
		b.dx, b.dy, b.dc, b.ds = v[0], v[1], v[2], v[3]
	}
	return b
}

func (k *kernel) row(path string) value {
	return k.add(&node{op: opRow, where: k.layout.ofBlock(k.block, path)})
}

func (k *kernel) constant(name string) value {
	return k.add(&node{op: opConstant, where: k.layout.field("constants", name), name: name})
}

func (k *kernel) store(path string, v value) {
	k.add(&node{op: opStore, args: []*node{v.n}, where: k.layout.ofBlock(k.block, path)})
}

func (k *kernel) point(i int) point { return point{k, fmt.Sprintf("points[%d].", i)} }

func (p point) row(field string) value { return p.k.row(p.path + field) }

func (p point) store(field string, v value) { p.k.store(p.path+field, v) }

// variable returns a variable, for values that an if or a when changes.
func (k *kernel) variable(name string, init value) variable {
	v := variable{k, place{text: name, offset: k.variables}}
	k.variables++
	k.add(&node{op: opSet, args: []*node{init.n}, where: v.where, adds: true}) // declares
	return v
}

func (v variable) set(x value) {
	v.k.add(&node{op: opSet, args: []*node{x.n}, where: v.where})
}

func (v variable) get() value { return v.k.add(&node{op: opVariable, where: v.where}) }

// ifSet makes the statements of do only for blocks whose number is not 0.
func (k *kernel) ifSet(number string, do func()) {
	k.add(&node{op: opIf, where: k.layout.ofBlock(k.block, number)})
	k.depth++
	do()
	k.depth--
	k.add(&node{op: opEnd})
}

// when makes the statements of do if the mask holds in any lane. For the other lanes they must
// change nothing.
func (k *kernel) when(mask value, do func()) {
	k.add(&node{op: opWhen, args: []*node{mask.n}})
	k.depth++
	do()
	k.depth--
	k.add(&node{op: opEnd})
}

// bits stores the lanes of the mask as bits of the number; or adds them to it.
func (k *kernel) bits(number string, mask value, anew bool) {
	k.add(&node{op: opBits, args: []*node{mask.n}, where: k.layout.ofBlock(k.block, number), adds: !anew})
}

// setBody stores the velocity and the spin of the bodies on one side; those that do not move stay as they are.
func (k *kernel) setBody(b body, moves, vx, vy, w value) {
	k.add(&node{
		op: opSetBody, where: k.layout.field(k.block, b.name), name: b.name,
		args: []*node{moves.pick(vx, b.vx).n, moves.pick(vy, b.vy).n, moves.pick(w, b.w).n, b.mass.n},
	})
}

// parts returns the places of the components that n stores, in Go: those that were loaded.
func (k *kernel) parts(n *node) (out []string) {
	for i, m := range k.nodes {
		if m.op == opGather && m.part == n.part && m.name == n.name {
			for _, c := range k.nodes[i+1 : i+5] {
				out = append(out, c.where.text)
			}
		}
	}
	return out
}

// setPart stores a part of the bodies that are the block.
func (k *kernel) setPart(name string, part int, numbers ...value) {
	n := &node{op: opSetPart, part: part, name: name, where: place{rare: name == rest}}
	for _, v := range numbers {
		n.args = append(n.args, v.n)
	}
	k.add(n)
}

func (v value) with(op operation, args ...value) value {
	n := &node{op: op, args: []*node{v.n}}
	for _, a := range args {
		n.args = append(n.args, a.n)
	}
	return v.k.add(n)
}

func (v value) add(w value) value     { return v.with(opAdd, w) }
func (v value) sub(w value) value     { return v.with(opSub, w) }
func (v value) mul(w value) value     { return v.with(opMul, w) }
func (v value) div(w value) value     { return v.with(opDiv, w) }
func (v value) sqrt() value           { return v.with(opSqrt) }
func (v value) min(w value) value     { return v.with(opMin, w) }
func (v value) max(w value) value     { return v.with(opMax, w) }
func (v value) less(w value) value    { return v.with(opLess, w) }
func (v value) atMost(w value) value  { return v.with(opAtMost, w) }
func (v value) greater(w value) value { return v.with(opGreater, w) }
func (v value) atLeast(w value) value { return v.with(opAtLeast, w) }
func (v value) and(w value) value     { return v.with(opAnd, w) }
func (v value) or(w value) value      { return v.with(opOr, w) }

// pick returns, by the mask v, a where it holds and b elsewhere.
func (v value) pick(a, b value) value { return v.with(opPick, a, b) }

// as names the value in the twin.
func (v value) as(name string) value {
	v.n.name = name
	return v
}

// changed reports whether the place that n loads is stored to between n and the time at.
func (k *kernel) changed(n *node, at int) bool {
	for _, m := range k.nodes[n.at:at] {
		switch {
		case n.op == opRow && m.op == opStore && m.where == n.where,
			n.op == opVariable && m.op == opSet && m.where == n.where:
			return true
		}
	}
	return false
}

// prune removes the nodes that nothing uses, and joins those that are the same.
func (k *kernel) prune() {
	same := map[string]*node{}
	for _, n := range k.nodes {
		for i, a := range n.args {
			if a.as != nil {
				n.args[i] = a.as
			}
		}
		if n.isStatement() || n.op == opBody {
			continue
		}
		key := fmt.Sprint(n.op, n.where)
		for _, a := range n.args {
			key += fmt.Sprint(" ", a.at)
		}
		if old := same[key]; old != nil && old.depth == 0 && !(n.isLoad() && k.changed(old, n.at)) {
			n.as = old
			if old.name == "" {
				old.name = n.name
			}
		} else {
			same[key] = n
		}
	}
	live := map[*node]bool{}
	for i := len(k.nodes) - 1; i >= 0; i-- {
		n := k.nodes[i]
		if n.isStatement() || n.op == opBody {
			live[n] = true
		}
		if live[n] {
			for _, a := range n.args {
				live[a] = true
			}
		}
	}
	var nodes []*node
	for _, n := range k.nodes {
		n.uses = nil
		if live[n] {
			n.at = len(nodes)
			nodes = append(nodes, n)
			for _, a := range n.args {
				a.uses = append(a.uses, n.at)
			}
		}
	}
	k.nodes = nodes
}

// lastUse returns the time of n's last use, -1 if there is none.
func (n *node) lastUse() int {
	if len(n.uses) == 0 {
		return -1
	}
	return n.uses[len(n.uses)-1]
}

// nextUse returns the time of n's first use from at on, or -1.
func (n *node) nextUse(at int) int {
	for _, u := range n.uses {
		if u >= at {
			return u
		}
	}
	return -1
}
