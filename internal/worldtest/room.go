package worldtest

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// RoomHalf is half the side of the inside of a closed room, in units of length.
const RoomHalf = 8

// RoomKinds names the ways to build a closed room.
var RoomKinds = []string{"tiles", "thin tiles", "boxes", "thin boxes", "segments"}

// BuildRoom builds the walls of a closed room of one of RoomKinds on a body, its middle at
// the body's origin. It stops the test if the world refuses them.
func BuildRoom(t Failer, w *quarry.World, on quarry.BodyID, kind string) {
	const h = RoomHalf
	corners := [4]geom.Vec{{X: -h, Y: -h}, {X: h, Y: -h}, {X: h, Y: h}, {X: -h, Y: h}}
	switch kind {
	case "tiles", "thin tiles":
		g := AddGround(t, w, on)
		if kind == "tiles" {
			Must(t, g.Fill(gridseg.Rect{MinX: -h - 1, MinY: -h - 1, MaxX: h, MaxY: h},
				gridseg.Tile{Shape: gridseg.Full}))
			Must(t, g.Fill(gridseg.Rect{MinX: -h, MinY: -h, MaxX: h - 1, MaxY: h - 1}, gridseg.Tile{}))
			return
		}
		at := g.Transform()
		for i, a := range corners {
			b := corners[(i+1)%4]
			off := b.Sub(a).Right().Mul(0.03 / (2 * h))
			Must(t, g.Build(at.Apply(a.Add(off)), at.Apply(b.Add(off)), 0.03, gridseg.Attr{}))
		}
	case "boxes", "thin boxes", "segments":
		thick := 0.5
		if kind == "thin boxes" {
			thick = 0.01
		}
		for i, a := range corners {
			b := corners[(i+1)%4]
			if kind == "segments" {
				w.AddShape(on, geom.Segment{A: a, B: b}, quarry.ShapeDef{})
				continue
			}
			out, _ := b.Sub(a).Right().Unit()
			mid := a.Lerp(b, 0.5).MulAdd(thick, out)
			half := geom.V(h+2*thick, thick)
			if i%2 == 1 {
				half = geom.V(half.Y, half.X)
			}
			w.AddShape(on, geom.NewOffsetBox(half.X, half.Y, mid, geom.Identity), quarry.ShapeDef{})
		}
	}
}
