package sandbox

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// terrain is one ground cut into chunks, each with a revision, so that clients
// are sent only the chunks that changed.
type terrain struct {
	id     quarry.GroundID
	number uint32
	// version is the ground's when the chunks were last right.
	version uint64
	chunks  map[gridseg.Cell]int // by chunk coordinates, an index into list
	list    []chunk
	// rev is the greatest revision of a chunk.
	rev uint64
	// kept counts the bytes of the chunks' messages.
	kept int
	// stale counts the steps since version was last right; see look.
	stale  int
	table  []byte // the GROUND message of tabled shapes
	tabled int
	// changed is scratch of survey.
	changed []gridseg.Cell
	gone    bool
}

// chunk is a square of cells that holds something, or once did.
type chunk struct {
	at     gridseg.Cell // chunk coordinates: cell coordinates / ChunkCells
	rev    uint64
	digest uint64 // of its tiles, as of the last survey
	next   uint64 // the same, of the survey under way

	message []byte // the chunk's CHUNK message of revision made; nil if it is not kept
	made    uint64
}

// maxKept is the most bytes kept of the messages of a terrain's chunks: enough to send all
// clients the latest changes.
const maxKept = 16 << 20

// surveyTiles is how many tiles are looked through in one step when something
// other than a command edits a ground. A larger ground is looked through less
// often: once in so many steps as it has this many tiles.
const surveyTiles = 100_000

func newTerrain(number uint32, g quarry.Ground) *terrain {
	t := &terrain{id: g.ID(), number: number, chunks: map[gridseg.Cell]int{}}
	t.survey(g)
	return t
}

// look finds edits that did not come from a command, such as a scene's own.
func (t *terrain) look(g quarry.Ground) {
	if g.Version() == t.version {
		t.stale = 0
		return
	}
	tiles, _ := g.Grid().Count()
	if t.stale++; t.stale > tiles/surveyTiles {
		t.stale = 0
		t.survey(g)
	}
}

// survey goes through all tiles and marks the chunks whose tiles changed.
func (t *terrain) survey(g quarry.Ground) {
	t.version = g.Version()
	for i := range t.list {
		t.list[i].next = 0
	}
	if bounds, ok := g.Grid().Bounds(); ok {
		last, at := -1, gridseg.Cell{}
		for cell, tile := range g.Grid().Tiles(bounds) {
			if c := chunkOf(cell); last < 0 || c != at {
				at, last = c, t.at(c)
			}
			d := digest(t.list[last].next, cell, tile)
			if tile.Shape == gridseg.Patch {
				for tile, loops := range g.Grid().Polygons(cell.X, cell.Y) {
					d = digestLoops(digest(d, cell, tile), loops)
				}
			}
			t.list[last].next = d
		}
	}
	t.changed = t.changed[:0]
	for i := range t.list {
		if c := &t.list[i]; c.next != c.digest {
			c.digest = c.next
			t.changed = append(t.changed, c.at)
		}
	}
	if len(t.changed) == 0 {
		return
	}
	t.rev++
	for _, at := range t.changed {
		t.markAround(at)
	}
}

// markAround gives at and the chunks round it, as far as there are any, a new
// revision: a changed tile changes the segments of the cells beside it, too.
func (t *terrain) markAround(at gridseg.Cell) {
	for y := at.Y - 1; y <= at.Y+1; y++ {
		for x := at.X - 1; x <= at.X+1; x++ {
			if i, ok := t.chunks[gridseg.Cell{X: x, Y: y}]; ok {
				t.list[i].rev = t.rev
			}
		}
	}
}

// mark says that a command edited cell.
func (t *terrain) mark(cell gridseg.Cell) {
	t.rev++
	t.list[t.at(chunkOf(cell))].rev = t.rev
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			c := chunkOf(gridseg.Cell{X: cell.X + dx, Y: cell.Y + dy})
			if i, ok := t.chunks[c]; ok {
				t.list[i].rev = t.rev
			}
		}
	}
}

