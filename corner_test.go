package quarry_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// country is ground with corners of one kind, in columns -20 to 19 over a floor.
type country struct {
	name string
	lay  func(set func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn))
}

func countries() []country {
	type setter = func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn)
	row := func(set setter, x, from, to int32) {
		for y := from; y <= to; y++ {
			set(x, y, gridseg.Full, 0)
		}
	}
	return []country{
		{"stairs", func(set setter) { // up, down, and steps of two
			for x := int32(-20); x < 20; x++ {
				h := min(x+20, 19-x)
				if x%7 == 0 {
					h++
				}
				row(set, x, -2, h/2)
			}
		}},
		{"peaks", func(set setter) { // 1:1 both ways, sharp at the top and in the valley
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
				set(x, 0, gridseg.Ramp, gridseg.Turn(4*(x&1)))
			}
		}},
		{"hills", func(set setter) { // convex and concave corners of 1:2, 1:1 and level
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
		{"wedges", func(set setter) { // overhangs and notches sharper than a right angle
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
		{"checkerboard", func(set setter) {
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
				for y := range int32(4) {
					if (x+y)&1 == 0 {
						set(x, y, gridseg.Full, 0)
					}
				}
			}
		}},
		{"rubble", func(set setter) {
			r := random(9)
			for x := int32(-20); x < 20; x++ {
				row(set, x, -2, -1)
				for y := range int32(4) {
					if s := gridseg.ShapeID(r.next() % 9); s >= gridseg.Full && s <= gridseg.SlopeHigh {
						set(x, y, s, gridseg.Turn(r.next()%8))
					}
				}
			}
		}},
	}
}

// verdict is what is to be said of a contact point on the ground.
type verdict int

const (
	square verdict = iota // along the normal of the surface there, or the shortest way off a corner
	tilted                // not so, but off the surface that it is on
	wrong                 // into the surface, or from where none is
)

// judge looks at the place of g that a contact point pushes from. A contact is
// told of after the step, at the body's new place: moved is by how much that is
// off.
func judge(g quarry.Ground, c *quarry.Contact, p *quarry.ContactPoint, moved geom.Vec) verdict {
	foot := p.Point.Sub(moved).MulAdd(-0.5*p.Separation, c.Normal)
	x, y := int32(math.Floor(foot.X)), int32(math.Floor(foot.Y))
	best := wrong
	for _, s := range g.AppendSegments(nil, gridseg.Rect{MinX: x - 1, MinY: y - 1, MaxX: x + 1, MaxY: y + 1}) {
		a := geom.V(float64(s.A.X), float64(s.A.Y)).Mul(1.0 / gridseg.Unit)
		b := geom.V(float64(s.B.X), float64(s.B.Y)).Mul(1.0 / gridseg.Unit)
		n, _ := b.Sub(a).Right().Unit()
		if _, pa, pb := geom.Distance([]geom.Vec{a, b}, []geom.Vec{foot}); pa.Dist(pb) > 2e-6 {
			continue
		}
		if n.Dot(c.Normal) > 1-1e-9 {
			return square
		}
		if n.Dot(c.Normal) > -1e-9 {
			best = tilted
		}
	}
	const off = 1e-3 // some lattice steps, to which Solid rounds
	at := foot.MulAdd(off, c.Normal)
	if near, ok := g.Grid().Nearest(at.X, at.Y, 1); ok && !g.Solid(at) && near.Distance > off*(1-1e-3) {
		return square
	}
	return best
}

// TestNothingPushesIntoSolid throws bodies of all shapes at all kinds of corners:
// law 2 of contact.
func TestNothingPushesIntoSolid(t *testing.T) {
	seeds := 6
	if soak() {
		seeds = 200
	}
	for _, land := range countries() {
		t.Run(land.name, func(t *testing.T) {
			points, leans, bad := 0, 0, 0
			for seed := range seeds {
				w := newWorld()
				id, _ := w.AddGround(0, quarry.GroundDef{})
				g, _ := w.Ground(id)
				land.lay(func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn) {
					if err := g.Set(x, y, gridseg.Tile{Shape: s, Turn: turn}); err != nil {
						t.Fatal(err)
					}
				})
				r := random(seed)
				all := sliders()
				bodies := map[quarry.ShapeID]quarry.Body{}
				for range 12 {
					size := 0.1 * math.Pow(40, r.float(0, 1))
					s, _ := all[r.next()%uint64(len(all))].shape(size)
					id := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: geom.V(r.float(-16, 16), r.float(9, 16)), Angle: r.float(-3, 3),
						Velocity: geom.V(r.float(-20, 20), r.float(-30, 0)), AngularVelocity: r.float(-5, 5),
					})
					b, _ := w.Body(id)
					bodies[w.AddShape(id, s, quarry.ShapeDef{Category: 2, Mask: 1})] = b
				}
				var contacts []quarry.Contact
				for step := range 180 {
					was := map[quarry.ShapeID]geom.Vec{}
					for id, b := range bodies {
						was[id] = b.CenterOfMass()
					}
					w.Step(dt)
					contacts = w.AppendContacts(contacts[:0])
					for i := range contacts {
						c := &contacts[i]
						b := bodies[c.ShapeB]
						for k := range c.N {
							p := &c.Points[k]
							if p.NormalImpulse == 0 || !b.Awake() || p.Point == b.CenterOfMass() {
								continue
							}
							points++
							switch judge(g, c, p, b.CenterOfMass().Sub(was[c.ShapeB])) {
							case tilted:
								leans++
							case wrong:
								if bad++; bad <= 5 {
									s, _ := w.Shape(c.ShapeB)
									t.Errorf("seed %d step %d: %T %v at %v: pushed along %v at %v (separation %v)",
										seed, step, s.Geometry(), s.Geometry().Bounds(geom.At(geom.Vec{})).Size(), b.Transform(), c.Normal, p.Point.Sub(b.CenterOfMass().Sub(was[c.ShapeB])), p.Separation)
								}
							}
						}
					}
				}
			}
			t.Logf("%d points with load, %d tilted, %d wrong", points, leans, bad)
		})
	}
}
