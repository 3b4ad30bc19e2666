package play

import (
	"errors"
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Stamps are the kinds of the command "stamp": things of several bodies, joints or tiles.
var Stamps = []string{
	"ship", "tower", "ragdoll", "car", "wheel", "bridge", "raft", "seesaw", "chain", "bomb",
}

// stamper adds the parts of a stamp in its own frame: its middle is the origin, and a length of 1 is a cell at size 1.
type stamper struct {
	w     *World
	at    geom.Transform
	angle float64
	size  float64
	group int32 // parts that do not collide with each other
	added []quarry.BodyID
	bad   error
}

// stampCost is the number of bodies and joints of a stamp, and the largest distance from its middle at size 1.
type stampCost struct {
	bodies, joints int
	reach          float64
	draw           func(s *stamper)
}

const (
	towerRows   = 10
	bridgeParts = 12
	chainLinks  = 14
)

var stamps = map[string]stampCost{
	"ship":    {1, 0, 9, (*stamper).ship},
	"tower":   {2 * towerRows, 0, 5, (*stamper).tower},
	"ragdoll": {len(limbs), len(limbs) - 1, 1, (*stamper).ragdoll},
	"car":     {3, 2, 2, (*stamper).car},
	"wheel":   {1, 1, 1.6, (*stamper).wheel},
	"bridge":  {bridgeParts, bridgeParts + 1, 6.5, (*stamper).bridge},
	"raft":    {1, 0, 6, (*stamper).raft},
	"seesaw":  {2, 1, 4, (*stamper).seesaw},
	"chain":   {chainLinks, chainLinks, 4, (*stamper).chain},
	"bomb":    {1, 0, 0.5, (*stamper).bomb},
}

// stamp adds the bodies and joints of a stamp.
func (w *World) stamp(_ *player, m Command) error {
	cost := stamps[m.Kind]
	if w.bodies+cost.bodies+1 > w.most {
		return fmt.Errorf("stamp: the world is full: it has %d bodies, the limit is %d", w.bodies, w.most)
	}
	at := geom.V(m.X, m.Y)
	if err := w.jointRoom(cost.joints); err != nil {
		return fmt.Errorf("stamp: %w", err)
	}
	if err := w.crowd(m, at, 2*cost.reach*m.Size); err != nil {
		return err
	}
	s := stamper{w: w, at: geom.Transform{P: at, Q: geom.NewRot(m.Angle)}, angle: m.Angle, size: m.Size}
	cost.draw(&s)
	for _, id := range s.added {
		if _, ok := w.in.World.Body(id); ok {
			w.history.touched(thing{body: id})
		}
	}
	w.bodies = w.in.World.Stats().Bodies
	w.lower(m.Y - cost.reach*m.Size)
	return s.bad
}

// material returns the world's material of one of ours.
func (s *stamper) material(name string) quarry.MaterialID {
	for i := range s.w.palette.known {
		if s.w.palette.known[i].name == name {
			return s.w.palette.known[i].id
		}
	}
	return 0
}

// place maps a point of the stamp to the world.
func (s *stamper) place(x, y float64) geom.Vec { return s.at.Apply(geom.V(x, y).Mul(s.size)) }

// body adds a dynamic body with a shape, which is scaled.
func (s *stamper) body(name string, x, y float64, g geom.Shape, d quarry.ShapeDef) quarry.BodyID {
	id := s.w.in.World.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: s.place(x, y), Angle: s.angle, Name: name,
	})
	s.added = append(s.added, id)
	d.Group = s.group
	s.w.in.World.AddShape(id, scaled(g, s.size), d)
	return id
}

// hinge adds a hinge at a point; a may be 0, the world.
func (s *stamper) hinge(a, b quarry.BodyID, x, y float64) {
	s.w.in.World.AddJoint(quarry.RevoluteJoint{JointBase: s.w.in.World.JointAt(a, b, s.place(x, y))})
}

// own gives the parts of a stamp a filter group of their own: they do not collide with each other.
func (s *stamper) own() {
	s.w.groups++
	s.group = -firstGroup - s.w.groups%(1<<30)
}

// firstGroup is above the groups that scenes use.
const firstGroup = 1 << 24

// tower is a stack of pairs of posts with planks.
func (s *stamper) tower() {
	wood := quarry.ShapeDef{Material: s.material("wood")}
	for row := range towerRows {
		y := float64(row)*1 - float64(towerRows)/2 + 0.5
		if row%2 == 1 {
			s.body("plank", 0, y-0.3, geom.NewBox(1.2, 0.2), wood)
			s.body("block", 0, y+0.2, geom.NewBox(0.3, 0.3), quarry.ShapeDef{})
			continue
		}
		s.body("post", -0.9, y, geom.NewBox(0.2, 0.5), quarry.ShapeDef{})
		s.body("post", 0.9, y, geom.NewBox(0.2, 0.5), quarry.ShapeDef{})
	}
}

// limb is a capsule of a ragdoll, and the hinge by which it hangs on another limb.
type limb struct {
	on           int // index in limbs; the hip has none
	a, b         geom.Vec
	radius       float64
	hinge        geom.Vec
	lower, upper float64 // limits of the hinge, radians
}

