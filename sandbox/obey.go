package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// What one client's commands may cost in one tick. A cell to paint costs 1, a
// stroke as many as the cells that it may touch and strokeCost, and each command
// commandCost besides. What is left over waits for the next tick, in a queue of
// bounded length; while that is full, the client is not read from.
const (
	tickBudget  = MaxCells
	commandCost = 32
)

// MaxTiles is how many tiles a ground may hold before painting is refused, and
// MaxChunks in how many chunks they may lie, or have lain, before painting in
// new ones is: a tile alone in its chunk costs kilobytes.
const (
	MaxTiles  = 1 << 22
	MaxChunks = 1 << 15
)

// maxCrowd is how many bodies not much smaller than a new one may already be
// where it is to be. Bodies that lie in each other by the hundred are pairs by
// the ten thousand, and the world would stand still for everybody.
const maxCrowd = 32

// obeyTime is what the commands of all clients may take of one tick, as far as
// they can be put off. Whoever was not heard is heard first in the next.
const obeyTime = tick / 2

// obeyAll carries out what the clients ask for, as far as one tick allows.
func (s *sim) obeyAll() {
	began := time.Now()
	for range s.clients {
		s.turn %= len(s.clients)
		c := s.clients[s.turn]
		s.turn++
		s.obey(c, began)
		if time.Since(began) > obeyTime {
			return
		}
	}
}

// obey carries out what c asks for, as far as one tick that began to obey then
// allows: one command at least.
func (s *sim) obey(c *client, began time.Time) {
	for budget := tickBudget; budget > 0; {
		select {
		case r := <-c.inbox:
			budget -= r.command.cost()
			err := r.err
			if err == nil {
				err = s.do(c, r.command)
			}
			if err != nil {
				c.complain(err)
			}
			if r.command.Do == "reset" || r.command.Do == "scene" {
				return // building a scene is dear: one a tick
			}
			if time.Since(began) > obeyTime {
				return // so may strokes be, over ground in many pieces
			}
		default:
			return
		}
	}
}

// do carries out one command that DecodeCommand has found right.
func (s *sim) do(c *client, m Command) error {
	s.change++
	switch m.Do {
	case "add":
		return s.add(m)
	case "remove":
		return s.remove(geom.V(m.X, m.Y))
	case "through":
		return s.through(m)
	case "paint", "erase":
		return s.edit(m)
	case "dig", "build":
		return s.stroke(m)
	case "pause":
		s.paused, s.pending = true, 0
	case "resume":
		s.paused, s.pending = false, 0
	case "step":
		if !s.paused {
			return errors.New("step: the world is running; pause it first")
		}
		s.pending = min(s.pending+m.N, MaxSteps)
	case "reset":
		s.start(s.scene)
	case "scene":
		sc, ok := find(s.config.Scenes, m.Name)
		if !ok {
			return fmt.Errorf("there is no scene %.60q", m.Name)
		}
		s.start(sc)
	case "view":
		c.look(geom.V(m.X, m.Y))
	}
	return nil
}

func find(scenes []scene.Scene, name string) (scene.Scene, bool) {
	for _, sc := range scenes {
		if sc.Name == name {
			return sc, true
		}
	}
	return scene.Scene{}, false
}

func (s *sim) add(m Command) error {
	w := s.in.World
	if n := w.Stats().Bodies; n >= s.config.MaxBodies {
		return fmt.Errorf("the world is full: it has %d bodies, and %d is the most that can be added to; reset it or remove some", n, s.config.MaxBodies)
	}
	at := geom.V(m.X, m.Y)
	if s.crowded(at, m.Size) {
		return fmt.Errorf("add: %d bodies lie in one another here already, and that is the most", maxCrowd)
	}
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Angle: m.Angle})
	w.AddShape(id, newShape(m.Kind, m.Size), quarry.ShapeDef{})
	s.floor = min(s.floor, m.Y)
	return nil
}

// crowded reports whether there is no place left for a body of a size at p.
func (s *sim) crowded(p geom.Vec, size float64) bool {
	w, n := s.in.World, 0
	s.near = w.AppendOverlaps(s.near[:0], geom.AABB{Min: p, Max: p}.Expand(size/2))
	for _, id := range s.near {
		sh, ok := w.Shape(id)
		if !ok || sh.Body().Type() == quarry.Static {
			continue
		}
		if d := sh.Bounds().Size(); 2*max(d.X, d.Y) > size {
			n++
		}
	}
	return n >= maxCrowd
}

