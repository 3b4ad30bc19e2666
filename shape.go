package quarry

import (
	"fmt"
	"iter"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/store"
)

// ShapeDef defines the properties of a shape. The zero value is a shape of density 1 and of
// the default material that collides with everything.
type ShapeDef struct {
	// Density is mass per area, 1e-30 to 1e30; 0 means 1. See Massless for a shape without mass.
	Density float64
	// Massless leaves the shape out of the body's mass.
	Massless bool
	// Sensor makes a shape without contact response. It reports the shapes, and the grounds of dynamic and
	// kinematic bodies, that overlap it at the end of a step, or cross it within the step
	// (World.SensorBegins), as the masks allow. It does not report other sensors, chains and grounds of
	// static bodies, nor, on a static body, shapes of static bodies.
	Sensor bool
	// Material is an id in the world's material table: 0, or a result of AddMaterial.
	Material MaterialID
	// Category is the set of categories that the shape belongs to, as bits; 0 means the first one.
	// Mask is the set of categories that it collides with; 0 means all (to collide with nothing, set a
	// category that no shape belongs to). Two shapes collide if each is in the other's mask.
	Category, Mask uint64
	// Group, if it is not 0 and two shapes have the same, decides instead of their masks: they never
	// collide if it is negative, as the parts of one ragdoll, and always if it is positive.
	Group int32
	// Flags says which events the shape makes, and whether the filter and pre-solve functions of the
	// world are asked about it.
	Flags ShapeFlags
	User  uint64 // for the game
}

// ShapeFlags is a set of flags of a shape or ground; 0 is the set of most. It changes no contact, except
// by the functions that AskFilter and AskPreSolve call. Whether a shape and a ground or chain make contact events and
// hits is decided by the shape, and of a ground and a chain by the ground.
type ShapeFlags uint8

const (
	// NoContactEvents leaves out ContactBegins and ContactEnds: those between two shapes, or two grounds, if both set it.
	NoContactEvents ShapeFlags = 1 << iota
	// NoHitEvents leaves out Hits: those between two shapes, or two grounds, if both set it.
	NoHitEvents
	// NoSensorEvents leaves out SensorBegins and SensorEnds, if the sensor or the other shape sets it.
	// Shape.AppendOverlaps has the overlap all the same.
	NoSensorEvents
	// AskFilter lets the function of World.SetCustomFilter decide which pairs of the shape or ground collide.
	AskFilter
	// AskPreSolve lets the function of World.SetPreSolve change the contacts of the shape or ground.
	AskPreSolve
	// MaterialEvents adds MaterialBegins and MaterialEnds of the grounds and chains that the shape or ground touches, and of
	// a ground itself where others touch it.
	MaterialEvents

	allFlags = MaterialEvents<<1 - 1
)

// ifBoth are the flags that a contact has if both sides set them; it has the others if one does.
const ifBoth = NoContactEvents | NoHitEvents

// shape is a shape on a body: six cache lines (TestShapeLayout). Contacts read the first, boxes of most two.
type shape struct {
	proxied
	material MaterialID
	sensor   bool
	flags    ShapeFlags
	extent   float64      // distance of the farthest point of the shape from the hull's centroid
	core     float64      // radius of the largest disc about the hull's centroid in the shape; see internal/ccd
	hull     collide.Hull // the core and radius of the shape in the body's frame, for contacts
	filter
	geometry geom.Shape
	density  float64 // 0: massless
	user     uint64
	prev     int32 // the shape that has this one as its next, -1: none
	_        [4]byte
}

// margin returns how far the box of s in the broad phase extends beyond its AABB: for small shapes less
// than aabbMargin, or a pile of them would have several pairs that do not touch for each that does.
func (s *shape) margin() float64 {
	return min(aabbMargin, max(leastMargin, marginFraction*s.extent))
}

// leastDensity and mostDensity bound ShapeDef.Density, so that masses and inertias do not
// overflow a float64.
const leastDensity, mostDensity = 1e-30, 1e30

