package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/scene"
)

// TestRunRecordReplay records a run of a scene, and replays it: whole, damaged and missing.
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
		"no such scene":         {"replay", file, "--scene", "nosuch"},
	} {
		if status, _, messages := line(args...); status != 1 || !strings.Contains(messages, name) {
			t.Errorf("%v: status %d, %q; want 1 and %q", args, status, messages, name)
		}
	}
}

// TestReplayOfFunctions records a scene that sets functions, also during the run, and replays it with the scene's.
func TestReplayOfFunctions(t *testing.T) {
	line := func(args ...string) (int, string, string) {
		var out, messages bytes.Buffer
		status := execute(args, streams{&out, &messages})
		return status, out.String(), messages.String()
	}
	file := filepath.Join(t.TempDir(), "log")
	status, ran, messages := line("run", "pre_solve", "--steps", "150", "--record", file)
	if status != 0 {
		t.Fatal(status, messages)
	}
	status, replayed, messages := line("replay", file, "--scene", "pre_solve")
	if hash := ran[strings.LastIndex(ran, "  hash"):]; status != 0 || !strings.HasSuffix(replayed, hash) {
		t.Errorf("status %d, %s%s; the run printed %s", status, replayed, messages, hash)
	}
	if status, _, messages := line("replay", file); status != 1 || !strings.Contains(messages, "pre-solve function") ||
		!strings.Contains(messages, "--scene") {
		t.Errorf("without the functions: status %d, %q", status, messages)
	}
}

// countedWriter counts the writes, and the bytes of the longest.
type countedWriter struct{ writes, most int }

func (w *countedWriter) Write(b []byte) (int, error) {
	w.writes, w.most = w.writes+1, max(w.most, len(b))
	return len(b), nil
}

// canceled returns the context of a signal that has come.
func canceled() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	return ctx
}

// TestRecordStreams: a recording is written while the run goes on, and a run ends when it can no longer be written;
// then no file is left.
func TestRecordStreams(t *testing.T) {
	sc, _ := scene.Get("pyramid")
	in := sc.New()
	out := &countedWriter{}
	in.World.Record(out, 1)
	begin := out.most
	for range 20 {
		in.Step()
	}
	if out.writes < 20 || out.most > begin {
		t.Errorf("%d writes in 20 steps, the longest of %d bytes; the snapshot had %d", out.writes, out.most, begin)
	}
	if err := in.World.StopRecording(); err != nil {
		t.Fatal(err)
	}

	dir := t.TempDir()
	file, err := newOutFile("--record", filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	in = sc.New()
	err = record(file, in, func(ended func() error) error {
		for ; ended() == nil && steps < 100; steps++ {
			if in.Step(); steps == 10 {
				return errInterrupted
			}
		}
		return nil
	})
	if left, _ := os.ReadDir(dir); !errors.Is(err, errInterrupted) || len(left) > 0 || steps != 10 {
		t.Errorf("an interrupted recording: %v after %d steps, and %d files are left", err, steps, len(left))
	}
	log := &endedWriter{out: &interruptedWriter{canceled(), nil}}
	in = sc.New()
	in.World.Record(log, 1)
	if in.Step(); !errors.Is(log.err, errInterrupted) {
		t.Errorf("the run is told %v", log.err)
	}
}
