package simd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// All scenes have the same bits with the kernels of this machine, and as WebAssembly under Node: with the module, and
// with its imports alone. (CI runs the goldens under Node without the tag.)
func TestSameBits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs; -short")
	}
	need := func(name string) string {
		path, err := exec.LookPath(name)
		if err == nil {
			return path
		}
		if name == "node" && os.Getenv("QUARRY_E2E") == "1" {
			t.Fatal("no Node: install it")
		}
		t.Skipf("no command %s here: %v", name, err)
		return ""
	}
	goCommand, node := need("go"), need("node")
	run := func(env []string, name string, arguments ...string) string {
		t.Helper()
		c := exec.Command(name, arguments...)
		c.Env = append(os.Environ(), env...)
		out, err := c.Output()
		if err != nil {
			text := ""
			if e, ok := err.(*exec.ExitError); ok {
				text = string(e.Stderr)
			}
			t.Fatalf("%s %v: %v: %.2000s", name, arguments, err, text)
		}
		return string(out)
	}
	root := strings.TrimSpace(run(nil, goCommand, "env", "GOROOT"))
	start := filepath.Join(root, "lib", "wasm", "wasm_exec.js")
	dir := t.TempDir()
	kernels := filepath.Join(dir, "kernels.wasm")
	if err := os.WriteFile(kernels, Module(), 0o666); err != nil {
		t.Fatal(err)
	}
	want := run([]string{"GOFLAGS="}, goCommand, "run", "./testdata/hashes")
	if n := strings.Count(want, "\n"); n < 50 {
		t.Fatalf("hashes of %d scenes", n)
	}
	simd := filepath.Join(dir, "program.wasm")
	run([]string{"GOOS=js", "GOARCH=wasm", "GOFLAGS="}, goCommand, "build", "-tags", "quarrysimd", "-o", simd,
		"./testdata/hashes")
	for _, c := range []struct{ name, program, kernels string }{
		{"with the module", simd, kernels}, {"with its imports alone", simd, "none"},
	} {
		got := run(nil, node, "--stack-size=4000", "testdata/run.cjs", start, c.program, c.kernels)
		if got != want {
			a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Errorf("%s: %s, here %s", c.name, b[i], a[i])
				}
			}
			if len(a) != len(b) {
				t.Errorf("%s: %d lines, here %d", c.name, len(b), len(a))
			}
		}
	}
}
