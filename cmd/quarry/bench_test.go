package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// lines decodes one JSON object a line, and compares its keys with want.
func lines(t *testing.T, out string, want ...string) []map[string]any {
	t.Helper()
	slices.Sort(want)
	var all []map[string]any
	for line := range strings.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		var keys []string
		for k := range m {
			keys = append(keys, k)
		}
		if slices.Sort(keys); !slices.Equal(keys, want) {
			t.Fatalf("keys %q, want %q", keys, want)
		}
		all = append(all, m)
	}
	return all
}

// rampSegments counts the segments of n x n ramps turned at random: every ramp has
// its slope, and its faces that no neighbour has as well.
func rampSegments(n int) float64 {
	const bottom, right, top, left = 0, 1, 2, 3 // a quarter turn takes each to the next
	turns := groundBenchmark{side: int32(n), shape: gridseg.Ramp}.turns()
	has := func(x, y, side int) bool {
		if x < 0 || y < 0 || x >= n || y >= n {
			return false
		}
		k := int(turns[y*n+x])
		return side == (bottom+k)%4 || side == (right+k)%4
	}
	count := n * n
	for y := range n {
		for x := range n {
			for side, d := range [4][2]int{bottom: {0, -1}, right: {1, 0}, top: {0, 1}, left: {-1, 0}} {
				if has(x, y, side) && !has(x+d[0], y+d[1], (side+2)%4) {
					count++
				}
			}
		}
	}
	return float64(count)
}

// TestBenchGround checks the figures that do not depend on the machine.
func TestBenchGround(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	status, out, errs := command("bench", "full_block", "ramp", "edit", "full_block_set", "edit_block", "--json",
		"--runs", "2")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, said %q", status, errs)
	}
	if n := runtime.GOMAXPROCS(0); n != procs {
		t.Errorf("GOMAXPROCS %d, was %d", n, procs)
	}
	all := lines(t, out, "scene", "cells", "segments", "build_ms", "edit_ns", "allocs", "bytes")
	want := []struct {
		scene    string
		segments float64
		edits    bool
	}{
		{"full_block", 400, false},
		{"ramp", rampSegments(100), false},
		{"edit", rampSegments(100), true},
		{"full_block_set", 400, false},
		{"edit_block", 400, true},
	}
	if len(all) != len(want) {
		t.Fatalf("%d lines, want %d", len(all), len(want))
	}
	for i, w := range want {
		m := all[i]
		if w.edits && m["allocs"] != 0.0 { // the runtime may have allocated something
			m = lines(t, outOf(t, "bench", w.scene, "--json", "--runs", "2"), "scene", "cells", "segments", "build_ms",
				"edit_ns", "allocs", "bytes")[0]
		}
		if m["scene"] != w.scene || m["cells"] != 10000.0 || m["segments"] != w.segments || m["bytes"].(float64) <= 0 {
			t.Errorf("%v, want %+v and 10000 cells", m, w)
		}
		build, edit, allocs := m["build_ms"].(float64), m["edit_ns"].(float64), m["allocs"].(float64)
		if w.edits && (build != 0 || edit <= 0 || allocs != 0) || !w.edits && (build <= 0 || edit != 0 || allocs < 1) {
			t.Errorf("%v: what applies and what not", m)
		}
	}
}

// outOf returns the output of a command that must succeed.
func outOf(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := command(args...)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, said %q", status, errs)
	}
	return out
}

func TestBenchScene(t *testing.T) {
	_, hash, _ := command("hash", "stack")
	status, out, errs := command("bench", "stack", "--json", "--runs", "2")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, said %q", status, errs)
	}
	m := lines(t, out, sceneKeys...)[0]
	sc, _ := scene.Get("stack")
	if m["scene"] != "stack" || m["steps"] != float64(sc.Steps) || m["hash"] != strings.TrimSpace(hash) ||
		m["bodies"].(float64) < 2 {
		t.Errorf("%v", m)
	}
	if m["ms_step"].(float64) <= 0 || m["ms_max"].(float64) < m["ms_step"].(float64) {
		t.Errorf("%v", m)
	}
	if m["runs"] != 2.0 || m["workers"] != 1.0 ||
		m["kernel"] != "avx2" && m["kernel"] != "neon" && m["kernel"] != "go" {
		t.Errorf("%v: runs, workers and kernel", m)
	}
	for try := 1; try < 5 && m["allocs_step"] != 0.0; try++ { // the runtime may have allocated something
		m = lines(t, outOf(t, "bench", "stack", "--json", "--runs", "2"), sceneKeys...)[0]
	}
	if m["allocs_step"] != 0.0 || m["bytes_body"].(float64) < 100 || m["bytes_contact"].(float64) < 100 {
		t.Errorf("%v: memory", m)
	}
	sum := 0.0
	for _, name := range []string{"pairs", "narrow", "list", "solve", "advance", "sensors", "sleep"} {
		ms, ok := m["phases"].(map[string]any)[name].(float64)
		if sum += ms; !ok || ms < 0 {
			t.Errorf("phase %s: %v", name, m["phases"])
		}
	}
	// The step has some overhead beside its stages, and the figures are rounded.
	if step := m["ms_step"].(float64); sum <= 0 || sum > step+1e-5 {
		t.Errorf("the stages take %v of %v ms", sum, step)
	}
}

