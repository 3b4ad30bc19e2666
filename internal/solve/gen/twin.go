package main

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"
)

// literals are the constants whose value the twin names.
var literals = map[string]string{
	"zero": "0", "half": "0.5", "one": "1", "pairSlop": "pairSlop",
	"mostBias": "mostBias", "mostCurve": "mostCurve", "impactSpeed": "ImpactSpeed",
	"singular": "singular", "leastDet": "leastDet", "mostDet": "mostDet",
	"sin3": "sin3", "sin5": "sin5", "sin7": "sin7", "sin9": "sin9",
	"cos4": "cos4", "cos6": "cos6", "cos8": "cos8", "cos10": "cos10",
}

// twin prints kernels in Go: each value is a local.
type twin struct {
	k     *kernel
	out   bytes.Buffer
	local map[*node]string
	names map[string]int
}

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
		if t.k.doubles {
			t.line("%s = float32(%s)", n.where.text, t.arg(n, 0))
		} else {
			t.line("%s = %s", n.where.text, t.arg(n, 0))
		}
	case opGive:
		t.line("in%s = %s", strings.TrimPrefix(n.where.text, "k"), t.arg(n, 0))
	case opHalves:
		from := n.args[0].where.text
		t.line("%s, %s = %s, %s", n.where.text, n.also.text, from, strings.Replace(from, "Normal", "Tangent", 1))
	case opSet:
		if n.adds {
			t.names[n.where.text]++
			t.line("%s := float32(%s)", n.where.text, t.arg(n, 0))
		} else {
			t.line("%s = %s", n.where.text, t.arg(n, 0))
		}
	case opBits:
		t.line("if %s {\n%s |= 1 << i\n}", t.arg(n, 0), n.where.text)
	case opIf:
		t.line("if %s != 0 {", n.where.text)
	case opWhen:
		t.line("if %s {", t.arg(n, 0))
	case opEnd:
		t.line("}")
	case opSetBody:
		// All three are picked by the same mask; see setBody.
		b, p := n.name, n.args
		t.line("if %s {\n%s.vx, %s.vy, %s.w = %s, %s, %s\n}", t.arg(p[0], 0), b, b, b, t.arg(p[0], 1), t.arg(p[1], 1),
			t.arg(p[2], 1))
	case opSetPart:
		for i, to := range t.k.parts(n) {
			t.line("%s = %s", to, t.arg(n, i))
		}
	default:
		t.define(n)
	}
}

// leaves reports whether n only serves to leave immovable bodies alone, which the twin does by an if.
func (t *twin) leaves(n *node) bool {
	return n.op == opPick && !slices.ContainsFunc(n.uses, func(u int) bool { return t.k.nodes[u].op != opSetBody })
}

// used reports whether the twin reads the value n.
func (t *twin) used(n *node) bool {
	return slices.ContainsFunc(n.uses, func(u int) bool {
		m := t.k.nodes[u]
		return m.op != opSetBody && m.op != opHalves && (!t.leaves(m) || n != m.args[2])
	})
}

// forms are the operations in Go; a product is rounded, so that no compiler fuses it.
var forms = map[operation]string{
	opAdd: "%s + %s", opSub: "%s - %s", opMul: "float32(%s * %s)", opDiv: "%s / %s", opLess: "%s < %s",
	opAtMost: "%s <= %s", opGreater: "%s > %s", opAtLeast: "%s >= %s", opAnd: "%s && %s", opOr: "%s || %s",
	opSqrt: "sqrt(%s)", opMin: "%s < %s", opMax: "%s > %s",
}

// define prints the local of a value.
func (t *twin) define(n *node) {
	if !t.used(n) || n.op == opConstant && literals[n.name] != "" {
		return
	}
	text := n.where.text
	switch n.op {
	case opConstant:
		t.local[n] = n.name
		return
	case opVariable:
		if t.local[n] = text; t.k.changed(n, n.lastUse()) {
			panic("a variable is used after it changed")
		}
		return
	case opRow:
		if t.k.doubles {
			text = "float64(" + text + ")"
		}
	case opBody:
	case opPick:
		t.choose(n, t.arg(n, 0), t.arg(n, 1), t.arg(n, 2))
		return
	default:
		var args []any
		for i := range n.args {
			args = append(args, t.arg(n, i))
		}
		if text = fmt.Sprintf(forms[n.op], args...); t.k.doubles {
			text = strings.Replace(text, "float32", "float64", 1)
		}
		if n.op == opMin || n.op == opMax {
			t.choose(n, text, t.arg(n, 0), t.arg(n, 1))
			return
		}
	}
	t.line("%s := %s", t.fresh(n), text)
}

// choose prints the local of a value that is yes if test holds, else no.
func (t *twin) choose(n *node, test, yes, no string) {
	name := t.fresh(n)
	t.line("%s := float32(%s)\nif %s {\n%s = %s\n}", name, no, test, name, yes)
}

// fresh returns a new name for the local of n.
func (t *twin) fresh(n *node) string {
	name := n.name
	if name == "" {
		name = "t"
	}
	t.names[name]++
	if c := t.names[name]; c > 1 || name == "t" {
		name = fmt.Sprint(name, c)
	}
	t.local[n] = name
	return name
}

// arg returns an argument of n: a local, or a number.
func (t *twin) arg(n *node, i int) string {
	a := n.args[i]
	if name := t.local[a]; name != "" {
		return name
	}
	if a.op == opConstant {
		return literals[a.name]
	}
	panic(fmt.Sprint("no local: ", a.op, a.name))
}
