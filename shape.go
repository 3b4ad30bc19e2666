package quarry

import (
	"cmp"
	"iter"
	"math"

	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/pool"
)

// ShapeDef defines the properties of a shape. The zero value is a shape of density 1 and of
// the default material that collides with everything.
type ShapeDef struct {
	// Density is mass per area, 1e-30 to 1e30; 0 means 1. See Massless for a shape without mass.
	Density float64
	// Massless leaves the shape out of the body's mass.
	Massless bool
	// Sensor makes a shape without contact response. As the masks allow, it reports the shapes, and the grounds of
	// dynamic and kinematic bodies, that overlap it at the end of a step, or cross it within the step
	// (World.SensorBegins). It reports chains and grounds of static bodies only with the flag SenseGround. It does
	// not report other sensors, and on a static body no shapes of static bodies.
	Sensor bool
	// Material is an id in the world's material table: 0, or a result of AddMaterial.
	Material MaterialID
	// Category is the set of categories that the shape belongs to, as bits; 0 means the first one.
	// Mask is the set of categories that it collides with; 0 means all (to collide with nothing, set a
	// category that no shape belongs to). Two shapes collide if each is in the other's mask.
	Category, Mask uint64
	// Group decides instead of the masks if two shapes have the same group and it is not 0: shapes of a negative
	// group never collide with each other, as the parts of one ragdoll; shapes of a positive group always do.
	Group int32
	// Flags chooses the events of the shape, and whether the world's filter and pre-solve functions are called for
	// it.
	Flags EventFlags
	User  uint64 // for the game
}

// EventFlags is a set of flags of a shape or ground; most of these have none. Flags change no contact, except by the
// functions that AskFilter and AskPreSolve call. Between a shape and a ground or chain, the shape's flags decide
// about contact events and hits; between a ground and a chain, the ground's.
type EventFlags uint8

const (
	// NoContactEvents leaves out ContactBegins and ContactEnds. Between two shapes, or two grounds, both must set
	// it.
	NoContactEvents = EventFlags(state.NoContactEvents)
	// NoHitEvents leaves out Hits. Between two shapes, or two grounds, both must set it.
	NoHitEvents = EventFlags(state.NoHitEvents)
	// NoSensorEvents leaves out SensorBegins and SensorEnds, if the sensor or the other shape sets it.
	// Shape.AppendOverlaps still has the overlap.
	NoSensorEvents = EventFlags(state.NoSensorEvents)
	// AskFilter lets the function of World.SetCustomFilter decide which pairs of the shape or ground collide.
	AskFilter = EventFlags(state.AskFilter)
	// AskPreSolve lets the function of World.SetPreSolve change the contacts of the shape or ground.
	AskPreSolve = EventFlags(state.AskPreSolve)
	// MaterialEvents adds MaterialBegins and MaterialEnds for the grounds and chains that the shape or ground
	// touches, and for a ground itself where others touch it.
	MaterialEvents = EventFlags(state.MaterialEvents)
	// SenseGround lets a sensor also find chains and the grounds of static bodies, unless its own body is static: a
	// sensor at a character's foot finds the floor.
	SenseGround = EventFlags(state.SenseGround)
)

