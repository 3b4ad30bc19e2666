package sandbox

import (
	"fmt"
	"time"

	"github.com/quarry2d/quarry/scene"
)

const (
	// startRest is the time between the starts of two scenes, as a multiple of the time
	// that the first start took: starts take at most a twentieth of one processor.
	startRest = 20
	// maxSharedBodies is the most dynamic bodies of a scene that is begun while several
	// clients are connected. As many bodies in a pile make up to 50,000 contacts, and a
	// step takes up to about 40 ms.
	maxSharedBodies = 1 << 12
)

// starts begins scenes. A world is built on its own goroutine, one at a time, while the loop
// goes on with the world before; commands of the client that asked for the scene wait, since
// they are meant for the new world.
type starts struct {
	client *client // that waits for a scene; nil when none is being built
	began  time.Time
	built  chan *begun
	rested time.Time // when the next start may begin
	// bodies are the dynamic bodies of the scenes that have been built, by name.
	bodies map[string]int
}

// waits reports whether a command of c has to wait for the start of a scene.
func (s *starts) waits(c *client, m *Command, now time.Time) bool {
	return s.client == c || m.starts() && (s.client != nil || now.Before(s.rested))
}

// starts reports whether the command begins a scene.
func (c *Command) starts() bool { return c.Do == "reset" || c.Do == "scene" }

// start begins a scene at once.
func (s *sim) start(sc scene.Scene) { s.install(begin(sc)) }

// install makes b the world.
func (s *sim) install(b *begun) {
	s.begun = b
	s.epoch++
	s.pending = 0
}

// ask begins to build a scene for c, unless it is known to be refused.
func (s *sim) ask(c *client, sc scene.Scene) error {
	if err := s.refuseLarge(sc.Name); err != nil {
		return err
	}
	built := make(chan *begun, 1)
	s.starts.client, s.starts.began, s.starts.built = c, time.Now(), built
	go func() { built <- begin(sc) }()
	return nil
}

// finishStart takes the world that has been built, if there is one.
func (s *sim) finishStart() {
	select {
	case b := <-s.starts.built:
		now := time.Now()
		took := now.Sub(s.starts.began)
		c := s.starts.client
		s.starts.client, s.starts.rested = nil, now.Add(startRest*took)
		c.used += int(took.Microseconds())
		if s.starts.bodies == nil {
			s.starts.bodies = map[string]int{}
		}
		s.starts.bodies[b.scene.Name] = b.own
		if err := s.refuseLarge(b.scene.Name); err != nil {
			c.complain(err)
			return
		}
		s.install(b)
	default:
	}
}

// refuseLarge returns an error if a scene has too many bodies for a world that several
// clients share. The number of bodies is known once the scene has been built.
func (s *sim) refuseLarge(name string) error {
	if n := s.starts.bodies[name]; n > maxSharedBodies && len(s.clients) > 1 {
		return fmt.Errorf("scene: %.60s has %d dynamic bodies, and %d is the most while several clients are connected", name, n, maxSharedBodies)
	}
	return nil
}
