// Package worldtest holds the helpers that black-box tests of the world share: worlds
// and bodies made in one call, shapes and landscapes to run through, closed rooms,
// chains, and a small random generator. Only tests import it; it sees the world
// through its public API alone.
//
// Helpers stop the test when the world refuses what they build. Those that take a
// Failer also serve [rapid.T], which is no testing.TB.
//
// [rapid.T]: https://pkg.go.dev/pgregory.net/rapid#T
package worldtest

import (
	"os"
	"os/exec"
	"testing"
)

// Failer is a test that a helper can stop: *testing.T, *testing.B or *rapid.T.
type Failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Must stops the test if err is not nil.
func Must(t Failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Soak reports whether QUARRY_SOAK asks for the long form of a test.
func Soak() bool { return os.Getenv("QUARRY_SOAK") != "" }

// GoCommand returns the path of the go command. It skips the test with -short, and where the command cannot run, as in
// a wasm sandbox.
func GoCommand(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command; -short")
	}
	path, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here: ", err)
	}
	return path
}
