package quarry

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// GroundDef defines a ground. The zero value is an empty ground.
type GroundDef struct {
	// Grid holds the tiles, resolved or not. AddGround takes ownership: until the ground is removed, edits of the Grid
	// itself return gridseg.ErrOwned, and no other ground, of any world, can have it. Edit the tiles by the methods of
	// Ground; to use them elsewhere, copy them (gridseg.Grid.Copy and Place). nil is an empty grid.
	Grid *gridseg.Grid
	// Materials maps the material number i of a tile to the world's material Materials[i].
	// With nil, the numbers are the world's material ids. A number beyond Materials, or
	// beyond the world's table, is the default material. AddGround copies the slice.
	Materials []MaterialID
	// Category, Mask and Group filter collisions as in ShapeDef.
	Category, Mask uint64
	Group          int32
	// Flags chooses the events of the ground, and whether the world's filter and pre-solve functions are called for
	// it; see ShapeDef.Flags.
	Flags EventFlags
	// Breaks makes the ground break on a static or kinematic body: parts without an anchored tile become dynamic
	// bodies; see World.Breaks. On a dynamic body, all parts but the largest always do. A part larger than MaxFragment
	// stays. Tiles hold together where
	// they share a part of an edge; corners do not hold (gridseg.Parts).
	Breaks bool
	// Anchors and AnchorBits choose the anchored tiles: those in one of the rectangles of cells, and those with
	// User & AnchorBits other than 0. Without both fields, the part of the largest area stays. AddGround copies the
	// slice.
	Anchors    []gridseg.Rect
	AnchorBits uint32
	// MinFragment is the area, in cells, below which a part that comes off vanishes. Its BreakEvent has the place,
	// velocity, area and material to draw the part with. At least 0; 0 means DefaultMinFragment.
	MinFragment float64
}

// AddGround adds a ground to a body and returns its id. Body 0 is a static body of the world at the origin. AddGround
// wakes the bodies whose AABBs overlap the AABB of the tiles. It returns an error, and changes nothing, if the body is
// missing, if Grid is another ground's, or if a material is not in the world's table.
//
// The tiles of a dynamic body have mass, by their area and the Density of their Material. An edit changes the mass
// and moves the centre of mass; the body's frame stays in place, and each point of the body keeps its velocity.
// AddGround to a dynamic body wakes it with its island, unless the body was added asleep since the last Step.
// docs/living-ground.md lists the objects with which such a ground collides.
func (w *World) AddGround(id BodyID, d GroundDef) (GroundID, error) {
	w.mustNotStep()
	if err := w.state.IsFree(d.Grid); err != nil {
		return 0, err // not recorded: a replay has another Grid
	}
	replay.Call2(w.recorder(w), "World.AddGround", replay.OfWorld, id, d)
	materials := rows.Numbers[uint16](d.Materials)
	check.UpTo("AddGround", "GroundDef.Flags", d.Flags, EventFlags(state.AllFlags), "the sum of all flags")
	if err := w.state.Surfaces.HasAll("AddGround", "GroundDef.Materials", materials); err != nil {
		return 0, err
	}
	bi, ok := w.bodyOrWorld(id)
	if !ok {
		return 0, fmt.Errorf("quarry: AddGround: no body %d", id)
	}
	f := fractureOf(&d)
	if d.Grid == nil {
		d.Grid = gridseg.New(nil)
		return w.addGround(bi, d, nil, materials, f)
	}
	d.Grid.Resolve()
	owner, err := d.Grid.Engine(lattice.Key{}).Own()
	if err != nil {
		return 0, fmt.Errorf("quarry: AddGround: GroundDef.Grid: %w", err)
	}
	return w.addGround(bi, d, owner, materials, f)
}

