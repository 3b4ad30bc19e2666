//go:build !js

package sandbox

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// editing returns the scene pit with an edit of its ground before each step.
func editing(edit func(g quarry.Ground)) scene.Scene {
	sc := pit
	sc.Build = func(w *quarry.World) *scene.Instance {
		in := pit.Build(w)
		in.BeforeStep = func(int) {
			for g := range in.World.Grounds() {
				edit(g)
			}
		}
		return in
	}
	return sc
}

// messages returns the CHUNK message of every chunk of a ground.
func messages(s *shown, t *play.Ground) (all [][]byte) {
	g, _ := s.Engine().Ground(t.ID())
	for _, c := range t.Chunks() {
		m, _ := appendChunk(nil, t.Number(), c, g, nil, func(tile gridseg.Tile) uint32 {
			return s.color(g.Material(tile))
		})
		all = append(all, m)
	}
	return all
}

// Every chunk whose message an edit changed has a new revision, whether the edit is a scene's or
// a command's; and every tile is in a chunk.
func TestEditedChunksAreSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) int32 { return int32(rapid.IntRange(-40, 70).Draw(t, name)) }
		near := func(name string) int32 {
			return int32(rapid.SampledFrom([]int{-33, -32, -1, 0, 31, 32}).Draw(t, name))
		}
		sceneEdit := func(g quarry.Ground) {
			x, y := near("x"), near("y")
			r := gridseg.Rect{MinX: x, MinY: y, MaxX: x + int32(rapid.IntRange(0, 40).Draw(t, "w")), MaxY: y}
			p := geom.V(float64(x), float64(y))
			var err error
			switch rapid.SampledFrom([]string{"set", "fill", "move", "dig", "build", "none"}).Draw(t, "scene") {
			case "set":
				err = g.Set(x, y, gridseg.Tile{Shape: gridseg.Full, Layer: uint8(rapid.IntRange(0, 2).Draw(t,
					"layer"))})
			case "fill":
				err = g.Fill(r, gridseg.Tile{Shape: gridseg.ShapeID(rapid.IntRange(0, 2).Draw(t, "shape"))})
			case "move":
				err = g.Move(r, at("dx"), at("dy"))
			case "dig":
				err = g.Dig(p, p, 1.5)
			case "build":
				err = g.Build(p, p, 1.5, gridseg.Attr{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		s := newSim(editing(sceneEdit))
		tr := s.Grounds()[0]
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			before, rev := messages(s.shown, tr), tr.Rev()
			var err error
			switch rapid.SampledFrom([]string{"step", "paint", "erase", "dig", "build"}).Draw(t, "do") {
			case "step":
				s.step()
			case "paint":
				err = s.Do(0, play.Command{Do: "paint", Shape: 1, Cells: []int32{
					near("x"), near("y"), at("x"),
					at("y"),
				}})
			case "erase":
				err = s.Do(0, play.Command{Do: "erase", Cells: []int32{near("x"), near("y")}})
			case "dig":
				err = s.Do(0, play.Command{
					Do: "dig", X0: float64(near("x")), Y0: 0, X1: float64(near("x")), Y1: 0,
					Radius: 1,
				})
			case "build":
				err = s.Do(0, play.Command{
					Do: "build", X0: float64(near("x")), Y0: 0, X1: float64(near("x")), Y1: 0,
					Radius: 1,
				})
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range messages(s.shown, tr) {
				if (i >= len(before) || !bytes.Equal(m, before[i])) && tr.Chunks()[i].Rev <= rev {
					t.Fatalf("chunk %v changed, but its revision is %d and was at most %d", tr.Chunks()[i].At,
						tr.Chunks()[i].Rev, rev)
				}
			}
			g, _ := s.Engine().Ground(tr.ID())
			bounds, _ := g.Grid().Bounds()
			for cell := range g.Grid().Tiles(bounds) {
				if !slices.ContainsFunc(tr.Chunks(), func(c play.Chunk) bool { return c.Cells().Contains(cell) }) {
					t.Fatalf("tile %v is in no chunk", cell)
				}
			}
		}
	})
}
