//go:build !js

package sandbox

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// shelf is a floor from which a post rises to a shelf of 5 blocks.
var shelf = scene.Scene{
	Name: "shelf", Doc: "A shelf on a post.", View: geom.Box(geom.V(-12, -4), geom.V(12, 10)),
	Config: quarry.Config{Gravity: geom.V(0, -10)},
	Build: func(w *quarry.World) *scene.Instance {
		grid := gridseg.New(nil)
		for _, r := range []gridseg.Rect{
			{MinX: -10, MinY: -1, MaxX: 9, MaxY: -1},
			{MinX: 0, MinY: 0, MaxX: 0, MaxY: 3},
			{MinX: 0, MinY: 4, MaxX: 4, MaxY: 4},
		} {
			if err := grid.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
				panic(err)
			}
		}
		if _, err := w.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
			panic(err)
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// A shelf whose post a client cuts hangs; when loose ground may fall, it becomes a ground of its own, with its tiles,
// and falls.
func TestLooseGroundFalls(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{shelf}}))
	p.until("the shelf", func() bool { return p.tiles() == 29 })
	p.send(`{"do":"erase","cells":[0,1]}`)
	p.until("the cut", func() bool { return p.tiles() == 28 })
	from := p.step
	p.until("some steps", func() bool { return p.step > from+10 })
	if len(p.others) != 0 || p.breaks {
		t.Fatalf("ground fell that should hang: %d grounds more, breaks %t", len(p.others), p.breaks)
	}
	p.send(`{"do":"breaks","all":true}`)
	p.until("the fall", func() bool {
		return p.breaks && len(p.others) == 1 && p.tiles() == 21 && p.places[1].P.Y < -1
	})
	tiles := 0
	for _, c := range p.others[1] {
		tiles += len(c.tiles)
	}
	if tiles != 7 {
		t.Errorf("%d tiles fall, want 7", tiles)
	}
	at := p.places[1].Apply(geom.V(2.5, 4.5))
	p.send(fmt.Sprintf(`{"do":"remove","x":%v,"y":%v}`, at.X, at.Y))
	p.until("the removal", func() bool { return len(p.others) == 0 })
	// The number is free again.
	p.send(`{"do":"add","kind":"tiles","x":6,"y":6,"size":2.5}`)
	p.until("a body of four blocks", func() bool {
		return len(p.others) == 1 && len(p.others[1]) == 1 && len(p.others[1][gridseg.Cell{}].tiles) == 4
	})
	p.send(`{"do":"breaks"}`)
	p.until("the end", func() bool { return !p.breaks })
	if len(p.errors) != 0 {
		t.Errorf("errors: %q", p.errors)
	}
}

// The chunks of a ground that is loaded and unloaded as the world runs hold the loaded tiles, and are sent when these
// change.
func TestStreamedGround(t *testing.T) {
	sc, _ := scene.Get("walk")
	s := newSim(sc)
	for range 3 {
		for range 150 {
			s.step()
		}
		before := s.Grounds()[0].Rev()
		for range 150 {
			s.step()
		}
		if s.Grounds()[0].Rev() == before {
			t.Error("no chunk is marked, though some were loaded")
		}
		tiles := 0
		for _, m := range messages(s.shown, s.Grounds()[0]) {
			tiles += int(wire.Uint32(m[16:]))
		}
		g, _ := s.Engine().Ground(s.Grounds()[0].ID())
		if n, _ := g.Grid().Count(); tiles != n || n == 0 {
			t.Errorf("%d tiles in the chunks, the ground has %d", tiles, n)
		}
	}
}