// AddShape adds a shape to a body, in the body's frame, and updates the body's mass. It returns 0 if the body does not
// exist. It panics if id is 0, which AddBody never returns; if g is not valid (call its Valid first if the data comes
// from outside) or is not one of geom's four shapes, by value; if the density is out of range; if the material is not
// in the world's table or a flag is unknown; and if the shape is beyond the bounds of the broad phase.
//
// It wakes a dynamic body with its island, unless the body was added asleep since the last
// Step. A shape, other than a sensor, on a static or kinematic body wakes the bodies whose
// boxes overlap its own.
func (w *World) AddShape(id BodyID, g geom.Shape, d ShapeDef) ShapeID {
	replay.Call3(w.recorder(w), "World.AddShape", replay.OfWorld, id, g, d)
	hull := state.HullOf("AddShape", g)
	if id == 0 {
		panic("quarry: AddShape: id is 0: it must be the id of a body; add a static body for a shape of the world")
	}
	if d.Density != 0 {
		check.Within("AddShape", "ShapeDef.Density", d.Density, state.LeastDensity, state.MostDensity, ", or 0 for 1")
	}
	w.state.Surfaces.MustHave("AddShape", "ShapeDef.Material", uint16(d.Material))
	check.UpTo("AddShape", "ShapeDef.Flags", d.Flags, EventFlags(state.AllFlags), "the sum of all flags")
	bi, ok := w.state.Bodies.Find(uint64(id))
	if !ok {
		return 0
	}
	b := w.state.Bodies.At(bi)
	if d.Density == 0 {
		d.Density = 1
	}
	if d.Massless {
		d.Density = 0
	}
	si, sid, s := w.state.Shapes.Add()
	pool.Clear(&w.state.RowShapes, &w.state.Shapes, si)
	*s = state.Shape{
		Proxied: state.Proxied{
			Proxy: broad.None, Body: bi, Next: -1, Material: uint16(d.Material), Sensor: d.Sensor,
			Flags: state.Flags(d.Flags),
		}, Filter: filterOf(d.Category, d.Mask, d.Group),
		Geometry: g, Hull: hull, Density: d.Density, User: d.User, Prev: -1,
	}
	s.SensesGround = d.Flags&SenseGround != 0
	s.Measure()
	fat := g.Bounds(b.Transform()).Expand(s.Margin())
	if err := w.state.AddProxy(broad.OwnerOf(broad.Shape, si), &s.Proxied, s.Filter, fat); err != nil {
		w.state.Shapes.Remove(si)
		panic("quarry: AddShape: " + err.Error())
	}
	w.state.Link(broad.OwnerOf(broad.Shape, si))
	w.state.UpdateMass(bi)
	if b.Type == broad.DynamicBody {
		w.state.WakeUnlessNew(bi)
	} else if !d.Sensor {
		w.state.WakeNear(&s.Proxied)
	}
	return ShapeID(sid)
}

// RemoveShape removes a shape, updates the body's mass, and wakes the body and the bodies that the shape touched,
// with their islands. It returns false if the shape does not exist.
func (w *World) RemoveShape(id ShapeID) bool {
	replay.Call1(w.recorder(w), "World.RemoveShape", replay.OfWorld, id)
	i, ok := w.state.Shapes.Find(uint64(id))
	if !ok {
		return false
	}
	body := w.state.Shapes.At(i).Body
	w.state.RemoveShape(i)
	w.state.UpdateMass(body)
	w.state.Wake(body)
	return true
}

// filterOf returns the filter of a definition: a category of 0 is the first one, a mask of 0 all.
func filterOf(category, mask uint64, group int32) broad.Filter {
	return broad.Filter{Category: cmp.Or(category, 1), Mask: cmp.Or(mask, math.MaxUint64), Group: group}
}

// Shape is a view of a shape: a small value, valid until the shape is removed. After that
// all its methods but ID panic. The zero Shape is not a shape.
type Shape struct {
	w    *World
	id   ShapeID
	slot int32
}

// Shape returns a view of the shape id; ok is false if it does not exist.
func (w *World) Shape(id ShapeID) (Shape, bool) {
	i, ok := w.state.Shapes.Find(uint64(id))
	return Shape{w, id, i}, ok
}

// Shapes yields every shape, in slot order.
func (w *World) Shapes() iter.Seq[Shape] { return pool.Views(&w.state.Shapes, w.shapeAt) }

func (w *World) shapeAt(i int32) Shape { return Shape{w, ShapeID(w.state.Shapes.ID(i)), i} }

