package sandbox

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

const (
	tripSteps = 100
	tripSpeed = 7.0 // cells a second
	tripWide  = 14  // cells to the right of the pointer that are looked at
	tripBack  = 3   // cells to the left, above and below
	tripSize  = 0.4 // half the side of the box
)

// tripKey is what the course of the lens "trip" depends on.
type tripKey struct {
	at      geom.Vec
	ground  quarry.GroundID
	version uint64
}

// tripShown is the picture of the lens "trip", kept as long as its key is the same.
type tripShown struct {
	key   tripKey
	shown lensPicture
}

// lensTrip slides a box over the ground under the pointer, to the right, in two small worlds of its own: one with this
// ground, and one whose segments have no ghost vertices, where the box trips over the seams.
func (s *sim) lensTrip(l lensPlace, p *lensPicture) {
	g, ok := s.floorUnder(l.at)
	if !ok {
		p.say("ground", "none below; point above a floor")
		return
	}
	key := tripKey{l.at, g.ID(), g.Version()}
	if s.trip.key != key || s.trip.shown.Lens == "" {
		shown := lensPicture{Lens: "trip"}
		slide(g, g.Transform().Inv(l.at), &shown)
		s.trip = tripShown{key, shown}
	}
	*p = s.trip.shown
}

// floorUnder returns a ground with solid tiles below a point.
func (s *sim) floorUnder(at geom.Vec) (quarry.Ground, bool) {
	for g := range s.Engine().Grounds() {
		if c, ok := g.CellAt(at); ok && g.Grid().Engine(lattice.Key{}).AnySolid(gridseg.Rect{
			MinX: c.X, MinY: c.Y - 2*tripBack, MaxX: c.X, MaxY: c.Y,
		}) {
			return g, true
		}
	}
	return quarry.Ground{}, false
}

// slide draws both courses of a box from a point of the frame of a ground.
func slide(g quarry.Ground, at geom.Vec, p *lensPicture) {
	x, y := int32(math.Floor(at.X)), int32(math.Floor(at.Y))
	r := gridseg.Rect{MinX: x - tripBack, MinY: y - 2*tripBack, MaxX: x + tripWide, MaxY: y + tripBack}
	with, without := quarry.NewWorld(tripConfig), quarry.NewWorld(tripConfig)
	stamp, err := g.Grid().Copy(r)
	if err != nil {
		return
	}
	grid := gridseg.New(g.Grid().Shapes())
	if grid.Place(r.MinX, r.MinY, stamp) != nil {
		return
	}
	if _, err := with.AddGround(0, quarry.GroundDef{Grid: grid}); err != nil {
		return
	}
	floor, n := without.AddBody(quarry.BodyDef{}), 0
	for _, seg := range g.AppendSegments(nil, r) {
		without.AddShape(floor, geom.Segment{
			A: geom.V(float64(seg.A.X), float64(seg.A.Y)).Mul(1.0 / gridseg.Unit),
			B: geom.V(float64(seg.B.X), float64(seg.B.Y)).Mul(1.0 / gridseg.Unit),
		}, quarry.ShapeDef{})
		n++
	}
	hit, ok := with.RayCast(at.Add(geom.V(0, 0.01)), geom.V(0, -2*tripBack), quarry.QueryFilter{})
	if !ok || hit.Overlap {
		p.say("ground", "none below; point above a floor")
		return
	}
	start := hit.Point.Add(geom.V(0, tripSize))
	p.say("segments", "%d", n)
	for _, of := range [...]struct {
		w    *quarry.World
		role string
	}{{with, "with ghosts"}, {without, "without ghosts"}} {
		end, least := course(of.w, start, of.role, g.Transform(), p)
		p.say(of.role, "slides %.1f cells; slowest %.2f cells a second", end.X-start.X, least)
	}
}

var tripConfig = quarry.Config{Gravity: geom.V(0, -30), NoSleep: true, Workers: 1}

// course draws the course of the box in a world, and returns its end and its smallest speed to the right.
func course(w *quarry.World, start geom.Vec, role string, t geom.Transform, p *lensPicture) (end geom.Vec,
	least float64,
) {
	slick := w.AddMaterial(quarry.Material{FrictionMix: quarry.MixMin})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: start, Velocity: geom.V(tripSpeed, 0)})
	w.AddShape(id, geom.NewBox(tripSize, tripSize), quarry.ShapeDef{Material: slick})
	b, _ := w.Body(id)
	least = tripSpeed
	for k := range tripSteps {
		from := b.Position()
		w.Step(1.0 / 60)
		if b.Position().X > start.X+tripWide-2 || b.Position().Y < start.Y-2*tripBack {
			break
		}
		least = min(least, b.Velocity().X)
		p.draw("line", role, t.Apply(from), t.Apply(b.Position()))
		if k%12 == 0 {
			p.drawBox(role, t.Mul(b.Transform()))
		}
	}
	p.drawBox(role+" end", t.Mul(b.Transform()))
	return b.Position(), least
}

func (p *lensPicture) drawBox(role string, at geom.Transform) {
	const s = tripSize
	p.draw("area", role, at.Apply(geom.V(-s, -s)), at.Apply(geom.V(s, -s)), at.Apply(geom.V(s, s)),
		at.Apply(geom.V(-s, s)))
}
