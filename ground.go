package quarry

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/surface"
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
	// Category, Mask and Group filter collisions as in ShapeDef.
	Category, Mask uint64
	Group          int32
	// Flags says which events the ground makes, and whether the filter and pre-solve functions of the world are asked about
	// it, as ShapeDef.Flags does for a shape.
	Flags ShapeFlags
	// Breaks makes the ground break on a static or kinematic body: parts without an anchored tile, and on a
	// dynamic body always all parts but the largest, become dynamic bodies of their own; see World.Breaks. Tiles hold
	// together where they share a part of an edge; corners do not hold (gridseg.Parts).
	Breaks bool
	// Anchors and AnchorBits choose the anchored tiles: those in one of the rectangles of cells, and those with
	// User & AnchorBits other than 0. With neither, the part of the largest area stays. AddGround copies the slice.
	Anchors    []gridseg.Rect
	AnchorBits uint32
	// MinFragment is the area, in cells, below which a part that comes off vanishes: its BreakEvent has the
	// place, velocity, area and material to draw it with. 0 means DefaultMinFragment; at least 0.
	MinFragment float64
}

// ground is a grid of tiles on a body. Its lattice is the body's frame: the lower left corner of
// cell (0, 0) is the body's origin.
type ground struct {
	proxied
	filter
	tiles oneway.Tiles
	box   geom.AABB // AABB of the tiles in the body's frame, or empty; edits extend it, and never shrink it; see bounds
	flags ShapeFlags
	fracture
}

// AddGround adds a ground to a body and returns its id. Body 0 is a static body of the world at the origin. AddGround
// wakes the bodies whose AABBs overlap the AABB of the tiles. It returns an error, and changes nothing, if the body is
// missing, or if a material is not in the world's table.
//
// The tiles give a dynamic body mass, each by its area and the Density of its Material; an edit changes the mass, and
// moves the centre of mass, while the body's frame stays in place, and each point of it keeps its velocity. AddGround
// then wakes the body with its island, unless it was added asleep since the last Step. docs/living-ground.md tells what
// such a ground collides with.
func (w *World) AddGround(id BodyID, d GroundDef) (GroundID, error) {
	record.Call2(w.recorder(w), "World.AddGround", record.OfWorld, id, d)
	materials := rows.Numbers[uint16](d.Materials)
	check.UpTo("AddGround", "GroundDef.Flags", d.Flags, allFlags, "the sum of all flags")
	if err := w.surfaces.HasAll("AddGround", "GroundDef.Materials", materials); err != nil {
		return 0, err
	}
	bi, ok := w.bodyOrWorld(id)
	if !ok {
		return 0, fmt.Errorf("quarry: AddGround: no body %d", id)
	}
	if d.Grid == nil {
		d.Grid = gridseg.New(nil)
	}
	return w.addGround(bi, d, materials, fractureOf(&d))
}

// addGround adds a ground to body bi.
func (w *World) addGround(bi int32, d GroundDef, materials []uint16, f fracture) (GroundID, error) {
	d.Grid.Resolve()
	gi, gid, g := w.grounds.Add()
	*g = ground{
		proxied: proxied{broad.None, bi, w.bodies.At(bi).firstGround}, filter: filterOf(d.Category, d.Mask, d.Group),
		tiles: oneway.Tiles{Grid: d.Grid, Materials: materials, Version: 1}, box: geom.Empty, flags: d.Flags, fracture: f,
	}
	g.tiles.SetWays(&w.oneWays)
	w.bodies.At(bi).firstGround = gi
	r, some := d.Grid.Bounds()
	if _, walls := d.Grid.UnloadedWalls(); some || walls {
		if err := w.growGround(gi, r); err != nil {
			w.removeGround(gi)
			return 0, fmt.Errorf("quarry: AddGround: %w", err)
		}
		w.wakeNear(&g.proxied)
	}
	w.tear(gi)
	w.tilesChanged(bi)
	return GroundID(gid), nil
}

// tilesChanged updates the mass of body i, whose grounds have changed, and wakes it, if it is dynamic.
func (w *World) tilesChanged(i int32) {
	if w.bodies.At(i).kind == Dynamic {
		w.updateMass(i)
		w.wakeUnlessNew(i)
	}
}

// bodyOrWorld returns the slot of the body id; for 0, of a static body of the world's own.
func (w *World) bodyOrWorld(id BodyID) (int32, bool) {
	if _, ok := w.bodies.Find(uint64(w.worldBody)); id == 0 && !ok {
		w.worldBody = w.addBody(BodyDef{})
	}
	return w.bodies.Find(uint64(cmp.Or(id, w.worldBody)))
}