// addGround adds a ground to body bi. owner is d.Grid's, or nil if the game does not have the grid.
func (w *World) addGround(bi int32, d GroundDef, owner state.Owner, materials []uint16,
	f state.Fracture,
) (GroundID, error) {
	d.Grid.Resolve()
	gi, gid, g := w.state.Grounds.Add()
	*g = state.Ground{
		Proxied: state.Proxied{Proxy: broad.None, Body: bi, Flags: state.Flags(d.Flags)},
		Filter:  filterOf(d.Category, d.Mask, d.Group),
		Tiles:   surface.Tiles{Grid: d.Grid, Materials: materials, Version: 1}, Owner: owner, Box: geom.Empty,
		Fracture: f,
	}
	g.Tiles.SetWays(&w.state.OneWays)
	w.state.Link(broad.OwnerOf(broad.Ground, gi))
	r, some := d.Grid.Bounds()
	if _, walls := d.Grid.Engine(lattice.Key{}).UnloadedWalls(); some || walls {
		if err := w.state.GrowGround(gi, r); err != nil {
			w.state.RemoveGround(gi)
			return 0, fmt.Errorf("quarry: AddGround: %w", err)
		}
		w.state.WakeNear(&g.Proxied)
	}
	w.state.Tear(gi)
	w.state.GroundsChanged(bi)
	return GroundID(gid), nil
}

// bodyOrWorld returns the slot of the body id; for 0, of a static body of the world's own.
func (w *World) bodyOrWorld(id BodyID) (int32, bool) {
	if _, ok := w.state.Bodies.Find(w.state.WorldBody); id == 0 && !ok {
		w.state.WorldBody = uint64(w.addBody(BodyDef{}))
	}
	return w.state.Bodies.Find(cmp.Or(uint64(id), w.state.WorldBody))
}

// RemoveGround removes a ground and wakes the bodies that touched it. It returns false if the
// ground does not exist.
func (w *World) RemoveGround(id GroundID) bool {
	replay.Call1(w.recorder(w), "World.RemoveGround", replay.OfWorld, id)
	return pool.Remove(&w.state.Grounds, uint64(id), func(i int32) {
		body := w.state.Grounds.At(i).Body
		w.state.RemoveGround(i)
		w.state.GroundsChanged(body)
	})
}

// Ground is a view of a ground: a small value, valid until the ground is removed. After that all
// its methods except ID panic. The zero Ground is not a ground.
//
// Its edits are Set, Clear, Fill, Place, Move, Add, Remove, Unite, Subtract, Dig and Build. Each
// is all or nothing: with an argument out of range (an unknown shape, a reversed rectangle) it
// returns an error that names the cell and the reason, and changes nothing, not even Version. An
// edit wakes the dynamic bodies whose AABBs overlap the 3x3 cells around a changed segment, with
// their islands; an edit that changes no surface, such as of a buried tile, wakes no body but the ground's own.
// World.GroundEdits lists the edits since the last Step. Edits panic during Step.
type Ground struct {
	w    *World
	id   GroundID
	slot int32
}

// Ground returns a view of the ground id, or false if it does not exist.
func (w *World) Ground(id GroundID) (Ground, bool) {
	i, ok := w.state.Grounds.Find(uint64(id))
	return Ground{w, id, i}, ok
}

// Grounds yields every ground, in slot order.
func (w *World) Grounds() iter.Seq[Ground] {
	return pool.Views(&w.state.Grounds, w.groundAt)
}

func (w *World) groundAt(i int32) Ground { return Ground{w, GroundID(w.state.Grounds.ID(i)), i} }

func (g Ground) get() *state.Ground {
	check.Exists(g.w != nil && g.w.state.Grounds.Is(g.slot, uint64(g.id)), "ground", uint64(g.id))
	return g.w.state.Grounds.At(g.slot)
}

// ID returns the ground's id.
func (g Ground) ID() GroundID { return g.id }

// Body returns the body that carries the ground.
func (g Ground) Body() Body { return g.w.bodyAt(g.get().Body) }

// Transform returns the frame of the ground's lattice.
func (g Ground) Transform() geom.Transform { return g.w.state.Bodies.At(g.get().Body).Transform() }

// Grid returns a read-only view of the tiles, valid while the ground exists. The edits are methods
// of Ground, because an edit must wake the bodies near it.
func (g Ground) Grid() gridseg.View { return g.get().Tiles.Grid.View() }

// Material returns the world's material for a tile of this ground.
func (g Ground) Material(t gridseg.Tile) MaterialID {
	return MaterialID(g.get().Tiles.Material(t.Material))
}

// SetFilter changes the categories, the mask and the group; see Shape.SetFilter.
func (g Ground) SetFilter(category, mask uint64, group int32) {
	replay.Call3(g.w.recorder(g.get()), "Ground.SetFilter", g.id, category, mask, group)
	g.w.state.SetFilter(broad.OwnerOf(broad.Ground, g.slot), &g.get().Filter, filterOf(category, mask, group))
}

