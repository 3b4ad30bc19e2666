//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/filelog"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// served is a host of the world "w", kept in a folder, with a sandbox in front.
type served struct {
	addr string
	h    *host.Host
	end  func() // drains
}

func serveHosted(t *testing.T, dir string) *served {
	t.Helper()
	folder, err := filelog.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	names, err := folder.Worlds()
	if err != nil {
		t.Fatal(err)
	}
	scenes := []scene.Scene{pit, bare}
	leases := host.NewAlone(names)
	if len(names) == 0 {
		if err := host.Create(context.Background(), folder, leases, "w", "pit", 1000); err != nil {
			t.Fatal(err)
		}
	}
	var current atomic.Pointer[Server]
	h, err := host.New(host.Config{
		Name: "h", Log: folder, Shelf: folder.Shelf, Leases: leases, Whole: true,
		Scenes: func(name string) (scene.Scene, bool) { return find(scenes, name) },
		Serve: func(w *host.World) {
			s := New(Config{Scenes: scenes})
			current.Store(s)
			s.Serve(w)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- h.Run(ctx) }()
	await(t, "the world", func() bool { return current.Load() != nil })
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current.Load().Handler().ServeHTTP(w, r)
	}))
	end := func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		web.Close()
		folder.Close()
	}
	return &served{strings.TrimPrefix(web.URL, "http://"), h, end}
}

