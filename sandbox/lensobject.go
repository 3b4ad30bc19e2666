package sandbox

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// maxListed bounds the contacts and joints that the lens "object" lists.
const maxListed = 8

// lensObject shows what is known of an object: a body, a joint, or a tile of the ground with its segments.
func (s *sim) lensObject(l lensPlace, p *lensPicture) {
	w := s.Engine()
	if j, ok := w.Joint(l.joint); ok {
		s.joint(j, p)
		return
	}
	if b, ok := w.Body(l.body); ok {
		s.object(b, p)
		return
	}
	if l.body != 0 || l.joint != 0 {
		p.say("object", "it is gone")
		return
	}
	if j, ok := s.JointNear(l.at); ok {
		a, b := j.Anchors()
		if min(a.Dist(l.at), b.Dist(l.at)) < 0.3 || s.topBody(l.at) == 0 {
			s.joint(j, p)
			return
		}
	}
	if b, ok := w.Body(s.topBody(l.at)); ok {
		s.object(b, p)
		return
	}
	s.tile(l.at, p)
}

// topBody returns the newest body with a shape, or with tiles that move, at a point; 0 if there is none.
func (s *sim) topBody(at geom.Vec) (best quarry.BodyID) {
	w := s.Engine()
	for _, id := range w.AppendShapesAt(nil, at) {
		if sh, ok := w.Shape(id); ok {
			best = max(best, sh.Body().ID())
		}
	}
	for g := range w.Grounds() {
		if g.Body().Type() != quarry.Static && g.Solid(at) {
			best = max(best, g.Body().ID())
		}
	}
	return best
}

// short formats a number with three digits.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// object shows a body.
func (s *sim) object(b quarry.Body, p *lensPicture) {
	p.Body, p.origin = b.ID(), geom.Vec{}
	at, v := b.CenterOfMass(), b.Velocity()
	d := b.Def()
	p.say("body", "%d, %s", b.ID(), b.Type())
	p.say("mass", "%s, inertia %s", short(b.Mass()), short(b.Inertia()))
	p.say("centre", "%s, %s", short(at.X), short(at.Y))
	p.say("speed", "%s (%s, %s)", short(v.Len()), short(v.X), short(v.Y))
	state := "awake"
	if !b.Awake() {
		state = "asleep"
	}
	p.say("angle", "%s\u00b0, spin %s, %s", short(b.Angle()*57.29577951308232), short(b.AngularVelocity()), state)
	material, shapes, tiles := -1, 0, 0
	for sh := range b.Shapes() {
		if shapes++; shapes == 1 {
			material = int(sh.Material())
		}
		hull := collide.NewHull(sh.Geometry())
		if shapes <= maxNear {
			p.drawHull("selected", &hull, b.Transform())
		}
	}
	for g := range b.Grounds() {
		n, _ := g.Grid().Count()
		tiles += n
	}
	p.say("made of", "%d shapes, %d tiles", shapes, tiles)
	s.listJoints(b, p)
	s.listContacts(b, p)
	box := b.Bounds()
	p.draw("area", "bounds", box.Min, geom.V(box.Max.X, box.Min.Y), box.Max, geom.V(box.Min.X, box.Max.Y))
	p.Object = map[string]any{
		"name": b.Name(), "mass": finite(b.Mass()), "angle": finite(b.Angle()), "vx": finite(v.X), "vy": finite(v.Y),
		"spin": finite(b.AngularVelocity()), "gravity": finite(d.GravityScale), "type": int(b.Type()),
		"material": s.paletteIndex(material), "bullet": b.Bullet(), "tiles": tiles,
		"x": finite(at.X), "y": finite(at.Y),
	}
}

// finite returns x, or 0 for what JSON has no form for.
func finite(x float64) float64 {
	if !within(x, 1e300) {
		return 0
	}
	return x
}

// paletteIndex returns the index in the palette of a material of the world, or -1.
func (s *sim) paletteIndex(material int) int {
	list, _ := s.Palette()
	for _, m := range list {
		if material >= 0 && s.MaterialID(m.Index) == quarry.MaterialID(material) {
			return int(m.Index)
		}
	}
	return -1
}

func (s *sim) listJoints(b quarry.Body, p *lensPicture) {
	n := 0
	for j := range b.Joints() {
		if n++; n > maxListed {
			continue
		}
		at, _ := j.Anchors()
		p.draw("ring", "anchor", at)
		p.say("joint", "%d, %s, force %s", j.ID(), jointName(j), short(j.Force().Len()))
	}
	if n > maxListed {
		p.say("joints", "%d in all", n)
	}
}

