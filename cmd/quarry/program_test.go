//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/scene"
)

// These tests run the built program and check its exit status, its output, and the files
// that it leaves.

// programDir holds the built program; "" until a test has built it.
var programDir string

// build builds the program once for all tests.
var build = sync.OnceValues(func() (string, error) {
	var err error
	if programDir, err = os.MkdirTemp("", "quarry"); err != nil {
		return "", err
	}
	if err := os.Chmod(programDir, 0o755); err != nil { // for another user, see asNobody
		return "", err
	}
	name := filepath.Join(programDir, "quarry")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return name, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if programDir != "" {
		_ = os.RemoveAll(programDir) // in the folder for temporary files
	}
	os.Exit(status)
}

// program returns the built program, to run with these arguments.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	worldtest.GoCommand(t)
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return exec.Command(name, args...)
}

// result runs cmd and returns its exit status, -1 for a signal, and its output.
func result(t *testing.T, cmd *exec.Cmd) (status int, out, errs string) {
	t.Helper()
	return resultWhile(t, cmd, func() {})
}

// resultWhile is result, and calls while once the program runs.
func resultWhile(t *testing.T, cmd *exec.Cmd, while func()) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	while()
	_ = cmd.Wait() // the exit code has the result
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// asNobody makes cmd run as a user without the privileges of root.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	return cmd
}

// openDir returns a temporary folder with the permissions mode, which any user may reach.
func openDir(t *testing.T, mode os.FileMode) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "quarry")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	return dir
}

// files returns the names in dir.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

func TestProgramVersion(t *testing.T) {
	status, out, errs := result(t, program(t, "--version"))
	want := regexp.MustCompile(`^quarry \S+( \(.*\))? ` + regexp.QuoteMeta(runtime.Version()) + " " + runtime.GOOS +
		"/" + runtime.GOARCH + "\n$")
	if status != 0 || errs != "" || !want.MatchString(out) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

// TestProgramUnwritableOut: a file that cannot be written is an error before the first
// step. The error came after the run, whose result was lost.
func TestProgramUnwritableOut(t *testing.T) {
	closed, open := openDir(t, 0o555), openDir(t, 0o777)
	mine := filepath.Join(open, "mine.png")
	if err := os.WriteFile(mine, []byte("mine"), 0o444); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ out, says string }{
		"folder that cannot be written": {filepath.Join(closed, "a.png"), "permission denied"},
		"the same, a .gif":              {filepath.Join(closed, "a.gif"), "permission denied"},
		"the same, an .svg":             {filepath.Join(closed, "a.svg"), "permission denied"},
		"file that cannot be written":   {mine, "permission denied"},
		"name that is too long":         {filepath.Join(open, strings.Repeat("a", 300)+".png"), "too long"},
		"no folder":                     {filepath.Join(open, "none", "a.png"), "no folder"},
	} {
		cmd := asNobody(program(t, "run", "valley", "--steps", "10000000", "--out", c.out))
		start := time.Now()
		status, out, errs := result(t, cmd)
		if status != 1 || out != "" || !strings.Contains(errs, "--out "+c.out) || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d after %v, %q, %q", name, status, time.Since(start), out, errs)
		}
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
		t.Errorf("the file that was there: %q, %v", text, err)
	}
	if left := files(t, open); len(left) != 1 || len(files(t, closed)) != 0 {
		t.Errorf("left behind: %q, %q", left, files(t, closed))
	}
}

