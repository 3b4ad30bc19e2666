package broad

import (
	"cmp"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/team"
)

// ID identifies a proxy, from Add until Remove.
type ID = grid.ID

// The categories of the grid.
const (
	Dynamic = 1 << iota // shapes of dynamic bodies
	Fixed               // shapes of static and kinematic bodies
	Sensors
	Grounds // on static and kinematic bodies
	Chains
	MovingGrounds // on dynamic bodies

	Shapes    = Dynamic | Fixed | Sensors
	Surfaces  = Grounds | Chains | MovingGrounds
	Obstacles = Fixed | Surfaces // continuous collision stops bodies at these
)

// BodyType is the type of a proxy's body, as far as pairs depend on it.
type BodyType uint8

// The types of bodies, with the numbers of quarry.BodyType.
const (
	StaticBody BodyType = iota
	KinematicBody
	DynamicBody
)

// Entry is the data of a proxy.
type Entry struct {
	Box      geom.AABB // in the grid
	was      geom.AABB // Box in the last FindPairs; empty to have all pairs of the proxy found again
	Filter             // the game's, not the categories of the grid
	Owner    Owner
	Body     int32
	BodyType BodyType
	Sensor   bool
	sparse   bool // in FindPairs: it has moved, and too few shapes are near it for it to be crowded
	id       ID
	moved    int32 // 1 + its index in Phase.Moved; 0: not listed
	dropped  int32 // pairs without a contact because the shape is crowded
	sensor   int32 // its index in Phase.sensors, if the grid has it as a sensor
}

// ID returns the proxy.
func (e *Entry) ID() ID { return e.id }

// Dropped returns the number of pairs of a shape that have no contact because the shape is crowded.
func (e *Entry) Dropped() int { return int(e.dropped) }

// gridCategory returns the category of e in the grid.
func (e *Entry) gridCategory() uint64 {
	switch {
	case e.Owner.Kind() == Ground && e.BodyType == DynamicBody:
		return MovingGrounds
	case e.Owner.Kind() == Ground:
		return Grounds
	case e.Owner.Kind() == Chain:
		return Chains
	case e.Sensor:
		return Sensors
	case e.BodyType == DynamicBody:
		return Dynamic
	}
	return Fixed
}

// IsSolid reports whether e is a shape of a dynamic body, and not a sensor.
func (e *Entry) IsSolid() bool {
	return e.BodyType == DynamicBody && !e.Sensor && e.Owner.Kind() == Shape
}

// MayCollide reports whether the filters and bodies of two proxies allow a contact. The bodies must differ. a may be a
// shape, ground or chain, b a shape or ground:
//
//   - two shapes: one of the bodies must be dynamic, or, with one sensor, kinematic; two sensors have no contact;
//   - a ground or chain and a sensor: the ground's body must not be static; with SensesGround all grounds and chains
//     are allowed, unless both bodies are static;
//   - a ground or chain and another shape, or a ground: one of the bodies must be dynamic.
func MayCollide(a, b *Entry) bool {
	if !a.Allows(&b.Filter) {
		return false
	}
	if a.Body == b.Body || a.Sensor && b.Sensor {
		return false
	}
	most := max(a.BodyType, b.BodyType)
	if b.Sensor && a.Owner.Kind() != Shape {
		return a.Owner.Kind() == Ground && a.BodyType != StaticBody || b.SensesGround && most != StaticBody
	}
	if a.Owner.Kind() != Shape {
		return most == DynamicBody && b.Owner.Kind() != Chain
	}
	return most == DynamicBody || (a.Sensor || b.Sensor) && most == KinematicBody
}

// MayCollide is the function MayCollide for shapes, grounds and chains of which no Exclude forbids the contact.
func (p *Phase) MayCollide(a, b *Entry) bool { return MayCollide(a, b) && !p.excludes(a, b) }

// Renew lists a proxy as moved, with no box before: the next FindPairs finds all its pairs that have no contact.
func (p *Phase) Renew(e *Entry) {
	e.was = geom.Empty
	p.note(e)
}

