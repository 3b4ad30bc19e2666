package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

// literals are the constants whose value the twin names.
var literals = map[string]string{
	"zero": "0", "half": "0.5", "one": "1", "separating": "separateSpeed", "pairSlop": "pairSlop",
	"mostBias": "mostBias", "mostCurve": "mostCurve", "impactSpeed": "ImpactSpeed",
	"singular": "singular", "leastDet": "leastDet", "mostDet": "mostDet",
	"sin3": "sin3", "sin5": "sin5", "sin7": "sin7", "sin9": "sin9",
	"cos4": "cos4", "cos6": "cos6", "cos8": "cos8", "cos10": "cos10",
}

// twin prints kernels in Go.
type twin struct {
	k     *kernel
	out   bytes.Buffer
	local map[*node]string // locals
	names map[string]int
	masks []*node // of the whens around
}

const longest = 90 // an expression beyond so many letters takes a local

// printTwin returns the Go file of the kernels.
func printTwin(kernels []*kernel) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(header + "\npackage solve\n")
	for _, k := range kernels {
		t := &twin{k: k, local: map[*node]string{}, names: map[string]int{}}
		t.function()
		out.Write(t.out.Bytes())
	}
	text, err := format.Source(out.Bytes())
	if err != nil {
		return out.Bytes(), err
	}
	return text, nil
}

func (t *twin) line(form string, args ...any) { fmt.Fprintf(&t.out, form+"\n", args...) }

func (t *twin) function() {
	k := t.k
	t.line("\n// %sGo is the twin of the kernel %s.", k.name, k.name)
	t.line("func %sGo%s {", k.name, k.parameters())
	hoisted := map[string]bool{}
	for _, n := range k.nodes {
		if n.op == opConstant && literals[n.name] == "" && !hoisted[n.name] {
			hoisted[n.name] = true
			t.line("%s := c.%s[0]", n.name, n.name)
		}
	}
	for name := range hoisted {
		t.names[name] = 1
	}
	t.names["r"] = 1 // the rare rows
	t.line("for j := range blocks {\nk := &blocks[j]")
	if k.hasRare() {
		t.line("r := &rare[j]")
	}
	if k.doubles {
		t.line("in := &inputs[j]")
	}
	for _, n := range k.nodes {
		if n.op == opBits && !n.adds {
			t.line("%s = 0", n.where.text)
		}
	}
	if k.block == bodyBlock {
		t.line("for i := range k {")
	} else {
		t.line("for i := range k.a {\nif i >= int(k.n) {\nbreak\n}")
	}
	for _, n := range k.nodes {
		t.statement(n)
	}
	t.line("}\n}\n}")
}

// fresh returns a name like name that is not in use.
func (t *twin) fresh(name string) string {
	if name == "" {
		name = "t"
	}
	t.names[name]++
	if c := t.names[name]; c > 1 {
		return fmt.Sprint(name, c)
	}
	if name == "t" {
		return "t1"
	}
	return name
}

func (t *twin) statement(n *node) {
	switch n.op {
	case opGather:
		switch {
		case n.where.rare:
			t.line("%s := &r[i]", n.name)
		case n.part != 0:
		case n.pointer:
			t.line("%s := in%s", n.name, strings.TrimPrefix(n.where.text, "k"))
		case t.k.doubles:
			t.line("%s := &motions[in%s/motionSize]", n.name, strings.TrimPrefix(n.where.text, "k"))
		case t.k.block == bodyBlock:
			t.line("%s := &k[i]", n.name)
		default:
			t.line("%s := &bodies[%s/bodySize]", n.name, n.where.text)
		}
	case opStore:
		text := t.expr(n.args[0], n.at, false)
		if t.k.doubles {
			text = "float32(" + text + ")"
		}
		t.line("%s = %s", n.where.text, text)
	case opGive:
		t.line("in%s = %s", strings.TrimPrefix(n.where.text, "k"), t.expr(n.args[0], n.at, false))
	case opHalves:
		from := t.expr(n.args[0], n.at, false)
		t.line("%s, %s = %s, %s", n.where.text, n.also.text, from, strings.Replace(from, "Normal", "Tangent", 1))
	case opSet:
		assign := "="
		if n.adds {
			assign = ":="
			t.names[n.where.text]++
		}
		if n.adds && n.args[0].op == opConstant {
			t.line("var %s float32", n.where.text)
		} else {
			t.line("%s %s %s", n.where.text, assign, t.expr(n.args[0], n.at, false))
		}
	case opBits:
		t.line("if %s {\n%s |= 1 << i\n}", t.expr(n.args[0], n.at, false), n.where.text)
	case opIf:
		t.line("if %s != 0 {", n.where.text)
	case opWhen:
		t.line("if %s {", t.expr(n.args[0], n.at, false))
		t.masks = append(t.masks, n.args[0])
	case opEnd:
		t.line("}")
		if len(t.masks) > 0 {
			t.masks = t.masks[:len(t.masks)-1]
		}
	case opSetBody:
		// All three are picked by the same mask; see setBody.
		b := n.name
		p := n.args
		x, y, w := t.expr(p[0].args[1], n.at, false), t.expr(p[1].args[1], n.at, false), t.expr(p[2].args[1], n.at,
			false)
		t.line("if %s {\n%s.vx, %s.vy, %s.w = %s, %s, %s\n}", t.expr(p[0].args[0], n.at, false), b, b, b, x, y, w)
	case opSetPart:
		for i, to := range t.k.parts(n) {
			if text := t.expr(n.args[i], n.at, false); text != to {
				t.line("%s = %s", to, text)
			}
		}
	default:
		if t.wantsLocal(n) {
			t.define(n)
		}
	}
}

