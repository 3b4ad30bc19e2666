//go:build unix

package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
)

// These tests run the test program again, as a child that edits a file until it is killed, or until the disk is full.

func TestMain(m *testing.M) {
	if path := os.Getenv("QUARRY_STORE_CHILD"); path != "" {
		run := child
		switch os.Getenv("QUARRY_STORE_LIMIT") {
		case "world":
			run = worldChild
		case "paced":
			run = pacedChild
		}
		if err := run(path, os.Getenv("QUARRY_STORE_LIMIT")); err != nil {
			fmt.Println("error", err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// change returns what moment k puts: a few chunks of 24, whose bytes tell of k, and its number; every fifth chunk is
// deleted.
func change(k int, put func(key Key, v []byte)) {
	rng := rand.New(rand.NewPCG(uint64(k), 7))
	for range 1 + rng.IntN(6) {
		v := make([]byte, rng.IntN(3000))
		for i := range v {
			v[i] = byte(rng.Uint32())
		}
		key := Chunk("1", rng.Int32N(8), rng.Int32N(3))
		if rng.IntN(5) == 0 {
			v = nil
		}
		put(key, v)
	}
	put(Record("moment"), []byte(strconv.Itoa(k)))
}

// child makes a moment after the other, on from those in the file. It prints "made k" before the Commit of moment k,
// and "saved k" when a Flush has returned. limit, if not empty, is the size of the largest file in bytes.
func child(path, limit string) error {
	if limit != "" {
		n, err := strconv.ParseUint(limit, 10, 64)
		if err != nil {
			return err
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			return err
		}
	}
	s, err := Open(path, Options{Interval: time.Millisecond})
	if err != nil {
		return err
	}
	v, _, err := s.Get(Record("moment"))
	if err != nil {
		return err
	}
	k, _ := strconv.Atoi(string(v))
	for {
		k++
		change(k, func(key Key, v []byte) {
			if v == nil {
				s.Delete(key)
			} else {
				s.Put(key, v)
			}
		})
		fmt.Println("made", k)
		s.Commit()
		if k%7 == 0 {
			if err := s.Flush(); err != nil {
				_ = s.Close() // it fails, too
				return err
			}
			fmt.Println("saved", k)
		}
	}
}

// startChild starts a child. saved is closed when it has reported a moment as saved, or has ended. lines returns the
// lines that it printed, after its end.
func startChild(t *testing.T, path, limit string) (cmd *exec.Cmd, saved <-chan struct{}, lines func() []string) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "QUARRY_STORE_CHILD="+path, "QUARRY_STORE_LIMIT="+limit)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all []string
	first, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tell := sync.OnceFunc(func() { close(first) })
		defer tell()
		for sc := bufio.NewScanner(out); sc.Scan(); {
			if all = append(all, sc.Text()); strings.HasPrefix(sc.Text(), "saved ") {
				tell()
			}
		}
	}()
	return cmd, first, func() []string {
		<-ended
		_ = cmd.Wait() // it was killed
		if errs.Len() > 0 {
			t.Fatalf("the child failed: %s", errs.String())
		}
		return all
	}
}

// reported returns the last moment that a child reported as saved, and as made; before is from the children before it.
func reported(lines []string, before int) (saved, made int) {
	saved, made = before, before
	for _, l := range lines {
		if n, ok := strings.CutPrefix(l, "made "); ok {
			made, _ = strconv.Atoi(n)
		} else if n, ok := strings.CutPrefix(l, "saved "); ok {
			saved, _ = strconv.Atoi(n)
		}
	}
	return saved, made
}

// checkMoment compares the file with a moment, from the last one that was saved to the last one that was made, and
// returns its number.
func checkMoment(t *testing.T, path string, lines []string, before int) int {
	t.Helper()
	saved, made := reported(lines, before)
	if _, err := os.Stat(path); os.IsNotExist(err) && saved == 0 {
		return 0 // killed before it made the file
	}
	s := openQuiet(t, path)
	defer s.Close()
	if r, err := s.Verify(nil); err != nil || len(r.Faults) > 0 {
		t.Fatal(err, r)
	}
	got := content(t, s)
	k, _ := strconv.Atoi(got[Record("moment")])
	if k < saved || k > made {
		t.Fatalf("the file has moment %d; %d was reported as saved, %d was made last", k, saved, made)
	}
	want := map[Key]string{}
	for i := range k {
		change(i+1, func(key Key, v []byte) {
			if want[key] = string(v); v == nil {
				delete(want, key)
			}
		})
	}
	if !maps.Equal(got, want) {
		t.Fatalf("the file tells of moment %d, but has another content", k)
	}
	return k
}

// kills returns the number of kills of a test: with -short, without, and with QUARRY_SOAK.
func kills(short, normal, soak int) int {
	switch {
	case testing.Short():
		return short
	case os.Getenv("QUARRY_SOAK") != "":
		return soak
	}
	return normal
}

// TestKilled kills a child at random moments while it edits: the file opens, is well, and has one whole moment, at
// smallest the last one that was reported as saved.
func TestKilled(t *testing.T) {
	times := kills(5, 20, 1000)
	path := filepath.Join(t.TempDir(), "quarry.db")
	moment, early := 0, 0
	for k := range times {
		if moment > 2000 { // the model makes all moments again
			moment, early, path = 0, 0, filepath.Join(t.TempDir(), "quarry.db")
		}
		cmd, saved, lines := startChild(t, path, "")
		time.Sleep(time.Duration(rand.IntN(120_000)) * time.Microsecond)
		if k == times-1 && moment == 0 {
			<-saved // where the machine is slow, no child came so far
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		all := lines()
		if _, err := os.Stat(path); os.IsNotExist(err) {
			early++ // it may have left the file that it was making
		}
		moment = checkMoment(t, path, all, moment)
		if k == times-1 {
			t.Logf("%d children killed, %d of them before they made the file; the last file has moment %d", times,
				early, moment)
		}
	}
	if moment == 0 {
		t.Error("no moment was saved")
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if err != nil || len(left) > 1+early {
		t.Errorf("files left: %v, %v", left, err)
	}
}

// TestDiskFull: when the file cannot grow, Flush tells so by the name of the file, and what was saved before is there.
func TestDiskFull(t *testing.T) {
	for _, limit := range []int{1000, 20_000, 70_000, 131_072, 200_000} {
		path := filepath.Join(t.TempDir(), "quarry.db")
		_, _, lines := startChild(t, path, strconv.Itoa(limit))
		all := lines()
		last := all[len(all)-1]
		if !strings.HasPrefix(last, "error store: "+path+": ") || !strings.HasSuffix(last, "file too large") {
			t.Errorf("limit %d: the child ended with %q", limit, last)
		}
		k := checkMoment(t, path, all, 0)
		t.Logf("limit %d: %d moments; %s", limit, k, last)
		if names, err := os.ReadDir(filepath.Dir(path)); err != nil || len(names) > 1 ||
			limit < 32768 && len(names) > 0 {
			t.Errorf("limit %d: files left: %v, %v", limit, names, err)
		}
	}
}

// TestFileWithoutPermission: a file and a folder that may not be written are errors by name.
func TestFileWithoutPermission(t *testing.T) {
	dir, err := os.MkdirTemp("", "quarry")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "quarry.db")
	s := openQuiet(t, path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{path: 0o444, dir: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	self := filepath.Join(t.TempDir(), "self")
	for _, path := range []string{path, filepath.Join(dir, "other.db")} {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "QUARRY_STORE_CHILD="+path)
		if os.Geteuid() == 0 { // root may write everywhere, so another user runs a copy of the program
			if cmd.Path = self; copyProgram(t, self) != nil {
				t.Fatal("no copy of the program")
			}
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			cmd.Dir = "/"
		}
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != "error store: "+path+": permission denied\n" {
			t.Errorf("%v, %q", err, out)
		}
	}
}

// copyProgram copies this program to path, where any user can run it.
func copyProgram(t *testing.T, path string) error {
	for dir := filepath.Dir(path); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(os.Args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o755)
}

// worldChild steps and edits a world, on from that in the file, and saves it after each step.
func worldChild(path, _ string) error {
	s, err := Open(path, Options{Interval: time.Millisecond})
	if err != nil {
		return err
	}
	t := new(testing.T) // its failures end the child without an output
	w := digWorld(t)
	if err := LoadWorld(s, w); err != nil && !errors.Is(err, ErrNoWorld) {
		return err
	}
	for saver := NewSaver(s, w); ; {
		dig(t, w)
		w.Step(1. / 60)
		fmt.Println("made", w.StepCount())
		if _, err := saver.Save(); err != nil {
			return err
		}
		if w.StepCount()%5 == 0 {
			if err := s.Flush(); err != nil {
				return err
			}
			fmt.Println("saved", w.StepCount())
		}
	}
}

// TestWorldKilled kills a program that edits a world, again and again: the file has the world as it was after one of
// its steps, at least the last one that was reported as saved, with the hash of a world that never left memory.
func TestWorldKilled(t *testing.T) {
	times := kills(2, 6, 300)
	path := filepath.Join(t.TempDir(), "quarry.db")
	want, before := digWorld(t), 0
	for k := range times {
		cmd, first, lines := startChild(t, path, "world")
		time.Sleep(time.Duration(50_000+rand.IntN(150_000)) * time.Microsecond)
		if k == times-1 && before == 0 {
			<-first // where the machine is slow, no child came so far
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		saved, made := reported(lines(), before)
		s := openQuiet(t, path)
		got := quarry.NewWorld(quarry.Config{})
		if err := LoadWorld(s, got); err != nil && (!errors.Is(err, ErrNoWorld) || saved > 0) {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		before = int(got.StepCount())
		if before < saved || before > made {
			t.Fatalf("the file has step %d; %d was reported as saved, %d was made last", before, saved, made)
		}
		for want.StepCount() < got.StepCount() {
			dig(t, want)
			want.Step(1. / 60)
		}
		if before > 0 && got.Hash() != want.Hash() {
			t.Fatalf("step %d: another hash than in memory", before)
		}
	}
	if before == 0 {
		t.Error("no step was saved")
	}
	t.Logf("killed %d times; the last file has step %d", times, before)
}

// pacedChild runs a world as a game does, in 60 steps a second with a SaveEach, and prints "made k ns", the step and
// the time of its end.
func pacedChild(path, _ string) error {
	s, err := Open(path, Options{})
	if err != nil {
		return err
	}
	t := new(testing.T) // its failures end the child without an output
	w := digWorld(t)
	if err := LoadWorld(s, w); err != nil && !errors.Is(err, ErrNoWorld) {
		return err
	}
	saver := NewSaver(s, w)
	for range time.Tick(time.Second / 60) {
		dig(t, w)
		w.Step(1. / 60)
		fmt.Println("made", w.StepCount(), time.Now().UnixNano())
		if _, err := saver.SaveEach(time.Second / 2); err != nil {
			return err
		}
	}
	return nil
}

// TestKilledIsRecent kills games at random moments, several at a time, and logs how old their files are: the time from
// the end of the first step that is missing to the kill. With QUARRY_SOAK=1 there are 1,000 kills, and none may be
// older than a second: in two such runs (2026-11-23, 2 cores, 20 games at a time) the oldest was 0.64 and 0.51 s old.
func TestKilledIsRecent(t *testing.T) {
	const together = 20
	paths := make([]string, together)
	for k := range paths {
		paths[k] = filepath.Join(t.TempDir(), "quarry.db")
	}
	before := make([]int, together)
	var ages []time.Duration
	for len(ages) < kills(10, together, 1000) {
		type game struct {
			kill   time.Time
			killed chan struct{}
			cmd    *exec.Cmd
			lines  func() []string
		}
		games := make([]game, min(together, kills(10, together, 1000)))
		for k := range games {
			g := &games[k]
			g.killed = make(chan struct{})
			g.cmd, _, g.lines = startChild(t, paths[k], "paced")
			time.AfterFunc(time.Duration(200+rand.IntN(2500))*time.Millisecond, func() {
				g.kill = time.Now()
				_ = g.cmd.Process.Kill() // lines tells if it was not there
				close(g.killed)
			})
		}
		for k := range games {
			g := &games[k]
			<-g.killed
			lines := g.lines() // until its end the file is locked
			s := openQuiet(t, paths[k])
			w := quarry.NewWorld(quarry.Config{})
			err := LoadWorld(s, w)
			if e := s.Close(); e != nil {
				t.Fatal(e)
			}
			var age time.Duration
			has, made := int(w.StepCount()), before[k]
			for _, l := range lines {
				var at int64
				if n, _ := fmt.Sscanf(l, "made %d %d", &made, &at); n == 2 && made == has+1 {
					age = g.kill.Sub(time.Unix(0, at))
				}
			}
			if err != nil && (!errors.Is(err, ErrNoWorld) || before[k] > 0) || has < before[k] || has > made {
				t.Fatalf("the file has step %d, after %d; %d was made last: %v", has, before[k], made, err)
			}
			before[k] = has
			ages = append(ages, age)
		}
	}
	slices.Sort(ages)
	oldest := ages[len(ages)-1]
	t.Logf("%d games killed; their files were %v old in the middle, %v at most", len(ages), ages[len(ages)/2], oldest)
	if oldest > time.Second && os.Getenv("QUARRY_SOAK") != "" {
		t.Errorf("a file was %v old", oldest)
	}
}
