//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/filelog"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// keeping runs a server that keeps its world in a folder, as version engine of the engine. end ends it; kill leaves the
// folder as a kill would.
func keeping(t *testing.T, c Config, engine string) (p *peer, end func()) {
	t.Helper()
	if c.Scenes == nil {
		c.Scenes = append(scene.All(), pit)
	}
	s := New(c)
	s.engine = engine
	ctx, cancel := context.WithCancel(context.Background())
	h := httptest.NewServer(s.Handler())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	end = func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		h.Close()
	}
	return dial(t, strings.TrimPrefix(h.URL, "http://")), end
}

// copyOf returns a copy of a folder, as a kill would leave it.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// The world is where it was after the server has ended: its scene, its ground and bodies, and how its time passes. A
// drag ends with its player, and whoever comes next does not undo the edits of those before.
func TestWorldIsKept(t *testing.T) {
	c := Config{Keep: filepath.Join(t.TempDir(), "deep", "world"), Start: "pit"}
	p, end := keeping(t, c, "")
	p.until("the world", func() bool { return p.tiles() == 40 })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.send(`{"do":"add","kind":"circle","x":5,"y":0.5}`)
	p.send(`{"do":"grab","x":5,"y":0.5}`)
	p.send(`{"do":"speed","rate":0.5}`)
	p.until("the changes", func() bool { return p.tiles() == 39 && len(p.moving()) == 2 && p.status.Rate == 0.5 })
	at := p.step
	p.send(`{"do":"pause"}`)
	p.until("a pause", func() bool { return p.paused })
	end()

	p, end = keeping(t, c, "")
	p.until("the world", func() bool { return p.frames > 0 && p.tiles() == 39 && len(p.moving()) == 2 })
	if p.step < at || !p.paused || p.status.Rate != 0.5 || p.status.Undo != 0 || p.hello.Scene != "pit" {
		t.Errorf("scene %s, step %v, was %v; paused %t, speed %v, %d edits to undo", p.hello.Scene, p.step, at,
			p.paused, p.status.Rate, p.status.Undo)
	}
	p.send(`{"do":"scene","name":"tiles_flat"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "tiles_flat" && p.frames > 0 })
	end()

	c.Scenes = scene.All() // the scene of the file is not there
	c.Start = "outpost"
	p, end = keeping(t, c, "")
	p.until("that scene", func() bool { return p.hello.Scene == "tiles_flat" && p.frames > 0 })
	end()
}

// The world of a file's scene is kept although the next start does not know the scene; reset brings the scene back as
// long as it is known.
func TestSceneOfAFileIsKept(t *testing.T) {
	c := Config{Keep: filepath.Join(t.TempDir(), "world"), Start: "pit"}
	p, end := keeping(t, c, "")
	p.until("the world", func() bool { return p.tiles() == 40 })
	p.send(`{"do":"scene","name":"valley"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "valley" && p.frames > 0 })
	p.send(`{"do":"scene","name":"pit"}`)
	p.until("the file's", func() bool { return p.hello.Scene == "pit" && p.tiles() == 40 && p.frames > 0 })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.until("a hole", func() bool { return p.tiles() == 39 })
	p.send(`{"do":"reset"}`)
	p.until("a reset", func() bool { return p.tiles() == 40 })
	p.send(`{"do":"erase","cells":[-10,-1,-9,-1]}`)
	p.until("a hole", func() bool { return p.tiles() == 38 })
	killed := copyOf(t, c.Keep)
	end()
	for _, dir := range []string{c.Keep, killed} {
		p, end := keeping(t, Config{Scenes: scene.All(), Keep: dir}, "")
		p.until("the world", func() bool { return p.hello.Scene == "pit" && p.tiles() == 38 })
		end()
	}
}