// limbs are a person of 1.8 cells who faces +x, with the hip at the origin.
var limbs = [...]limb{
	{-1, geom.V(0, -0.03), geom.V(0, 0.03), 0.12, geom.Vec{}, 0, 0},
	{0, geom.V(0, 0.2), geom.V(0, 0.48), 0.13, geom.V(0, 0.1), -0.6, 0.2},
	{1, geom.V(0, 0.72), geom.V(0, 0.78), 0.11, geom.V(0, 0.62), -0.6, 0.4},
	{0, geom.V(0, -0.15), geom.V(0, -0.45), 0.08, geom.V(0, -0.06), -0.3, 1.6},
	{3, geom.V(0, -0.58), geom.V(0, -0.86), 0.07, geom.V(0, -0.52), -2, 0.02},
	{0, geom.V(0, -0.15), geom.V(0, -0.45), 0.08, geom.V(0, -0.06), -0.3, 1.6},
	{5, geom.V(0, -0.58), geom.V(0, -0.86), 0.07, geom.V(0, -0.52), -2, 0.02},
	{1, geom.V(0, 0.26), geom.V(0, 0.5), 0.06, geom.V(0, 0.52), -0.6, 2.6},
	{7, geom.V(0, 0.02), geom.V(0, 0.2), 0.055, geom.V(0, 0.23), -0.02, 2.4},
	{1, geom.V(0, 0.26), geom.V(0, 0.5), 0.06, geom.V(0, 0.52), -0.6, 2.6},
	{9, geom.V(0, 0.02), geom.V(0, 0.2), 0.055, geom.V(0, 0.23), -0.02, 2.4},
}

func (s *stamper) ragdoll() {
	s.own()
	var ids [len(limbs)]quarry.BodyID
	for i, l := range limbs {
		half, at := l.b.Sub(l.a).Mul(0.5), l.a.Lerp(l.b, 0.5)
		ids[i] = s.body("ragdoll", at.X, at.Y, geom.Capsule{A: half.Neg(), B: half, Radius: l.radius},
			quarry.ShapeDef{})
		if l.on < 0 {
			continue
		}
		s.w.in.World.AddJoint(quarry.RevoluteJoint{
			JointBase: s.w.in.World.JointAt(ids[l.on], ids[i], s.place(l.hinge.X, l.hinge.Y)),
			Spring:    quarry.JointSpring{Hertz: 1, DampingRatio: 0.5},
			Limit:     quarry.JointLimit{On: true, Lower: l.lower, Upper: l.upper},
		})
	}
}

// car has two sprung wheels that drive it to the right.
func (s *stamper) car() {
	hull, err := geom.NewPolygon([]geom.Vec{
		{X: -1.5, Y: -0.4}, {X: 1.5, Y: -0.4}, {X: 1.5, Y: 0}, {X: 0, Y: 0.8}, {X: -1.2, Y: 0.8}, {X: -1.5, Y: 0.2},
	}, 0.05)
	if err != nil {
		s.bad = err
		return
	}
	chassis := s.body("car", 0, 0, hull, quarry.ShapeDef{})
	for _, x := range [...]float64{-1, 1} {
		s.tyre(chassis, x, -0.65, 0.4, quarry.JointMotor{Speed: -12, Max: 6 * s.size * s.size * s.size})
	}
}

// tyre adds a wheel with suspension on a chassis.
func (s *stamper) tyre(chassis quarry.BodyID, x, y, radius float64, drive quarry.JointMotor) {
	wheel := s.body("wheel", x, y, geom.Circle{Radius: radius}, quarry.ShapeDef{
		Material: s.material("rubber tyre"), Density: 2,
	})
	up := s.at.Q.Apply(geom.V(0, 1))
	s.w.in.World.AddJoint(quarry.WheelJoint{
		JointBase: s.w.in.World.JointAlong(chassis, wheel, s.place(x, y), up),
		Spring:    quarry.JointSpring{Hertz: 4, DampingRatio: 0.7},
		Limit:     quarry.JointLimit{On: true, Lower: -0.25 * s.size, Upper: 0.25 * s.size},
		Motor:     drive,
	})
}

// wheel is a water wheel, which a motor turns about a point of the world.
func (s *stamper) wheel() {
	wood := quarry.ShapeDef{Material: s.material("wood")}
	id := s.body("wheel", 0, 0, geom.Circle{Radius: 0.5}, wood)
	for k := range 4 {
		q := geom.NewRot(float64(k) * math.Pi / 4)
		s.w.in.World.AddShape(id, scaled(geom.NewOffsetBox(1.6, 0.12, geom.Vec{}, q), s.size), wood)
	}
	s.w.in.World.AddJoint(quarry.RevoluteJoint{
		JointBase: s.w.in.World.JointAt(0, id, s.place(0, 0)), Motor: quarry.JointMotor{
			Speed: -1.5,
			Max:   60 * s.size * s.size * s.size * s.size,
		},
	})
}

