package gridseg

import (
	"fmt"
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Stamp is a block of cells to place into a grid. Each cell either replaces the grid's cell by a
// tile, which may be the empty tile, or leaves it as it is. Make one with NewStamp or Grid.Copy. A
// stamp belongs to no grid; its shapes are looked up when it is placed.
//
// Methods that take a cell of the stamp panic if it is outside of the stamp.
type Stamp struct {
	w, h  int
	tiles []Tile            // by row
	sets  []bool            // cells that replace the grid's cell
	polys map[int][]polygon // of the cells that hold a patch
}

// NewStamp returns a stamp of w x h cells, none of which replaces a cell. It fails with an *Error
// if w or h is negative, or there are more than 2^24 cells.
func NewStamp(w, h int) (*Stamp, error) {
	if w < 0 || h < 0 {
		return nil, &Error{"NewStamp", Cell{}, fmt.Errorf("%w: negative size %d x %d", ErrRange, w, h)}
	}
	if err := lattice.CheckSize(int64(w), int64(h)); err != nil {
		return nil, &Error{"NewStamp", Cell{}, err}
	}
	return newStamp(w, h), nil
}

func newStamp(w, h int) *Stamp {
	return &Stamp{w, h, make([]Tile, w*h), make([]bool, w*h), nil}
}

// Size returns the width and height of s in cells.
func (s *Stamp) Size() (w, h int) { return s.w, s.h }

// index returns the index of a cell in the slices.
func (s *Stamp) index(x, y int) int {
	if x < 0 || x >= s.w || y < 0 || y >= s.h {
		panic(fmt.Sprintf("quarry: gridseg: cell (%d, %d) of a stamp of %d x %d cells", x, y, s.w, s.h))
	}
	return y*s.w + x
}

// Set makes cell (x, y), counted from the lower left corner, replace the grid's cell by t, which
// may be the empty tile. Place checks whether t is valid.
func (s *Stamp) Set(x, y int, t Tile) {
	i := s.index(x, y)
	s.tiles[i], s.sets[i] = t, true
	delete(s.polys, i)
}

// Leave makes cell (x, y) leave the grid's cell as it is.
func (s *Stamp) Leave(x, y int) {
	i := s.index(x, y)
	s.tiles[i], s.sets[i] = Tile{}, false
	delete(s.polys, i)
}

// Tile returns the tile at cell (x, y), and whether it replaces the grid's cell; if not, the tile
// is empty. For polygons, which only Grid.Copy puts into a stamp, it is a Patch, as in Grid.Tile.
func (s *Stamp) Tile(x, y int) (Tile, bool) {
	i := s.index(x, y)
	return s.tiles[i], s.sets[i]
}

// Turned returns s turned by t: the positions of its cells and the tile of each. An odd number of
// quarter turns exchanges width and height. It fails with an *Error if t is not 0 to 7.
func (s *Stamp) Turned(t Turn) (*Stamp, error) {
	if t >= turns {
		return nil, &Error{"Turned", Cell{}, fmt.Errorf("%w: %d", errTurn, t)}
	}
	out := newStamp(s.w, s.h)
	if t&1 != 0 {
		out.w, out.h = s.h, s.w
	}
	for y := range s.h {
		for x := range s.w {
			// Turn.apply, for the middles of cells.
			u, v, w, h := x, y, s.w, s.h
			if t&4 != 0 {
				u = w - 1 - u
			}
			for range t & 3 {
				u, v, w, h = h-1-v, u, h, w
			}
			from, to := y*s.w+x, v*out.w+u
			tile := s.tiles[from]
			// The empty tile has no turn; Place refuses an invalid turn.
			if ps, ok := s.polys[from]; ok {
				out.putPolys(to, turnPolys(ps, t))
			} else if tile.Shape != 0 && tile.Turn < turns {
				tile.Turn = tile.Turn.then(t)
			}
			out.tiles[to], out.sets[to] = tile, s.sets[from]
		}
	}
	return out, nil
}

// Copy returns the cells of r as a stamp. Every cell of the stamp replaces the grid's cell, empty ones too (see
// Leave); but an unloaded cell leaves it. Edits since the last Resolve are included. It fails with an *Error if r
// is empty (Max is less than Min) or has more than 2^24 cells.
func (g *reader) Copy(r Rect) (*Stamp, error) {
	if err := lattice.CheckFill(r); err != nil {
		return nil, &Error{"Copy", Cell{X: r.MinX, Y: r.MinY}, err}
	}
	s := newStamp(int(int64(r.MaxX)-int64(r.MinX)+1), int(int64(r.MaxY)-int64(r.MinY)+1))
	for i := range s.sets {
		s.sets[i] = true
	}
	g.away.within(r, func(cx, cy int32, _ bool) bool {
		c := chunk{cx: cx, cy: cy}
		x0, y0, x1, y1 := c.clip(r)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				at := c.cell(y<<chunkBits | x)
				s.sets[int(at.Y-r.MinY)*s.w+int(at.X-r.MinX)] = false
			}
		}
		return true
	})
	g.eachChunk(r, func(c *chunk) bool {
		if c.ghost {
			return true
		}
		x0, y0, x1, y1 := c.clip(r)
		for y := y0; y <= y1; y++ {
			for m := c.occupied[y] & uint16(1<<(x1+1)-1<<x0); m != 0; m &= m - 1 {
				i := y<<chunkBits | bits.TrailingZeros16(m)
				at := c.cell(i)
				k := int(at.Y-r.MinY)*s.w + int(at.X-r.MinX)
				t := c.tile(i)
				s.tiles[k] = t.public()
				if t.Shape == Patch {
					s.putPolys(k, g.polysOf(t))
				}
			}
		}
		return true
	})
	return s, nil
}

