//go:build !js

package sandbox

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

func TestDigAndBuild(t *testing.T) {
	addr := serve(t, Config{Scenes: []scene.Scene{pit, bare}, Paused: true})
	p, other := dial(t, addr), dial(t, addr)
	p.send(`{"do":"step","n":60}`)
	p.until("60 steps", func() bool { return p.step == 60 })
	p.send(`{"do":"dig","y0":0.5,"y1":-1.5,"radius":1.6}`)
	p.until("the hole", func() bool { return p.tiles() == 36 })
	other.until("the hole", func() bool { return other.tiles() == 36 && len(other.polygons()) == 4 })
	p.send(`{"do":"step","n":60}`)
	p.until("120 steps", func() bool { return p.step == 120 })
	if y := p.moving()[0].at.Y; y > -3 {
		t.Errorf("the box hangs above the hole: y = %v", y)
	}
	p.send(`{"do":"build","x0":5.5,"y0":30.5,"x1":5.5,"y1":35.5,"radius":0.25,"layer":1,"material":2}`)
	p.until("the pillar", func() bool { return p.tiles() == 42 }) // over two chunks that were not there
	for _, g := range p.polygons() {
		if at := g.cell; at.Y >= 30 && (at.X != 5 || at.Y > 35 || g.tile != gridseg.Tile{Layer: 1, Material: 2}) {
			t.Errorf("built %+v in %v", g.tile, at)
		}
	}
	// A world without ground gets one when it is built on, not when it is dug in.
	p.send(`{"do":"scene","name":"bare"}`)
	p.until("the scene", func() bool { return p.hello.Scene == "bare" && p.frames > 0 && len(p.moving()) == 0 })
	p.send(`{"do":"dig","radius":1}`)
	p.until("an error", func() bool {
		return len(p.errors) == 1 && strings.Contains(p.errors[0], "dig: there is no ground 0")
	})
	p.send(`{"do":"build","radius":1}`)
	p.until("the disc", func() bool { return p.tiles() == 4 })
	if len(other.errors) != 0 {
		t.Errorf("errors told to the wrong client: %q", other.errors)
	}
}

// Strokes without end over the same cells are refused before the cells are in so many
// pieces that a chunk takes long; and existing ground can be erased.
func TestPiecesAreRefused(t *testing.T) {
	s := newSim(bare)
	rng := rand.New(rand.NewPCG(1, 2))
	c := newClient()
	s.clients = append(s.clients, c)
	var worst time.Duration
	refused := 0
	for n := 0; n < 6000 && refused == 0; {
		for len(c.inbox) < cap(c.inbox) {
			do := [...]string{"dig", "build"}[n%2]
			x, y := 32*rng.Float64(), 32*rng.Float64()
			c.inbox <- request{command: Command{Command: play.Command{
				Do: do, X0: x, Y0: y, X1: x + 0.5, Y1: y + 0.3,
				Radius: play.MinBrush + 0.1*rng.Float64(),
			}}}
			n++
		}
		began := time.Now()
		s.obeyAll(obeyTime)
		worst = max(worst, time.Since(began))
		for _, text := range c.errors {
			if strings.Contains(text, "pieces") || strings.Contains(text, "too large") {
				refused++
			}
		}
		c.errors = c.errors[:0]
	}
	g, _ := s.Engine().Ground(s.Grounds()[0].ID())
	_, segments := g.Grid().Count()
	t.Logf("%d segments, %d refused, the longest tick %v", segments, refused, worst)
	if segments > 4*play.MaxChunkSegments {
		t.Errorf("%d segments in four chunks", segments)
	}
	message, _ := appendChunk(nil, 0, s.Grounds()[0].Chunks()[0], g, nil, func(gridseg.Tile) uint32 { return 0 })
	if len(message) > 4<<20 {
		t.Errorf("a chunk of %d bytes", len(message))
	}
	cells := []int32{}
	for cell := range g.Grid().Tiles(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 31, MaxY: 31}) {
		cells = append(cells, cell.X, cell.Y)
	}
	if err := s.Do(0, play.Command{Do: "erase", Cells: cells}); err != nil {
		t.Error(err)
	}
	if err := s.Do(0, play.Command{Do: "build", X0: 16, Y0: 16, X1: 17, Y1: 16, Radius: 1}); err != nil {
		t.Error(fmt.Errorf("after erasing: %w", err))
	}
}

// Many cells are edited in parts, between which other clients' commands come, and an error is
// sent once.
func TestManyCellsAreEditedInParts(t *testing.T) {
	s := newSim(bare)
	cells := make([]int32, 0, 8*partCells)
	for i := range 4*partCells - 1 {
		cells = append(cells, int32(i%64), int32(i/64))
	}
	painter, other := newClient(), newClient()
	painter.inbox <- request{command: Command{Command: play.Command{Do: "paint", Shape: 1, Cells: cells}}}
	painter.inbox <- request{command: Command{Command: play.Command{Do: "paint", Shape: 999, Cells: cells}}}
	s.clients = append(s.clients, painter, other)
	s.obeyAll(-1)
	tiles := func() int {
		s.look()
		return s.stats.Tiles
	}
	if n := tiles(); n != partCells {
		t.Errorf("%d tiles after one part, want %d", n, partCells)
	}
	other.inbox <- request{command: Command{Command: play.Command{Do: "remove"}}}
	s.obeyAll(-1)
	if n := tiles(); n != partCells || len(other.errors) != 1 {
		t.Errorf("%d tiles, the other client was told %q", n, other.errors)
	}
	for range 8 {
		s.obeyAll(-1)
	}
	if n := tiles(); n != 4*partCells-1 || len(painter.errors) != 1 || painter.waiting {
		t.Errorf("%d tiles, errors %q", n, painter.errors)
	}
}
