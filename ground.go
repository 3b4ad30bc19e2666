package quarry

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/oneway"
)

// GroundDef defines a ground. The zero value is an empty ground.
type GroundDef struct {
	// Grid holds the tiles, resolved or not. AddGround takes ownership: after that, edit the
	// tiles only through the methods of Ground. nil is an empty grid.
	Grid *gridseg.Grid
	// Materials maps the material number i of a tile to the world's material Materials[i].
	// With nil, the numbers are the world's material ids. A number beyond Materials, or
	// beyond the world's table, is the default material. AddGround copies the slice.
	Materials []MaterialID
	// Category and Mask filter collisions as in ShapeDef.
	Category, Mask uint64
}

// ground is a grid of tiles on a body. Its lattice is the body's frame: the lower left corner of
// cell (0, 0) is the body's origin.
type ground struct {
	tiles    oneway.Tiles
	category uint64
	mask     uint64
	box      geom.AABB // AABB of the tiles in the body's frame; edits extend it, and never shrink it
	fat      geom.AABB // box of the proxy; empty, like box, until there is a tile
	proxy    grid.ID
	body     int32
	next     int32 // the body's other grounds, -1: none
	moved    bool  // listed in scratch.moved
}

// AddGround adds a ground to a static or kinematic body and returns its id. Body 0 is a static
// body of the world at the origin. AddGround wakes the bodies whose AABBs overlap the AABB of
// the tiles. It returns an error, and changes nothing, if the body is dynamic or missing, or if
// a material is not in the world's table.
func (w *World) AddGround(id BodyID, d GroundDef) (GroundID, error) {
	w.mustNotStep()
	for i, m := range d.Materials {
		if int(m) >= len(w.materials) {
			return 0, w.materialError("AddGround", fmt.Sprintf("GroundDef.Materials[%d]", i), m)
		}
	}
	if id == 0 {
		id = w.fixedBody()
	}
	bi, ok := w.bodies.Find(uint64(id))
	if !ok {
		return 0, fmt.Errorf("quarry: AddGround: no body %d", id)
	}
	if w.bodies.At(bi).kind == Dynamic {
		return 0, errors.New("quarry: AddGround: a grid on a dynamic body is not supported yet")
	}
	if d.Grid == nil {
		d.Grid = gridseg.New(nil)
	}
	d.Grid.Resolve()
	gi, gid, g := w.grounds.Add()
	*g = ground{
		tiles:    oneway.Tiles{Grid: d.Grid, Version: 1},
		category: orDefault(d.Category, 1), mask: orDefault(d.Mask, math.MaxUint64),
		box: geom.Empty, fat: geom.Empty,
		body: bi, next: w.bodies.At(bi).firstGround,
	}
	if d.Materials != nil {
		g.tiles.Materials = make([]uint16, len(d.Materials))
		for i, m := range d.Materials {
			g.tiles.Materials[i] = uint16(m)
		}
	}
	g.tiles.SetWays(w.oneWays, w.oneWayVersion)
	w.bodies.At(bi).firstGround = gi
	if r, ok := d.Grid.Bounds(); ok {
		if err := w.growGround(gi, r); err != nil {
			w.removeGround(gi)
			return 0, fmt.Errorf("quarry: AddGround: %w", err)
		}
		w.wakeUnlessNewIn(g.fat)
	}
	return GroundID(gid), nil
}

// fixedBody returns the static body of grounds and chains that were added to body 0.
func (w *World) fixedBody() BodyID {
	if _, ok := w.bodies.Find(uint64(w.worldBody)); !ok {
		w.worldBody = w.AddBody(BodyDef{})
	}
	return w.worldBody
}

// RemoveGround removes a ground and wakes the bodies that touched it. It returns false if the
// ground does not exist.
func (w *World) RemoveGround(id GroundID) bool {
	w.mustNotStep()
	i, ok := w.grounds.Find(uint64(id))
	if ok {
		w.removeGround(i)
	}
	return ok
}

func (w *World) removeGround(gi int32) {
	g := w.grounds.At(gi)
	b := w.bodies.At(g.body)
	for l := b.firstContact; l >= 0; {
		c := w.contacts.At(l >> 1)
		next := c.next[l&1]
		if c.ground == gi {
			w.removeContact(l>>1, true)
		}
		l = next
	}
	for at := &b.firstGround; *at >= 0; at = &w.grounds.At(*at).next {
		if *at == gi {
			*at = g.next
			break
		}
	}
	if !g.box.IsEmpty() {
		w.dropMoved(groundProxy | proxy(gi))
		w.broad.Remove(g.proxy)
	}
	w.grounds.Remove(gi)
}