// RemoveGround removes a ground and wakes the bodies that touched it. It returns false if the
// ground does not exist.
func (w *World) RemoveGround(id GroundID) bool {
	record.Call1(w.recorder(w), "World.RemoveGround", record.OfWorld, id)
	return store.Remove(&w.grounds, uint64(id), func(i int32) {
		body := w.grounds.At(i).body
		w.removeGround(i)
		w.tilesChanged(body)
	})
}

func (w *World) removeGround(gi int32) {
	w.torn.Remove(gi)
	w.removeProxy(broad.OwnerOf(broad.Ground, gi))
	w.unlink(&w.bodies.At(w.grounds.At(gi).body).firstGround, broad.OwnerOf(broad.Ground, gi))
	w.grounds.Remove(gi)
}

// growGround extends the box of the ground in slot gi by the cells of r. If the box would exceed
// the limit of the broad phase, growGround returns an error and changes nothing.
func (w *World) growGround(gi int32, r gridseg.Rect) error {
	g := w.grounds.At(gi)
	box := g.box
	if !r.Empty() {
		box = box.Union(surface.BoxOf(r))
	}
	if box == g.box && !box.IsEmpty() {
		return nil
	}
	if err := w.fitGround(gi, g.withWalls(box)); err != nil {
		return err
	}
	g.box = box
	return nil
}

// fitGround makes box, in the frame of the body, the box of the ground in slot gi in the broad phase. If that is beyond its
// limit, fitGround returns an error and changes nothing.
func (w *World) fitGround(gi int32, box geom.AABB) error {
	g := w.grounds.At(gi)
	fat := box.In(w.bodies.At(g.body).transform()).Expand(aabbMargin)
	if g.proxy == broad.None {
		if err := w.addProxy(broad.OwnerOf(broad.Ground, gi), &g.proxied, g.filter, fat, false); err != nil {
			return err
		}
	} else if w.broad.At(g.proxy).Box == fat {
		return nil
	} else if err := w.broad.Update(g.proxy, fat); err != nil {
		return err
	}
	w.bodies.At(g.body).boxes++
	return nil
}

// Ground is a view of a ground: a small value, valid until the ground is removed. After that all
// its methods except ID panic. The zero Ground is not a ground.
//
// Its edits are Set, Clear, Fill, Place, Move, Add, Remove, Unite, Subtract, Dig and Build. Each
// is all or nothing: with an argument out of range (an unknown shape, a reversed rectangle) it
// returns an error that names the cell and the reason, and changes nothing, not even Version. An
// edit wakes the dynamic bodies whose AABBs overlap the 3x3 cells around a changed segment, with
// their islands; an edit that changes no surface, such as that of a buried tile, wakes no body but the ground's own.
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
	return store.Views(&w.grounds, w.groundAt)
}

func (w *World) groundAt(i int32) Ground { return Ground{w, GroundID(w.grounds.ID(i)), i} }

