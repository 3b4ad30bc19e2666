package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunRecordReplay records a run of a scene and of one with functions, and replays it: whole, damaged and missing.
func TestRunRecordReplay(t *testing.T) {
	dir := t.TempDir()
	line := func(args ...string) (int, string, string) {
		var out, messages bytes.Buffer
		status := execute(args, streams{&out, &messages})
		return status, out.String(), messages.String()
	}
	file := filepath.Join(dir, "log")
	status, ran, messages := line("run", "single_box", "--steps", "30", "--record", file)
	if status != 0 {
		t.Fatal(status, messages)
	}
	status, replayed, messages := line("replay", file, "--workers", "2")
	hash := ran[strings.LastIndex(ran, "  hash"):]
	if status != 0 || !strings.Contains(replayed, ": 30 steps") || !strings.HasSuffix(replayed, hash) {
		t.Errorf("status %d, %s%s; the run printed %s", status, replayed, messages, hash)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-40] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"quarry: Replay: step ": {"replay", file},
		"no such file":          {"replay", filepath.Join(dir, "none")},
		"--workers 65":          {"replay", file, "--workers", "65"},
		"there is no folder":    {"run", "single_box", "--steps", "1", "--record", filepath.Join(dir, "a", "b")},
		"SetPreSolve was called during the recording": {"run", "pre_solve", "--record", filepath.Join(dir, "c")},
	} {
		if status, _, messages := line(args...); status != 1 || !strings.Contains(messages, name) {
			t.Errorf("%v: status %d, %q; want 1 and %q", args, status, messages, name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "c")); err == nil {
		t.Error("a failed recording left a file")
	}
}