// sceneKeys are the keys of a scene's JSON object.
var sceneKeys = []string{
	"scene", "steps", "bodies", "contacts", "runs", "ms_step", "ms_max", "phases", "workers", "kernel",
	"allocs_step", "bytes_body", "bytes_contact", "hash",
}

// TestBenchWorkers: the flag sets the number of workers, which does not change the hash.
func TestBenchWorkers(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	_, hash, _ := command("hash", "cliff")
	for flag, want := range map[string]int{"1": 1, "3": 3, "0": procs} {
		status, out, errs := command("bench", "cliff", "--json", "--runs", "1", "--workers", flag)
		if status != 0 || errs != "" {
			t.Fatalf("status %d, said %q", status, errs)
		}
		if m := lines(t, out, sceneKeys...)[0]; m["workers"] != float64(want) || m["hash"] != strings.TrimSpace(hash) {
			t.Errorf("--workers %s: %v", flag, m)
		}
		if n := runtime.GOMAXPROCS(0); n != procs {
			t.Errorf("GOMAXPROCS %d, was %d", n, procs)
		}
	}
}

// TestBenchReport: the report names machine, program and number of runs, and has a row a scene.
func TestBenchReport(t *testing.T) {
	args := []string{"bench", "--report", "cliff", "seam_run", "--runs", "2"}
	status, out, errs := command(args...)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, said %q", status, errs)
	}
	for _, w := range []string{
		"core", runtime.GOOS + "/" + runtime.GOARCH, time.Now().UTC().Format("2006-"), runtime.Version(), "commit",
		"kernels",
		"1 worker.", "Each time is the least of 2 runs", "| ms a step | longest step |",
	} {
		if !strings.Contains(out, w) {
			t.Errorf("no %q in\n%s", w, out)
		}
	}
	var rows []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "| ") {
			rows = append(rows, line)
		}
	}
	if len(rows) != 3 {
		t.Fatalf("%d rows in\n%s", len(rows), out)
	}
	for i, name := range []string{"scene", "cliff", "seam_run"} {
		cells := strings.Split(strings.Trim(rows[i], "|\n"), "|")
		if len(cells) != 7 || strings.TrimSpace(cells[0]) != name {
			t.Errorf("row %q of %s", rows[i], name)
		}
		if i > 0 {
			_, hash, _ := command("hash", name)
			if got := strings.TrimSpace(cells[6]); got != strings.TrimSpace(hash) {
				t.Errorf("%s: hash %s, want %s", name, got, hash)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "report.md")
	status, out, errs = command(append(args, "--out", file)...)
	text, err := os.ReadFile(file)
	if status != 0 || out != "" || errs != "" || err != nil || strings.Count(string(text), "\n| ") != 3 {
		t.Errorf("status %d, wrote %q, said %q; the file: %v\n%s", status, out, errs, err, text)
	}
}

func TestReportText(t *testing.T) {
	if got := processorOf("processor\t: 0\nmodel name\t: Fast  CPU @ 3 GHz\nmodel name\t: Other\n",
		"unknown"); got != "Fast CPU @ 3 GHz" {
		t.Errorf("processor %q", got)
	}
	if got := processorOf("Hardware\t: board\n", "unknown"); got != "unknown" {
		t.Errorf("processor %q", got)
	}
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{
		{Key: "GOAMD64", Value: "v3"}, {Key: "vcs.revision", Value: "0123456789abcdef"}, {
			Key:   "vcs.modified",
			Value: "true",
		},
	}}
	if got, want := buildOf(info), "commit 0123456789ab with changes, "+runtime.Version()+", GOAMD64=v3"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := buildOf(&debug.BuildInfo{}); !strings.Contains(got, "commit") {
		t.Errorf("%q names no commit", got)
	}
	for _, c := range []struct {
		ms   float64
		want string
	}{{123.456, "123"}, {12.3456, "12.3"}, {1.23456, "1.23"}, {0.123456, "0.123"}, {0.0123456, "0.0123"}} {
		if got := digits(c.ms); got != c.want {
			t.Errorf("%v: %q, want %q", c.ms, got, c.want)
		}
	}
}

