package sandbox

import (
	"context"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// tick is the time between two steps.
const tick = time.Second / 60

// sim is the world and all that is known about it. It belongs to the goroutine
// of Server.Run; nothing else reads or writes it.
type sim struct {
	config  Config
	scene   scene.Scene
	in      *scene.Instance
	paused  bool
	pending int // steps asked for while paused
	done    int // steps made since the scene began
	took    time.Duration
	// floor is the height below which what falls is taken away.
	floor float64

	epoch    uint64 // new with each scene and reset
	change   uint64 // new with each step and command: something may look different
	looked   uint64 // the change that roster and terrains show
	stats    quarry.Stats
	roster   roster
	terrains []*terrain
	palette  palette

	lines     []*line // chains, by number
	lineOf    map[quarry.ChainID]int
	freeLines []uint32 // numbers of chains that are no more

	clients []*client
	turn    int       // index of the client whose update is next
	rested  time.Time // when the next scene may begin
	load    load

	// Scratch.
	near     []quarry.ShapeID
	segs     []gridseg.Segment
	doomed   []quarry.BodyID
	contacts []quarry.Contact
}

// start begins a scene.
func (s *sim) start(sc scene.Scene) {
	began := time.Now()
	defer func() {
		now := time.Now()
		s.rested = now.Add(startRest * now.Sub(began))
	}()
	s.scene, s.in = sc, sc.New()
	s.pending, s.done, s.took = 0, 0, 0
	s.floor = sc.View.Min.Y
	s.epoch++
	s.change++
	s.roster = roster{}
	s.terrains = nil
	s.lines, s.freeLines, s.lineOf = nil, nil, map[quarry.ChainID]int{}
	s.palette.open(s.in.World)
	s.load = load{}
	s.look()
}

// run is the loop: commands, steps, frames, 60 times a second until ctx ends.
func (s *sim) run(ctx context.Context, join, leave <-chan *client) {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-join:
			s.clients = append(s.clients, c)
		case c := <-leave:
			for i := range s.clients {
				if s.clients[i] == c {
					s.clients = append(s.clients[:i], s.clients[i+1:]...)
					break
				}
			}
		case <-t.C:
			s.tick()
		}
	}
}

// tick is one turn of the loop. A world that needs longer than a tick for a
// step runs slower than real time; it never tries to catch up.
func (s *sim) tick() {
	s.obeyAll()
	if !s.paused {
		s.step()
	} else {
		for began := time.Now(); s.pending > 0 && time.Since(began) < tick*3/4; s.pending-- {
			s.step()
		}
	}
	s.tell()
}

const (
	// tellTime is the time for the updates of all clients in one tick.
	tellTime = tick / 4
	// tellRate is the bytes a second of updates to all clients together; each has an
	// equal share. A client beyond its share gets whole frames, but fewer.
	tellRate = 256 << 20
)

// tell sends the clients answers and updates of the world. Answers to commands are short
// and always sent; updates end after tellTime, and the next tick begins with the first
// client that got none.
func (s *sim) tell() {
	began := time.Now()
	share := tellRate * tick.Seconds() / float64(max(1, len(s.clients)))
	for _, c := range s.clients {
		c.debt = max(0, c.debt-share)
	}
	first, late := s.turn, false
	for i := range s.clients {
		c := s.clients[(first+i)%len(s.clients)]
		if !late {
			if s.turn = first + i + 1; time.Since(began) > tellTime {
				s.turn, late = first+i, true
			}
		}
		if c.idle.Load() {
			c.sync(s, !late && c.debt < share)
		}
	}
	s.turn %= max(1, len(s.clients))
}

func (s *sim) step() {
	began := time.Now()
	s.in.Step()
	s.took = time.Since(began)
	s.load.stepped(s.took, s.in.World.Stats().Contacts)
	s.done++
	s.change++
	w := s.in.World
	for _, t := range s.terrains {
		if g, ok := w.Ground(t.id); ok {
			t.look(g)
		}
	}
	if s.done%60 == 0 {
		s.removeFallen()
	}
}

// fallDepth is how far below the lowest thing of a scene a body is given up, in
// units of length: long out of sight, and the world would else fill with them.
const fallDepth = 1000

func (s *sim) removeFallen() {
	s.doomed = s.doomed[:0]
	for b := range s.in.World.Bodies() {
		if b.Type() == quarry.Dynamic && b.Position().Y < s.floor-fallDepth {
			s.doomed = append(s.doomed, b.ID())
		}
	}
	for _, id := range s.doomed {
		s.in.World.RemoveBody(id)
	}
}

// look brings what is told to clients up to date with the world.
func (s *sim) look() {
	if s.looked == s.change {
		return
	}
	s.looked = s.change
	w := s.in.World
	s.stats = w.Stats()
	s.roster.look(w, s.change)
	s.lookAtChains()
	if s.palette.look(w) {
		for _, t := range s.terrains {
			t.markAll()
		}
	}
	for _, t := range s.terrains {
		if _, ok := w.Ground(t.id); !ok && !t.gone {
			t.gone = true
			t.rev++
			for i := range t.list {
				t.list[i].rev = t.rev
			}
		}
	}
	for g := range w.Grounds() {
		if s.terrain(g.ID()) == nil {
			t := newTerrain(uint32(len(s.terrains)), g)
			s.terrains = append(s.terrains, t)
			if r, ok := g.Grid().Bounds(); ok {
				low := g.Transform().Apply(geom.V(float64(r.MinX), float64(r.MinY)))
				s.floor = min(s.floor, low.Y)
			}
		}
	}
}

// terrain returns what is known of a ground, or nil.
func (s *sim) terrain(id quarry.GroundID) *terrain {
	for _, t := range s.terrains {
		if t.id == id && !t.gone {
			return t
		}
	}
	return nil
}

// color is the colour of a material, 0 where the page may choose.
func (s *sim) color(m quarry.MaterialID) uint32 { return s.in.World.Material(m).Color }
