//go:build !js

package sandbox

import (
	"fmt"
	"math"
	"strings"
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

// A stroke of a client that digs in all grounds takes from a body of tiles and from the floor beneath, not from ground
// beside.
func TestDigInAllGrounds(t *testing.T) {
	s := newSim(shelf)
	for _, x := range []float64{-4, 4} {
		if err := s.do(nil, Command{Do: "add", Kind: kindTiles, X: x, Y: 1, Size: 2, Angle: math.Pi / 2}); err != nil {
			t.Fatal(err)
		}
	}
	s.look()
	area := func() (sum [3]float64) {
		for i := range sum {
			g, _ := s.in.World.Ground(s.terrains[i].id)
			sum[i] = g.Grid().SolidArea(gridseg.Rect{MinX: -50, MinY: -50, MaxX: 50, MaxY: 50}).Cells()
		}
		return sum
	}
	before := area()
	if err := s.do(nil, Command{Do: "dig", All: true, X0: -4, X1: -4, Y0: 2, Y1: -2, Radius: 0.25}); err != nil {
		t.Fatal(err)
	}
	after := area()
	if d := before[1] - after[1]; math.Abs(d-1) > 0.01 {
		t.Errorf("%v dug from the body of tiles, want 1", d)
	}
	if d := before[0] - after[0]; math.Abs(d-0.5) > 0.01 {
		t.Errorf("%v dug from the floor, want 0.5", d)
	}
	if after[2] != before[2] {
		t.Error("ground beside was dug in")
	}
	if b, ok := s.bodyAt(geom.V(-3.5, 0.5)); !ok || b.Type() != quarry.Dynamic {
		t.Error("no body where the tiles are")
	}
	if b, ok := s.bodyAt(geom.V(-4, 1)); ok {
		t.Errorf("body %d where its tiles are dug away", b.ID())
	}
}

// Parts that come off beyond the limit of grounds vanish, and bodies of tiles are refused there.
func TestTooManyPieces(t *testing.T) {
	s := newSim(shelf)
	s.setBreaks(true)
	for k := range maxGrounds + 100 {
		if err := s.edit(Command{Do: "paint", Shape: 1, Cells: []int32{
			int32(2*(k%300)) - 300,
			int32(20 + 2*(k/300)),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 40 {
		s.step()
	}
	s.change++
	s.look()
	if n := len(s.terrainOf); n != maxGrounds {
		t.Errorf("%d grounds, the limit is %d", n, maxGrounds)
	}
	if len(s.terrains) > maxGrounds+64 {
		t.Errorf("%d numbers of grounds: they are not used again", len(s.terrains))
	}
	if err := s.add(Command{Do: "add", Kind: kindTiles, X: 0, Y: 500, Size: 1}); err == nil ||
		!strings.Contains(err.Error(), "grounds") {
		t.Errorf("one more body of tiles: %v", err)
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
		before := s.terrains[0].rev
		for range 150 {
			s.step()
		}
		if s.terrains[0].rev == before {
			t.Error("no chunk is marked, though some were loaded")
		}
		tiles := 0
		for _, m := range messages(s, s.terrains[0]) {
			tiles += int(wire.Uint32(m[16:]))
		}
		g, _ := s.in.World.Ground(s.terrains[0].id)
		if n, _ := g.Grid().Count(); tiles != n || n == 0 {
			t.Errorf("%d tiles in the chunks, the ground has %d", tiles, n)
		}
	}
}
