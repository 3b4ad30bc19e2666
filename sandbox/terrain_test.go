//go:build !js

package sandbox

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
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

// messages returns the CHUNK message of every chunk of a terrain.
func messages(s *sim, t *terrain) (all [][]byte) {
	g, _ := s.in.World.Ground(t.id)
	for i := range t.list {
		m, _ := t.appendChunk(nil, i, g, nil, func(tile gridseg.Tile) uint32 { return s.color(g.Material(tile)) })
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
		tr := s.terrains[0]
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			before, rev := messages(s, tr), tr.rev
			var err error
			switch rapid.SampledFrom([]string{"step", "paint", "erase", "dig", "build"}).Draw(t, "do") {
			case "step":
				s.step()
			case "paint":
				err = s.edit(Command{Do: "paint", Shape: 1, Cells: []int32{near("x"), near("y"), at("x"), at("y")}})
			case "erase":
				err = s.edit(Command{Do: "erase", Cells: []int32{near("x"), near("y")}})
			case "dig":
				err = s.stroke(Command{
					Do: "dig", X0: float64(near("x")), Y0: 0, X1: float64(near("x")), Y1: 0,
					Radius: 1,
				})
			case "build":
				err = s.stroke(Command{
					Do: "build", X0: float64(near("x")), Y0: 0, X1: float64(near("x")), Y1: 0,
					Radius: 1,
				})
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, m := range messages(s, tr) {
				if (i >= len(before) || !bytes.Equal(m, before[i])) && tr.list[i].rev <= rev {
					t.Fatalf("chunk %v changed, but its revision is %d and was at most %d", tr.list[i].at,
						tr.list[i].rev, rev)
				}
			}
			g, _ := s.in.World.Ground(tr.id)
			bounds, _ := g.Grid().Bounds()
			for cell := range g.Grid().Tiles(bounds) {
				if _, ok := tr.chunks[chunkOf(cell)]; !ok {
					t.Fatalf("tile %v is in no chunk", cell)
				}
			}
		}
	})
}

// An edit of a scene marks the chunks near its cells, after the same step, on a ground of any size.
// (All tiles were compared to find the edits: edits of a ground of a million tiles were found up to
// 10 steps late, and grounds of such scenes were limited to 400,000 tiles.)
func TestSceneEditsOfLargeGrounds(t *testing.T) {
	s := newSim(editing(func(g quarry.Ground) {
		if err := g.Clear(500, 600); err != nil {
			t.Fatal(err)
		}
	}))
	tr := s.terrains[0]
	g, _ := s.in.World.Ground(tr.id)
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	s.lookAtEdits()
	s.budget.tiles, s.budget.segments, s.budget.chunks = s.groundSize() // as if the scene began so
	rev := tr.rev
	s.step()
	marked := 0
	for _, c := range tr.list {
		if c.rev > rev {
			marked++
			if c.at != (gridseg.Cell{X: 500 / ChunkCells, Y: 600 / ChunkCells}) {
				t.Errorf("chunk %v is marked", c.at)
			}
		}
	}
	if marked != 1 {
		t.Errorf("%d chunks marked, want 1", marked)
	}
	if err := s.edit(Command{Do: "paint", Shape: 1, Cells: []int32{-1, 999}}); err != nil {
		t.Error(err)
	}
}

// A stroke without effect marks no chunk.
func TestStrokeInAirMarksNothing(t *testing.T) {
	s := newSim(pit)
	tr := s.terrains[0]
	rev := tr.rev
	if err := s.stroke(Command{Do: "dig", Y0: 50, Y1: 50, Radius: 2}); err != nil || tr.rev != rev {
		t.Errorf("%v, revision %d, want %d", err, tr.rev, rev)
	}
}