func (s *sim) listContacts(b quarry.Body, p *lensPicture) {
	contacts := b.AppendContacts(nil)
	for i := range contacts {
		if i == maxListed {
			p.say("contacts", "%d in all", len(contacts))
			break
		}
		c := &contacts[i]
		for k := range c.N {
			pt := &c.Points[k]
			p.draw("dot", "point", pt.Point)
			p.draw("arrow", "impulse", pt.Point, pt.Point.MulAdd(pt.NormalImpulse/max(1e-9, b.Mass())*2, c.Normal))
			p.say("contact", "%s, impulse %s, friction %s", s.other(b, c), short(pt.NormalImpulse),
				short(pt.TangentImpulse))
		}
	}
}

// other names the other side of a contact of a body.
func (s *sim) other(b quarry.Body, c *quarry.Contact) string {
	if c.Ground != 0 && c.Ground != groundOf(b) {
		return fmt.Sprintf("ground at %d, %d", c.Points[0].Cell.X, c.Points[0].Cell.Y)
	}
	if c.Chain != 0 {
		return fmt.Sprintf("chain segment %d", c.Points[0].Segment)
	}
	for _, id := range [...]quarry.ShapeID{c.ShapeA, c.ShapeB} {
		if sh, ok := s.Engine().Shape(id); ok && sh.Body().ID() != b.ID() {
			return s.describe(quarry.Target{Body: sh.Body().ID()})
		}
	}
	return "ground"
}

func groundOf(b quarry.Body) quarry.GroundID {
	for g := range b.Grounds() {
		return g.ID()
	}
	return 0
}

// jointName returns the kind of a joint in lower case: "revolute".
func jointName(j quarry.Joint) string {
	return strings.ToLower(strings.TrimSuffix(reflect.TypeOf(j.Def()).Name(), "Joint"))
}

// joint shows a joint.
func (s *sim) joint(j quarry.Joint, p *lensPicture) {
	p.Joint = j.ID()
	a, b := j.Anchors()
	p.draw("ring", "anchor", a)
	p.draw("ring", "anchor", b)
	p.draw("line", "selected", a, b)
	bodyA, bodyB := j.Bodies()
	p.say("joint", "%d, %s", j.ID(), jointName(j))
	p.say("between", "%s and %s", s.describe(quarry.Target{Body: bodyA.ID()}),
		s.describe(quarry.Target{Body: bodyB.ID()}))
	p.say("force", "%s, torque %s", short(j.Force().Len()), short(j.Torque()))
	p.say("angle", "%s\u00b0, length %s", short(j.Angle()*57.29577951308232), short(j.Length()))
	p.Object = map[string]any{"kind": jointName(j)}
	d := reflect.ValueOf(j.Def())
	if f := d.FieldByName("Motor"); f.IsValid() {
		m := f.Interface().(quarry.JointMotor)
		p.Object["motor"], p.Object["force"] = finite(m.Speed), finite(m.MaxForce)
	}
	if f := d.FieldByName("Spring"); f.IsValid() {
		p.Object["hertz"] = finite(f.Interface().(quarry.JointSpring).Hertz)
	}
	if f := d.FieldByName("Limit"); f.IsValid() {
		if m := f.Interface().(quarry.JointLimit); m.On {
			p.Object["lower"], p.Object["upper"] = finite(m.Lower), finite(m.Upper)
		}
	}
}

// tile shows the tile of the ground at a point, and its segments with their ends, ghost vertices and layer.
func (s *sim) tile(at geom.Vec, p *lensPicture) {
	g, ok := s.groundUnder(at)
	if !ok {
		p.say("object", "nothing here")
		return
	}
	cell, _ := g.CellAt(at)
	t, on := g.Tile(cell.X, cell.Y), onGround{g.Transform()}
	p.drawCell(on, cell, true)
	p.say("cell", "%d, %d", cell.X, cell.Y)
	p.say("tile", "%s", tileName(g, t))
	p.say("layer", "%d", t.Layer)
	p.say("material", "%s", s.materialName(t.Material))
	for _, seg := range g.AppendSegments(nil, gridseg.Rect{MinX: cell.X, MinY: cell.Y, MaxX: cell.X, MaxY: cell.Y}) {
		p.draw("arrow", "segment", on.at(seg.A), on.at(seg.B))
		text := "from " + pointText(seg.A) + " to " + pointText(seg.B)
		if seg.HasGhost1 {
			p.drawGhost("ghost1", on.at(seg.Ghost1))
			text += "; ghost1 " + pointText(seg.Ghost1)
		}
		if seg.HasGhost2 {
			p.drawGhost("ghost2", on.at(seg.Ghost2))
			text += "; ghost2 " + pointText(seg.Ghost2)
		}
		p.say("segment", "%s; layer %d", text, seg.Tile.Layer)
	}
}

// materialName returns the palette's name of a material of tiles.
func (s *sim) materialName(index uint16) string {
	list, _ := s.Palette()
	for _, m := range list {
		if m.Index == index {
			return m.Name
		}
	}
	return strconv.Itoa(int(index))
}