// newShape returns the shape of a kind of body, about size across.
func newShape(kind string, size float64) geom.Shape {
	switch kind {
	case "circle":
		return geom.Circle{Radius: size / 2}
	case "capsule":
		h := geom.V(0.3*size, 0)
		return geom.Capsule{A: h.Neg(), B: h, Radius: 0.25 * size}
	case "rounded":
		return geom.NewRoundedBox(0.3*size, 0.3*size, 0.2*size)
	case "pentagon":
		points := make([]geom.Vec, 5)
		for i := range points {
			sin, cos := geom.SinCos(float64(i) * (2 * 3.141592653589793 / 5))
			points[i] = geom.V(-sin, cos).Mul(0.55 * size)
		}
		if p, err := geom.NewPolygon(points, 0); err == nil {
			return p
		}
	}
	return geom.NewBox(size/2, size/2)
}

// remove takes away a body at p; see bodyAt.
func (s *sim) remove(p geom.Vec) error {
	b, ok := s.bodyAt(p)
	if !ok {
		return errors.New("remove: no body is there")
	}
	s.in.World.RemoveBody(b.ID())
	return nil
}

// bodyAt returns the body at p that is not static, of several the one with the
// greatest id: the newest, unless slots have been used again.
func (s *sim) bodyAt(p geom.Vec) (quarry.Body, bool) {
	w := s.in.World
	found := quarry.BodyID(0)
	for _, id := range w.AppendShapesAt(nil, p) {
		if sh, ok := w.Shape(id); ok && sh.Body().Type() != quarry.Static {
			found = max(found, sh.Body().ID())
		}
	}
	return w.Body(found)
}

// ground returns the ground that a command edits. A world without any gets one
// when something is first put there.
func (s *sim) ground(m Command) (*terrain, quarry.Ground, error) {
	s.look() // so that terrains has every ground
	if len(s.terrains) == 0 && m.Ground == 0 && (m.Do == "paint" || m.Do == "build") {
		if _, err := s.in.World.AddGround(0, quarry.GroundDef{}); err != nil {
			return nil, quarry.Ground{}, fmt.Errorf("%s: %w", m.Do, err)
		}
		s.change++
		s.look()
	}
	if int64(m.Ground) >= int64(len(s.terrains)) || s.terrains[m.Ground].gone {
		return nil, quarry.Ground{}, fmt.Errorf("%s: there is no ground %d", m.Do, m.Ground)
	}
	t := s.terrains[m.Ground]
	g, ok := s.in.World.Ground(t.id)
	if !ok {
		return nil, quarry.Ground{}, fmt.Errorf("%s: ground %d is no more", m.Do, m.Ground)
	}
	return t, g, nil
}

// edit paints or erases cells. A cell that is refused does not keep the others
// from being edited.
func (s *sim) edit(m Command) error {
	t, g, err := s.ground(m)
	if err != nil {
		return err
	}
	tile := gridseg.Tile{}
	if m.Do == "paint" {
		s.palette.use(s.in.World, m.Material)
		tile = gridseg.Tile{Shape: gridseg.ShapeID(m.Shape), Turn: gridseg.Turn(m.Turn), Layer: m.Layer, Material: m.Material}
		if n, _ := g.Grid().Count(); n+len(m.Cells)/2 > MaxTiles {
			return fmt.Errorf("paint: the ground has %d tiles, and %d is the most", n, MaxTiles)
		}
	}
	known := g.Version() == t.version // else a survey is due anyway
	var bad error
	for i := 0; i+1 < len(m.Cells); i += 2 {
		cell := gridseg.Cell{X: m.Cells[i], Y: m.Cells[i+1]}
		if g.Tile(cell.X, cell.Y) == tile {
			continue
		}
		if !t.room(cell) {
			bad = fmt.Errorf("%s: tiles lie in %d places far from each other, and that is the most; reset the scene", m.Do, MaxChunks)
			break
		}
		if err := g.Set(cell.X, cell.Y, tile); err != nil {
			if bad == nil {
				bad = fmt.Errorf("%s: %w", m.Do, err)
			}
			continue
		}
		t.mark(cell)
		s.floor = min(s.floor, g.Transform().Apply(geom.V(float64(cell.X), float64(cell.Y))).Y)
	}
	if known {
		t.version = g.Version()
	}
	s.change++
	return bad
}
