package gridseg

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// The bytes of an unloaded place, little-endian: "QGRD" and the version 1 (2 bytes); the rectangle of its cells
// (MinX, MinY, MaxX, MaxY, 4 bytes each), of whole chunks; the number of different shapes of its tiles (2 bytes), and
// for each, in ascending order, its id (2 bytes) and its fingerprint (8 bytes); and the chunks of 16x16 cells by row,
// then column: a byte 2 for an empty one, or else its tiles as in AppendBinary, without coordinates. At the end is the
// CRC-32C of all bytes before it (4 bytes).

const (
	placeMagic   = "QGRD"
	placeVersion = 1
	placeHeader  = 4 + 2 + 16 + 2
	emptyChunk   = 2
)

// maxUnload is the largest number of cells of one Unload.
const maxUnload = 1 << 28

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	r = r.Chunks()
	if w, h := int64(r.MaxX)-int64(r.MinX)+1, int64(r.MaxY)-int64(r.MinY)+1; w > maxUnload || h > maxUnload || w*h > maxUnload {
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
// Load fails, and changes nothing, with an *Error of ErrLoaded if a cell is loaded. For damaged or made-up data it
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

// openPlace reads the head of the bytes of a place. The reader is at the first byte after the head, and ends before the
// checksum.
func openPlace(data []byte) (Rect, *binaryReader, error) {
	if len(data) < placeHeader+4 {
		return Rect{}, &binaryReader{}, errShort
	}
	end := len(data) - 4
	r := &binaryReader{data: data[:end]}
	if string(r.take(4)) != placeMagic {
		return Rect{}, r, errors.New("not an unloaded place")
	}
	if v := r.u16(); v != placeVersion {
		return Rect{}, r, fmt.Errorf("version %d of an unloaded place; this program reads version %d", v, placeVersion)
	}
	if got, want := crc32.Checksum(data[:end], castagnoli), binary.LittleEndian.Uint32(data[end:]); got != want {
		return Rect{}, r, fmt.Errorf("the data has the checksum %08x, but says %08x: it is damaged", got, want)
	}
	rect := Rect{MinX: int32(r.u32()), MinY: int32(r.u32()), MaxX: int32(r.u32()), MaxY: int32(r.u32())}
	w, h := int64(rect.MaxX)-int64(rect.MinX)+1, int64(rect.MaxY)-int64(rect.MinY)+1
	if rect.Empty() || rect != rect.Chunks() || w > maxUnload || h > maxUnload || w*h > maxUnload {
		return Rect{}, r, fmt.Errorf("%v is not a place", rect)
	}
	return rect, r, nil
}

// refuseLoaded returns an error that names a loaded cell of r, or nil.
func (g *Grid) refuseLoaded(r Rect) error {
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if away, _ := g.away.has(cx, cy); !away {
				return &Error{"Load", Cell{X: cx << chunkBits, Y: cy << chunkBits}, ErrLoaded}
			}
		}
	}
	return nil
}

// appendPlace appends the bytes of the place r, of whole chunks, without their sum.
func (g *Grid) appendPlace(dst []byte, r Rect) []byte {
	dst = appendPlaceHead(dst, r)
	chunks := g.appendChunks(nil, r)
	used := g.usedShapes(chunks)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(used)))
	for _, id := range used {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(id))
		dst = binary.LittleEndian.AppendUint64(dst, g.shapes.fingerprint(id))
	}
	next := 0
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if next < len(chunks) && chunks[next].cx == cx && chunks[next].cy == cy {
				dst = g.appendChunk(dst, chunks[next])
				next++
			} else {
				dst = append(dst, emptyChunk)
			}
		}
	}
	return dst
}

// appendPlaceHead appends the first bytes of the place r.
func appendPlaceHead(dst []byte, r Rect) []byte {
	dst = binary.LittleEndian.AppendUint16(append(dst, placeMagic...), placeVersion)
	for _, v := range [...]int32{r.MinX, r.MinY, r.MaxX, r.MaxY} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
	}
	return dst
}

// appendSum appends the checksum of data to it.
func appendSum(data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

// usedShapes returns the shapes of the tiles of chunks, in ascending order, each once.
func (g *Grid) usedShapes(chunks []*chunk) []ShapeID {
	var seen [(maxShapes + 64) / 64]uint64
	add := func(id ShapeID) {
		if id != 0 && id != Patch {
			seen[id>>6] |= 1 << (id & 63)
		}
	}
	for _, c := range chunks {
		last := formID(0)
		for i, f := range c.form {
			if f == last && f != patchForm {
				continue
			}
			last = f
			if f != patchForm {
				add(ShapeID(f >> 3))
				continue
			}
			for _, p := range g.patches.list[c.attrAt(i).user].polys {
				add(p.tile.Shape)
			}
		}
	}
	var list []ShapeID
	for k, word := range seen {
		for ; word != 0; word &= word - 1 {
			list = append(list, ShapeID(k<<6|bits.TrailingZeros64(word)))
		}
	}
	return list
}

// checkShapes reads the list of shapes, and refuses it if g has another shape under an id.
func (g *Grid) checkShapes(r *binaryReader) error {
	last := ShapeID(0)
	for n := r.u16(); n > 0 && r.err == nil; n-- {
		id := ShapeID(r.u16())
		is := binary.LittleEndian.Uint64(r.take(8))
		switch {
		case r.err != nil:
		case id <= last:
			return fmt.Errorf("shape %d is out of order", id)
		case int(id) > g.shapes.Len():
			return fmt.Errorf("%w: %d, registered are 1 to %d", ErrUnknownShape, id, g.shapes.Len())
		case is != g.shapes.fingerprint(id):
			return fmt.Errorf("%w: the shape %d of the data is not the grid's shape %d, %q", ErrUnknownShape, id, id, g.shapes.Name(id))
		}
		last = id
	}
	return r.err
}

// fingerprint returns a hash of the polygons of a shape.
func (s *Shapes) fingerprint(id ShapeID) uint64 {
	h := mix(uint64(len(s.Polygons(id, 0))))
	for _, p := range s.Polygons(id, 0) {
		h = mix(h ^ uint64(len(p)))
		for _, v := range p {
			h = mix(h ^ (uint64(v.X)<<32 | uint64(v.Y)))
		}
	}
	return h
}