// Phase is the broad phase. NewPhase makes one. Queries of Grid may run concurrently between changes;
// all other methods need exclusive access.
type Phase struct {
	state
	Grid     *grid.Grid
	cellSize float64 // of the grid's finest cells
	others   raster  // of the proxies that no other raster counts, but for shapes of dynamic bodies
	chains   raster  // of chains
	rafts    raster  // of grounds on dynamic bodies

	near      []ID // results of the grid
	moves     []grid.Move
	moveLists team.Lists[grid.Move] // moves, by ranges of Moved
	pairs     [][2]ID               // of shapes of dynamic bodies, whose boxes did not overlap before
	keys      []Key
	crowd     crowd
	kept      []int32 // contacts of pairs of crowded shapes
	slots     []int32 // of near, for the crowd
	source    source  // of the FindPairs in progress

	loading    []Entry  // of Load
	unmoved    []*Entry // proxies from which pairs with moved shapes are searched; see listUnmoved
	fewUnmoved bool     // unmoved lists all of these

	finders []*finder // by worker
	loops   struct{ list, moved, unmoved, pairs, end func(worker, from, to int) }
}

// state is all that decides the results of later calls. The grid follows from it.
type state struct {
	Pairs pool.Table // the contact of each pair, by Key; see Unfind
	Moved []ID       // proxies whose box is new or has changed since the last FindPairs; None in place of a removed one

	entries   []Entry     // by ID
	vacant    []ID        // the IDs of removed proxies; the grid gives the last one out first
	crowded   bool        // a shape has had dropped pairs
	sensors   []ID        // in no order
	shapes    []ID        // by slot of shape
	boxes     []geom.AABB // by slot of shape: Entry.Box
	excluded  pool.Table  // pairs of bodies, by bodyPair: the number of calls of Exclude
	excluding []int32     // the same of each body; nil before the first call
}

// None stands for a removed proxy in Phase.Moved, and for no proxy.
const None ID = -1

// NewPhase returns an empty broad phase with finest cells of side cellSize, in units of length. The shapes of dynamic
// bodies, by far the most numerous, are in cells of their own, and so are sensors: many sensors at one place are no
// pairs, and are not compared, nor are many static shapes, grounds and chains.
func NewPhase(cellSize float64) *Phase {
	p := &Phase{Grid: grid.NewHierarchical(cellSize), cellSize: cellSize}
	p.Grid.Separate(Dynamic, Sensors)
	p.others.inv, p.chains.inv, p.rafts.inv = 1/cellSize, 1/cellSize, 1/cellSize
	return p
}

// count adds by, 1 or -1, to the counts of a proxy in its raster.
func (p *Phase) count(e *Entry, by int) {
	if r := p.rasterOf(e); r != nil {
		r.add(&e.Box, by)
	}
}

// rasterOf returns the raster that counts e, or nil.
func (p *Phase) rasterOf(e *Entry) *raster {
	switch {
	case e.IsSolid():
		return nil
	case e.Owner.Kind() == Chain:
		return &p.chains
	case e.gridCategory() == MovingGrounds:
		return &p.rafts
	}
	return &p.others
}

// MayMeetOthers reports whether box may overlap the box of a proxy other than a shape of a dynamic body. It is fast,
// and false where a body is away from all of these.
func (p *Phase) MayMeetOthers(box geom.AABB) bool {
	return p.others.some(&box) || p.chains.some(&box) || p.rafts.some(&box)
}

// MayMeetOtherThanChains is MayMeetOthers without chains: Faces knows chains more closely.
func (p *Phase) MayMeetOtherThanChains(box geom.AABB) bool {
	return p.others.some(&box) || p.rafts.some(&box)
}

// MayMeetRafts reports whether box may overlap the box of a ground on a dynamic body.
func (p *Phase) MayMeetRafts(box geom.AABB) bool { return p.rafts.some(&box) }

// At returns the data of proxy id. Its Box changes by Update alone.
func (p *Phase) At(id ID) *Entry { return &p.entries[id] }

// BoxOf returns the box of the shape in a slot.
func (p *Phase) BoxOf(shape int32) *geom.AABB { return &p.boxes[shape] }

// ShapesOverlap reports whether the boxes of the shapes in two slots overlap.
func (p *Phase) ShapesOverlap(a, b int32) bool { return p.boxes[a].Overlaps(p.boxes[b]) }

