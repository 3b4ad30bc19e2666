package gridseg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// The binary form of a grid, little-endian: the number of preserved pairs of layers (2 bytes) and the pairs (2 bytes
// each); the number of chunks of 16x16 cells (4 bytes), and the chunks by row, then column. A chunk has its coordinates
// (4 bytes each), and a byte: 1 if all its cells hold one tile of shape Full, which follows; or else 0, the cells that
// hold a tile or polygons, as 16 rows of 16 bits, and their contents in that order. A tile takes 10 bytes: shape*8 +
// turn (2), layer (1), a zero, material (2) and user number (4). For polygons the shape is Patch, and the number of
// polygons is its material; they follow: the tile of each, and if that has no shape the number of loops (2 bytes), and
// for each its number of vertices (2) and these (x and y of 2 bytes each).
//
// A grid with unloaded places has more: the number of squares of 16x16 chunks with some (4 bytes), and the squares by
// row, then column: the coordinates (4 bytes each), and 16 rows of 16 bits for the unloaded chunks, and for those that
// count as solid. Then come the number (4 bytes) and the coordinates (4 bytes each), in the same order, of the chunks
// that count as solid and are beside one that does not. They follow from the squares; with them, the data is as long as
// the memory that it takes.
//
// Equal tiles have equal bytes, however they came about.

// errShort is the reason for refusing data that ends too early.
var errShort = errors.New("the data ends too early")

// AppendBinary appends the tiles and polygons of g, and its preserved layers, to dst, in a form that ReadGrid reads,
// and returns the extended slice. The registry of shapes is not part of it; see Shapes.AppendBinary.
func (g *reader) AppendBinary(dst []byte) []byte {
	return g.appendUnloaded(g.Engine(lattice.Key{}).AppendTiles(g.appendLayers(dst), lattice.EveryCell))
}

// AppendTiles appends the tiles and polygons of the chunks of 16x16 cells that overlap r, in the form of
// AppendBinary: the number of chunks, and the chunks by row, then column. AppendWithoutTiles has the rest, and
// JoinTiles joins both. So a program can store the tiles by place, and write again only the places whose ChunkSum
// has changed.
func (g engine) AppendTiles(dst []byte, r Rect) []byte {
	chunks := g.appendChunks(nil, r)
	chunks = slices.DeleteFunc(chunks, func(c *chunk) bool { return c.tiles == 0 || c.ghost })
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(chunks)))
	for _, c := range chunks {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(c.cx))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(c.cy))
		dst = g.appendChunk(dst, c)
	}
	return dst
}

// AppendWithoutTiles is AppendBinary of g without its tiles: the preserved layers and the unloaded places.
func (g engine) AppendWithoutTiles(dst []byte) []byte {
	return g.appendUnloaded(append(g.appendLayers(dst), 0, 0, 0, 0))
}

// JoinTiles joins the bytes of AppendWithoutTiles and of AppendTiles of all cells to the bytes of
// AppendBinary. ReadGrid checks both.
func (engine) JoinTiles(without, tiles []byte) ([]byte, error) {
	head := -1
	if len(without) >= 2 {
		head = 2 + 2*int(binary.LittleEndian.Uint16(without))
	}
	if head < 0 || len(without) < head+4 {
		return nil, fmt.Errorf("gridseg: JoinTiles: %w", errShort)
	}
	if n := binary.LittleEndian.Uint32(without[head:]); n != 0 {
		return nil, fmt.Errorf("gridseg: JoinTiles: the grid without tiles has %d chunks", n)
	}
	return slices.Concat(without[:head], tiles, without[head+4:]), nil
}

// appendLayers appends the preserved pairs of layers.
func (g *reader) appendLayers(dst []byte) []byte {
	pairs := g.AppendPreserved(nil)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(pairs)))
	for _, p := range pairs {
		dst = append(dst, p[0], p[1])
	}
	return dst
}

// appendChunk appends the tiles and polygons of c, which has some.
func (g *reader) appendChunk(dst []byte, c *chunk) []byte {
	if c.isUniform() {
		return appendTile(append(dst, 1), c.tile(0))
	}
	dst = append(dst, 0)
	for _, row := range c.occupied {
		dst = binary.LittleEndian.AppendUint16(dst, row)
	}
	for y, row := range c.occupied {
		for ; row != 0; row &= row - 1 {
			dst = g.appendContent(dst, c.tile(y<<chunkBits|bits.TrailingZeros16(row)))
		}
	}
	return dst
}

// appendUnloaded appends the unloaded places, if there are any.
func (g *reader) appendUnloaded(dst []byte) []byte {
	if g.away.n == 0 {
		return dst
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(g.away.squares)))
	for k := range g.away.squares {
		s := &g.away.squares[k]
		dst = binary.LittleEndian.AppendUint32(dst, uint32(s.x))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(s.y))
		for _, row := range s.away {
			dst = binary.LittleEndian.AppendUint16(dst, row)
		}
		for _, row := range s.solid {
			dst = binary.LittleEndian.AppendUint16(dst, row)
		}
	}
	walls := g.away.walls()
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(walls)))
	for _, at := range walls {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(at.X))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(at.Y))
	}
	return dst
}

