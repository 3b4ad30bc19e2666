package surfaces_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestOneWayStopsGround: one-way tiles stop a block of tiles as they stop a box of its outline: it lands on them,
// rests, passes them from below and lands again; it turns back half way without a push; and it drops through.
func TestOneWayStopsGround(t *testing.T) {
	type scene struct {
		y, v float64 // of the block at the start
		drop int     // the step of a DropThrough
		rest float64 // of the block in the end
	}
	for name, c := range map[string]scene{
		"lands": {6, 0, 0, 4}, "fast": {9, -50, 0, 4}, "jumps through": {1, 11, 0, 4}, "turns back in it": {
			1, 7.7, 0,
			0,
		}, "drops": {5, 0, 100, 0},
	} {
		for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic} {
			var ends [2]geom.Vec
			var paths [2][]geom.Vec
			for k := range 2 {
				w := worldtest.New()
				up := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
				worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
				platform := gridseg.New(nil)
				worldtest.Must(t, platform.Fill(gridseg.Rect{MinX: -6, MinY: 3, MaxX: 6, MaxY: 3},
					gridseg.Tile{Shape: gridseg.Full, Material: uint16(up)}))
				_, err := w.AddGround(w.AddBody(quarry.BodyDef{Type: kind}), quarry.GroundDef{Grid: platform})
				worldtest.Must(t, err)
				b := worldtest.BlockOrBox(t, w, k == 1, quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(-0.7, c.y),
					Velocity: geom.V(0, c.v),
				}, 2, 2, 0)
				for step := range 300 {
					if c.drop > 0 && step == c.drop {
						b.DropThrough(0.1)
					}
					if step == 150 {
						worldtest.Must(t, w.Restore(w.AppendSnapshot(nil)))
					}
					w.Step(worldtest.DT)
					paths[k] = append(paths[k], b.Position())
				}
				ends[k] = b.Position()
				worldtest.Near(t, fmt.Sprint(name, " of kind ", kind, ", box ", k == 1), b.Position().Y, c.rest, 0.02)
			}
			worst := 0.0
			for i := range paths[0] {
				worst = max(worst, paths[0][i].Dist(paths[1][i]))
			}
			if most := max(0.02, 0.002*math.Abs(c.v)); worst > most { // a fast box is swept, and stops on the face
				t.Errorf("%s of kind %v: %g from the path of the box", name, kind, worst)
			}
		}
	}
}

// TestOneWayGroundMoves: a raft of one-way tiles lands on solid ground that meets the faces in front, and falls through
// ground that comes from behind them; and two moving grounds keep momentum.
func TestOneWayGroundMoves(t *testing.T) {
	for way, rests := range map[quarry.OneWay]bool{quarry.OneWayDown: true, quarry.OneWayUp: false} {
		w := worldtest.New()
		m := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: way})
		worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1})
		raft := worldtest.Raft(t, w, geom.V(-2.4, 3), 0, 4, 1)
		worldtest.Must(t, raft.Fill(gridseg.Rect{MaxX: 3}, gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
		worldtest.Steps(w, 200)
		if y := raft.Body().Position().Y; rests != (math.Abs(y) < 0.02) {
			t.Errorf("a raft of tiles that let bodies pass %v is at %v", way, y)
		}
	}
	w := quarry.NewWorld(quarry.Config{})
	up := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
	deck := worldtest.Raft(t, w, geom.V(-5, 0), 0.2, 10, 2)
	worldtest.Must(t, deck.Fill(gridseg.Rect{MaxX: 9, MinY: 1, MaxY: 1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(up)}))
	load := worldtest.Raft(t, w, geom.V(-1, 4), 0.2, 2, 1)
	load.Body().SetVelocity(geom.V(1, -6))
	p := func() geom.Vec {
		return deck.Body().Velocity().Mul(deck.Body().Mass()).Add(load.Body().Velocity().Mul(load.Body().Mass()))
	}
	before := p()
	worldtest.Steps(w, 90)
	if p().Dist(before) > 1e-4 || load.Body().Velocity().Sub(deck.Body().Velocity()).Len() > 4 {
		t.Errorf("momentum %v, then %v; the load leaves the deck at %v", before, p(),
			load.Body().Velocity().Sub(deck.Body().Velocity()))
	}
}