// Another version of the engine opens what this one has left: all of it if the server has ended; the newest snapshot
// after a kill, and says so.
func TestKeptByAnotherEngine(t *testing.T) {
	c := Config{Keep: filepath.Join(t.TempDir(), "world"), Start: "pit", Paused: true}
	p, end := keeping(t, c, "v1")
	p.until("the world", func() bool { return p.tiles() == 40 && p.paused })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.until("a hole", func() bool { return p.tiles() == 39 })
	await(t, "a snapshot", func() bool {
		list, err := filepath.Glob(filepath.Join(c.Keep, onlyWorld, "snapshot-"+strings.Repeat("?", 16)))
		return err == nil && len(list) > 0
	})
	p.send(`{"do":"erase","cells":[-9,-1]}`)
	p.until("another", func() bool { return p.tiles() == 38 })
	killed := copyOf(t, c.Keep)
	end()
	for _, k := range []struct {
		dir          string
		tiles, lines int
	}{{c.Keep, 38, 0}, {killed, 39, 1}, {killed, 39, 0}} {
		var log logged
		p, end := keeping(t, Config{Keep: k.dir, Log: log.add}, "v2")
		p.until("the world", func() bool { return p.hello.Scene == "pit" && p.frames > 0 && p.tiles() == k.tiles })
		if !p.paused || log.count("goes on from its snapshot of ") != k.lines || k.lines == 1 && log.count("v1") != 1 {
			t.Errorf("paused %t, log %q", p.paused, log.lines)
		}
		end()
	}
	if list, _ := filepath.Glob(filepath.Join(killed, "*.bad1", "log")); len(list) != 1 {
		t.Errorf("logs that were set aside: %q", list)
	}
}

// A damaged log does not keep the sandbox from its start.
func TestDamagedLogIsSetAside(t *testing.T) {
	c := Config{Keep: filepath.Join(t.TempDir(), "world"), Start: "pit"}
	path := filepath.Join(c.Keep, onlyWorld, "log")
	for n, damage := range []func(b []byte) []byte{
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func([]byte) []byte { return nil },
		func([]byte) []byte { return []byte("no log, but something else") },
		func(b []byte) []byte { return b[:9] },
		nil, // it is missing
	} {
		p, end := keeping(t, c, "")
		p.until("the world", func() bool { return p.frames > 0 })
		p.send(`{"do":"erase","cells":[-10,-1]}`)
		p.until("a hole", func() bool { return p.tiles() == 39 })
		end()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if damage == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, damage(b), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		var log logged
		c.Log = log.add
		p, end = keeping(t, c, "")
		p.until("the last snapshot", func() bool { return p.frames > 0 && p.tiles() == 39 })
		if log.count("goes on from its snapshot") != 1 {
			t.Errorf("damage %d: log %q", n, log.lines)
		}
		end()
		if err := os.RemoveAll(c.Keep); err != nil {
			t.Fatal(err)
		}
	}
	// Without a snapshot it begins with the first scene.
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no log"), 0o666); err != nil {
		t.Fatal(err)
	}
	var log logged
	c.Log = log.add
	p, end := keeping(t, c, "")
	p.until("the first scene", func() bool { return p.frames > 0 && p.tiles() == 40 })
	if end(); log.count("goes on from the start") != 1 {
		t.Errorf("log %q", log.lines)
	}
}

