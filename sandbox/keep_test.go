//go:build !js

package sandbox

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// keeping runs a server that keeps its world in a file. end ends it.
func keeping(t *testing.T, file string, log func(string)) (p *peer, end func()) {
	t.Helper()
	s := New(Config{Scenes: []scene.Scene{pit, bare}, Keep: file, Log: log})
	ctx, cancel := context.WithCancel(context.Background())
	h := httptest.NewServer(s.Handler())
	ran := make(chan struct{})
	go func() {
		s.Run(ctx)
		close(ran)
	}()
	p = dial(t, strings.TrimPrefix(h.URL, "http://"))
	return p, func() {
		cancel()
		<-ran
		h.Close()
	}
}

// The world is where it was after the server has ended, and, but for the last seconds, after it was killed. A drag
// ends with its player.
func TestWorldIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "world")
	p, end := keeping(t, file, nil)
	p.until("the world", func() bool { return p.tiles() == 40 })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.send(`{"do":"add","kind":"circle","x":5,"y":0.5}`)
	p.send(`{"do":"grab","x":5,"y":0.5}`)
	p.until("the changes", func() bool { return p.tiles() == 39 && len(p.moving()) == 2 })
	var killed []byte
	await(t, "the file", func() bool {
		killed, _ = os.ReadFile(file)
		w, err := play.Restore(killed, func(string) (scene.Scene, bool) { return pit, true })
		return err == nil && w.Engine().Stats().Tiles == 39 && w.Engine().Stats().Bodies == 3
	})
	at := p.step
	p.send(`{"do":"erase","cells":[-9,-1]}`)
	p.until("the last change", func() bool { return p.tiles() == 38 })
	end()

	p, end = keeping(t, file, nil)
	p.until("the world", func() bool { return p.frames > 0 && p.tiles() == 38 && len(p.moving()) == 2 })
	if p.step < at {
		t.Errorf("step %v, was %v", p.step, at)
	}
	p.send(`{"do":"scene","name":"bare"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 })
	end()

	p, end = keeping(t, file, nil)
	p.until("that scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 })
	end()
	if err := os.WriteFile(file, killed, 0o666); err != nil {
		t.Fatal(err)
	}
	p, end = keeping(t, file, nil)
	p.until("the world that was killed", func() bool { return p.tiles() == 39 && len(p.moving()) == 2 })
	end()
}

// A file that is damaged is put aside, with a line in the log, and the first scene begins.
func TestDamagedWorldIsPutAside(t *testing.T) {
	file := filepath.Join(t.TempDir(), "world")
	if err := os.WriteFile(file, []byte("no world"), 0o666); err != nil {
		t.Fatal(err)
	}
	var log logged
	p, end := keeping(t, file, log.add)
	p.until("the first scene", func() bool { return p.hello.Scene == "pit" && p.frames > 0 })
	end()
	if b, err := os.ReadFile(file + ".bad"); err != nil || string(b) != "no world" {
		t.Errorf("the damaged file: %q, %v", b, err)
	}
	if log.count("cannot be opened") != 1 {
		t.Errorf("log %q", log.lines)
	}
}