func (g Ground) get() *ground {
	if g.w == nil || !g.w.grounds.Is(g.slot, uint64(g.id)) {
		panic(fmt.Sprintf("quarry: there is no ground %d: it was removed, or never added", g.id))
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

// SetFilter changes the categories, the mask and the group; see Shape.SetFilter.
func (g Ground) SetFilter(category, mask uint64, group int32) {
	record.Call3(g.w.recorder(g.get()), "Ground.SetFilter", g.id, category, mask, group)
	g.w.setFilter(broad.OwnerOf(broad.Ground, g.slot), &g.get().filter, filterOf(category, mask, group))
}

// Flags returns GroundDef.Flags.
func (g Ground) Flags() ShapeFlags { return g.get().flags }

// SetFlags sets the ground's flags, from the next step on. A change of AskFilter or AskPreSolve wakes the body with its
// island, and the bodies that touch it. It panics if a flag is unknown.
func (g Ground) SetFlags(f ShapeFlags) {
	record.Call1(g.w.recorder(g.get()), "Ground.SetFlags", g.id, f)
	g.w.setFlags(broad.OwnerOf(broad.Ground, g.slot), &g.get().flags, f)
}

// Def returns a definition of the ground as it is now, without its tiles: Grid is nil. To copy the
// tiles too, place a copy of the cells of Grid (gridseg.View.Copy) on the new ground.
func (g Ground) Def() GroundDef {
	st := g.get()
	return GroundDef{
		Materials: rows.Numbers[MaterialID](st.tiles.Materials), Category: st.Category, Mask: st.Mask, Group: st.Group, Flags: st.flags,
		Breaks: st.breaks, Anchors: slices.Clone(st.anchors), AnchorBits: st.bits, MinFragment: st.least,
	}
}

// Version is 1 for a new ground and grows by 1 with each edit that changes a tile or a polygon; an
// edit without effect or a refused edit does not change it. World.GroundEdits tells which cells
// changed.
func (g Ground) Version() uint64 { return g.get().tiles.Version }

// Tile returns the tile of a cell, or the zero Tile if the cell is empty.
func (g Ground) Tile(x, y int32) gridseg.Tile { return g.get().tiles.Grid.Tile(x, y) }

// CellAt returns the cell that contains the world point p; a point on a border is in the upper or
// right cell. It returns false if p is outside the lattice or NaN.
func (g Ground) CellAt(p geom.Vec) (gridseg.Cell, bool) { return surface.CellAt(g.Transform().Inv(p)) }

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

// beginEdit begins an edit, and returns the log; with byCells, edited records the cells that change.
func (g Ground) beginEdit(byCells bool) *record.Log {
	l := g.w.recorder(g.get())
	record.Edit(l, g.id, g.change(), byCells)
	return l
}

// change returns the tiles of g, for an edit: one of gridseg.Grid, which edited then resolves.
func (g Ground) change() *gridseg.Grid { return g.get().tiles.Grid }

// Set replaces the content of a cell by a tile; the zero Tile clears the cell.
func (g Ground) Set(x, y int32, t gridseg.Tile) error {
	record.Call3(g.beginEdit(false), "Ground.Set", g.id, x, y, t)
	return g.edited(g.change().Set(x, y, t))
}

// Clear empties a cell, like Set with the zero Tile.
func (g Ground) Clear(x, y int32) error {
	record.Call2(g.beginEdit(false), "Ground.Clear", g.id, x, y)
	return g.edited(g.change().Clear(x, y))
}

// Fill sets every cell of r (closed) to a tile; the zero Tile clears the cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Fill(r gridseg.Rect, t gridseg.Tile) error {
	record.Call2(g.beginEdit(false), "Ground.Fill", g.id, r, t)
	return g.edited(g.change().Fill(r, t))
}

// Place copies a block of tiles to the ground, with its lower left cell at (x, y).
func (g Ground) Place(x, y int32, s *gridseg.Stamp) error {
	g.beginEdit(true)
	return g.edited(g.change().Place(x, y, s))
}

// Move moves the tiles and polygons of the cells of r by (dx, dy) cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Move(r gridseg.Rect, dx, dy int32) error {
	record.Call3(g.beginEdit(false), "Ground.Move", g.id, r, dx, dy)
	return g.edited(g.change().Move(r, dx, dy))
}

// Add adds a polygon to the content of a cell; see gridseg.Grid.Add.
func (g Ground) Add(x, y int32, loops [][]gridseg.Point, a gridseg.Attr) error {
	record.Call4(g.beginEdit(false), "Ground.Add", g.id, x, y, loops, a)
	return g.edited(g.change().Add(x, y, loops, a))
}

// Remove removes a polygon that Add added to a cell.
func (g Ground) Remove(x, y int32, loops [][]gridseg.Point) error {
	record.Call3(g.beginEdit(false), "Ground.Remove", g.id, x, y, loops)
	return g.edited(g.change().Remove(x, y, loops))
}

// Unite makes the inside of the loops solid, over any number of cells; ground that is solid
// already stays. See gridseg.Grid.Unite, and Build for a round brush.
func (g Ground) Unite(loops [][]gridseg.Point, a gridseg.Attr, options ...gridseg.BrushOption) error {
	g.beginEdit(true)
	return g.edited(g.change().Unite(loops, a, options...))
}

// Subtract makes the inside of the loops empty; see gridseg.Grid.Subtract, and Dig, a round brush.
func (g Ground) Subtract(loops [][]gridseg.Point, options ...gridseg.BrushOption) error {
	g.beginEdit(true)
	return g.edited(g.change().Subtract(loops, options...))
}

