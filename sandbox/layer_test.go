//go:build !js

package sandbox

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// rows is a row of six blocks of layer 1 on a ground that preserves layers 1 and 2.
var rows = scene.Scene{
	Name: "rows", Doc: "A row of layer 1.", View: geom.Box(geom.V(-2, -4), geom.V(10, 4)),
	Build: func(w *quarry.World) *scene.Instance {
		grid := gridseg.New(nil)
		if err := grid.Preserve(2, 1); err != nil {
			panic(err)
		}
		id, err := w.AddGround(0, quarry.GroundDef{Grid: grid})
		if err != nil {
			panic(err)
		}
		g, _ := w.Ground(id)
		if err := g.Fill(gridseg.Rect{MaxX: 5}, gridseg.Tile{Shape: gridseg.Full, Layer: 1}); err != nil {
			panic(err)
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

// TestPaintPreserved: the server sends the layers that a ground preserves, and a tile that a
// client paints on another layer keeps its faces against the tiles beside it. Layers were not
// sent, so the page painted all tiles on layer 0.
func TestPaintPreserved(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{rows}, Paused: true}))
	p.until("the row", func() bool { return p.frames > 0 && len(p.tables) == 1 })
	if d := cmp.Diff([][2]uint8{{1, 2}}, p.tables[0].Preserve); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	segments := func() (n int) {
		for _, c := range p.chunks {
			n += c.segments
		}
		return n
	}
	if n := segments(); n != 14 {
		t.Fatalf("%d segments of six blocks in a row, want 14", n)
	}
	p.send(`{"do":"paint","cells":[2,1],"shape":1,"layer":1}`) // one more of the layer: 3 faces more, one less
	p.until("a block of layer 1", func() bool { return segments() == 16 })
	p.send(`{"do":"paint","cells":[4,1],"shape":1,"layer":2}`) // all 4 faces, and none less
	p.until("a block of layer 2", func() bool { return segments() == 20 })
}
