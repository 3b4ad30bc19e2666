package quarry_test

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestNoFusedMultiplyAdd builds the core for arm64, whose compiler fuses a
// product with the sum that it meets unless an explicit conversion stands
// between, and reads the assembly. A fused one rounds once instead of twice, so
// a machine that has it would go its own way.
func TestNoFusedMultiplyAdd(t *testing.T) {
	fused := regexp.MustCompile(`(?m)^.*\((\S+:\d+)\).*\bFN?M(ADD|SUB)[SD]\b.*$`)
	for _, name := range core {
		path := module
		if name != "" {
			path += "/" + name
		}
		cmd := exec.Command(needGo(t), "build", "-gcflags="+path+"=-S", path)
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		if len(out) == 0 {
			t.Fatalf("%s: the compiler printed no assembly", path)
		}
		seen := map[string]bool{}
		for _, m := range fused.FindAllStringSubmatch(string(out), -1) {
			if !seen[m[1]] {
				seen[m[1]] = true
				t.Errorf("fused multiply-add at %s", m[1])
			}
		}
	}
}