// readUnloaded reads the unloaded places of a grid that has all its tiles.
func (g *Grid) readUnloaded(r *binaryReader) error {
	const most = 1 << (32 - 2*chunkBits - 1) // squares lie within +-most
	var to unloaded
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		s := unloadedSquare{x: int32(r.u32()), y: int32(r.u32())}
		for k := range s.away {
			s.away[k] = r.u16()
		}
		bad := false
		for k := range s.solid {
			s.solid[k] = r.u16()
			bad = bad || s.solid[k]&^s.away[k] != 0
		}
		k, ok := to.search(s.x, s.y)
		if r.err == nil && (bad || ok || k < len(to.squares) || s.x < -most || s.x >= most || s.y < -most ||
			s.y >= most ||
			to.count(&s, 1) == 0) {
			return fmt.Errorf("unloaded places: square (%d, %d) is out of range, out of order, or not one", s.x, s.y)
		}
		to.squares = append(to.squares, s)
	}
	if r.err == nil && to.n == 0 {
		return errors.New("unloaded places: none")
	}
	if n := r.u32(); r.err == nil && uint64(n)*8 > uint64(len(r.data)) {
		return errShort
	} else if r.err == nil {
		walls := to.walls()
		if len(walls) != int(n) {
			return fmt.Errorf("unloaded places: %d walls, but %d follow from the places", n, len(walls))
		}
		for _, at := range walls {
			if x, y := int32(r.u32()), int32(r.u32()); x != at.X || y != at.Y {
				return fmt.Errorf("unloaded places: a wall at chunk (%d, %d) in place of (%d, %d)", x, y, at.X, at.Y)
			}
		}
	}
	if r.err != nil {
		return r.err
	}
	for _, c := range g.chunks {
		if away, _ := to.has(c.cx, c.cy); away {
			return fmt.Errorf("unloaded places: chunk (%d, %d) has tiles", c.cx, c.cy)
		}
	}
	g.away = to
	g.fillGhosts(lattice.EveryCell, &unloaded{})
	return nil
}

// isUniform reports whether all cells hold one tile of shape Full.
func (c *chunk) isUniform() bool {
	if c.tiles < chunkCells || c.form[0]>>3 != formID(Full) {
		return false
	}
	for i := range c.form {
		if c.cellTile(i) != c.cellTile(0) {
			return false
		}
	}
	return true
}

func (g *reader) appendContent(dst []byte, t Tile) []byte {
	if t.Shape != Patch {
		return appendTile(dst, t)
	}
	polys := g.patches.list[t.User].polys
	dst = appendTile(dst, Tile{Shape: Patch, Material: uint16(len(polys))})
	for _, p := range polys {
		if dst = appendTile(dst, p.tile); p.tile.Shape != 0 {
			continue
		}
		dst = binary.LittleEndian.AppendUint16(dst, uint16(len(p.loops)))
		for _, loop := range p.loops {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(len(loop)))
			for _, v := range loop {
				dst = binary.LittleEndian.AppendUint16(dst, uint16(v.X))
				dst = binary.LittleEndian.AppendUint16(dst, uint16(v.Y))
			}
		}
	}
	return dst
}

func appendTile(dst []byte, t Tile) []byte {
	dst = binary.LittleEndian.AppendUint16(dst, uint16(t.form()))
	dst = append(dst, t.Layer, 0)
	dst = binary.LittleEndian.AppendUint16(dst, t.Material)
	return binary.LittleEndian.AppendUint32(dst, t.User)
}

// binaryReader reads; after the end of the data it returns zeros and has an error.
type binaryReader struct {
	data []byte
	err  error
}