// wantsLocal reports whether the value n is computed where it stands, to a local.
func (t *twin) wantsLocal(n *node) bool {
	if n.op == opConstant || t.onlyPicks(n) {
		return false
	}
	if n.op == opVariable {
		if t.k.changed(n, n.lastUse()) {
			panic("a variable is used after it changed")
		}
		return false
	}
	uses := 0
	for _, u := range n.uses {
		if m := t.k.nodes[u]; !t.onlyPicks(m) || m.args[0] != n {
			uses++
		}
	}
	if uses == 0 {
		return false
	}
	if n.op == opPick && t.picked(n) == nil {
		return true
	}
	if n.op == opMin || n.op == opMax {
		return true
	}
	if n.op == opBody {
		return false
	}
	if n.isLoad() {
		return len(n.uses) > 1 || t.k.changed(n, n.lastUse())
	}
	if uses > 1 {
		return true
	}
	// A name inside a statement of its own depth reads well.
	if n.name != "" && n.depth == t.k.nodes[n.lastUse()].depth {
		return true
	}
	// Used once: a part of the expression there, unless that reads a variable that changes.
	return t.reads(n, n.lastUse()) || len(t.expr(n, n.lastUse(), false)) > longest
}

// onlyPicks reports whether n only serves to leave immovable bodies alone, which the twin does by an if.
func (t *twin) onlyPicks(n *node) bool {
	if n.op == opPick {
		for _, u := range n.uses {
			if t.k.nodes[u].op != opSetBody {
				return false
			}
		}
		return true
	}
	return false
}

// picked returns the value of the pick n if the mask around decides it.
func (t *twin) picked(n *node) *node {
	for _, m := range t.masks {
		if m == n.args[0] {
			return n.args[1]
		}
	}
	return nil
}

// reads reports whether the expression n reads a place that changes before the time at.
func (t *twin) reads(n *node, at int) bool {
	if t.local[n] != "" {
		return false
	}
	if n.isLoad() && t.k.changed(n, at) {
		return true
	}
	for _, a := range n.args {
		if t.reads(a, at) {
			return true
		}
	}
	return false
}

func (t *twin) define(n *node) {
	if n.op == opMin || n.op == opMax || n.op == opPick {
		var yes, no, test string
		if n.op == opPick {
			test, yes, no = t.expr(n.args[0], n.at, false), t.expr(n.args[1], n.at, false), t.expr(n.args[2], n.at,
				false)
		} else {
			sign := "<"
			if n.op == opMax {
				sign = ">"
			}
			yes, no = t.expr(n.args[0], n.at, true), t.expr(n.args[1], n.at, false)
			name := t.fresh(n.name)
			t.line("%s := %s", name, t.float(no))
			t.line("if %s %s %s {\n%s = %s\n}", yes, sign, name, name, yes)
			t.local[n] = name
			return
		}
		name := t.fresh(n.name)
		t.line("%s := %s", name, t.float(no))
		t.line("if %s {\n%s = %s\n}", test, name, yes)
		t.local[n] = name
		return
	}
	text := t.expr(n, n.at, false)
	name := t.fresh(n.name)
	t.line("%s := %s", name, text)
	t.local[n] = name
}

// float gives an untyped constant its type.
func (t *twin) float(text string) string {
	if strings.Trim(text, "0123456789.") == "" {
		return "float32(" + text + ")"
	}
	return text
}

// expr returns n as an expression at the time at; in parentheses, if asked for, where it
// is a sum.
func (t *twin) expr(n *node, at int, tight bool) string {
	if name := t.local[n]; name != "" {
		return name
	}
	two := func(sign string, tightLeft, tightRight bool) string {
		return t.expr(n.args[0], at, tightLeft) + sign + t.expr(n.args[1], at, tightRight)
	}
	text := ""
	switch n.op {
	case opConstant:
		if text := literals[n.name]; text != "" {
			return text
		}
		return n.name
	case opRow, opVariable, opBody:
		if t.k.doubles && n.op == opRow {
			return "float64(" + n.where.text + ")"
		}
		return n.where.text
	case opMul:
		if t.k.doubles {
			return "float64(" + two("*", true, true) + ")"
		}
		return "float32(" + two("*", true, true) + ")"
	case opAdd:
		text = two(" + ", false, true)
	case opSub:
		text = two(" - ", false, true)
	case opDiv:
		text = two(" / ", true, true)
	case opSqrt:
		return "sqrt(" + t.expr(n.args[0], at, false) + ")"
	case opLess:
		text = two(" < ", false, false)
	case opAtMost:
		text = two(" <= ", false, false)
	case opGreater:
		text = two(" > ", false, false)
	case opAtLeast:
		text = two(" >= ", false, false)
	case opAnd:
		text = two(" && ", true, true)
	case opOr:
		text = two(" || ", true, true)
	case opPick:
		if p := t.picked(n); p != nil {
			return t.expr(p, at, tight)
		}
		panic("a pick takes a local")
	default:
		panic(fmt.Sprint("no expression: ", n.op, n.name))
	}
	if tight {
		return "(" + text + ")"
	}
	return text
}