// Flags returns GroundDef.Flags.
func (g Ground) Flags() EventFlags { return EventFlags(g.get().Flags) }

// SetFlags sets the ground's flags, from the next step on. A change of AskFilter or AskPreSolve wakes the body with its
// island, and the bodies that touch it. It panics if a flag is unknown.
func (g Ground) SetFlags(f EventFlags) {
	replay.Call1(g.w.recorder(g.get()), "Ground.SetFlags", g.id, f)
	g.get()
	g.w.setFlags(broad.OwnerOf(broad.Ground, g.slot), f)
}

// Def returns a definition of the ground as it is now, without its tiles: Grid is nil. To copy the
// tiles too, place a copy of the cells of Grid (gridseg.View.Copy) on the new ground.
func (g Ground) Def() GroundDef {
	st := g.get()
	return GroundDef{
		Materials: rows.Numbers[MaterialID](st.Tiles.Materials), Category: st.Category, Mask: st.Mask, Group: st.Group,
		Flags:  EventFlags(st.Flags),
		Breaks: st.Breaks, Anchors: slices.Clone(st.Anchors), AnchorBits: st.Bits, MinFragment: st.Least,
	}
}

// Version is 1 for a new ground and grows by 1 with each edit that changes a tile or a polygon; an edit without
// effect or a refused edit does not change it. World.GroundEdits has the changed cells.
func (g Ground) Version() uint64 { return g.get().Tiles.Version }

// Tile returns the tile of a cell, or the zero Tile if the cell is empty.
func (g Ground) Tile(x, y int32) gridseg.Tile { return g.get().Tiles.Grid.Tile(x, y) }

// CellAt returns the cell that contains the world point p; a point on a border is in the upper or
// right cell. It returns false if p is outside the lattice or NaN.
func (g Ground) CellAt(p geom.Vec) (gridseg.Cell, bool) { return surface.CellAt(g.Transform().Inv(p)) }

// Solid reports whether the world point p lies in a tile, borders included.
func (g Ground) Solid(p geom.Vec) bool {
	q := g.Transform().Inv(p)
	return g.get().Tiles.Grid.Solid(q.X, q.Y)
}

// AppendSegments appends the resolved segments of the cells of r (closed), in the coordinates of
// the ground's lattice, cell by cell, starting with the lowest row.
func (g Ground) AppendSegments(dst []gridseg.Segment, r gridseg.Rect) []gridseg.Segment {
	return g.get().Tiles.Grid.AppendSegments(dst, r)
}

// beginEdit returns the log of an edit; with byCells, edit records the cells that change.
func (g Ground) beginEdit(byCells bool) replay.Log {
	l := g.w.recorder(g.get())
	replay.Edit(l, g.id, g.get().Tiles.Grid, byCells)
	return l
}

// Set replaces the content of a cell by a tile; the zero Tile clears the cell.
func (g Ground) Set(x, y int32, t gridseg.Tile) error {
	replay.Call3(g.beginEdit(false), "Ground.Set", g.id, x, y, t)
	return g.edit(func(of *gridseg.Grid) error { return of.Set(x, y, t) })
}

// Clear empties a cell, like Set with the zero Tile.
func (g Ground) Clear(x, y int32) error {
	replay.Call2(g.beginEdit(false), "Ground.Clear", g.id, x, y)
	return g.edit(func(of *gridseg.Grid) error { return of.Clear(x, y) })
}

// Fill sets every cell of r (closed) to a tile; the zero Tile clears the cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Fill(r gridseg.Rect, t gridseg.Tile) error {
	replay.Call2(g.beginEdit(false), "Ground.Fill", g.id, r, t)
	return g.edit(func(of *gridseg.Grid) error { return of.Fill(r, t) })
}

// Place copies a block of tiles to the ground, with its lower left cell at (x, y).
func (g Ground) Place(x, y int32, s *gridseg.Stamp) error {
	check.NotNil("Place", "s", s == nil)
	g.beginEdit(true)
	return g.edit(func(of *gridseg.Grid) error { return of.Place(x, y, s) })
}

// Move moves the tiles and polygons of the cells of r by (dx, dy) cells. A rectangle whose
// Max is less than its Min is an error.
func (g Ground) Move(r gridseg.Rect, dx, dy int32) error {
	replay.Call3(g.beginEdit(false), "Ground.Move", g.id, r, dx, dy)
	return g.edit(func(of *gridseg.Grid) error { return of.Move(r, dx, dy) })
}