// AddShape adds a shape to a body, in the body's frame, and updates the body's mass. It returns 0 if
// the body does not exist. It panics if g is not valid (call its Valid first if the data comes from
// outside) or is not one of geom's four shapes, by value; if the density is out of range; if the
// material is not in the world's table or a flag is unknown; and if the shape is beyond the bounds of the broad phase.
//
// It wakes a dynamic body with its island, unless the body was added asleep since the last
// Step. A shape, other than a sensor, on a static or kinematic body wakes the bodies whose
// boxes overlap its own.
func (w *World) AddShape(id BodyID, g geom.Shape, d ShapeDef) ShapeID {
	record.Call3(w.recorder(w), "World.AddShape", record.OfWorld, id, g, d)
	hull := hullOf("AddShape", g)
	if d.Density != 0 {
		check.Within("AddShape", "ShapeDef.Density", d.Density, leastDensity, mostDensity, ", or 0 for 1")
	}
	w.surfaces.MustHave("AddShape", "ShapeDef.Material", uint16(d.Material))
	check.UpTo("AddShape", "ShapeDef.Flags", d.Flags, allFlags, "the sum of all flags")
	bi, ok := w.bodies.Find(uint64(id))
	if !ok {
		return 0
	}
	b := w.bodies.At(bi)
	if d.Density == 0 {
		d.Density = 1
	}
	if d.Massless {
		d.Density = 0
	}
	si, sid, s := w.shapes.Add()
	store.Clear(&w.rowShapes, &w.shapes, si)
	*s = shape{
		proxied: proxied{broad.None, bi, -1}, filter: filterOf(d.Category, d.Mask, d.Group),
		geometry: g, hull: hull, density: d.Density, user: d.User, prev: -1, material: d.Material, sensor: d.Sensor, flags: d.Flags,
	}
	s.measure()
	fat := g.Bounds(b.transform()).Expand(s.margin())
	if err := w.addProxy(broad.OwnerOf(broad.Shape, si), &s.proxied, s.filter, fat, s.sensor); err != nil {
		w.shapes.Remove(si)
		panic("quarry: AddShape: " + err.Error())
	}
	w.linkShape(si, bi)
	w.updateMass(bi)
	if b.kind == Dynamic {
		w.wakeUnlessNew(bi)
	} else if !d.Sensor {
		w.wakeNear(&s.proxied)
	}
	return ShapeID(sid)
}

// hullOf returns the hull of g, an argument of call. It panics if g is not valid.
func hullOf(call string, g geom.Shape) collide.Hull {
	if g == nil {
		panic("quarry: " + call + ": no shape")
	}
	if err := g.Valid(); err != nil {
		panic("quarry: " + call + ": " + err.Error())
	}
	hull := collide.NewHull(g)
	if hull.N == 0 {
		panic(fmt.Sprintf("quarry: %s: a %T is not one of geom's shapes, by value", call, g))
	}
	return hull
}

// measure sets the sizes of the hull.
func (s *shape) measure() { s.core, s.extent = s.hull.InnerRadius(), s.hull.Extent(s.hull.Centroid) }

// RemoveShape removes a shape, updates the body's mass, and wakes the body and the bodies
// that the shape touched, with their islands. It returns false if there is no such shape.
func (w *World) RemoveShape(id ShapeID) bool {
	record.Call1(w.recorder(w), "World.RemoveShape", record.OfWorld, id)
	i, ok := w.shapes.Find(uint64(id))
	if !ok {
		return false
	}
	body := w.shapes.At(i).body
	w.removeShape(i)
	w.updateMass(body)
	w.wake(body)
	return true
}

// removeShape removes the shape in slot i and its contacts. The caller updates the body's mass.
func (w *World) removeShape(i int32) {
	w.removeProxy(broad.OwnerOf(broad.Shape, i))
	w.unlinkShape(i)
	w.shapes.Remove(i)
}

// moveShape moves the shape in slot i to another body with the same frame, and ends its contacts. The caller updates the
// masses of both bodies.
func (w *World) moveShape(i, to int32) {
	s := w.shapes.At(i)
	w.removeProxy(broad.OwnerOf(broad.Shape, i))
	w.unlinkShape(i)
	w.linkShape(i, to)
	if err := w.addProxy(broad.OwnerOf(broad.Shape, i), &s.proxied, s.filter, s.geometry.Bounds(w.bodies.At(to).transform()).Expand(s.margin()), s.sensor); err != nil {
		w.markLost(to)
	}
}

// linkShape puts the shape in slot i first into the list of a body.
func (w *World) linkShape(i, body int32) {
	s, b := w.shapes.At(i), w.bodies.At(body)
	if s.body, s.prev, s.next = body, -1, b.firstShape; s.next >= 0 {
		w.shapes.At(s.next).prev = i
	}
	b.firstShape = i
}

// unlinkShape removes the shape in slot i from the list of its body.
func (w *World) unlinkShape(i int32) {
	s := w.shapes.At(i)
	if s.prev >= 0 {
		w.shapes.At(s.prev).next = s.next
	} else {
		w.bodies.At(s.body).firstShape = s.next
	}
	if s.next >= 0 {
		w.shapes.At(s.next).prev = s.prev
	}
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
	i, ok := w.shapes.Find(uint64(id))
	return Shape{w, id, i}, ok
}

// Shapes yields every shape, in slot order.
func (w *World) Shapes() iter.Seq[Shape] { return store.Views(&w.shapes, w.shapeAt) }

func (w *World) shapeAt(i int32) Shape { return Shape{w, ShapeID(w.shapes.ID(i)), i} }

func (s Shape) get() *shape {
	if s.w == nil || !s.w.shapes.Is(s.slot, uint64(s.id)) {
		panic(fmt.Sprintf("quarry: there is no shape %d: it was removed, or never added", s.id))
	}
	return s.w.shapes.At(s.slot)
}

// ID returns the shape's id.
func (s Shape) ID() ShapeID { return s.id }

// Body returns the shape's body.
func (s Shape) Body() Body { return s.w.bodyAt(s.get().body) }

// Geometry returns the shape in its body's frame.
func (s Shape) Geometry() geom.Shape { return s.get().geometry }

