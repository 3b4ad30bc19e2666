package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// report is the scene table of bench/RESULTS.md, in Markdown.
type report struct {
	machine  string
	build    string
	runs     int // of a scene
	workers  int
	kernel   string
	date     time.Time
	measured []sceneFigures
}

// write writes the report.
func (r *report) write(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s, %s\n\n", r.machine, r.date.Format(time.DateOnly))
	fmt.Fprintf(&b, "`quarry bench --report`, %s, kernels %s, %s. Each time is the least of %s, in\n",
		r.build, r.kernel, plural(r.workers, "worker"), plural(r.runs, "run"))
	b.WriteString("milliseconds: the mean of the steps but the first, and the longest of them. Contacts and hash " +
		"are those\n" +
		"at the end.\n\n")
	b.WriteString("| scene | steps | bodies | contacts | ms a step | longest step | hash " +
		"|\n|---|---|---|---|---|---|---|\n")
	for i := range r.measured {
		f := &r.measured[i]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s | %s | %s |\n",
			f.Scene, f.Steps, f.Bodies, f.Contacts, digits(f.MSStep), digits(f.MSMax), f.Hash)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// plural returns "1 worker", "2 workers", "1 body", "2 bodies".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// digits returns a time in milliseconds with three digits, or to a tenth of a microsecond.
func digits(ms float64) string {
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f", ms)
	case ms >= 1:
		return fmt.Sprintf("%.2f", ms)
	case ms >= 0.1:
		return fmt.Sprintf("%.3f", ms)
	}
	return fmt.Sprintf("%.4f", ms)
}

// machine returns the processor's name and the number of its cores that the program has.
func machine() string {
	name := "processor without a known name"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		name = processorOf(string(text), name)
	}
	return fmt.Sprintf("%s, %s, %s/%s", name, plural(runtime.NumCPU(), "core"), runtime.GOOS, runtime.GOARCH)
}

// processorOf returns the processor's name in the text of /proc/cpuinfo, or unknown.
func processorOf(text, unknown string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.Join(strings.Fields(value), " ")
		}
	}
	return unknown
}

// buildOf returns the commit, the compiler and the level of the instruction set of a program.
func buildOf(info *debug.BuildInfo) string {
	commit, level, changed := "", "", false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		case "GOAMD64", "GOARM64":
			level = ", " + s.Key + "=" + s.Value
		}
	}
	return commitText(commit, changed) + ", " + runtime.Version() + level
}

// commitText names a commit, or the present folder's if a program has none, as with go run.
func commitText(commit string, changed bool) string {
	where := ""
	if commit == "" {
		where = "in a checkout of "
		head, err := exec.Command("git", "rev-parse", "HEAD").Output()
		if err != nil {
			return "unknown commit"
		}
		commit = strings.TrimSpace(string(head))
		diff, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output()
		changed = err != nil || len(diff) > 0
	}
	text := where + "commit " + commit[:min(12, len(commit))]
	if changed {
		text += " with changes"
	}
	return text
}