// Add adds a proxy, and lists it as moved. A zero Category is the first category, a zero Mask all categories.
// If the grid cannot hold the box, Add returns an error and changes nothing.
func (p *Phase) Add(e Entry) (ID, error) {
	id, err := p.Grid.Add(e.Box, uint64(e.Owner))
	if err != nil {
		return None, err
	}
	p.Grid.SetCategory(id, e.gridCategory())
	if n := len(p.vacant); n > 0 {
		if p.vacant[n-1] != id {
			panic("quarry: broad: the grid does not give out the id that was freed last")
		}
		p.vacant = p.vacant[:n-1]
	} else {
		p.entries = append(p.entries, Entry{})
	}
	e.Category, e.Mask = cmp.Or(e.Category, 1), cmp.Or(e.Mask, math.MaxUint64)
	e.id, e.was = id, geom.Empty
	p.entries[id] = e
	p.index(&p.entries[id])
	p.note(&p.entries[id])
	p.count(&p.entries[id], 1)
	return id, nil
}

// index lists a proxy among the sensors and by its shape, as it applies.
func (p *Phase) index(e *Entry) {
	if e.gridCategory() == Sensors {
		e.sensor = int32(len(p.sensors))
		p.sensors = append(p.sensors, e.id)
	}
	if e.Owner.Kind() == Shape {
		for int(e.Owner.Slot()) >= len(p.shapes) {
			p.shapes, p.boxes = append(p.shapes, None), append(p.boxes, geom.AABB{})
		}
		p.shapes[e.Owner.Slot()], p.boxes[e.Owner.Slot()] = e.id, e.Box
	}
}

// Remove removes a proxy. Its contacts must be gone.
func (p *Phase) Remove(id ID) {
	if at := p.entries[id].moved; at > 0 {
		p.Moved[at-1] = None
	}
	p.Grid.Remove(id)
	p.count(&p.entries[id], -1)
	if p.entries[id].gridCategory() == Sensors {
		k, last := p.entries[id].sensor, len(p.sensors)-1
		p.sensors[k] = p.sensors[last]
		p.entries[p.sensors[k]].sensor = k
		p.sensors = p.sensors[:last]
	}
	p.entries[id] = Entry{}
	p.vacant = append(p.vacant, id)
}

// note lists a proxy as moved.
func (p *Phase) note(e *Entry) {
	if e.moved == 0 {
		p.Moved = append(p.Moved, e.id)
		e.moved = int32(len(p.Moved))
	}
}

// Unfind lets FindPairs find the pair of two proxies again. The caller removes their contact from Pairs.
func (p *Phase) Unfind(a, b ID) {
	x, y := &p.entries[a], &p.entries[b]
	if x.was.Overlaps(y.was) {
		// The pair would count as found; so one of the two looks for all of its pairs. In most cases one
		// is listed already.
		if y.moved > 0 {
			x = y
		}
		p.Renew(x)
	}
}

// Update gives a proxy another box, and lists it as moved. If the grid cannot hold the box, Update
// returns an error and changes nothing.
func (p *Phase) Update(id ID, box geom.AABB) error {
	if err := p.Put(id, box); err != nil {
		return err
	}
	p.note(&p.entries[id])
	return nil
}

// Put is Update without the list of moved proxies, which depends on the order of the calls: Note must follow. Put reads
// and writes only the grid, the rasters and this proxy.
func (p *Phase) Put(id ID, box geom.AABB) error {
	if err := p.Grid.Update(id, box); err != nil {
		return err
	}
	e := &p.entries[id]
	if r := p.rasterOf(e); r != nil {
		r.move(&e.Box, &box)
	}
	e.Box = box
	if e.Owner.Kind() == Shape {
		p.boxes[e.Owner.Slot()] = box
	}
	return nil
}

// Note lists a proxy as moved, and returns true, if Put has given it the box; otherwise Note does nothing.
func (p *Phase) Note(id ID, box *geom.AABB) bool {
	e := &p.entries[id]
	if e.Box != *box {
		return false
	}
	p.note(e)
	return true
}

// SetBodyType records that the body of a proxy has another type. The caller ends its contacts.
func (p *Phase) SetBodyType(id ID, m BodyType) {
	e := &p.entries[id]
	p.count(e, -1)
	e.BodyType = m
	p.count(e, 1)
	p.Grid.SetCategory(id, e.gridCategory())
}

// SetFilter gives a proxy another filter. The next FindPairs finds all its pairs that have no contact. The
// caller removes the contacts that the filter no longer allows.
func (p *Phase) SetFilter(id ID, f Filter) {
	e := &p.entries[id]
	e.Filter, e.was = f, geom.Empty
	p.note(e)
}

// Near returns the proxies in the categories whose boxes overlap box, valid until the next call of a
// method.
func (p *Phase) Near(box geom.AABB, categories uint64) []ID {
	p.near = p.Grid.AppendOverlaps(p.near[:0], box, categories)
	return p.near
}
