package sandbox

import (
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// begun is a running scene: its world, and the numbers and revisions by which clients know the
// bodies, grounds and chains. begin makes it on any goroutine; then it belongs to the loop of sim.
type begun struct {
	scene  scene.Scene
	in     *scene.Instance
	own    int // dynamic bodies at step 0
	bodies int // in the world
	done   int // steps made
	took   time.Duration
	// floor is the lowest height of the scene, see removeFallen.
	floor float64
	load  load

	change   uint64 // grows with each step and command that may change the world
	looked   uint64 // the change up to which roster and terrains are current
	stats    quarry.Stats
	roster   roster
	terrains []*terrain
	palette  palette
	hello    []byte // the HELLO message of revision helloRev of the palette
	helloRev uint64

	lines     []*line // chains, by number
	lineOf    map[quarry.ChainID]int
	freeLines []uint32 // numbers of removed chains

	segs []gridseg.Segment // scratch
}

// begin builds the world of a scene.
func begin(sc scene.Scene) *begun {
	s := &begun{scene: sc, in: sc.New(), floor: sc.View.Min.Y, change: 1, lineOf: map[quarry.ChainID]int{}}
	for b := range s.in.World.Bodies() {
		s.bodies++
		if b.Type() == quarry.Dynamic {
			s.own++
		}
	}
	s.palette.open(s.in.World)
	s.look()
	return s
}

// look brings the numbers and revisions up to date with the world.
func (s *begun) look() {
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
	s.lookAtGrounds()
}

// lookAtGrounds gives each new ground a number, and marks removed grounds as gone.
func (s *begun) lookAtGrounds() {
	w := s.in.World
	for _, t := range s.terrains {
		if _, ok := w.Ground(t.id); !ok && !t.gone {
			t.gone = true
			t.markAll()
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

// lookAtEdits marks the chunks that edits since the last step changed, other than the edits of
// commands, which mark their own.
func (s *begun) lookAtEdits() {
	for _, t := range s.terrains {
		if g, ok := s.in.World.Ground(t.id); ok {
			t.look(g, s.in.World.GroundEdits())
		}
	}
}

// terrain returns the terrain of a ground, or nil if there is none yet.
func (s *begun) terrain(id quarry.GroundID) *terrain {
	for _, t := range s.terrains {
		if t.id == id && !t.gone {
			return t
		}
	}
	return nil
}

// color returns the colour of a material; 0 leaves the choice to the page.
func (s *begun) color(m quarry.MaterialID) uint32 { return s.in.World.Material(m).Color }
