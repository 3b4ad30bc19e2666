package store

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestStreamerAtTheEnds: a Streamer unloads and loads the chunks in the corners of the world as any others. It left
// out the first column and row.
func TestStreamerAtTheEnds(t *testing.T) {
	const high = math.MaxInt32 - Side + 1
	for _, c := range []gridseg.Cell{
		{X: 0, Y: 0},
		{X: math.MinInt32, Y: math.MinInt32},
		{X: high, Y: math.MinInt32},
		{X: math.MinInt32, Y: high},
		{X: high, Y: high},
	} {
		g := gridseg.New(nil)
		r := gridseg.Rect{MinX: c.X, MinY: c.Y, MaxX: c.X + Side - 1, MaxY: c.Y + Side - 1}
		if err := g.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
		st := NewStreamer(Memory(), alone{g}, "1", StreamOptions{Radius: 100, Memory: 64, Budget: 64})
		middle := geom.V(float64(c.X)+Side/2, float64(c.Y)+Side/2)
		if _, err := g.Unload(r, gridseg.UnloadedEmpty); err != nil { // Generate is nil: an empty chunk
			t.Fatal(err)
		}
		for range 4 {
			if _, err := st.Step([]StreamPoint{{Position: middle}}); err != nil {
				t.Fatal(err)
			}
		}
		if !g.Loaded(c.X, c.Y) || !g.Loaded(c.X+Side-1, c.Y+Side-1) {
			t.Errorf("the chunk at %v is not loaded", c)
		}
	}
}