// A file in which an earlier version kept the world becomes its beginning, once, and one that is damaged is put aside.
func TestFileOfAnEarlierVersion(t *testing.T) {
	w, err := play.New(pit, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Do(1, play.Command{Do: "erase", Cells: []int32{-10, -1}}); err != nil {
		t.Fatal(err)
	}
	b, err := w.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range []bool{true, false} {
		var log logged
		c := Config{Keep: filepath.Join(t.TempDir(), "sandbox.world"), Start: "pit", Log: log.add}
		if !whole {
			b = b[:len(b)/2]
		}
		if err := os.WriteFile(c.Keep, b, 0o666); err != nil {
			t.Fatal(err)
		}
		tiles, after := 39, beforeFile
		if !whole {
			tiles, after = 40, badFile
		}
		for i := range 2 {
			p, end := keeping(t, c, "")
			p.until("the world", func() bool { return p.hello.Scene == "pit" && p.frames > 0 && p.tiles() == tiles-i })
			p.send(`{"do":"erase","cells":[-9,-1]}`)
			p.until("a hole", func() bool { return p.tiles() == tiles-1 })
			end()
		}
		if got, err := os.ReadFile(c.Keep + after); err != nil || string(got) != string(b) {
			t.Errorf("the file is not %s: %v", after, err)
		}
		if n := log.count("cannot be opened"); whole != (n == 0) {
			t.Errorf("log %q", log.lines)
		}
	}
}

// A folder belongs to one server.
func TestFolderInUse(t *testing.T) {
	c := Config{Keep: filepath.Join(t.TempDir(), "world"), Start: "pit"}
	p, end := keeping(t, c, "")
	defer end()
	p.until("the world", func() bool { return p.frames > 0 })
	c.Scenes = []scene.Scene{pit}
	err := New(c).ListenAndServe(t.Context(), "127.0.0.1:0", nil)
	if err == nil || !strings.Contains(err.Error(), "in use by another process") ||
		!strings.Contains(err.Error(), "--keep") {
		t.Errorf("%v", err)
	}
}

// After a panic of a reader the world is read from its log again. If there is another one soon, it is shown as stopped,
// so that its owner can reset it; it used to be read again for ever.
func TestWorldThatCannotBeRead(t *testing.T) {
	s := New(Config{Scenes: []scene.Scene{pit}})
	addr := serveOn(t, s)
	spoil := func() {
		t.Helper()
		if err := s.call(t.Context(), func(v *sim) {
			v.look()
			v.roster.entries = nil // so that the roster's index is wrong
			v.looked = 0
		}); err != nil {
			t.Fatal(err)
		}
	}
	p := dial(t, addr)
	p.until("the world", func() bool { return p.tiles() == 40 && p.frames > 0 })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.until("a hole", func() bool { return p.tiles() == 39 })
	spoil()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for p.read(ctx) == nil {
	}
	if p = dial(t, addr); ctx.Err() != nil {
		t.Fatal("the connection does not end")
	}
	p.until("the world again", func() bool { return p.tiles() == 39 && p.frames > 0 })
	spoil()
	p.until("its end", func() bool {
		return p.stopped && strings.Contains(strings.Join(p.errors, ""), "reading the world failed")
	})
	p.send(`{"do":"reset"}`)
	p.until("a reset", func() bool { return p.tiles() == 40 && !p.stopped })
}

// keepChild names the folder of a child process of the test.
const keepChild = "QUARRY_KEEP_CHILD"

// TestKeepChild is the child process.
func TestKeepChild(t *testing.T) {
	if dir := os.Getenv(keepChild); dir != "" {
		err := New(Config{Scenes: scene.All(), Start: "tiles_flat", Keep: dir}).ListenAndServe(context.Background(),
			"127.0.0.1:0", func(addr string) { fmt.Printf("at %s\n", addr) })
		t.Fatal(err)
	}
}

// startKept starts the child process, and a client of it.
func startKept(t *testing.T, dir string) (*exec.Cmd, *peer) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKeepChild$")
	cmd.Env = append(os.Environ(), keepChild+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	var addr string
	if _, err := fmt.Fscanf(out, "at %s\n", &addr); err != nil {
		t.Fatal(err)
	}
	return cmd, dial(t, addr)
}

// A kill in the midst of strokes loses nothing that a client has seen, and the log comes to the same hashes. (A file of
// snapshots lost up to two seconds.)
func TestKilledInAStroke(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "world")
	first, seen := 0, 0
	for life := range 4 {
		cmd, p := startKept(t, dir)
		p.until("the world", func() bool { return p.frames > 0 && p.tiles() >= first })
		if life == 0 {
			first = p.tiles()
		}
		p.until("what was seen", func() bool { return p.tiles() >= first+seen })
		sent := p.tiles() - first // one more than was seen, or as many
		until := time.Now().Add(time.Duration(200+rand.IntN(1500)) * time.Millisecond)
		for time.Now().Before(until) {
			p.send(fmt.Sprintf(`{"do":"paint","shape":1,"cells":[%d,%d],"hold":true}`, sent%100, 50+sent/100))
			sent++
			p.until("a cell", func() bool { return p.tiles() >= first+sent })
		}
		seen = sent
		p.send(fmt.Sprintf(`{"do":"paint","shape":1,"cells":[%d,%d],"hold":true}`, sent%100, 50+sent/100))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
	}
	folder, err := filelog.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	v, err := host.Verify(t.Context(), folder, onlyWorld, scene.Get, host.Seen{})
	if err != nil || v.Hashes == 0 || v.Inputs < seen {
		t.Errorf("%+v, %v; %d cells", v, err, seen)
	}
	t.Logf("%d cells over 4 kills", seen)
}