// SetGeometry changes the shape to g, in the body's frame, and updates the body's mass. Contacts of the shape
// end, without their impulses; the next Step finds those of the new shape, and begins them. Like AddShape, it
// wakes a dynamic body with its island; otherwise it wakes the bodies whose boxes overlap the shape's, and
// those that touched it. It panics as AddShape does, and then changes nothing.
func (s Shape) SetGeometry(g geom.Shape) {
	record.Call1(s.w.recorder(s.get()), "Shape.SetGeometry", s.id, g)
	st, w := s.get(), s.w
	to := *st
	to.geometry, to.hull = g, hullOf("SetGeometry", g)
	to.measure()
	if st.proxy != broad.None {
		if err := w.broad.Update(st.proxy, g.Bounds(w.bodies.At(st.body).transform()).Expand(to.margin())); err != nil {
			panic("quarry: SetGeometry: " + err.Error())
		}
	}
	w.removeContacts(broad.OwnerOf(broad.Shape, s.slot))
	*st = to
	w.bodies.At(st.body).boxes++
	w.rare(st.body).room = 0
	w.updateMass(st.body)
	if w.bodies.At(st.body).kind == Dynamic {
		w.wakeUnlessNew(st.body)
	} else {
		w.wakeNear(&st.proxied)
	}
}

// SetDensity changes the density, 1e-30 to 1e30, or 0 for a shape without mass (ShapeDef.Massless), updates
// the body's mass, and wakes the body with its island.
func (s Shape) SetDensity(density float64) {
	record.Call1(s.w.recorder(s.get()), "Shape.SetDensity", s.id, density)
	st := s.get()
	if density != 0 {
		check.Within("SetDensity", "density", density, leastDensity, mostDensity, ", or 0 for none")
	}
	st.density = density
	s.w.updateMass(st.body)
	s.w.wake(st.body)
}

// Material returns the shape's material.
func (s Shape) Material() MaterialID { return s.get().material }

// SetMaterial sets the shape's material, from the next step on. If the material differs and
// the shape touches another, it wakes the shape's body and the bodies that touch the shape,
// with their islands. It panics if m is not in the world's table.
func (s Shape) SetMaterial(m MaterialID) {
	record.Call1(s.w.recorder(s.get()), "Shape.SetMaterial", s.id, m)
	st := s.get()
	s.w.surfaces.MustHave("SetMaterial", "m", uint16(m))
	if st.material == m {
		return
	}
	st.material, s.w.rowShapes[s.slot].Material = m, uint16(m)
	for _, c := range s.w.contactsOf(st.body) {
		if c.touching && !c.sensor && (c.shapeA == s.slot || c.shapeB == s.slot) {
			s.w.wake(c.bodyA)
			s.w.wake(c.bodyB)
		}
	}
}

// Sensor reports whether the shape is a sensor.
func (s Shape) Sensor() bool { return s.get().sensor }

// Flags returns ShapeDef.Flags.
func (s Shape) Flags() ShapeFlags { return s.get().flags }

// SetFlags sets the shape's flags, from the next step on. A change of AskFilter or AskPreSolve wakes
// the body with its island. It panics if a flag is unknown.
func (s Shape) SetFlags(f ShapeFlags) {
	record.Call1(s.w.recorder(s.get()), "Shape.SetFlags", s.id, f)
	s.w.setFlags(broad.OwnerOf(broad.Shape, s.slot), &s.get().flags, f)
}

// User returns ShapeDef.User.
func (s Shape) User() uint64 { return s.get().user }

// Def returns a definition of the shape as it is now: AddShape with it, and Geometry, makes another like it.
func (s Shape) Def() ShapeDef {
	st := s.get()
	return ShapeDef{
		Density: st.density, Massless: st.density == 0, Sensor: st.sensor, Material: st.material,
		Category: st.Category, Mask: st.Mask, Group: st.Group, Flags: st.flags, User: st.user,
	}
}

// SetUser changes ShapeDef.User.
func (s Shape) SetUser(user uint64) {
	record.Call1(s.w.recorder(s.get()), "Shape.SetUser", s.id, user)
	s.get().user = user
}

// SetFilter changes the categories, the mask and the group of ShapeDef, with 0 as there. Contacts that
// remain allowed stay as they are, with their impulses; forbidden ones end at once, and wake their bodies.
// A change wakes a dynamic body with its island; of a static or kinematic body, other than a sensor, it
// wakes the bodies whose boxes overlap the shape's. The next Step finds new contacts.
func (s Shape) SetFilter(category, mask uint64, group int32) {
	record.Call3(s.w.recorder(s.get()), "Shape.SetFilter", s.id, category, mask, group)
	s.w.setFilter(broad.OwnerOf(broad.Shape, s.slot), &s.get().filter, filterOf(category, mask, group))
}

// Bounds returns the smallest box around the shape, in the world.
func (s Shape) Bounds() geom.AABB {
	st := s.get()
	return st.geometry.Bounds(s.w.bodies.At(st.body).transform())
}