// A world of a host looks and obeys like one of the server's own, is where it was after a restart, and its log comes to
// the same hashes.
func TestHostedWorld(t *testing.T) {
	dir := t.TempDir()
	v := serveHosted(t, dir)
	p, other := dial(t, v.addr), dial(t, v.addr)
	p.until("the world", func() bool { return p.tiles() == 40 && p.frames > 0 && !p.paused })
	p.send(`{"do":"pause"}`)
	other.until("the pause", func() bool { return other.paused })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.send(`{"do":"add","kind":"circle","x":5,"y":0.5}`)
	other.until("the changes", func() bool { return other.tiles() == 39 && len(other.moving()) == 2 })
	at := other.step
	p.send(`{"do":"step","n":30}`)
	other.until("30 steps", func() bool { return other.step == at+30 })
	p.send(`{"do":"remove","x":500,"y":500}`)
	p.until("the error", func() bool { return len(p.errors) == 1 && strings.Contains(p.errors[0], "no body") })
	p.send(`{"do":"grab","x":5,"y":0.5}`)
	drags := func() (n int) {
		v.look(t, func(w *play.World) {
			for range w.Engine().Joints() {
				n++
			}
		})
		return n
	}
	await(t, "the drag", func() bool { return drags() == 1 })
	p.conn.CloseNow()
	await(t, "the end of the drag", func() bool { return drags() == 0 })
	other.send(`{"do":"resume"}`)
	other.until("the end of the pause", func() bool { return !other.paused })
	other.send(`{"do":"speed","rate":1.5}`)
	speed := func() (n float64) {
		w, _ := v.h.World("w")
		v.look(t, func(*play.World) { n = w.Speed() })
		return n
	}
	await(t, "another speed", func() bool { return speed() == 1.5 })
	v.end()

	v = serveHosted(t, dir)
	p = dial(t, v.addr)
	p.until("the world", func() bool { return p.tiles() == 39 && len(p.moving()) == 2 && p.step >= at+30 })
	if n := speed(); n != 1.5 {
		t.Errorf("speed %v after a restart", n)
	}
	p.send(`{"do":"scene","name":"bare"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 && len(p.moving()) == 0 })
	p.send(`{"do":"add","kind":"circle","x":5,"y":0.5}`)
	p.send(`{"do":"paint","cells":[0,0,1,0],"shape":1}`)
	p.until("the changes", func() bool { return len(p.moving()) == 1 && p.tiles() == 2 })
	p.send(`{"do":"reset"}`)
	p.until("the reset", func() bool { return p.hellos == 3 && len(p.moving()) == 0 })
	v.end()

	verifyHosted(t, dir, "bare")
}

// verifyHosted replays the log of a world that two owners ran one after the other, and that ends with a scene.
func verifyHosted(t *testing.T, dir, of string) {
	t.Helper()
	folder, err := filelog.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	got, err := host.Verify(context.Background(), folder, "w", func(name string) (scene.Scene, bool) {
		return find([]scene.Scene{pit, bare}, name)
	}, host.Seen{})
	if err != nil || got.Epochs != 2 || got.Snapshots == 0 || got.Scene != of {
		t.Errorf("%+v, %v", got, err)
	}
}

// Worlds of a host go back and forward, repeat, are kept under names, opened again and forgotten, and come as files, as
// in TestRewind, TestSceneRepeats, TestWorldsUnderNames and TestWorldAsAFile. What follows is the same after a restart
// and in a replay.
func TestHostedWorldGoesOnWithAnother(t *testing.T) {
	dir := t.TempDir()
	v := serveHosted(t, dir)
	p := dial(t, v.addr)
	p.send(`{"do":"add","kind":"circle","y":9}`)
	p.until("the body", func() bool { return len(p.moving()) == 2 })
	began := p.step
	p.until("its fall", func() bool { return p.step > began+90 })
	p.send(`{"do":"erase","cells":[-10,-1]}`)
	p.until("the hole", func() bool { return p.tiles() == 39 })
	p.send(`{"do":"pause"}`)
	p.until("a pause", func() bool { return p.paused })
	last := p.step
	back := func() {
		t.Helper()
		p.send(`{"do":"rewind","n":30}`)
		p.until("the past", func() bool { return p.step <= 30 && p.tiles() == 40 })
	}
	back()
	if !p.paused || p.status.To != int(last) {
		t.Errorf("paused %t, the way forward ends at %d, want %v", p.paused, p.status.To, last)
	}
	p.send(`{"do":"rewind","n":1000000}`)
	p.until("the present", func() bool { return p.step == last && p.tiles() == 39 })
	back()
	p.send(`{"do":"keep","name":"the past"}`)
	p.until("it is kept", func() bool { return p.status.Worlds == 2 })
	p.send(`{"do":"paint","shape":1,"cells":[0,5]}`)
	p.until("another past", func() bool { return p.tiles() == 41 })
	p.send(`{"do":"rewind","n":1000000}`)
	p.send(`{"do":"step","n":1}`)
	p.until("no future", func() bool { return p.status.To <= 41 && p.step < 42 && p.step > 0 && p.tiles() == 41 })
	p.send(`{"do":"scene","name":"bare"}`)
	p.until("another scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 })
	p.send(`{"do":"resume"}`)
	p.send(`{"do":"repeat","all":true}`)
	n := p.hellos
	p.until("two starts", func() bool { return p.hellos > n+1 && p.status.Repeats && p.step > 0 })
	p.send(`{"do":"open","name":"the past"}`)
	p.until("the past", func() bool { return p.hello.Scene == "pit" && p.tiles() == 40 && !p.status.Repeats })
	p.send(`{"do":"open","name":"nothing"}`)
	p.until("a refusal", p.last(`there is no world "nothing"`))
	v.end()

	v = serveHosted(t, dir)
	p = dial(t, v.addr)
	p.until("the world", func() bool { return p.hello.Scene == "pit" && p.tiles() == 40 && len(p.moving()) == 2 })
	cave := files{"cave.png": testFile(t, "cave.png")}
	m, _, err := cave.world(nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	if status, text := drop(t, "http://"+v.addr+"/world", cave); status != 200 {
		t.Fatal(status, text)
	}
	tiles := m.Engine().Stats().Tiles
	p.until("a map", func() bool { return p.hello.Scene == "cave" && p.tiles() == tiles && p.frames > 0 })
	box := p.hello.View
	p.send(fmt.Sprintf(`{"do":"paint","shape":1,"cells":[%d,%d]}`, int(box[0])-5, int(box[1])-5))
	p.until("an edit", func() bool { return p.tiles() == tiles+1 })
	p.send(`{"do":"reset"}`)
	p.until("a reset", func() bool { return p.hello.Scene == "cave" && p.tiles() == tiles && p.frames > 0 })
	p.send(`{"do":"forget","name":"the past"}`)
	p.until("it is forgotten", func() bool { return p.status.Worlds == 2 })
	if _, list := fetch(t, "http://"+v.addr+"/worlds"); strings.TrimSpace(string(list)) != "[]" {
		t.Errorf("worlds %s", list)
	}
	v.end()

	verifyHosted(t, dir, "cave")
}

// The states of a world of a host are few if they are long.
func TestHostedReel(t *testing.T) {
	w, err := play.New(pit, 100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		_ = w.Do(1, play.Command{Do: "add", Kind: "circle", X: float64(i%10) - 5, Y: float64(2 + i), Size: 0.3})
	}
	r := reel{most: hostedBytes}
	for range 2 * pastSteps {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		r.look(w)
	}
	st := w.Engine().Stats()
	n, all := len(r.frames), len(r.frames)+len(r.spare)
	if each := 1000*st.Bodies + 500*st.Contacts; n < 20 || all*each > hostedBytes*5/4 {
		t.Errorf("%d states of some %d bytes, and %d spare", n, each, len(r.spare))
	}
}

// look calls f with the world, between two steps.
func (v *served) look(t *testing.T, f func(w *play.World)) {
	t.Helper()
	w, ok := v.h.World("w")
	if !ok {
		t.Fatal("the world does not run")
	}
	done := make(chan struct{})
	w.Do(host.Input{Op: host.Do, Command: play.Command{Do: "release"}}, func(host.Answer) {
		f(w.Play())
		close(done)
	})
	<-done
}

// A panic of a reader of a world does not end the world: it is read from its log again.
func TestHostedWorldIsReadAnew(t *testing.T) {
	v := serveHosted(t, t.TempDir())
	defer v.end()
	p := dial(t, v.addr)
	p.until("the world", func() bool { return p.frames > 0 })
	w, _ := v.h.World("w")
	w.Do(host.Input{Player: 1, Op: host.Do, Command: play.Command{Do: "add", Kind: "box", Y: 5, Size: 1}},
		func(host.Answer) {
			w.Abandon("a test")
		})
	await(t, "the world again", func() bool {
		again, ok := v.h.World("w")
		return ok && again != w
	})
	bodies := 0
	v.look(t, func(w *play.World) { bodies = w.Engine().Stats().Bodies })
	if bodies != 3 {
		t.Errorf("%d bodies", bodies)
	}
}

// late is an owner whose log is slow: what was given takes effect without a step.
type late struct {
	*host.Local
	inputs []host.Input
}

func (o *late) Tick() bool                            { return true }
func (o *late) Do(in host.Input, _ func(host.Answer)) { o.inputs = append(o.inputs, in) }

// lateSim returns a sim of a world whose log is slow.
func lateSim(t *testing.T) (*sim, *late) {
	t.Helper()
	w, err := host.NewLocal(host.Record{Scene: bare.Name}, func(string) (scene.Scene, bool) { return bare, true })
	if err != nil {
		t.Fatal(err)
	}
	o := &late{Local: w}
	return simOf(o, sim{longStep: 1, given: given{slow: true}}), o
}

// With several clients a long step pauses a world of a host, too.
func TestHostedGuard(t *testing.T) {
	s, o := lateSim(t)
	s.clients = []*client{newClient(), newClient()}
	s.watch(2)
	if len(o.inputs) != 1 || o.inputs[0].Op != host.Pause || s.paused {
		t.Errorf("inputs %+v, paused %t", o.inputs, s.paused)
	}
}

// A pause is told also if it comes without a step. (Clients saw a running world that stood still.)
func TestPauseWithoutAStep(t *testing.T) {
	s, o := lateSim(t)
	s.follow()
	before := s.changes()
	o.Local.Do(host.Input{Op: host.Pause}, func(host.Answer) {})
	if s.follow(); s.changes() == before || !s.paused {
		t.Errorf("paused %t, %d changes, and %d before", s.paused, s.changes(), before)
	}
	before = s.changes()
	if s.follow(); s.changes() != before {
		t.Error("a world that stays paused changes")
	}
}
