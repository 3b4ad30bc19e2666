package gridseg

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Unload removes the tiles and polygons of the cells of r from g, gives their memory back, and returns bytes for
// Load. r is extended to whole chunks of 16x16 cells. Until a Load the cells count as empty or as solid, for
// segments and for all queries, and edits of them are refused with ErrUnloaded. Count, Bounds, Tiles, AppendLoaded
// and Save see only loaded cells.
//
// An Unload followed by a Load, in any order among others, changes no segment, link or id, and not their order.
// Cells that were never edited can be unloaded too: a large world may begin as an empty grid that is unloaded as a
// whole, whose places are loaded from bytes of another grid with the same shapes. That takes 1/3 byte for each
// chunk, and 400 bytes to 4 KiB for each unloaded chunk that counts as solid beside a loaded one.
//
// Unload resolves g. It fails with an *Error, and changes nothing, if r is empty, has more than 2^28 cells, or if
// a cell is unloaded already (ErrUnloaded).
func (g *Grid) Unload(r Rect, as Unloaded) ([]byte, error) {
	refuse := func(err error) ([]byte, error) { return nil, &Error{"Unload", Cell{X: r.MinX, Y: r.MinY}, err} }
	if r.Empty() {
		return refuse(lattice.CheckFill(r))
	}
	if as > UnloadedSolid {
		return refuse(fmt.Errorf("%w: kind %d of unloaded cells", ErrRange, as))
	}
	r = lattice.ChunksOf(r)
	if w, h := int64(r.MaxX)-int64(r.MinX)+1, int64(r.MaxY)-int64(r.MinY)+1; w > maxUnload || h > maxUnload ||
		w*h > maxUnload {
		return refuse(fmt.Errorf("%w: %d x %d cells, at most %d", ErrTooLarge, w, h, maxUnload))
	}
	if err := g.refuse("Unload", r); err != nil {
		return nil, err
	}
	defer g.recountMoments()()
	g.markUnloaded(r)
	g.Resolve()
	data := appendSum(g.appendPlace(nil, r))
	g.noteCopy(data, false)
	g.saved = nil
	g.census++
	g.away.put(r, true, as == UnloadedSolid)
	g.back.put(r, false, false)
	if as == UnloadedSolid {
		g.fillGhosts(r, &unloaded{})
	} else {
		g.fill(r, Tile{})
	}
	g.Resolve()
	g.dropGhosts(r)
	g.giveBack()
	return data, nil
}

// Load puts a place into g again, from the bytes of Unload, and returns its cells. All of them must be unloaded,
// and the shapes of its tiles must have the same ids as in the grid that was unloaded. It resolves g.
//
// Load fails, and changes nothing, with an *Error if a cell is loaded. For damaged or made-up data it
// fails with an error that names the byte, and the chunk if there is one. Memory is at most some 600 times the
// length of data, as for ReadGrid.
func (g *Grid) Load(data []byte) (Rect, error) {
	if err := g.refuseOwned("Load", Cell{}); err != nil {
		return Rect{}, err
	}
	rect, r, err := openPlace(data)
	refuse := func(err error) (Rect, error) {
		return Rect{}, fmt.Errorf("gridseg: Load: byte %d: %w", max(0, len(data)-4-len(r.data)), err)
	}
	if err != nil {
		return refuse(err)
	}
	if err := g.refuseLoaded(rect); err != nil {
		return Rect{}, err
	}
	if err := g.checkShapes(r); err != nil {
		return refuse(err)
	}
	w, h := (int64(rect.MaxX)-int64(rect.MinX)+1)>>chunkBits, (int64(rect.MaxY)-int64(rect.MinY)+1)>>chunkBits
	var chunks []readCells // those with tiles
	for k := int64(0); k < w*h && r.err == nil; k++ {
		x, y := rect.MinX+int32(k%w)<<chunkBits, rect.MinY+int32(k/w)<<chunkBits
		if len(r.data) > 0 && r.data[0] == emptyChunk {
			r.data = r.data[1:]
			continue
		}
		var cells readCells
		err := g.readChunk(r, &cells, x, y)
		if err = errors.Join(r.err, err); err != nil {
			return refuse(fmt.Errorf("chunk at cell (%d, %d), cell (%d, %d): %w", x, y, cells.at.X, cells.at.Y, err))
		}
		cells.at, cells.contents = Cell{X: x, Y: y}, slices.Clip(cells.contents)
		chunks = append(chunks, cells)
	}
	if len(r.data) > 0 {
		return refuse(fmt.Errorf("%d bytes follow", len(r.data)))
	}
	defer g.recountMoments()()
	g.markUnloaded(rect)
	g.Resolve()
	g.noteCopy(data, true)
	g.dropReverted(func(at Cell) bool { return rect.Contains(Cell{X: at.X << chunkBits, Y: at.Y << chunkBits}) })
	g.saved = nil
	g.census++
	g.raiseGhosts(lattice.Around(rect, chunkSide), &unloaded{})
	g.away.put(rect, false, false)
	g.back.put(rect, true, false)
	g.lowerGhosts(rect)
	for k := range chunks {
		g.putCells(&chunks[k], g.chunkAt(chunks[k].at.X>>chunkBits, chunks[k].at.Y>>chunkBits))
	}
	g.eachChunk(rect, func(c *chunk) bool {
		if _, ok := slices.BinarySearchFunc(chunks, c.cell(0), func(o readCells, at Cell) int {
			return cmp.Or(cmp.Compare(o.at.Y, at.Y), cmp.Compare(o.at.X, at.X))
		}); !ok {
			g.fillChunk(c, c.rect(), Tile{})
		}
		return true
	})
	g.Resolve()
	return rect, nil
}
