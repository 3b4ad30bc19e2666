//go:build !js

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/internal/worldtest"
)

// panicking needs its data, its types and the unwinding of its stack: it recovers from a panic in a called function,
// collects garbage, prints the name of a function on its stack, and ends with a trace.
const panicking = `package main

import (
	"fmt"
	"runtime"
	"strings"
)

type tile struct {
	Name string
	At   [2]int
}

//go:noinline
func fail(list []tile, i int) tile { return list[i] }

//go:noinline
func try() (err any) {
	defer func() { err = recover() }()
	fail(nil, 3)
	return nil
}

func main() {
	var kept []map[string]tile
	for i := range 2000 {
		kept = append(kept, map[string]tile{strings.Repeat("x", i%7): {"a", [2]int{i, -i}}})
		if i%500 == 0 {
			runtime.GC()
		}
	}
	pc, _, line, _ := runtime.Caller(0)
	fmt.Printf("%v %+v %s %t\\n", try(), kept[1999]["xxxx"], runtime.FuncForPC(pc).Name(), line > 0)
	panic("the end")
}
`

// TestSlim: a program does the same when it is slim.
func TestSlim(t *testing.T) {
	goCommand := worldtest.GoCommand(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: ", err)
	}
	root, err := exec.Command(goCommand, "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	file := filepath.Join(t.TempDir(), "main.wasm")
	if out, err := buildSource(t, goCommand, panicking, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := func() (out, trace string) {
		var b, e bytes.Buffer
		c := exec.Command(node, "--stack-size=8192", script, file)
		c.Stdout, c.Stderr = &b, &e
		if err := c.Run(); err == nil {
			t.Fatal("the program ends without an error")
		}
		return b.String(), e.String()
	}
	out, trace := run()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	raw, _, err := pack(file)
	if err != nil {
		t.Fatal(err)
	}
	if slimOut, slimTrace := run(); slimOut != out || slimTrace != trace || !strings.Contains(out, "main.main true") {
		t.Errorf("prints %q and %q, want %q and %q", slimOut, slimTrace, out, trace)
	}
	after, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := slim(after); err != nil || !bytes.Equal(again, after) || len(after) != raw {
		t.Errorf("a slim program changes: %v", err)
	}
	for _, n := range []int{0, 7, 9, 100, len(before) / 2, len(before) - 1} {
		if _, err := slim(before[:n]); err == nil {
			t.Errorf("no error for the first %d bytes of a program", n)
		}
	}
}
