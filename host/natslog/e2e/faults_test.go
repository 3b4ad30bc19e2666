package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What happens to a few worlds when a host is killed, stopped or drained, and a server is killed: nothing that
// was acknowledged is lost or applied twice, and all hashes are those of a replay.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes; -short")
	}
	name := filepath.Join(t.TempDir(), "e2e")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(name, "-worlds", "8", "-bodies", "30", "-lease", "1s", "-snapshot", "2s", "-before", "3s",
		"-after", "8s",
		"-port", strconv.Itoa(port(t)), "-faults", "kill-host,stop-host-3-leases,drain-host,kill-node")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	t.Logf("\n%s", out)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range []string{"kill-host", "stop-host-3-leases", "drain-host", "kill-node"} {
		_, row, ok := strings.Cut(string(out), "| "+fault+" | 1 | ")
		if !ok {
			t.Errorf("no row of %s", fault)
		}
		if moved := !strings.HasPrefix(row, "0 |"); moved != (fault != "kill-node") {
			t.Errorf("%s: worlds moved: %t", fault, moved)
		}
	}
}

// port returns a port of which the ones after it, and those 100 above, are free in all likelihood.
func port(t *testing.T) int {
	p := free(t)
	return 20000 + p%9000
}