// TestBenchDefault: without names, bench prints the table of all cheap measurements.
func TestBenchDefault(t *testing.T) {
	status, out, errs := command("bench", "--runs", "1")
	if status != 0 || errs != "" {
		t.Fatalf("status %d, said %q", status, errs)
	}
	var names []string
	for line := range strings.Lines(out) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name) // the article's table has a line an algorithm
		}
		if len(line) > 100 {
			t.Errorf("too wide: %q", line)
		}
	}
	if want := []string{
		"ground", "full_block", "full_block_set", "full_block_1000", "ramp", "edit", "edit_block",
		"edit_block_4000", "edit_block_4000_near", "", "article", "article_block", "article_ramp",
	}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// TestBenchTables: each kind has a table, headed again where the kind changes.
func TestBenchTables(t *testing.T) {
	_, out, _ := command("bench", "full_block", "edit_block", "cliff", "full_block", "--runs", "1")
	var names []string
	for line := range strings.Lines(out) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		names = append(names, name)
	}
	want := []string{"ground", "full_block", "edit_block", "", "scene", "cliff", "", "ground", "full_block"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestBenchRefuses(t *testing.T) {
	for _, c := range []struct {
		status int
		want   []string // parts of the message
		args   []string
	}{
		// Names are looked up before the first is measured: nothing is printed.
		{1, []string{`"nosuch"`, "full_block,", "edit_4000", "large_pyramid"}, []string{"full_block", "nosuch"}},
		{1, []string{`""`}, []string{""}},
		{1, []string{"--runs 0 is out of range: it must be 1 to 10000"}, []string{"full_block", "--runs", "0"}},
		{1, []string{"--runs -3"}, []string{"full_block", "--runs=-3"}},
		{1, []string{"--runs 10001"}, []string{"full_block", "--runs", "10001"}},
		{1, []string{"--workers 65 is out of range", "1 to 64"}, []string{"cliff", "--workers", "65"}},
		{1, []string{"--workers -1"}, []string{"cliff", "--workers=-1"}},
		{1, []string{"--workers 2 needs a scene"}, []string{"full_block", "--workers", "2"}},
		{1, []string{"--out x.md needs --report"}, []string{"cliff", "--out", "x.md"}},
		{1, []string{"--json and --report"}, []string{"cliff", "--json", "--report"}},
		{1, []string{"full_block is not a scene"}, []string{"cliff", "full_block", "--report"}},
		{1, []string{"--out /nosuch/x.md", "folder"}, []string{"cliff", "--report", "--out", "/nosuch/x.md"}},
		{2, []string{"--runs"}, []string{"full_block", "--runs", "few"}},
		{2, []string{"--jason"}, []string{"full_block", "--jason"}},
	} {
		status, out, errs := command(append([]string{"bench"}, c.args...)...)
		if status != c.status || out != "" && !strings.HasPrefix(out, "Usage") {
			t.Errorf("%q: status %d, wrote %q", c.args, status, out)
		}
		for _, w := range c.want {
			if !strings.Contains(errs, w) {
				t.Errorf("%q: said %q, want %q in it", c.args, errs, w)
			}
		}
	}
}

// TestBenchHelp: the help names each benchmark, and no scene has the name of one.
func TestBenchHelp(t *testing.T) {
	status, out, _ := command("bench", "--help")
	if status != 0 {
		t.Errorf("status %d", status)
	}
	for _, a := range articleBenchmarks {
		if !strings.Contains(out, fmt.Sprintf(" %-20s  %s", a.name, a.doc)) {
			t.Errorf("no %s in\n%s", a.name, out)
		}
	}
	for _, b := range groundBenchmarks {
		if !strings.Contains(out, fmt.Sprintf(" %-20s  %s", b.name, b.doc)) {
			t.Errorf("no %s in\n%s", b.name, out)
		}
		if _, ok := scene.Get(b.name); ok {
			t.Errorf("%s is a scene too", b.name)
		}
	}
}