func (s Shape) get() *state.Shape {
	check.Exists(s.w != nil && s.w.state.Shapes.Is(s.slot, uint64(s.id)), "shape", uint64(s.id))
	return s.w.state.Shapes.At(s.slot)
}

// ID returns the shape's id.
func (s Shape) ID() ShapeID { return s.id }

// Body returns the shape's body.
func (s Shape) Body() Body { return s.w.bodyAt(s.get().Body) }

// Geometry returns the shape in its body's frame.
func (s Shape) Geometry() geom.Shape { return s.get().Geometry }

// SetGeometry changes the shape to g, in the body's frame, and updates the body's mass. Contacts of the shape end,
// and the next Step begins contacts of the new geometry, without impulses; a pair that still touches has no event.
// Like AddShape, it wakes a dynamic body with its island; otherwise it wakes the bodies whose boxes overlap the
// shape's, and those that touched it. It panics as AddShape does, and then changes nothing.
func (s Shape) SetGeometry(g geom.Shape) {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetGeometry", s.id, g)
	st, w := s.get(), s.w
	to := *st
	to.Geometry, to.Hull = g, state.HullOf("SetGeometry", g)
	to.Measure()
	if st.Proxy != broad.None {
		if err := w.state.Broad.Update(st.Proxy,
			g.Bounds(w.state.Bodies.At(st.Body).Transform()).Expand(to.Margin())); err != nil {
			panic("quarry: SetGeometry: " + err.Error())
		}
	}
	w.state.RemoveContacts(broad.OwnerOf(broad.Shape, s.slot))
	*st = to
	w.state.Bodies.At(st.Body).BoxChanges++
	w.state.Rare(st.Body).Room = 0
	w.state.MassChanged(broad.OwnerOf(broad.Shape, s.slot))
	if w.state.Bodies.At(st.Body).Type == broad.DynamicBody {
		w.state.WakeUnlessNew(st.Body)
	} else {
		w.state.WakeNear(&st.Proxied)
	}
}

// SetBody moves the shape to another body, at the same place in that body's frame (SetGeometry changes the place),
// and updates the masses of both. Its contacts and overlaps end, and the next Step begins those on the new body; a
// pair that still touches has no event.
// SetBody wakes the bodies that RemoveShape and AddShape would wake. A body on which the shape is beyond the bounds
// of the broad phase is lost (World.Lost), and disabled. It returns false, and changes nothing, if the body does
// not exist.
func (s Shape) SetBody(id BodyID) bool {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetBody", s.id, id)
	to, ok := s.w.state.Bodies.Find(uint64(id))
	if ok && to != s.get().Body {
		s.rejoin(to)
	}
	return ok
}

// SetSensor changes ShapeDef.Sensor. The contacts of a shape that becomes a sensor, or the overlaps of a sensor,
// end, and the next Step begins the others. It wakes the bodies that RemoveShape and AddShape would wake. A sensor
// keeps its mass. A body that is lost (World.Lost) is disabled by it.
func (s Shape) SetSensor(on bool) {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetSensor", s.id, on)
	if st := s.get(); st.Sensor != on {
		st.Sensor = on
		s.rejoin(st.Body)
	}
}

// rejoin takes s out of the world and puts it on the body in slot to, with the same id.
func (s Shape) rejoin(to int32) {
	from := s.get().Body
	s.w.state.MoveShape(s.slot, to)
	s.w.state.UpdateMass(from)
	s.w.state.Wake(from)
	if s.w.state.UpdateMass(to); s.w.state.Bodies.At(to).Type == broad.DynamicBody {
		s.w.state.WakeUnlessNew(to)
	} else {
		s.w.state.WakeNear(&s.get().Proxied)
	}
}

