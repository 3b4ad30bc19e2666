package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// room is the side of the square reserved for each dropped body.
const room = 1.3

// dropBodies adds n bodies of all kinds between x = left and x = right, in rows from y upwards.
// They do not overlap. Sizes, angles and places within the squares are random numbers of seed.
func dropBodies(w *quarry.World, left, right, y float64, n int, seed uint64) {
	r := random(seed)
	columns := max(1, int((right-left)/room))
	for i := range n {
		size := r.between(0.25, 0.55)
		free := room/2 - size
		p := geom.V(
			left+float64(room*(float64(i%columns)+0.5))+r.between(-free, free),
			y+float64(room*(float64(i/columns)+0.5))+r.between(-free, free),
		)
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Angle: r.between(-3, 3)})
		w.AddShape(b, Body(Kinds()[r.next()>>33%uint64(len(Kinds()))], size), quarry.ShapeDef{})
	}
}
