package gridseg

import (
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Loaded reports whether cell (x, y) is loaded. All cells are, until Unload.
func (g *reader) Loaded(x, y int32) bool {
	away, _ := g.away.has(x>>chunkBits, y>>chunkBits)
	return !away
}

// AppendLoaded appends the lower left cell of each chunk that holds tiles and is loaded, by row, then column.
func (g engine) AppendLoaded(dst []Cell) []Cell {
	from := len(dst)
	for _, c := range g.chunks {
		if c.tiles > 0 && !c.ghost {
			dst = append(dst, c.cell(0))
		}
	}
	slices.SortFunc(dst[from:], byRow)
	return dst
}

// AppendLoadedAgain appends the lower left cell of each chunk that was unloaded once and is loaded now, with or without
// tiles, by row, then column. It counts what Unload, Load and Restore did to this Grid in memory, and is not part of
// AppendBinary.
func (g engine) AppendLoadedAgain(dst []Cell) []Cell {
	from := len(dst)
	g.back.within(lattice.EveryCell, func(cx, cy int32, _ bool) bool {
		dst = append(dst, Cell{X: cx << chunkBits, Y: cy << chunkBits})
		return true
	})
	slices.SortFunc(dst[from:], byRow)
	return dst
}

// LoadedVersion returns a number that grows when the set of loaded chunks with tiles, or of chunks that were
// loaded again, changes. While it is the same, and Edited returns false, AppendLoaded and AppendLoadedAgain return
// the same chunks. It counts the changes of this Grid in memory; it is not part of Save, AppendBinary and Hash.
func (g engine) LoadedVersion() uint64 { return g.census }

// UnloadedWalls returns the smallest rectangle that contains the unloaded chunks that count as solid, and false if
// there is none. Segments of unloaded cells lie in it.
func (g engine) UnloadedWalls() (Rect, bool) {
	b := lattice.NoCells
	if g.away.solid == 0 {
		return b, false
	}
	for k := range g.away.squares {
		s := &g.away.squares[k]
		x, y := s.x<<(2*chunkBits), s.y<<(2*chunkBits)
		if b.MinX <= x && x+(chunkCells-1) <= b.MaxX && b.MinY <= y && y+(chunkCells-1) <= b.MaxY {
			continue
		}
		for j, row := range s.solid {
			if row != 0 {
				cy := y + int32(j)<<chunkBits
				x0, x1 := x+int32(bits.TrailingZeros16(row))<<chunkBits, x+
					int32(16-bits.LeadingZeros16(row))<<chunkBits-1
				b = lattice.Grow(lattice.Grow(b, Cell{X: x0, Y: cy}), Cell{X: x1, Y: cy + chunkMask})
			}
		}
	}
	return b, true
}

// eachBeyond calls f for the parts of r, a chunk each, that are unloaded, count as solid and have no ghost, until it
// returns false.
func (g *reader) eachBeyond(r Rect, f func(Rect) bool) {
	g.away.within(r, func(cx, cy int32, solid bool) bool {
		if !solid || g.table.find(cx, cy) != nil {
			return true
		}
		x, y := cx<<chunkBits, cy<<chunkBits
		return f(Rect{
			MinX: max(r.MinX, x), MinY: max(r.MinY, y),
			MaxX: min(r.MaxX, x+chunkMask), MaxY: min(r.MaxY, y+chunkMask),
		})
	})
}
