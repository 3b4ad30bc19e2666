package sandbox

import (
	"fmt"
	"time"

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

// built is a world, or the error of building it.
type built struct {
	*shown
	origin  []byte // its snapshot, if it is no scene's
	err     error
	next    any // from the owner, which goes on with it for command
	command Command
}

// waits reports whether a command of c must wait for the start of a scene.
func (s *starts) waits(c *client, m *Command, now time.Time) bool {
	return s.client == c || m.starts() && (s.client != nil || now.Before(s.rested)) ||
		m.Do == "rewind" && s.client != nil
}

// start builds and installs a scene on this goroutine. If that fails, it installs an empty world that is stopped.
func (s *sim) start(sc scene.Scene) {
	b, _ := begin(sc, s.config.MaxBodies)
	s.install(b, nil)
	s.tellStopped()
}

// install replaces the present world by b. origin is the snapshot to which "reset" goes back, if b is no scene's world.
func (s *sim) install(b *shown, origin []byte) {
	s.shown, s.origin = b, origin
	s.told = false
	s.epoch++
	s.pending, s.took, s.guard = 0, 0, guard{limit: s.longStep}
	s.reel = reel{most: s.past}
	if s.pace.owed = 0; s.pace.rate == 0 {
		s.pace.rate = 1
	}
	s.pace.repeats = s.pace.repeats && b.Scene().Name == s.scene // another scene only if it is told to
	s.scene = b.Scene().Name
}

// ask starts to build a scene for c, unless the scene is too large.
func (s *sim) ask(c *client, sc scene.Scene) error {
	if err := s.refuseLarge(sc.Name); err != nil {
		return err
	}
	hosted, owner, most, origin := s.hosted(), s.owner, s.config.MaxBodies, s.origin
	m := Command{Command: play.Command{Do: "scene"}, Name: sc.Name}
	if sc.Build == nil { // no scene's world
		s.goOn(c, m, func() ([]byte, error) { return origin, nil })
		return nil
	}
	s.build(c, func() built {
		if hosted && owner.finds(sc.Name) {
			return owner.ready(m, nil)
		}
		b, err := begin(sc, most)
		if !hosted || err != nil {
			return built{shown: b, err: err}
		}
		snapshot, err := own(b.World).AppendSnapshot(nil)
		if err != nil {
			return built{err: err}
		}
		return owner.ready(m, snapshot)
	})
	return nil
}

// own returns the world of a scene as one that is no scene's, and that needs no scene to be read.
func own(w *play.World) *play.World {
	sc := w.Scene()
	return play.NewOf(sc.Name, w.Engine(), sc.View, w.MaxBodies())
}

// build builds a world for c on another goroutine.
func (s *sim) build(c *client, f func() built) {
	done := make(chan built, 1)
	s.starts.client, s.starts.began, s.starts.built = c, time.Now(), done
	go func() {
		b := built{}
		defer func() {
			if p := recover(); p != nil {
				b = built{err: fmt.Errorf("the world cannot be built: %s", play.PanicText(p))}
			}
			done <- b
		}()
		b = f()
	}()
}

// restored returns the world of a snapshot.
func restored(b []byte, scenes []scene.Scene) built {
	w, err := play.Restore(b, func(name string) (scene.Scene, bool) { return find(scenes, name) })
	if err != nil {
		return built{err: err}
	}
	w.LeaveAll() // nobody of those is here
	return built{shown: show(w), origin: b}
}

// finishStart installs the scene that was requested, once it is built.
func (s *sim) finishStart() {
	select {
	case b := <-s.starts.built:
		if b.err == nil && b.shown != nil {
			s.starts.know(b.World)
			b.err = s.refuseLarge(b.Scene().Name)
		}
		if b.err == nil && s.hosted() {
			s.owner.give(s.starts.client, b.command, b.next) // whose answer ends the start
			return
		}
		if c := s.rest(); b.err != nil {
			c.complain(b.err)
			return
		}
		s.install(b.shown, b.origin)
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