// Dig empties the ground within radius of the line from a to b: a tunnel, or a crater if both
// are one point. a and b are in world coordinates; radius is at most gridseg.MaxRadius cells. The
// outline is a polygon at most 1/256 cell from the true circle.
//
// The option gridseg.Keep(f) leaves the tiles alone that f names, such as bedrock. The option
// gridseg.ReportTo(&r) sets r to the changed cells, and the areas of each material in them before and
// after, by the material numbers of tiles; Ground.Material has the world's material of a number.
func (g Ground) Dig(a, b geom.Vec, radius float64, options ...gridseg.BrushOption) error {
	loops, err := g.brush(a, b, radius)
	if err != nil {
		return err
	}
	return g.Subtract(loops, options...)
}

// Build makes the ground within radius of the line from a to b solid; ground that is solid already
// stays. Arguments, accuracy and options are those of Dig; with gridseg.Keep nothing is added to a cell
// with a tile that is kept.
func (g Ground) Build(a, b geom.Vec, radius float64, attr gridseg.Attr, options ...gridseg.BrushOption) error {
	loops, err := g.brush(a, b, radius)
	if err != nil {
		return err
	}
	return g.Unite(loops, attr, options...)
}

// brush returns the outline of a round stroke, in the ground's lattice.
func (g Ground) brush(a, b geom.Vec, radius float64) ([][]gridseg.Point, error) {
	t := g.Transform()
	return surface.Stroke(t.Inv(a), t.Inv(b), radius)
}

// edited resolves an edit, lists it in GroundEdits and wakes the bodies near a changed segment.
func (g Ground) edited(err error) error {
	if err != nil {
		return err
	}
	st := g.get()
	if !st.tiles.Grid.Edited() {
		return nil // no tile changed
	}
	record.Edited(g.w.log, g.id, st.tiles.Grid)
	st.tiles.Version++
	g.w.events.noteEdit(GroundEdit{g.id, st.tiles.Grid.EditedCells(), st.tiles.Version})
	delta := st.tiles.Grid.Resolve()
	r := delta.Cells
	if !delta.Empty() && g.w.growGround(g.slot, r) != nil {
		g.w.markLost(st.body)
	}
	g.w.tear(g.slot)
	g.w.tilesChanged(st.body)
	if g.w.broad.HasSensors() && g.w.bodies.At(st.body).kind != Static {
		g.w.staleSensors(st.body)
	}
	if delta.Empty() || st.proxy == broad.None {
		return nil // no segment changed, or on a disabled body
	}
	box := surface.BoxOf(r).Expand(1)
	g.w.wakeUnlessNewIn(box.In(g.Transform()))
	if g.w.held > 0 { // there may be a way out for bodies held in solid ground
		for i := range g.w.bodiesIn(box.Expand(depenetrate.SearchDepth).In(g.Transform())) {
			if g.w.bodies.At(i).held > 0 {
				g.w.wake(i)
			}
		}
	}
	return nil
}

// GroundEdit is an edit that changed a tile or a polygon of a ground.
type GroundEdit struct {
	Ground GroundID // it may have been removed since
	// Cells is the smallest rectangle that contains the cells whose tiles or polygons changed.
	// Segments may have changed in the cells beside it too, one cell further on each side.
	Cells gridseg.Rect
	// Version is the ground's Version after the edit.
	Version uint64
}

// maxGroundEdits bounds the list of edits: 4,096 entries are 128 KB. A world that is edited but
// not stepped, as in an editor, must not grow without limit.
const maxGroundEdits = 4096

// GroundEdits returns the edits of grounds since the last Step, in their order. Edits without effect
// and refused edits are not listed; an edit that changes no surface is. It may be called at any time
// between steps, and again after further edits; the next Step empties the list first, so read the
// edits that come before a step before that step. The slice is valid until the next edit or Step.
//
// A reader that keeps the Version of its copy of a ground needs only the edits with a greater
// Version. AddGround and RemoveGround are not edits: look for new and missing ids in Grounds, and
// take the tiles and the Version of a new ground from the Ground itself.
//
// The list has at most 4,096 entries, and one more for each ground edited after that. A further
// edit joins the last entry of its ground: Cells becomes the smallest rectangle that contains
// both, and Version that of the later edit.
func (w *World) GroundEdits() []GroundEdit { return w.events.edits }

// noteEdit lists an edit.
func (e *events) noteEdit(ed GroundEdit) {
	if len(e.edits) >= maxGroundEdits {
		for i := len(e.edits) - 1; i >= 0; i-- {
			if last := &e.edits[i]; last.Ground == ed.Ground {
				last.Cells, last.Version = surface.UnionRect(last.Cells, ed.Cells), ed.Version
				return
			}
		}
	}
	e.edits = append(e.edits, ed)
}