// markRect says that a command edited cells of r; chunks that came with it are
// there already.
func (t *terrain) markRect(r gridseg.Rect) {
	t.rev++
	low, high := chunkOf(gridseg.Cell{X: r.MinX - 1, Y: r.MinY - 1}), chunkOf(gridseg.Cell{X: r.MaxX + 1, Y: r.MaxY + 1})
	for y := low.Y; y <= high.Y; y++ {
		for x := low.X; x <= high.X; x++ {
			if i, ok := t.chunks[gridseg.Cell{X: x, Y: y}]; ok {
				t.list[i].rev = t.rev
			}
		}
	}
}

// markAll says that every chunk looks different.
func (t *terrain) markAll() {
	t.rev++
	for i := range t.list {
		t.list[i].rev = t.rev
	}
}

// room reports whether the chunk of cell is there or may be made.
func (t *terrain) room(cell gridseg.Cell) bool {
	_, ok := t.chunks[chunkOf(cell)]
	return ok || len(t.list) < MaxChunks
}

// at returns the index of the chunk c, which is made if it is new.
func (t *terrain) at(c gridseg.Cell) int {
	i, ok := t.chunks[c]
	if !ok {
		i = len(t.list)
		t.list = append(t.list, chunk{at: c})
		t.chunks[c] = i
	}
	return i
}

func chunkOf(c gridseg.Cell) gridseg.Cell {
	return gridseg.Cell{X: c.X >> chunkShift, Y: c.Y >> chunkShift}
}

// chunkCells are the cells of a chunk.
func chunkCells(c gridseg.Cell) gridseg.Rect {
	r := gridseg.Rect{MinX: c.X * ChunkCells, MinY: c.Y * ChunkCells}
	r.MaxX, r.MaxY = r.MinX+ChunkCells-1, r.MinY+ChunkCells-1
	return r
}

// digest adds a tile to a digest of tiles; all that shows of it counts.
func digest(d uint64, c gridseg.Cell, t gridseg.Tile) uint64 {
	const k = 0x9e3779b97f4a7c15
	d = (d ^ uint64(uint32(c.X)) ^ uint64(uint32(c.Y))<<32) * k
	d ^= d >> 29
	d = (d ^ uint64(t.Shape) ^ uint64(t.Turn)<<16 ^ uint64(t.Layer)<<24 ^ uint64(t.Material)<<32) * k
	return d ^ d>>32 | 1 // never that of no tile
}

// digestLoops adds the loops of a polygon to a digest.
func digestLoops(d uint64, loops [][]gridseg.Point) uint64 {
	const k = 0x9e3779b97f4a7c15
	for _, loop := range loops {
		d = (d ^ uint64(len(loop))) * k
		for _, p := range loop {
			d = (d ^ uint64(p.X) ^ uint64(p.Y)<<32) * k
			d ^= d >> 29
		}
	}
	return d | 1
}

// appendChunk appends the CHUNK number i; segs is scratch, and is returned.
func (t *terrain) appendChunk(dst []byte, i int, g quarry.Ground, segs []gridseg.Segment, color func(gridseg.Tile) uint32) ([]byte, []gridseg.Segment) {
	at := t.list[i].at
	r := chunkCells(at)
	start := len(dst)
	dst = appendChunkHead(dst, t.number, r.MinX, r.MinY)
	if t.gone {
		return dst, segs
	}
	tiles := 0
	for cell, tile := range g.Grid().Tiles(r) {
		dst = appendTile(dst, byte(cell.X-r.MinX), byte(cell.Y-r.MinY), tile, color(tile))
		tiles++
	}
	segs = g.AppendSegments(segs[:0], r)
	corner := gridseg.Point{X: int64(r.MinX) * gridseg.Unit, Y: int64(r.MinY) * gridseg.Unit}
	for k := range segs {
		dst = appendSegment(dst, &segs[k], corner)
	}
	polygons := 0
	for cell, tile := range g.Grid().Tiles(r) {
		if tile.Shape != gridseg.Patch {
			continue
		}
		for tile, loops := range g.Grid().Polygons(cell.X, cell.Y) {
			dst = appendPolygon(dst, byte(cell.X-r.MinX), byte(cell.Y-r.MinY), tile, color(tile), loops)
			polygons++
		}
	}
	putChunkCounts(dst[start:], tiles, len(segs), polygons)
	return dst, segs
}