// SetDensity changes the density, 1e-30 to 1e30, or 0 for a shape without mass (ShapeDef.Massless), updates
// the body's mass, and wakes the body with its island, if it differs.
func (s Shape) SetDensity(density float64) {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetDensity", s.id, density)
	st := s.get()
	if density != 0 {
		check.Within("SetDensity", "density", density, state.LeastDensity, state.MostDensity, ", or 0 for none")
	}
	if st.Density == density {
		return
	}
	st.Density = density
	s.w.state.MassChanged(broad.OwnerOf(broad.Shape, s.slot))
	s.w.state.Wake(st.Body)
}

// Material returns the shape's material.
func (s Shape) Material() MaterialID { return MaterialID(s.get().Material) }

// SetMaterial sets the shape's material, from the next step on. If the material differs and
// the shape touches another, it wakes the shape's body and the bodies that touch the shape,
// with their islands. It panics if m is not in the world's table.
func (s Shape) SetMaterial(m MaterialID) {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetMaterial", s.id, m)
	st := s.get()
	s.w.state.Surfaces.MustHave("SetMaterial", "m", uint16(m))
	if st.Material == uint16(m) {
		return
	}
	st.Material, s.w.state.RowShapes[s.slot].Material = uint16(m), uint16(m)
	for i, c := range s.w.state.ContactsWith(broad.OwnerOf(broad.Shape, s.slot)) {
		if c.Touching && !c.Sensor {
			s.w.state.MaterialOfShape(i, uint16(m))
			s.w.state.Wake(c.BodyA)
			s.w.state.Wake(c.BodyB)
		}
	}
}

// Sensor reports whether the shape is a sensor.
func (s Shape) Sensor() bool { return s.get().Sensor }

// Flags returns ShapeDef.Flags.
func (s Shape) Flags() EventFlags { return EventFlags(s.get().Flags) }

// SetFlags sets the shape's flags, from the next step on. For pairs that touch see World.ContactBegins. A change of
// AskFilter, AskPreSolve or SenseGround wakes the body with its island. It panics if a flag is unknown.
func (s Shape) SetFlags(f EventFlags) {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetFlags", s.id, f)
	o, st := broad.OwnerOf(broad.Shape, s.slot), s.get()
	s.w.setFlags(o, f)
	to := st.Filter
	to.SensesGround = f&SenseGround != 0
	s.w.state.SetFilter(o, &st.Filter, to)
}

// User returns ShapeDef.User.
func (s Shape) User() uint64 { return s.get().User }

// Def returns a definition of the shape as it is now: AddShape with it, and Geometry, makes another like it.
func (s Shape) Def() ShapeDef {
	st := s.get()
	return ShapeDef{
		Density: st.Density, Massless: st.Density == 0, Sensor: st.Sensor, Material: MaterialID(st.Material),
		Category: st.Category, Mask: st.Mask, Group: st.Group, Flags: EventFlags(st.Flags), User: st.User,
	}
}

// SetUser changes ShapeDef.User.
func (s Shape) SetUser(user uint64) {
	replay.Call1(s.w.recorder(s.get()), "Shape.SetUser", s.id, user)
	s.get().User = user
}

// SetFilter changes the categories, the mask and the group of ShapeDef, with 0 as there. Contacts that remain
// allowed stay as they are, with their impulses; forbidden ones end at once, and wake their bodies. A change wakes
// a dynamic body with its island. If the body is static or kinematic, and the shape no sensor, it wakes the bodies
// whose boxes overlap the shape's. The next Step finds new contacts.
func (s Shape) SetFilter(category, mask uint64, group int32) {
	replay.Call3(s.w.recorder(s.get()), "Shape.SetFilter", s.id, category, mask, group)
	to := filterOf(category, mask, group)
	to.SensesGround = s.get().SensesGround
	s.w.state.SetFilter(broad.OwnerOf(broad.Shape, s.slot), &s.get().Filter, to)
}

// Bounds returns the smallest box around the shape, in the world.
func (s Shape) Bounds() geom.AABB {
	st := s.get()
	return st.Geometry.Bounds(s.w.state.Bodies.At(st.Body).Transform())
}
