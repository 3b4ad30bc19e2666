package host

import (
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// A world is born of a packed one, paused if that is asked for, and its log has all that a replay needs.
func TestBirthOfAPackedWorld(t *testing.T) {
	s := newSim(1, 1)
	s.calm = true
	p := s.hosts[0]
	world := packed(t, "bare", 1000)
	birth := Record{World: world, Paused: true, MaxBodies: 500}
	if err := CreateOf(ctx, simLog{p}, simLeases{p}, "w", birth); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time from the log
		p.start(Config{})
		s.runTo(s.now + 2*time.Second)
		w, ok := p.h.World("w")
		if !ok || !w.Paused() || w.Steps() != 0 || w.Play().Steps() != 1000 || w.Play().MaxBodies() != 500 {
			t.Fatalf("runs %t, paused %t, %d steps, %d in the world, at most %d bodies", ok, w.Paused(), w.Steps(),
				w.Play().Steps(), w.Play().MaxBodies())
		}
		p.kill()
	}
	s.verify(t, "w")
	birth.World = []byte("none")
	if err := CreateOf(ctx, simLog{p}, simLeases{p}, "v", birth); err != nil {
		t.Fatal(err)
	}
	if s.runTo(s.now + 2*time.Second); p.h.Stats().Failures != 0 {
		t.Error("the host is dead")
	}
	p.start(Config{})
	if s.runTo(s.now + 2*time.Second); p.h.Stats().Failures == 0 {
		t.Error("a world was born of nothing")
	}
}

// A world that moves has a record each Mark; one at rest writes nothing, and goes on after a kill as if it had.
func TestRestWritesNothing(t *testing.T) {
	s := calmSim(t, 1, "w")
	p, log := s.hosts[0], s.logs["w"]
	p.start(Config{Mark: time.Second, Snapshot: 2 * time.Second})
	s.runTo(time.Second)
	records := len(log.records)
	s.give(t, p, "w", Input{Op: Do, Command: play.Command{Do: "add", Kind: "circle", Size: 1, Y: 300}})
	s.runTo(5 * time.Second)
	if n := len(log.records) - records; n < 4 || n > 9 {
		t.Errorf("%d records while it moves, want one a second, the input, and some before snapshots", n)
	}
	w, _ := p.h.World("w")
	s.runTo(time.Minute)
	if !w.Play().AtRest() {
		t.Fatal("it moves")
	}
	records, snapshots := len(log.records), p.h.Stats().Snapshots
	s.runTo(time.Hour)
	if n, k := len(log.records)-records, p.h.Stats().Snapshots-snapshots; n != 0 || k != 0 {
		t.Errorf("an hour at rest: %d records, %d snapshots", n, k)
	}
	places := func() (list []geom.Transform) {
		w, _ := p.h.World("w")
		for b := range w.Play().Engine().Bodies() {
			list = append(list, b.Transform())
		}
		return list
	}
	before := places()
	p.kill()
	p.start(Config{Mark: time.Second})
	if s.runTo(time.Hour + 5*time.Second); !slices.Equal(places(), before) || len(before) != 3 {
		t.Errorf("bodies at %v, and at %v after a takeover", before, places())
	}
	s.verify(t, "w")
}

// A takeover makes no more steps than twice Mark after the last record.
func TestRunOnIsBounded(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{Mark: time.Second})
	s.runTo(time.Second)
	s.give(t, p, "w", Input{Op: Do, Command: play.Command{Do: "add", Kind: "circle", Size: 1, Y: 3000}})
	s.runTo(5 * time.Second)
	w, _ := p.h.World("w")
	before := w.Steps()
	p.kill()
	s.runTo(20 * time.Second)
	p.start(Config{Mark: time.Second})
	s.runTo(21 * time.Second)
	if w, ok := p.h.World("w"); !ok || w.Steps() > before+70 || w.Steps() < before-70 {
		t.Errorf("step %d, and the kill was at step %d", w.Steps(), before)
	}
}

// A host of another engine refuses a log; the world goes on from the newest snapshot that can be read, as it was.
func TestRescue(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{Snapshot: 20 * time.Second})
	s.runTo(time.Second)
	s.give(t, p, "w", Input{Op: Do, Command: ball(3)})
	s.runTo(6 * time.Second)
	s.give(t, p, "w", Input{Op: Pause})
	s.runTo(21 * time.Second) // there is a snapshot
	w, _ := p.h.World("w")
	hash := w.Play().Engine().Hash()
	s.give(t, p, "w", Input{Op: Do, Command: ball(-3)})
	s.runTo(22 * time.Second)
	p.kill()
	p.start(Config{})
	if err := p.h.Try("w"); err != nil {
		t.Errorf("the same engine: %v", err)
	}
	p.h.config.Engine = "v2"
	if err := p.h.Try("w"); err == nil {
		t.Error("another engine replays records")
	}
	_, newest, err := simLog{p}.Kept(ctx, "w", 1<<60)
	if err != nil {
		t.Fatal(err)
	}
	birth, made, err := Rescue([][]byte{[]byte("none"), newest[:len(newest)/2], newest}, findScene)
	if err != nil || !birth.Paused || birth.MaxBodies != w.Play().MaxBodies() || made.UnixMilli() < simStart {
		t.Fatalf("%+v of %v, %v", birth, made, err)
	}
	birth.Kind = Birth
	got, err := newState(&birth, findScene)
	if err != nil || got.world.Engine().Hash() != hash {
		t.Errorf("another world than that of the snapshot, %v", err)
	}
	if _, _, err := Rescue(nil, findScene); err == nil {
		t.Error("a world of no snapshot")
	}
}

// A scene that cannot be built makes a world that has stopped, in which another scene can be started.
func TestBirthOfASceneThatFails(t *testing.T) {
	if _, err := newState(&Record{Kind: Birth, Scene: "none"}, findScene); err == nil {
		t.Error("a world of no scene")
	}
	broken := worldtest.Pit
	broken.Build = nil
	find := func(name string) (scene.Scene, bool) {
		if name == "broken" {
			return broken, true
		}
		return findScene(name)
	}
	s, err := newState(&Record{Kind: Birth, Scene: "broken", MaxBodies: 9}, find)
	if err != nil || s.world.Stopped() == "" {
		t.Fatalf("%v", err)
	}
	if a := s.apply(&Input{Op: Start, Scene: "pit"}); a.Code != Applied || s.world.Stopped() != "" {
		t.Errorf("%+v, stopped: %s", a, s.world.Stopped())
	}
}