// AddPolygon adds a polygon to the content of a cell; see gridseg.Grid.Add.
func (g Ground) AddPolygon(x, y int32, loops [][]gridseg.Point, a gridseg.Attr) error {
	replay.Call4(g.beginEdit(false), "Ground.AddPolygon", g.id, x, y, loops, a)
	return g.edit(func(of *gridseg.Grid) error { return of.Add(x, y, loops, a) })
}

// RemovePolygon removes a polygon that AddPolygon added to a cell.
func (g Ground) RemovePolygon(x, y int32, loops [][]gridseg.Point) error {
	replay.Call3(g.beginEdit(false), "Ground.RemovePolygon", g.id, x, y, loops)
	return g.edit(func(of *gridseg.Grid) error { return of.Remove(x, y, loops) })
}

// Unite makes the inside of the loops solid, over any number of cells; ground that is solid
// already stays. See gridseg.Grid.Unite, and Build for a round brush.
func (g Ground) Unite(loops [][]gridseg.Point, a gridseg.Attr, options ...gridseg.BrushOption) error {
	g.beginEdit(true)
	return g.edit(func(of *gridseg.Grid) error { return of.Unite(loops, a, options...) })
}

// Subtract makes the inside of the loops empty; see gridseg.Grid.Subtract, and Dig, a round brush.
func (g Ground) Subtract(loops [][]gridseg.Point, options ...gridseg.BrushOption) error {
	g.beginEdit(true)
	return g.edit(func(of *gridseg.Grid) error { return of.Subtract(loops, options...) })
}

// Dig empties the ground within radius of the line from a to b: a tunnel, or a crater if both
// are one point. a and b are in world coordinates; radius is at most 2048 cells. The
// outline is a polygon at most 1/256 cell from the true circle.
//
// The option gridseg.Keep(f) keeps the tiles for which f returns true, such as bedrock. The option
// gridseg.ReportTo(&r) sets r to the changed cells, and the areas of each material in them before and after, by the
// material numbers of tiles; Ground.Material has the world's material of a number.
func (g Ground) Dig(a, b geom.Vec, radius float64, options ...gridseg.BrushOption) error {
	loops, err := g.brush("Dig", a, b, radius)
	if err != nil {
		return err
	}
	return g.Subtract(loops, options...)
}

// Build makes the ground within radius of the line from a to b solid; ground that is solid already
// stays. Arguments, accuracy and options are as in Dig; with gridseg.Keep nothing is added to a cell
// with a tile that is kept.
func (g Ground) Build(a, b geom.Vec, radius float64, attr gridseg.Attr, options ...gridseg.BrushOption) error {
	loops, err := g.brush("Build", a, b, radius)
	if err != nil {
		return err
	}
	return g.Unite(loops, attr, options...)
}

// brush returns the outline of a round stroke, in the ground's lattice, for call.
func (g Ground) brush(call string, a, b geom.Vec, radius float64) ([][]gridseg.Point, error) {
	t := g.Transform()
	loops, err := surface.Stroke(t.Inv(a), t.Inv(b), radius)
	if err != nil {
		return nil, fmt.Errorf("quarry: %s: %w", call, err)
	}
	return loops, nil
}

// edit makes an edit of the tiles, and makes the world follow the change.
func (g Ground) edit(change func(*gridseg.Grid) error) error {
	st := g.get()
	defer st.Done()
	if err := change(st.Edit()); err != nil {
		return err
	}
	g.edited()
	return nil
}

// edited resolves an edit, and makes the world follow the change.
func (g Ground) edited() {
	st := g.get()
	if !st.Tiles.Grid.Engine(lattice.Key{}).Edited() {
		return // no tile changed
	}
	replay.Edited(g.w.log, g.id, st.Tiles.Grid)
	cells := st.Tiles.Grid.Engine(lattice.Key{}).EditedCells()
	g.w.state.GroundChanged(g.slot, state.GroundChange{Cells: cells, Delta: st.Tiles.Grid.Resolve()})
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
// both, and Version the later edit's.
func (w *World) GroundEdits() []GroundEdit { return w.events.edits }

// Edited implements state.Game.
func (g *game) Edited(ground int32, cells gridseg.Rect, version uint64) {
	g.events.noteEdit(GroundEdit{GroundID(g.state.Grounds.ID(ground)), cells, version})
}

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
