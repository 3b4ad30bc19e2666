package sandbox

import (
	"fmt"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

const (
	// startRest is the time between two starts of scenes, as a multiple of the time that the first
	// start took: starts take at most 1/20 of a processor.
	startRest = 20
	// leastRest is the shortest time between two starts while several clients are connected.
	leastRest = time.Second
	// maxSharedBodies bounds the dynamic bodies of a scene that is started while several clients
	// are connected. A pile of that many bodies has up to 50,000 contacts, and a step of it takes
	// up to about 40 ms.
	maxSharedBodies = 1 << 12
)

// starts starts scenes. One world at a time is built, on its own goroutine, while the loop runs the
// present world. Commands of the client that requested the scene wait, because they are meant for
// the new world.
type starts struct {
	client *client // the client that requested the scene being built, or nil
	began  time.Time
	built  chan built
	rested time.Time // earliest time of the next start
	// bodies is the number of dynamic bodies of each scene built so far, by name.
	bodies map[string]int
}

// built is a world with which a command goes on, or the error of building it.
type built struct {
	next    host.Input
	command Command
	err     error
}

// waits reports whether a command of c must wait for the start of a scene.
func (s *starts) waits(c *client, m *Command, now time.Time) bool {
	return s.client == c || m.starts() && (s.client != nil || now.Before(s.rested)) ||
		m.Do == "rewind" && s.client != nil
}

// install replaces the present world by w. origin is the snapshot to which "reset" goes back, if w is no scene's world.
func (s *sim) install(w *play.World, origin []byte) {
	s.shown, s.origin = show(w), origin
	s.told = false
	s.epoch++
	s.took, s.guard, s.reel = 0, guard{limit: s.longStep}, reel{most: s.past}
}

// originOf returns the state with which a world begins that is no scene's, for a reset.
func originOf(w *play.World) []byte {
	if w.Scene().Build != nil {
		return nil
	}
	b, _ := w.AppendSnapshot(nil) // a world that has stopped has none
	return b
}

// ask starts to build a scene for c, unless the scene is too large.
func (s *sim) ask(c *client, sc scene.Scene) error {
	if err := s.refuseLarge(sc.Name); err != nil {
		return err
	}
	owner, most, origin := s.owner, s.config.MaxBodies, s.origin
	m := Command{Command: play.Command{Do: "scene"}, Name: sc.Name}
	if sc.Build != nil && owner.Finds(sc.Name) {
		s.build(c, m, func() (host.Input, error) { return owner.Ready(inputOf(m)) })
		return nil
	}
	s.goOn(c, m, func() ([]byte, error) {
		if sc.Build == nil { // no scene's world
			return origin, nil
		}
		w, err := play.New(sc, most)
		if err != nil {
			return nil, err
		}
		return own(w).AppendSnapshot(nil)
	})
	return nil
}

// goOn goes on with the world of a snapshot, which load returns on another goroutine, for a command of c.
func (s *sim) goOn(c *client, m Command, load func() ([]byte, error)) {
	owner := s.owner
	s.build(c, m, func() (host.Input, error) {
		b, err := load()
		if err == nil {
			b, err = host.Pack(b)
		}
		if err != nil {
			return host.Input{}, err
		}
		return owner.Ready(host.Input{Op: host.Begin, World: b})
	})
}

// own returns the world of a scene as one that is no scene's, and that needs no scene to be read.
func own(w *play.World) *play.World {
	sc := w.Scene()
	return play.NewOf(sc.Name, w.Engine(), sc.View, w.MaxBodies())
}

// build builds a world for c on another goroutine.
func (s *sim) build(c *client, m Command, f func() (host.Input, error)) {
	done := make(chan built, 1)
	s.starts.client, s.starts.began, s.starts.built = c, time.Now(), done
	go func() {
		b := built{command: m}
		defer func() {
			if p := recover(); p != nil {
				b.err = fmt.Errorf("the world cannot be built: %s", play.PanicText(p))
			}
			done <- b
		}()
		b.next, b.err = f()
	}()
}

// finishStart goes on with the world that was requested, once it is built.
func (s *sim) finishStart() {
	select {
	case b := <-s.starts.built:
		if b.err == nil && b.next.Built() != nil {
			s.starts.know(b.next.Built())
			b.err = s.refuseLarge(b.next.Built().Scene().Name)
		}
		if b.err != nil {
			s.rest().complain(b.err)
			return
		}
		s.give(s.starts.client, b.command, b.next) // whose answer ends the start
	default:
	}
}

// rest ends the start of a scene, and returns the client that requested it.
func (s *sim) rest() *client {
	now := time.Now()
	took := now.Sub(s.starts.began)
	c := s.starts.client
	rest := startRest * took
	if len(s.clients) > 1 {
		rest = max(rest, leastRest)
	}
	s.starts.client, s.starts.rested = nil, now.Add(rest)
	c.used += int(took.Microseconds())
	return c
}

// know notes the number of bodies of a scene.
func (s *starts) know(w *play.World) {
	if s.bodies == nil {
		s.bodies = map[string]int{}
	}
	s.bodies[w.Scene().Name] = w.Own()
}

// refuseLarge returns an error if a scene that was built before has too many bodies for several
// clients.
func (s *sim) refuseLarge(name string) error {
	if n := s.starts.bodies[name]; n > maxSharedBodies && len(s.clients) > 1 {
		return fmt.Errorf("scene: %.60s has %d dynamic bodies, the limit is %d while several clients are connected",
			name, n, maxSharedBodies)
	}
	return nil
}
