package gridseg

import (
	"errors"
	"fmt"
	"math/bits"
)

// ErrRange is the refusal of a block of tiles that would reach beyond the last cell,
// of one of negative size, or of a rectangle whose Max is less than its Min.
var ErrRange = errors.New("out of the range of cells")

// Stamp is a block of tiles that can be put into a grid: each of its cells holds a
// tile, which may be the empty one, or is to be left as it is. Make one with NewStamp
// or Grid.Copy. It belongs to no grid; its shapes are looked up where it is placed.
//
// Methods that take a cell of the stamp panic if there is no such cell.
type Stamp struct {
	w, h  int
	tiles []Tile            // by row
	sets  []bool            // whether the tile is to be put
	polys map[int][]polygon // of the cells that hold a patch
}

// NewStamp returns a stamp of w x h cells, all to be left as they are. It fails with
// an *Error if either is negative or there are more than MaxFill.
func NewStamp(w, h int) (*Stamp, error) {
	if w < 0 || h < 0 {
		return nil, &Error{"NewStamp", Cell{}, fmt.Errorf("%w: %d x %d", ErrRange, w, h)}
	}
	if err := checkSize(int64(w), int64(h)); err != nil {
		return nil, &Error{"NewStamp", Cell{}, err}
	}
	return newStamp(w, h), nil
}

func newStamp(w, h int) *Stamp {
	return &Stamp{w, h, make([]Tile, w*h), make([]bool, w*h), nil}
}

// checkSize refuses more than MaxFill cells.
func checkSize(w, h int64) error {
	if w > 0 && h > 0 && (w > MaxFill || h > MaxFill || w*h > MaxFill) {
		return fmt.Errorf("%w: %d x %d cells, at most %d", ErrTooLarge, w, h, MaxFill)
	}
	return nil
}

// Size returns the width and height of s in cells.
func (s *Stamp) Size() (w, h int) { return s.w, s.h }

// index returns the place of a cell in the slices.
func (s *Stamp) index(x, y int) int {
	if x < 0 || x >= s.w || y < 0 || y >= s.h {
		panic(fmt.Sprintf("quarry: cell (%d, %d) of a stamp of %d x %d", x, y, s.w, s.h))
	}
	return y*s.w + x
}

// Set makes s put t, which may be the empty tile, at cell (x, y) from its lower left
// corner. Whether t can be laid is checked where s is placed.
func (s *Stamp) Set(x, y int, t Tile) {
	i := s.index(x, y)
	s.tiles[i], s.sets[i] = t, true
	delete(s.polys, i)
}

// Leave makes s leave as it is what it finds at cell (x, y).
func (s *Stamp) Leave(x, y int) {
	i := s.index(x, y)
	s.tiles[i], s.sets[i] = Tile{}, false
	delete(s.polys, i)
}

// LeaveEmpty makes s leave as it is what it finds where its own tile is empty: a
// house without the air about it.
func (s *Stamp) LeaveEmpty() {
	for i, t := range s.tiles {
		s.sets[i] = t != Tile{} // which no cell that is left has
	}
}

// Tile returns the tile at cell (x, y), and whether s puts it; if not, it is empty. For
// polygons, which only Grid.Copy puts into a stamp, it is as that of a grid.
func (s *Stamp) Tile(x, y int) (Tile, bool) {
	i := s.index(x, y)
	return s.tiles[i], s.sets[i]
}

// Turned returns s as a whole turned by t: its cells are, and the tile of each.
// Width and height change places with an odd number of quarter turns. It fails with
// an *Error if t is not 0 to 7.
func (s *Stamp) Turned(t Turn) (*Stamp, error) {
	if t >= turns {
		return nil, &Error{"Turned", Cell{}, fmt.Errorf("%w: %d", ErrTurn, t)}
	}
	out := newStamp(s.w, s.h)
	if t&1 != 0 {
		out.w, out.h = s.h, s.w
	}
	for y := range s.h {
		for x := range s.w {
			// As Turn.apply, with the middles of cells for points.
			u, v, w, h := x, y, s.w, s.h
			if t&4 != 0 {
				u = w - 1 - u
			}
			for range t & 3 {
				u, v, w, h = h-1-v, u, h, w
			}
			from, to := y*s.w+x, v*out.w+u
			tile := s.tiles[from]
			// The empty tile has no turn, and one that is wrong is left to be refused.
			if ps, ok := s.polys[from]; ok {
				out.putPolys(to, turnPolys(ps, t))
			} else if tile.Shape != 0 && tile.Turn < turns {
				tile.Turn = tile.Turn.Then(t)
			}
			out.tiles[to], out.sets[to] = tile, s.sets[from]
		}
	}
	return out, nil
}

// Copy returns the tiles of r as a stamp that puts every one of them, the empty
// ones too, see LeaveEmpty; edits since the last Resolve are included. It fails
// with an *Error if r is empty (Max is less than Min) or has more than MaxFill cells.
func (g *Grid) Copy(r Rect) (*Stamp, error) {
	if err := r.check(); err != nil {
		return nil, &Error{"Copy", Cell{r.MinX, r.MinY}, err}
	}
	s := newStamp(int(int64(r.MaxX)-int64(r.MinX)+1), int(int64(r.MaxY)-int64(r.MinY)+1))
	for i := range s.sets {
		s.sets[i] = true
	}
	g.eachChunk(r, func(c *chunk) bool {
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

// Place puts s into g with its lower left cell at (x, y). It is all or nothing: it
// fails with an *Error if s reaches beyond the last cell, or, naming the first cell
// by row and column, if a tile cannot be laid.
func (g *Grid) Place(x, y int32, s *Stamp) error {
	if int64(x)+int64(s.w) > 1<<31 || int64(y)+int64(s.h) > 1<<31 {
		return &Error{"Place", Cell{x, y}, fmt.Errorf("%w: a stamp of %d x %d", ErrRange, s.w, s.h)}
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
			return &Error{"Place", Cell{x + int32(i%s.w), y + int32(i/s.w)}, err}
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

// putTile is Set for a tile that has been checked, or stands for a patch of g.
func (g *Grid) putTile(x, y int32, t Tile) {
	if t.Shape == 0 {
		g.clear(x, y)
		return
	}
	g.put(g.chunkAt(x>>chunkBits, y>>chunkBits), cellIndex(x, y), t.cellTile())
}

// Move takes the tiles of r away and puts them dx cells to the right and dy up, in
// the place of what is there, the empty ones too: after it the cells of r moved hold
// what those of r held, and those of r beyond are empty. The two may overlap. It is
// all or nothing: it fails with an *Error if r is empty (Max is less than Min), has
// more than MaxFill cells or would reach beyond the last cell.
func (g *Grid) Move(r Rect, dx, dy int32) error {
	refuse := func(err error) error { return &Error{"Move", Cell{r.MinX, r.MinY}, err} }
	if err := r.check(); err != nil {
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
	// From the side that it goes to, so that nothing is written before it is read.
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
			g.putTile(int32(x+right), int32(y+up), g.rawTile(int32(x), int32(y)))
		}
	}
	moved := Rect{r.MinX + dx, r.MinY + dy, r.MaxX + dx, r.MaxY + dy}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if !moved.Contains(Cell{int32(x), int32(y)}) {
				g.clear(int32(x), int32(y))
			}
		}
	}
	return nil
}
