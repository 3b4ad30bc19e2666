package worldtest

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// Land is ground with corners of one kind, in columns -20 to 19 over a floor two cells
// thick whose top is y = 0.
type Land struct {
	Name string
	// Loose tiles hold to no others by an edge: on a dynamic body they come off.
	Loose bool
	set   func(set func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn))
}

// Lay puts the land's tiles into a ground. It stops the test if the ground refuses one.
func (l Land) Lay(t Failer, g quarry.Ground) {
	l.set(func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn) {
		Must(t, g.Set(x, y, gridseg.Tile{Shape: s, Turn: turn}))
	})
}

// Lands returns stairs, peaks, hills, overhanging wedges, a checkerboard and rubble.
func Lands() []Land {
	type setter = func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn)
	row := func(set setter, x, from, to int32) {
		for y := from; y <= to; y++ {
			set(x, y, gridseg.Full, 0)
		}
	}
	return []Land{
		{"stairs", false, func(set setter) { // up, down, and steps of two
			for x := int32(-20); x < 20; x++ {
				h := min(x+20, 19-x)
				if x%7 == 0 {
					h++
				}
				row(set, x, -2, h/2)
			}
		}},
		{"peaks", false, func(set setter) { // 1:1 both ways, sharp at the top and in the valley
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
				set(x, 0, gridseg.Ramp, gridseg.Turn(4*(x&1)))
			}
		}},
		{"hills", false, func(set setter) { // convex and concave corners of 1:2, 1:1 and level
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
			}
			for x := int32(-20); x+6 < 20; x += 7 {
				set(x, 0, gridseg.SlopeLow, 0)
				set(x+1, 0, gridseg.SlopeHigh, 0)
				row(set, x+2, 0, 0)
				set(x+2, 1, gridseg.Ramp, 0)
				row(set, x+3, 0, 1)
				row(set, x+4, 0, 0)
				set(x+4, 1, gridseg.Ramp, 4)
				set(x+5, 0, gridseg.SlopeHigh, 4)
				set(x+6, 0, gridseg.SlopeLow, 4)
			}
		}},
		{"wedges", true, func(set setter) { // overhangs and notches sharper than a right angle
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
			}
			for x := int32(-20); x+3 < 20; x += 4 {
				set(x, 0, gridseg.Ramp, 1)
				set(x+1, 0, gridseg.SlopeHigh, 5)
				set(x+2, 1, gridseg.Ramp, 2)
				set(x+3, 0, gridseg.SlopeLow, 3)
			}
		}},
		{"checkerboard", true, func(set setter) {
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
				for y := range int32(4) {
					if (x+y)&1 == 0 {
						set(x, y, gridseg.Full, 0)
					}
				}
			}
		}},
		{"rubble", true, func(set setter) {
			r := Random(9)
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
				for y := range int32(4) {
					if s := gridseg.ShapeID(r.Next() % 9); s >= gridseg.Full && s <= gridseg.SlopeHigh {
						set(x, y, s, gridseg.Turn(r.Next()%8))
					}
				}
			}
		}},
	}
}