// TestProgramInterrupted: Ctrl-C and SIGTERM leave the old file and no other, during the
// steps and while the picture is drawn and written. A temporary file stayed.
func TestProgramInterrupted(t *testing.T) {
	for _, kind := range []string{"png", "svg", "gif"} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			dir := t.TempDir()
			cmd := program(t, "run", "valley", "--steps", "10000000", "--out", filepath.Join(dir, "a."+kind), "--width",
				"64", "--height", "64")
			if status, out, _ := resultWhile(t, cmd, func() {
				time.Sleep(500 * time.Millisecond)
				_ = cmd.Process.Signal(sig)
			}); status == 0 || out != "" || len(files(t, dir)) != 0 {
				t.Errorf("%s, %v during the steps: status %d, %q, left behind %q", kind, sig, status, out,
					files(t, dir))
			}
		}
	}
	// The largest picture takes seconds: the signal is sent once its file exists. Where the machine runs something else
	// than this test or the program just then, the signal comes too late or too soon, and the program is run again.
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		var dir, file string
		var status int
		var out, errs string
		for try := 0; try < 10 && status != 130; try++ {
			dir = t.TempDir()
			file = filepath.Join(dir, "a.png")
			if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
				t.Fatal(err)
			}
			cmd := program(t, "run", "valley", "--steps", "1", "--out", file, "--width", "4096", "--height", "3072")
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				seen := ""
				for {
					select {
					case <-stop:
						return
					case <-time.After(time.Millisecond):
					}
					// The check at the start makes the first file: gone at once.
					left, _ := filepath.Glob(filepath.Join(dir, ".quarry-*"))
					if len(left) == 0 {
						continue
					}
					if left[0] == seen {
						_ = cmd.Process.Signal(sig)
						return
					}
					seen = left[0]
				}
			}()
			status, out, errs = result(t, cmd)
			close(stop)
			<-stopped
		}
		if status != 130 || out != "" || !strings.Contains(errs, "interrupted") {
			t.Errorf("%v during the picture: status %d, %q, %q", sig, status, out, errs)
		}
		if left := files(t, dir); len(left) != 1 {
			t.Errorf("%v during the picture: left behind %q", sig, left)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
			t.Errorf("%v during the picture: the file that was there: %d bytes, %v", sig, len(text), err)
		}
	}
}