// growGround extends the box of the ground in slot gi by the cells of r. If the box would exceed
// the limit of the broad phase, growGround returns an error and changes nothing.
func (w *World) growGround(gi int32, r gridseg.Rect) error {
	g := w.grounds.At(gi)
	box := g.box.Union(geom.AABB{
		Min: geom.V(float64(r.MinX), float64(r.MinY)),
		Max: geom.V(float64(r.MaxX)+1, float64(r.MaxY)+1),
	})
	if box == g.box {
		return nil
	}
	fat := box.In(w.bodies.At(g.body).transform()).Expand(aabbMargin)
	if g.box.IsEmpty() {
		id, err := w.addProxy(groundProxy|proxy(gi), fat, inGrounds)
		if err != nil {
			return err
		}
		g.proxy = id
	} else if err := w.broad.Update(g.proxy, fat); err != nil {
		return err
	}
	g.box, g.fat = box, fat
	w.noteMoved(groundProxy | proxy(gi))
	return nil
}

// Ground is a view of a ground: a small value, valid until the ground is removed. After that all
// its methods except ID panic. The zero Ground is not a ground.
//
// Its edits are Set, Clear, Fill, Place, Move, Add, Remove, Unite, Subtract, Dig and Build. Each
// is all or nothing: with an argument out of range (an unknown shape, a reversed rectangle) it
// returns an error that names the cell and the reason, and changes nothing, not even Version. An
// edit wakes the dynamic bodies whose AABBs overlap the 3x3 cells around a changed segment, with
// their islands; an edit that changes no surface, such as that of a buried tile, wakes no body.
// World.GroundEdits lists the edits since the last Step. Edits panic during Step.
type Ground struct {
	w    *World
	id   GroundID
	slot int32
}

// Ground returns a view of the ground id, or false if it does not exist.
func (w *World) Ground(id GroundID) (Ground, bool) {
	i, ok := w.grounds.Find(uint64(id))
	return Ground{w, id, i}, ok
}

// Grounds yields every ground, in slot order.
func (w *World) Grounds() iter.Seq[Ground] {
	return func(yield func(Ground) bool) {
		for i := range w.grounds.Slots() {
			if w.grounds.Used(i) && !yield(Ground{w, GroundID(w.grounds.ID(i)), i}) {
				return
			}
		}
	}
}

func (g Ground) get() *ground {
	if g.w == nil || !g.w.grounds.Used(g.slot) || g.w.grounds.ID(g.slot) != uint64(g.id) {
		panic(fmt.Sprintf("quarry: ground %d is no more", g.id))
	}
	return g.w.grounds.At(g.slot)
}

// ID returns the ground's id.
func (g Ground) ID() GroundID { return g.id }

// Body returns the body that carries the ground.
func (g Ground) Body() Body { return g.w.bodyAt(g.get().body) }

// Transform returns the frame of the ground's lattice.
func (g Ground) Transform() geom.Transform { return g.w.bodies.At(g.get().body).transform() }

// Grid returns a read-only view of the tiles, valid while the ground exists. The edits are methods
// of Ground, because an edit must wake the bodies near it.
func (g Ground) Grid() gridseg.View { return g.get().tiles.Grid.View() }

// Material returns the world's material for a tile of this ground.
func (g Ground) Material(t gridseg.Tile) MaterialID {
	return MaterialID(g.get().tiles.Material(t.Material))
}

// Version is 1 for a new ground and grows by 1 with each edit that changes a tile or a polygon; an
// edit without effect or a refused edit does not change it. World.GroundEdits tells which cells
// changed.
func (g Ground) Version() uint64 { return g.get().tiles.Version }

// Tile returns the tile of a cell, or the zero Tile if the cell is empty.
func (g Ground) Tile(x, y int32) gridseg.Tile { return g.get().tiles.Grid.Tile(x, y) }

// CellAt returns the cell that contains the world point p; a point on a border is in the upper or
// right cell. It returns false if p is outside the lattice or NaN.
func (g Ground) CellAt(p geom.Vec) (gridseg.Cell, bool) {
	q := g.Transform().Inv(p)
	x, y := math.Floor(q.X), math.Floor(q.Y)
	if !(x >= math.MinInt32 && x <= math.MaxInt32 && y >= math.MinInt32 && y <= math.MaxInt32) {
		return gridseg.Cell{}, false
	}
	return gridseg.Cell{X: int32(x), Y: int32(y)}, true
}

// Solid reports whether the world point p lies in a tile, borders included.
func (g Ground) Solid(p geom.Vec) bool {
	q := g.Transform().Inv(p)
	return g.get().tiles.Grid.Solid(q.X, q.Y)
}

// AppendSegments appends the resolved segments of the cells of r (closed), in the coordinates of
// the ground's lattice, cell by cell, starting with the lowest row.
func (g Ground) AppendSegments(dst []gridseg.Segment, r gridseg.Rect) []gridseg.Segment {
	return g.get().tiles.Grid.AppendSegments(dst, r)
}