// bridge is a row of planks between two points of the world.
func (s *stamper) bridge() {
	s.own()
	wood := quarry.ShapeDef{Material: s.material("wood"), Density: 2}
	before := quarry.BodyID(0)
	for k := range bridgeParts {
		x := float64(k) - bridgeParts/2.0 + 0.5
		id := s.body("plank", x, 0, geom.NewBox(0.5, 0.12), wood)
		s.hinge(before, id, x-0.5, 0)
		before = id
	}
	s.w.in.World.AddJoint(quarry.RevoluteJoint{
		JointBase: s.w.in.World.JointAt(0, before, s.place(bridgeParts/2.0, 0)),
	})
}

// seesaw is a plank on a wedge.
func (s *stamper) seesaw() {
	s.own()
	wedge, err := geom.NewPolygon([]geom.Vec{{X: -0.8, Y: -0.6}, {X: 0.8, Y: -0.6}, {X: 0, Y: 0.5}}, 0)
	if err != nil {
		s.bad = err
		return
	}
	foot := s.body("foot", 0, 0, wedge, quarry.ShapeDef{Density: 4})
	plank := s.body("see-saw", 0, 0.65, geom.NewBox(3.5, 0.12), quarry.ShapeDef{Material: s.material("wood")})
	s.hinge(foot, plank, 0, 0.55)
}

// chain hangs from a point of the world.
func (s *stamper) chain() {
	s.own()
	before := quarry.BodyID(0)
	for k := range chainLinks {
		y := 3.5 - 0.5*float64(k)
		id := s.body("link", 0, y-0.25, geom.Capsule{A: geom.V(0, -0.18), B: geom.V(0, 0.18), Radius: 0.09},
			quarry.ShapeDef{Material: s.material("steel"), Density: 3})
		s.hinge(before, id, 0, y)
		before = id
	}
}

func (s *stamper) bomb() {
	id := s.body("bomb", 0, 0, geom.Circle{Radius: 0.4}, quarry.ShapeDef{
		Material: s.material("rubber tyre"), Density: 2,
	})
	if s.bad = s.w.light(id, s.size); s.bad != nil {
		s.w.in.World.RemoveBody(id)
	}
}

// block fills a rectangle of a stamp of tiles with one of our materials.
type block struct {
	x0, y0, x1, y1 float64 // in cells at size 1, from the lower left corner
	material       string  // "" empties it
}

// ship is a hull of tiles with two decks, holds and a bridge.
func (s *stamper) ship() {
	s.tiles("ship", 18, 8, []block{
		{0, 3, 18, 5, "wood"},
		{1, 2, 17, 3, "wood"},
		{2, 0, 16, 2, "steel"},
		{3, 3, 8, 4, ""},
		{10, 3, 15, 4, ""},
		{4, 5, 9, 8, "wood"},
		{5, 6, 8, 7, ""},
		{12, 5, 13, 8, "wood"},
	})
}

// raft is a flat body of tiles with a cabin.
func (s *stamper) raft() {
	s.tiles("raft", 12, 3, []block{
		{0, 0, 12, 1, "wood"}, {4, 1, 5, 3, "wood"}, {7, 1, 8, 3, "wood"}, {4, 2, 8, 3, "wood"},
	})
}

// tiles adds a dynamic body of tiles, wide times high cells at size 1.
func (s *stamper) tiles(name string, wide, high float64, blocks []block) {
	w := s.w
	cells := int(math.Ceil(wide*s.size) * math.Ceil(high*s.size))
	if len(w.numberOf) >= maxGrounds {
		s.bad = fmt.Errorf("stamp: the world has %d grounds, the limit; remove some", len(w.numberOf))
		return
	}
	if s.bad = w.room("stamp", cells, 9); s.bad != nil {
		return
	}
	var shapes *gridseg.Shapes
	var d quarry.GroundDef
	for g := range w.in.World.Grounds() { // the numbers of shapes and materials are the first ground's, as for the page
		shapes, d.Materials = g.Grid().Shapes(), g.Def().Materials
		break
	}
	d.Grid = gridseg.New(shapes)
	for _, b := range blocks {
		r := gridseg.Rect{
			MinX: round(b.x0 * s.size), MinY: round(b.y0 * s.size), MaxX: round(b.x1*s.size) - 1,
			MaxY: round(b.y1*s.size) - 1,
		}
		tile := gridseg.Tile{Shape: gridseg.Full, Material: w.palette.index(b.material)}
		if b.material == "" {
			tile = gridseg.Tile{}
		}
		if r.MaxX < r.MinX || r.MaxY < r.MinY {
			continue
		}
		if s.bad = d.Grid.Fill(r, tile); s.bad != nil {
			return
		}
	}
	if n, _ := d.Grid.Count(); n == 0 {
		s.bad = errors.New("stamp: at this size nothing is left of it")
		return
	}
	id := w.in.World.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: s.place(-wide/2, -high/2), Angle: s.angle, Name: name,
	})
	if _, err := w.in.World.AddGround(id, d); err != nil {
		w.in.World.RemoveBody(id)
		s.bad = fmt.Errorf("stamp: %w", err)
		return
	}
	s.added = append(s.added, id)
}

func round(x float64) int32 { return int32(math.Floor(x + 0.5)) }
