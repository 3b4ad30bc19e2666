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

// TestSeamBesideRestingGround: a shape without friction that slides from a surface that stands still onto a ground on a
// dynamic body that rests at the same level, within a lattice step, and on to the next surface, keeps its height, angle
// and speed.
func TestSeamBesideRestingGround(t *testing.T) {
	raft := floorPart{"raft", 7, func(t worldtest.Failer, w *worldtest.Site, from, to int32, d geom.Vec) {
		p := d.Add(geom.V(float64(from), -7))
		worldtest.Block(t, w.World, quarry.BodyDef{Type: quarry.Dynamic, Position: p}, to-from, 7, 1)
	}}
	for _, beside := range append(floorParts(), raft) {
		for _, s := range sliders() {
			for _, asleep := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%s/asleep=%v", beside.name, s.name, asleep), func(t *testing.T) {
					for _, speed := range []float64{1.7, 6, 9.7} {
						for _, offset := range []float64{0, -1.0 / 4096, 1.0 / 4096} {
							if offset != 0 && beside.name == "raft" {
								continue // it rests where the other one does
							}
							slideOverRaft(t, beside, s.shape, s.fixed, asleep, s.low, speed, offset)
						}
					}
				})
			}
		}
	}
}

// slideOverRaft slides a shape over a raft of 4x7 tiles, which lies in a pit between two surfaces.
func slideOverRaft(t *testing.T, beside floorPart, shape geom.Shape, fixed, asleep bool, low, speed, offset float64) {
	t.Helper()
	w := worldtest.Carriers()[0].NewSite()
	w.AddMaterial(quarry.Material{})
	bed := w.AddGround(t)
	worldtest.Must(t, bed.Fill(gridseg.Rect{MinX: -25, MinY: -10, MaxX: 30, MaxY: -8},
		gridseg.Tile{Shape: gridseg.Full}))
	body := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, -7.004)}
	r := worldtest.Block(t, w.World, body, 4, 7, 1).Body()
	worldtest.Steps(w.World, 120)
	top := r.Transform().Apply(geom.V(2, 7)).Y
	beside.lay(t, w, -20, 0, geom.V(r.Transform().P.X, top+offset))
	beside.lay(t, w, 4, 24, geom.V(r.Transform().P.X, top+offset))
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-1.6, low+top), FixedRotation: fixed}, shape,
		quarry.ShapeDef{Material: 1})
	worldtest.Steps(w.World, 30)
	if b.SetVelocity(geom.V(speed, 0)); !asleep {
		r.Wake()
	}
	from := b.Position()
	for range 60 * 8 {
		if b.Position().X > 6 {
			return
		}
		w.Step(1.0 / 60)
		rise, v, spin := b.Position().Y-from.Y, b.Velocity(), b.AngularVelocity()
		if math.Abs(rise) > 2e-3+2*math.Abs(offset) || math.Abs(v.Y) > 0.05+2*math.Abs(offset)*60 ||
			math.Abs(v.X-speed) > 1e-3*speed+0.01*math.Abs(offset)*4096 || math.Abs(spin) > 0.05+200*math.Abs(offset) {
			t.Errorf("speed %v, surfaces beside shifted by %v: at %v, rise %.2g, velocity %v, spin %.2g", speed, offset,
				b.Position(), rise, v, spin)
			return
		}
	}
	if speed > 1 {
		t.Errorf("speed %v, surfaces beside shifted by %v: stopped at %v", speed, offset, b.Position())
	}
}
