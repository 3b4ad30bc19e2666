package state

import (
	"slices"
	"unsafe"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
)

// Saved is a World at one time, in little memory: it has no lists that follow from others, and the lists of a large
// world are packed.
type Saved struct {
	few      World // those fields that copyFew copies
	bodies   pool.PackedPool[Body]
	rares    pool.Packed[BodyRare]
	slots    pool.SavedSlots // of the shapes
	shapes   pool.Packed[savedShape]
	geometry []geom.Shape // by slot of shape
	contacts savedContacts
}

// savedShape holds the fields of a Shape that neither follow from its geometry nor have pointers.
type savedShape struct {
	Proxied
	broad.Filter
	Density float64
	User    uint64
	Prev    int32
	_       [4]byte
}

// Steps returns the number of steps that the world had made.
func (s *Saved) Steps() uint64 { return s.few.Steps }

// Broad returns the broad phase of the world.
func (s *Saved) Broad() *broad.Phase { return s.few.Broad }

// MostPlain is the most bytes of lists that Save copies as they are: the lists of some 300 bodies and 1,200 contacts. A
// game with such a world goes back and makes several steps again within a frame, each after a Save, and needs the time
// more than the memory. It changes in tests alone.
var MostPlain = 1 << 19

// largeBytes returns the bytes of the lists that Save packs, if all contacts touch.
func (w *World) largeBytes() int {
	bodies, shapes, contacts := int(w.Bodies.Slots()), int(w.Shapes.Slots()), int(w.Contacts.Slots())
	return bodies*int(unsafe.Sizeof(Body{})+unsafe.Sizeof(BodyRare{})) +
		shapes*int(unsafe.Sizeof(savedShape{})+unsafe.Sizeof(broad.Entry{})) +
		contacts*int(unsafe.Sizeof(Contact{})+unsafe.Sizeof(savedManifold{}))
}

// Save makes s the state of w, which has measured its bodies; see MeasureAll. It allocates nothing if s had room.
func (w *World) Save(s *Saved) {
	room := &w.packing
	room.Plain = w.largeBytes() <= MostPlain
	s.few.copyFew(w)
	s.bodies.Pack(room, &w.Bodies)
	s.rares.Pack(room, w.Rares)
	s.saveShapes(room, w)
	s.contacts.save(room, &w.Contacts)
}

// Packing returns the memory of Save, for the broad phase.
func (w *World) Packing() *pool.Packing { return &w.packing }

// Load makes w the state of s, with the broad phase of that world, of which it sets the pairs.
func (w *World) Load(s *Saved) {
	w.ownerContacts.forget()
	w.materialContacts.forget()
	w.weights, w.unmeasured = [2]massTrees{}, w.unmeasured[:0]
	w.copyFew(&s.few)
	s.bodies.Unpack(&w.Bodies)
	s.rares.Unpack(&w.Rares)
	s.loadShapes(w)
	s.contacts.load(&w.Contacts, w.Broad)
}

func (s *Saved) saveShapes(room *pool.Packing, w *World) {
	n := int(w.Shapes.Slots())
	pool.SaveSlots(&s.slots, &w.Shapes)
	s.geometry = (*pool.Room(&s.geometry, n))[:n]
	s.shapes.Begin(room, n)
	for i := range n {
		from, to := w.Shapes.At(int32(i)), s.shapes.Next(room)
		s.geometry[i] = from.Geometry
		to.Proxied, to.Filter, to.Density, to.User, to.Prev = from.Proxied, from.Filter, from.Density, from.User,
			from.Prev
	}
	s.shapes.End(room)
}

func (s *Saved) loadShapes(w *World) {
	pool.LoadSlots(&s.slots, &w.Shapes)
	w.RowShapes = slices.Grow(w.RowShapes[:0], len(s.geometry))[:len(s.geometry)]
	saved := s.shapes.List(&w.savedShapes)
	for i := range saved {
		from, to := &saved[i], w.Shapes.At(int32(i))
		if g := &s.geometry[i]; !pool.Same(g, &to.Geometry) {
			if *to = (Shape{}); *g != nil { // nil: a free slot
				to.Geometry, to.Hull = *g, collide.NewHull(*g)
				to.Measure()
			}
		}
		to.Proxied, to.Filter, to.Density, to.User, to.Prev = from.Proxied, from.Filter, from.Density, from.User,
			from.Prev
		if to.Geometry == nil {
			w.RowShapes[i] = rows.Shape{}
		} else {
			w.RowShapes[i] = rows.ShapeOf(&to.Hull, to.Material, w.Bodies.At(to.Body).LocalCenter)
		}
	}
}