func (r *binaryReader) take(n int) []byte {
	if len(r.data) < n {
		r.data, r.err = nil, errShort
		return make([]byte, min(n, 16)) // more than any number takes
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

func (r *binaryReader) u16() uint16 { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *binaryReader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

func (r *binaryReader) tile() Tile {
	b := r.take(10)
	f := formID(binary.LittleEndian.Uint16(b))
	if b[3] != 0 && r.err == nil {
		r.err = fmt.Errorf("a padding byte is %d", b[3])
	}
	return Tile{
		ShapeID(f >> 3), Turn(f & 7), b[2], binary.LittleEndian.Uint16(b[4:]),
		binary.LittleEndian.Uint32(b[6:]),
	}
}

// ReadGrid returns the grid of data, which AppendBinary has made, resolved. shapes is its registry, with the shapes
// of its tiles under the same ids; nil means NewShapes(). ReadGrid returns an error if data is no grid. Memory is
// at most some 600 times the length of data, for tiles of 256 vertices; for the tiles of NewShapes it is at most 40
// times, and for a chunk of one full tile some 200 times.
func ReadGrid(data []byte, shapes *Shapes) (*Grid, error) {
	g, r := New(shapes), &binaryReader{data: data}
	var cells readCells
	for n := r.u16(); n > 0 && r.err == nil; n-- {
		b := r.take(2)
		_ = g.Preserve(b[0], b[1]) // g is empty
	}
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		cx, cy := int32(r.u32()), int32(r.u32())
		if cx != cx<<chunkBits>>chunkBits || cy != cy<<chunkBits>>chunkBits || g.table.find(cx, cy) != nil {
			return nil, fmt.Errorf("gridseg: ReadGrid: chunk (%d, %d) is out of range, or comes twice", cx, cy)
		}
		if err := g.readChunk(r, &cells, cx<<chunkBits, cy<<chunkBits); err != nil {
			return nil, &Error{"ReadGrid", cells.at, err}
		}
		if r.err == nil {
			g.putCells(&cells, g.chunkAt(cx, cy))
		}
	}
	if len(r.data) > 0 && r.err == nil {
		r.err = g.readUnloaded(r)
	}
	if len(r.data) > 0 && r.err == nil {
		r.err = fmt.Errorf("%d bytes follow", len(r.data))
	}
	if r.err != nil {
		return nil, fmt.Errorf("gridseg: ReadGrid: %w", r.err)
	}
	g.Resolve()
	g.dropGhosts(lattice.EveryCell)
	return g, nil
}

// readCells are the cells of a chunk that was read.
type readCells struct {
	at       Cell // the last that was read
	uniform  bool // all cells hold contents[0]
	occupied flags
	contents []content // of the occupied cells
}

// readChunk reads the chunk whose lower left cell is (x, y) into cells. The error is about the cell cells.at.
func (g *Grid) readChunk(r *binaryReader, cells *readCells, x, y int32) error {
	*cells = readCells{at: Cell{X: x, Y: y}, contents: cells.contents[:0]}
	switch kind := r.take(1)[0]; kind {
	case 1:
		t := r.tile()
		if err := g.shapes.check(t); r.err != nil || err != nil || t.Shape != Full {
			return errors.Join(r.err, err, fmt.Errorf("a chunk of %v", t))
		}
		cells.uniform, cells.contents = true, append(cells.contents, content{tile: t})
		return nil
	case 0:
	default:
		return fmt.Errorf("a chunk of kind %d", kind)
	}
	n := 0
	for k := range cells.occupied {
		cells.occupied[k] = r.u16()
		n += bits.OnesCount16(cells.occupied[k])
	}
	if cells.contents == nil {
		cells.contents = make([]content, 0, min(n, len(r.data)/10))
	}
	if n == 0 {
		return errors.New("an empty chunk")
	}
	for k, row := range cells.occupied {
		for ; row != 0 && r.err == nil; row &= row - 1 {
			cells.at = Cell{X: x + int32(bits.TrailingZeros16(row)), Y: y + int32(k)}
			now, err := g.readContent(r)
			if err != nil {
				return err
			}
			cells.contents = append(cells.contents, now)
		}
	}
	return nil
}

// putCells makes the tiles and polygons of c those that were read.
func (g *Grid) putCells(cells *readCells, c *chunk) {
	if cells.uniform {
		g.fillChunk(c, c.rect(), cells.contents[0].tile)
		return
	}
	n := 0
	for i := range chunkCells {
		if !cells.occupied.has(i) {
			g.put(c, i, cellTile{})
			continue
		}
		at := c.cell(i)
		g.putContent(at.X, at.Y, cells.contents[n])
		n++
	}
}

// readContent reads the content of a cell.
func (g *Grid) readContent(r *binaryReader) (content, error) {
	t := r.tile()
	if r.err != nil {
		return content{}, nil
	}
	if t.Shape != Patch {
		if err := g.shapes.check(t); err != nil {
			return content{}, err
		} else if t.Shape == 0 {
			return content{}, errNoShape
		}
		return content{tile: t}, nil
	}
	var polys []polygon
	for range t.Material {
		p := polygon{tile: r.tile()}
		if p.tile.Shape != 0 {
			if err := g.shapes.check(p.tile); err != nil {
				return content{}, err
			}
			p.loops = lattice.Canonical(g.formOf(p.tile).polys)
		} else {
			loops := make([][]Point, 0, 4)
			for n := r.u16(); n > 0 && r.err == nil; n-- {
				loop := make([]Point, 0, 8)
				for k := r.u16(); k > 0 && r.err == nil; k-- {
					loop = append(loop, Point{X: int64(r.u16()), Y: int64(r.u16())})
				}
				loops = append(loops, loop)
			}
			if r.err != nil {
				return content{}, nil
			}
			if err := lattice.CheckLoops(loops); err != nil {
				return content{}, err
			}
			p.loops = lattice.Canonical(loops)
		}
		if len(polys) >= maxOwners {
			return content{}, ErrTooLarge
		}
		if err := lattice.CheckApart(polyLoops(polys), p.loops); err != nil {
			return content{}, err
		}
		polys = append(polys, p)
	}
	now, err := g.contentOf(polys)
	if err == nil && now.patch == nil {
		err = fmt.Errorf("%w: polygons that are a tile, or none", lattice.ErrDegenerate)
	}
	return now, err
}
