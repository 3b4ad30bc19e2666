//go:build !js

package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// gated is a scene whose world is built only when build is closed, but for the first world.
func gated(sc scene.Scene, build chan struct{}) scene.Scene {
	first, old := true, sc.Build
	sc.Build = func(w *quarry.World) *scene.Instance {
		if !first {
			<-build
		}
		first = false
		return old(w)
	}
	return sc
}

// ticks makes ticks until done.
func (s *sim) ticks(t *testing.T, what string, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("waited in vain for ", what)
		}
		s.tick()
	}
}

// While the world of a scene is built, the world before goes on, and other clients' commands
// are carried out; later commands of the client that asked for it are for the new world. The
// next start waits, and so do the later commands of its client, but no other client's. (The
// loop used to build worlds itself, and everyone waited.)
func TestScenesAreBuiltBesideTheLoop(t *testing.T) {
	build := make(chan struct{})
	s := newSim(gated(pit, build))
	s.resume()
	restless, other := newClient(), newClient()
	s.clients = append(s.clients, restless, other)
	for _, c := range []play.Command{
		{Do: "reset"},
		{Do: "add", Kind: "box", Y: 5, Size: 1},
		{Do: "reset"},
		{Do: "view"},
	} {
		restless.inbox <- request{command: Command{Command: c}}
	}
	for range 3 {
		s.tick()
	}
	other.inbox <- request{command: Command{Command: play.Command{Do: "remove", Y: 0.5}}}
	s.tick()
	if n := len(s.Engine().AppendShapesAt(nil, geom.V(0, 0.5))); s.epoch != 1 || s.Steps() != 4 || n != 0 ||
		len(restless.inbox) != 2 {
		t.Errorf("while it is built: epoch %d, %d steps, %d bodies, %d commands in the inbox", s.epoch, s.Steps(), n,
			len(restless.inbox))
	}
	// as if it took that long, so that the next start waits for the rest of the test
	s.starts.began = s.starts.began.Add(-time.Hour)
	close(build)
	s.ticks(t, "the scene", func() bool { return s.epoch == 2 })
	s.tick()
	if n := len(s.Engine().AppendShapesAt(nil, geom.V(0, 0.5))); n != 1 {
		t.Errorf("%d bodies where the box is", n)
	}
	if left := time.Until(s.starts.rested); left < (startRest-1)*time.Hour {
		t.Errorf("the next start may begin after %v", left)
	}
	other.inbox <- request{command: Command{Command: play.Command{Do: "remove", X: -1000}}}
	s.ticks(t, "an answer", func() bool { return len(other.outbox) > 0 || len(other.errors) > 0 })
	if s.epoch != 2 || len(restless.inbox) != 1 {
		t.Errorf("at rest: epoch %d, %d commands in the inbox, want the reset to wait and the view behind it", s.epoch,
			len(restless.inbox))
	}
	s.starts.rested = time.Time{} // as if time had passed
	s.ticks(t, "the last scene", func() bool { return s.epoch == 3 })
	s.ticks(t, "its view", func() bool { return len(restless.inbox) == 0 })
}

// crowded is a scene of many bodies.
var crowded = scene.Scene{
	Name: "crowded", Doc: "Many bodies far apart.", View: geom.Box(geom.V(0, 0), geom.V(200, 200)),
	Build: func(w *quarry.World) *scene.Instance {
		for i := range maxSharedBodies + 1 {
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(i%64)*4, float64(i/64)*4)})
			w.AddShape(b, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// A scene of many bodies is for a client alone: while several are connected it is refused,
// with a message to its sender. (Each step of many_pyramids made everyone wait.)
func TestLargeScenesAreForOne(t *testing.T) {
	s := newSim(pit)
	built := 0
	large := crowded
	large.Build = func(w *quarry.World) *scene.Instance { built++; return crowded.Build(w) }
	s.config.Scenes = append(s.config.Scenes, large)
	a, b := newClient(), newClient()
	a.idle.Store(false) // the errors stay where the test reads them
	s.clients = append(s.clients, a, b)
	for range 2 {
		a.inbox <- request{command: Command{Command: play.Command{Do: "scene"}, Name: "crowded"}}
		s.starts.rested = time.Time{}
		s.ticks(t, "a refusal", func() bool { return len(a.errors) > 0 })
		if !strings.Contains(a.errors[0], fmt.Sprintf("scene: crowded has %d dynamic bodies, the limit is %d while "+
			"several clients are connected", maxSharedBodies+1, maxSharedBodies)) {
			t.Errorf("told %q", a.errors)
		}
		a.errors = nil
	}
	if s.Scene().Name != "pit" || built != 1 {
		t.Errorf("the scene is %s, and %d worlds were built", s.Scene().Name, built)
	}
	s.clients = s.clients[:1]
	a.inbox <- request{command: Command{Command: play.Command{Do: "scene"}, Name: "crowded"}}
	s.starts.rested = time.Time{}
	s.ticks(t, "the scene", func() bool { return s.Scene().Name == "crowded" })
}