// Place puts s into g with its lower left cell at (x, y). It fails with an *Error, and changes nothing, if s reaches
// beyond the last cell, or if a tile is invalid or would replace an unloaded cell; then the error names the first
// such cell by row and column.
func (g *Grid) Place(x, y int32, s *Stamp) error {
	if int64(x)+int64(s.w) > 1<<31 || int64(y)+int64(s.h) > 1<<31 {
		return &Error{"Place", Cell{X: x, Y: y}, fmt.Errorf("%w: a stamp of %d x %d cells", ErrRange, s.w, s.h)}
	}
	if err := g.refuseOwned("Place", Cell{X: x, Y: y}); err != nil {
		return err
	}
	for i := 0; i < len(s.sets) && g.away.n > 0; i++ {
		if at := (Cell{X: x + int32(i%s.w), Y: y + int32(i/s.w)}); s.sets[i] && !g.Loaded(at.X, at.Y) {
			return &Error{"Place", at, ErrUnloaded}
		}
	}
	var known Tile
	var patched []content // in the order of cells
	for i, t := range s.tiles {
		if !s.sets[i] || t == known {
			continue
		}
		ps, ok := s.polys[i]
		err := error(nil)
		if ok {
			var now content
			now, err = g.contentFrom(ps)
			patched = append(patched, now)
		} else if err = g.shapes.check(t); err == nil {
			known = t
		}
		if err != nil {
			return &Error{"Place", Cell{X: x + int32(i%s.w), Y: y + int32(i/s.w)}, err}
		}
	}
	for i, t := range s.tiles {
		if _, ok := s.polys[i]; ok {
			g.putContent(x+int32(i%s.w), y+int32(i/s.w), patched[0])
			patched = patched[1:]
		} else if s.sets[i] {
			g.putTile(x+int32(i%s.w), y+int32(i/s.w), t)
		}
	}
	return nil
}

// Move moves the cells of r by dx to the right and dy up, and replaces the cells there, by empty
// cells too. Cells of r outside of the moved rectangle become empty. The two rectangles may
// overlap. Move fails with an *Error, and changes nothing, if r is empty (Max is less than Min),
// has more than 2^24 cells, would reach beyond the last cell, or if a cell of either rectangle is unloaded.
func (g *Grid) Move(r Rect, dx, dy int32) error {
	refuse := func(err error) error { return &Error{"Move", Cell{X: r.MinX, Y: r.MinY}, err} }
	if err := lattice.CheckFill(r); err != nil {
		return refuse(err)
	}
	if dx == 0 && dy == 0 {
		return nil
	}
	x0, y0, x1, y1 := int64(r.MinX), int64(r.MinY), int64(r.MaxX), int64(r.MaxY)
	right, up := int64(dx), int64(dy)
	if x0+right < -1<<31 || x1+right >= 1<<31 || y0+up < -1<<31 || y1+up >= 1<<31 {
		return refuse(fmt.Errorf("%w: moved by (%d, %d)", ErrRange, dx, dy))
	}
	for _, r := range [2]Rect{r, {MinX: r.MinX + dx, MinY: r.MinY + dy, MaxX: r.MaxX + dx, MaxY: r.MaxY + dy}} {
		if err := g.refuse("Move", r); err != nil {
			return err
		}
	}
	// Start at the side that r moves to, so that no cell is overwritten before it is read.
	w, h := x1-x0+1, y1-y0+1
	for j := range h {
		y := y0 + j
		if up > 0 {
			y = y1 - j
		}
		for i := range w {
			x := x0 + i
			if right > 0 {
				x = x1 - i
			}
			g.putCopy(int32(x+right), int32(y+up), &g.reader, g.rawTile(int32(x), int32(y)))
		}
	}
	moved := Rect{MinX: r.MinX + dx, MinY: r.MinY + dy, MaxX: r.MaxX + dx, MaxY: r.MaxY + dy}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !moved.Contains(Cell{X: int32(x), Y: int32(y)}) {
				g.clear(int32(x), int32(y))
			}
		}
	}
	return nil
}

// putPolys sets the polygons of cell i of s.
func (s *Stamp) putPolys(i int, ps []polygon) {
	if s.polys == nil {
		s.polys = map[int][]polygon{}
	}
	s.polys[i] = ps
}

// turnPolys returns polygons turned about the middle of their cell.
func turnPolys(ps []polygon, t Turn) []polygon {
	out := make([]polygon, len(ps))
	for k, p := range ps {
		loops := make([][]Point, len(p.loops))
		for i, loop := range p.loops {
			loops[i] = t.outline(loop)
		}
		if p.tile.Shape != 0 {
			p.tile.Turn = p.tile.Turn.then(t)
		}
		out[k] = polygon{p.tile, lattice.Canonical(loops)}
	}
	return out
}
