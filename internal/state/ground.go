package state

import (
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/surface"
)

// Ground is a grid of tiles on a body. Its lattice is the body's frame: the lower left corner of
// cell (0, 0) is the body's origin.
type Ground struct {
	Proxied
	broad.Filter
	Tiles surface.Tiles
	Owner Owner // of the grid, if the game gave it and may still have it; or nil
	Prev  int32 // the ground that has this one as its next, -1: none
	// AABB of the tiles in the body's frame, or empty; edits extend it, and never shrink it; see Bounds
	Box geom.AABB
	Fracture
}

// DefaultMinFragment is the usual Fracture.Least, in cells.
const DefaultMinFragment = 1.0 / 64

// Fracture has the rules by which a ground breaks.
type Fracture struct {
	Breaks  bool
	Anchors []gridseg.Rect
	Bits    uint32
	Least   float64 // area, in cells, below which a part that comes off vanishes
	Whole   bool    // no part comes off, on any body
}

// visit visits the rules of a ground that may break.
func (f *Fracture) visit(c *pool.Codec) {
	c.Flag(&f.Breaks)
	pool.List(c, &f.Anchors, 2, func(_ int, r *gridseg.Rect) {
		c.Pair(&r.MinX, &r.MinY)
		c.Pair(&r.MaxX, &r.MaxY)
	})
	pool.Up(c, &f.Bits, 1<<32-1)
	c.Positive(&f.Least)
}

// Owner is the right to edit a grid that has an owner; see Own in package gridseg.
type Owner interface {
	Edit() *gridseg.Grid
	Done()
	Release()
	Restore(s *gridseg.Saved) *gridseg.Grid
}

// Edit returns the grid, for edits up to the next Done.
func (g *Ground) Edit() *gridseg.Grid {
	if g.Owner != nil {
		return g.Owner.Edit()
	}
	return g.Tiles.Grid
}

// Done ends the edits that Edit began.
func (g *Ground) Done() {
	if g.Owner != nil {
		g.Owner.Done()
	}
}

// Release gives the grid back to the game, if the game gave it.
func (g *Ground) Release() {
	if g.Owner != nil {
		g.Owner.Release()
	}
}

// Restore sets the tiles back to s. If the ground was removed after s and the game has its grid again, g gets a new
// one.
func (g *Ground) Restore(s *gridseg.Saved) {
	if g.Owner == nil {
		g.Tiles.Grid.Engine(lattice.Key{}).Restore(s)
	} else if g.Tiles.Grid = g.Owner.Restore(s); !g.Tiles.Grid.Engine(lattice.Key{}).Owned() {
		g.Owner = nil
	}
}

// Bounds returns the AABB of the tiles, and of unloaded cells that count as solid, in the body's frame.
func (g *Ground) Bounds() geom.AABB { return g.WithWalls(g.Box) }

// Tight is Bounds of the present tiles, without the room that removed ones have left.
func (g *Ground) Tight() geom.AABB {
	box := geom.Empty
	if r, ok := g.Tiles.Grid.Bounds(); ok {
		box = surface.BoxOf(r)
	}
	return g.WithWalls(box)
}

// InnerRadius returns the inner radius of the tiles of a dynamic body, in cells: a rectangle's if they fill one,
// otherwise a block's. It is at most mostInnerRadius.
func (g *Ground) InnerRadius() float64 {
	var room [4]lattice.Moments
	area, size := 0.0, g.Box.Size()
	for _, m := range g.Tiles.Grid.Engine(lattice.Key{}).AppendMoments(room[:0]) {
		area += m.Area
	}
	if area < float64(size.X*size.Y) || g.Tiles.HasWays() {
		return 0.5
	}
	return min(mostInnerRadius, 0.5*min(size.X, size.Y))
}

// mostInnerRadius (cells) bounds the distance that a ground moves in a step without a sweep to one cell: two grounds
// that meet overlap by two cells then, and the faces of deeper ones do not collide (see internal/narrow).
const mostInnerRadius = 2.0

// WithWalls returns the smallest box that contains box and the unloaded cells that count as solid.
func (g *Ground) WithWalls(box geom.AABB) geom.AABB {
	if r, ok := g.Tiles.Grid.Engine(lattice.Key{}).UnloadedWalls(); ok {
		return box.Union(surface.BoxOf(r))
	}
	return box
}

