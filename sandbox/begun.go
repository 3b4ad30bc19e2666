package sandbox

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// begun is a running scene without its clients and without clocks: its world, and the numbers and revisions by which
// clients know the bodies, grounds and chains. begin makes it on any goroutine; then it belongs to the loop of sim.
type begun struct {
	scene  scene.Scene
	in     *scene.Instance
	own    int // dynamic bodies at step 0
	bodies int // in the world
	done   int // steps made
	// floor is the lowest height of the scene, see removeFallen.
	floor float64
	// budget and maxBodies bound the additions of clients.
	budget    budget
	maxBodies int
	// stopped is the message to clients after a panic; see try. "" if the world runs or is paused.
	stopped string

	change   uint64 // grows with each step and command that may change the world
	looked   uint64 // the change up to which roster and terrains are current
	stats    quarry.Stats
	roster   roster
	terrains []*terrain // by number
	// terrainOf has the number of each ground, free the numbers of removed grounds; serials counts the grounds.
	terrainOf map[quarry.GroundID]int
	free      []uint32
	serials   uint64
	// kept is the total size in bytes of the CHUNK messages that the terrains keep.
	kept   int
	breaks bool // a static or kinematic ground may break
	// strokes is the number of clients whose stroke goes on. Until then held, which may break, do not; see hold.
	strokes  int
	held     []quarry.GroundID
	palette  palette
	hello    []byte // the HELLO message of revision helloRev of the palette
	helloRev uint64

	lines     []*line // chains, by number
	lineOf    map[quarry.ChainID]int
	freeLines []uint32 // numbers of removed chains

	// Scratch.
	segs     []gridseg.Segment
	near     []quarry.ShapeID
	contacts []quarry.Contact
	met      []quarry.Target
}

// begin builds the world of a scene. It returns an error if that panics.
func begin(sc scene.Scene, maxBodies int) (s *begun, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("scene: %.60s cannot be built: %s", sc.Name, panicText(p))
		}
	}()
	return beginOf(sc, sc.New(), maxBodies), nil
}

// beginOf numbers the contents of a world of a scene.
func beginOf(sc scene.Scene, in *scene.Instance, maxBodies int) *begun {
	s := &begun{
		scene: sc, in: in, floor: sc.View.Min.Y, maxBodies: maxBodies, change: 1,
		lineOf: map[quarry.ChainID]int{}, terrainOf: map[quarry.GroundID]int{},
	}
	for b := range s.in.World.Bodies() {
		s.bodies++
		if b.Type() == quarry.Dynamic {
			s.own++
		}
	}
	for g := range s.in.World.Grounds() {
		s.breaks = s.breaks || g.Def().Breaks
	}
	s.palette.open(s.in.World)
	s.look()
	s.budget.tiles, s.budget.segments, s.budget.chunks = s.groundSize()
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

// lookAtGrounds gives each new ground a number, if possible of a removed ground, and frees the numbers of removed
// grounds.
func (s *begun) lookAtGrounds() {
	for g := range s.in.World.Grounds() {
		i, ok := s.terrainOf[g.ID()]
		if !ok {
			i = s.addTerrain(g)
		}
		s.terrains[i].seen = s.change
	}
	for i, t := range s.terrains {
		if t.seen != s.change && !t.gone {
			s.serials++
			s.kept -= t.kept
			s.terrains[i] = &terrain{number: t.number, serial: s.serials, gone: true}
			delete(s.terrainOf, t.id)
			s.free = append(s.free, t.number)
		}
	}
}

// addTerrain gives a ground a number.
func (s *begun) addTerrain(g quarry.Ground) int {
	i := len(s.terrains)
	if n := len(s.free); n > 0 {
		i = int(s.free[n-1])
		s.free = s.free[:n-1]
	} else {
		s.terrains = append(s.terrains, nil)
	}
	s.serials++
	s.terrains[i] = newTerrain(uint32(i), s.serials, g)
	s.terrainOf[g.ID()] = i
	if r, ok := g.Grid().Bounds(); ok && g.Body().Type() != quarry.Dynamic {
		low := g.Transform().Apply(geom.V(float64(r.MinX), float64(r.MinY)))
		s.floor = min(s.floor, low.Y)
	}
	return i
}

// lookAtEdits marks the chunks that edits since the last step changed, of grounds that broke in it
// included, other than the edits of commands, which mark their own.
func (s *begun) lookAtEdits() {
	for _, t := range s.terrains {
		if g, ok := s.in.World.Ground(t.id); ok {
			t.look(g, s.in.World.GroundEdits())
		}
	}
}

// color returns the colour of a material; 0 leaves the choice to the page.
func (s *begun) color(m quarry.MaterialID) uint32 { return s.in.World.Material(m).Color }