// TestProgramUmask: a new picture has the permissions that the umask leaves, and a picture
// that replaces a file has the permissions of that file. All were 0644.
func TestProgramUmask(t *testing.T) {
	for _, kind := range []string{"png", "svg", "gif"} {
		for umask, want := range map[string]os.FileMode{"077": 0o600, "022": 0o644, "002": 0o664} {
			file := filepath.Join(t.TempDir(), "a."+kind)
			cmd := program(t)
			cmd = exec.Command("sh", "-c", "umask "+umask+`; exec "$0" "$@"`, cmd.Path,
				"run", "cliff", "--steps", "2", "--out", file, "--width", "64", "--height", "64")
			if status, _, errs := result(t, cmd); status != 0 {
				t.Fatalf("status %d, %s", status, errs)
			}
			if info, err := os.Stat(file); err != nil || info.Mode() != want {
				t.Errorf("%s, umask %s: %v, %v; want %v", kind, umask, info.Mode(), err, want)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(file, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := result(t, program(t, "run", "cliff", "--steps", "1", "--out", file)); status != 0 {
		t.Fatal(errs)
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o640 || info.Size() == 0 {
		t.Errorf("in the place of a file of 0640: %v, %v", info.Mode(), err)
	}
}

// TestProgramHashOfMap: hash takes map files as run does, with the same hash.
func TestProgramHashOfMap(t *testing.T) {
	args := []string{hills, "--steps", "30", "--drop", "12"}
	status, out, errs := result(t, program(t, append([]string{"hash"}, args...)...))
	if status != 0 || !regexp.MustCompile(`^[0-9a-f]{16}\n$`).MatchString(out) {
		t.Fatalf("status %d, %q, %q", status, out, errs)
	}
	_, run, _ := result(t, program(t, append([]string{"run", "--json"}, args...)...))
	var s summary
	if err := json.Unmarshal([]byte(run), &s); err != nil || s.Hash+"\n" != out {
		t.Errorf("hash %q, run %+v, %v", out, s, err)
	}
	if status, out, errs := result(t, program(t, "hash", "no/such.tmx")); status != 1 || out != "" ||
		!strings.Contains(errs, "no such file") {
		t.Errorf("no file: status %d, %q, %q", status, out, errs)
	}
}

// TestProgramOneStep: a run of one step prints the time of that step, marked as the first
// step's. (It printed 0.000 ms.)
func TestProgramOneStep(t *testing.T) {
	_, out, _ := result(t, program(t, "run", "tiles_flat", "--steps", "1", "--json"))
	var s summary
	if err := json.Unmarshal([]byte(out), &s); err != nil || !(s.MSStep > 0.01) || s.MSLeast != s.MSStep || !s.MSFirst {
		t.Errorf("%v\n%s", err, out)
	}
	status, out, _ := result(t, program(t, "run", "tiles_flat", "--steps", "1"))
	if status != 0 || !strings.Contains(out, "ms for the only step") || strings.Contains(out, " 0.000 ms") {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, _ = result(t, program(t, "run", "tiles_flat", "--steps", "3"))
	if status != 0 || !strings.Contains(out, "ms a step") || strings.Contains(out, " 0.000") ||
		strings.Contains(out, "only step") {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, _ = result(t, program(t, "run", "tiles_flat", "--steps", "0"))
	if status != 0 || !strings.Contains(out, "none (no steps)") {
		t.Errorf("status %d\n%s", status, out)
	}
}

// TestProgramTellsOfMaps: for a map whose object layers are not read, and for a map that is
// a full rectangle, the program prints a warning on standard error, and runs.
func TestProgramTellsOfMaps(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	bitmap := func(name string, at func(x, y int) color.Color) string {
		img := image.NewNRGBA(image.Rect(0, 0, 20, 10))
		for i := range 200 {
			img.Set(i%20, i/20, at(i%20, i/20))
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return write(name, b.Bytes())
	}
	tiled := func(csv, more string) []byte {
		return []byte(`<map orientation="orthogonal" width="4" height="2" tilewidth="8" tileheight="8">` +
			`<tileset firstgid="1" name="s" tilewidth="8" tileheight="8" tilecount="4" columns="2"/>` +
			`<layer name="l" width="4" height="2"><data encoding="csv">` + csv + `</data></layer>` + more + `</map>`)
	}
	dark, light := color.NRGBA{40, 40, 40, 255}, color.NRGBA{250, 250, 250, 255}
	for _, c := range []struct{ file, want string }{
		{bitmap("dark.png", func(int, int) color.Color { return dark }), "one full rectangle of 20 x 10 cells"},
		{bitmap("floor.png", func(_, y int) color.Color {
			if y < 5 {
				return light
			}
			return dark
		}), ""},
		{write("all.tmx", tiled("1,1,1,1,1,1,1,1", "")), "one full rectangle of 4 x 2 cells"},
		{write("some.tmx", tiled("0,0,0,0,1,1,1,1", "")), ""},
		{
			write("objects.tmx", tiled("0,0,0,0,1,1,1,1",
				`<group name="g"><objectgroup name="spawns"><object id="1" x="1" y="2"/><object id="2" x="3" y="4"/></objectgroup></group>`)),
			`object layers are not read: 1 (objects in them: 2), the first "g/spawns"`,
		},
		{write("empty.tmx", tiled("0,0,0,0,1,1,1,1", `<objectgroup name="spawns"/>`)), ""},
	} {
		for _, command := range []string{"run", "hash"} {
			status, out, errs := result(t, program(t, command, c.file, "--steps", "2", "--drop", "1"))
			told := strings.Contains(errs, "quarry: warning: ") && strings.Contains(errs, c.want)
			if status != 0 || out == "" || told != (c.want != "") || c.want == "" && errs != "" {
				t.Errorf("%s %s: status %d, said %q, want %q", command, filepath.Base(c.file), status, errs, c.want)
			}
		}
	}
}

// TestOutFileInterrupted: a signal while an outFile is written leaves the old file, for each
// kind of picture.
func TestOutFileInterrupted(t *testing.T) {
	sc, _ := scene.Get("cliff")
	for _, kind := range []string{".png", ".svg", ".gif"} {
		dir := t.TempDir()
		file := filepath.Join(dir, "a"+kind)
		p := picture{Out: file, Width: 64, Height: 64, FPS: 30}
		var warned bytes.Buffer
		c, err := p.begin(sc, streams{&warned, &warned})
		if err != nil {
			t.Fatal(err)
		}
		w := sc.New().World
		if err := c.frame(w, 0); err != nil {
			t.Fatal(err)
		}
		err = c.file.write(func(out io.Writer) error {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				return err
			}
			select {
			case <-out.(*interruptedWriter).ctx.Done():
			case <-time.After(time.Minute):
				t.Error("the signal is not delivered")
			}
			return c.write(out, w)
		})
		if err == nil || !strings.Contains(err.Error(), "interrupted") || len(files(t, dir)) != 0 {
			t.Errorf("%s: %v, left behind %q", kind, err, files(t, dir))
		}
		if _, err := c.finish(w); err != nil {
			t.Errorf("%s: afterwards: %v", kind, err)
		}
		if got := files(t, dir); len(got) != 1 {
			t.Errorf("%s: afterwards %q", kind, got)
		}
	}
}