// Visit visits g, of an id; torn tells whether g may have parts that have come off, and shared has the registry of
// its tiles' shapes.
func (g *Ground) Visit(c *pool.Codec, id uint64, torn *bool, shared *Registries) {
	const breaks, tears, flags, whole = 1 << 32, 1 << 33, 1 << 34, 1 << 35 // in the word of the body
	of := uint64(uint32(g.Body))
	if c.Reading() {
		g.Least = DefaultMinFragment
	}
	if g.Breaks || len(g.Anchors) > 0 || g.Bits != 0 || g.Least != DefaultMinFragment {
		of |= breaks
	}
	if g.Whole {
		of |= whole
	}
	if !c.Hashing() && *torn { // without parts that have come off it changes nothing
		of |= tears
	}
	if g.Flags != 0 && (!c.Hashing() || g.Flags&(AskFilter|AskPreSolve) != 0) {
		of |= flags
	}
	c.Word(&of)
	if of&breaks != 0 {
		g.Fracture.visit(c)
	}
	if of&flags != 0 && c.Hashing() {
		c.Hasher().Rare('f', uint64(g.Flags&(AskFilter|AskPreSolve)))
	} else if of&flags != 0 {
		pool.Up(c, &g.Flags, uint64(AllFlags))
	}
	*torn, g.Whole = of&tears != 0, of&whole != 0
	c.Words(&g.Category, &g.Mask)
	c.Rare32('g', &g.Group)
	g.Body = int32(of)
	var shapes *gridseg.Shapes
	if !c.Hashing() {
		k := 0
		if !c.Reading() {
			k = shared.Add(g.Tiles.Grid.Shapes())
		}
		if pool.Up(c, &k, uint64(max(1, len(*shared))-1)); k < len(*shared) {
			shapes = (*shared)[k]
		}
		c.Need(shapes != nil, "it has no shapes of tiles")
		pool.Integer(c, &g.Next)
		c.Box(&g.Box)
	}
	g.Tiles.Visit(c, shapes, id)
}

// Registries lists the registries of tiles' shapes that grounds share.
type Registries []*gridseg.Shapes

// Add adds s, unless it is listed, and returns its number.
func (r *Registries) Add(s *gridseg.Shapes) int {
	k := slices.Index(*r, s)
	if k < 0 {
		k, *r = len(*r), append(*r, s)
	}
	return k
}

// Visit visits all registries.
func (r *Registries) Visit(c *pool.Codec) {
	c.In("the shapes of tiles", -1)
	pool.List(c, (*[]*gridseg.Shapes)(r), 1, func(_ int, s **gridseg.Shapes) {
		var data []byte
		if !c.Reading() {
			data = (*s).AppendBinary(nil)
		}
		if c.Bytes(&data); c.Reading() && c.Err() == nil {
			var err error
			if *s, err = gridseg.ReadShapes(data); err != nil {
				c.Refuse("%v", err)
			}
		}
	})
}

// RemoveGround removes the ground in slot gi and its contacts. The caller updates the body's mass.
func (w *World) RemoveGround(gi int32) {
	w.Torn.Remove(gi)
	w.removeProxy(broad.OwnerOf(broad.Ground, gi))
	w.unlink(broad.OwnerOf(broad.Ground, gi))
	w.Grounds.At(gi).Release()
	w.Grounds.Remove(gi)
}

// GrowGround extends the box of the ground in slot gi by the cells of r. It returns an error, and changes nothing, if
// the box would be beyond the bounds of the broad phase.
func (w *World) GrowGround(gi int32, r gridseg.Rect) error {
	g := w.Grounds.At(gi)
	box := g.Box
	if !r.Empty() {
		box = box.Union(surface.BoxOf(r))
	}
	if box == g.Box && !box.IsEmpty() {
		return nil
	}
	if err := w.FitGround(gi, g.WithWalls(box)); err != nil {
		return err
	}
	g.Box = box
	return nil
}

// FitGround makes box, in the frame of the body, grown by AABBMargin, the box of the ground in slot gi in the broad
// phase. It returns an error, and changes nothing, if the box is beyond the bounds of the broad phase.
func (w *World) FitGround(gi int32, box geom.AABB) error {
	g := w.Grounds.At(gi)
	fat := box.In(w.Bodies.At(g.Body).Transform()).Expand(AABBMargin)
	if g.Proxy == broad.None {
		if err := w.AddProxy(broad.OwnerOf(broad.Ground, gi), &g.Proxied, g.Filter, fat); err != nil {
			return err
		}
	} else if w.Broad.At(g.Proxy).Box == fat {
		return nil
	} else if err := w.Broad.Update(g.Proxy, fat); err != nil {
		return err
	}
	w.Bodies.At(g.Body).BoxChanges++
	return nil
}

// IsFree returns an error if a ground, of this or another world, has grid, which may be nil, as its tiles: an edit of
// one of two grounds with the same grid would change the other, too, without waking the bodies on it.
func (w *World) IsFree(grid *gridseg.Grid) error {
	if grid == nil || !grid.Engine(lattice.Key{}).Owned() {
		return nil // a game has no other grids of grounds
	}
	for i, g := range w.Grounds.All() {
		if g.Tiles.Grid == grid {
			return fmt.Errorf("quarry: AddGround: GroundDef.Grid is that of ground %d", w.Grounds.ID(i))
		}
	}
	return fmt.Errorf("quarry: AddGround: GroundDef.Grid: %w", gridseg.ErrOwned)
}
