package sandbox

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// terrain is a ground as clients see it: cut into chunks, each with a revision, so that a client is
// sent only the chunks that changed. After the ground is removed, the terrain is empty, and its number belongs to the
// next ground.
type terrain struct {
	id     quarry.GroundID
	number uint32
	// serial differs between the grounds that have had this number. A client that has another one drops its content.
	serial uint64
	seen   uint64 // the last change at which the ground existed
	// version is the version of the ground that the revisions show.
	version uint64
	chunks  map[gridseg.Cell]int // chunk coordinates to index in list
	list    []chunk
	// rev is the largest revision of a chunk.
	rev uint64
	// kept is the total size of the chunks' messages in bytes.
	kept   int
	table  []byte // the GROUND message of the first tabled shapes
	tabled int
	gone   bool // the ground was removed
}

// maxGrounds bounds the grounds of a world: the parts that come off beyond it vanish, and no bodies of tiles are added.
const maxGrounds = 512

// chunk is a square of cells that holds tiles, or once did.
type chunk struct {
	at  gridseg.Cell // chunk coordinates: cell coordinates / ChunkCells
	rev uint64

	message []byte // the CHUNK message of revision made; nil if it is not kept
	made    uint64
}

// maxKept bounds the memory for the CHUNK messages of all terrains, in bytes. They hold the latest
// changes until they are sent to all clients.
const maxKept = 16 << 20

func newTerrain(number uint32, serial uint64, g quarry.Ground) *terrain {
	t := &terrain{id: g.ID(), number: number, serial: serial, version: g.Version(), chunks: map[gridseg.Cell]int{}}
	if bounds, ok := g.Grid().Bounds(); ok {
		t.addChunks(g, bounds)
		t.markAll()
	}
	return t
}

// addChunks makes the missing chunks of the tiles in r.
func (t *terrain) addChunks(g quarry.Ground, r gridseg.Rect) {
	last, made := gridseg.Cell{}, false
	for cell := range g.Grid().Tiles(r) {
		if c := chunkOf(cell); !made || c != last {
			t.at(c)
			last, made = c, true
		}
	}
}

// look marks the chunks that the given edits changed, except edits that are marked already.
func (t *terrain) look(g quarry.Ground, edits []quarry.GroundEdit) {
	if g.Version() == t.version {
		return
	}
	for _, e := range edits {
		if e.Ground == t.id && e.Version > t.version {
			t.addChunks(g, e.Cells)
			t.mark(e.Cells)
		}
	}
	t.version = g.Version()
}

// mark gives a new revision to the chunks in which an edit of the cells of r can have changed tiles
// or segments: it changes segments in the cells around r too. Missing chunks of new tiles must have
// been made.
func (t *terrain) mark(r gridseg.Rect) {
	t.rev++
	x0, y0 := (int(r.MinX)-1)>>chunkShift, (int(r.MinY)-1)>>chunkShift
	x1, y1 := (int(r.MaxX)+1)>>chunkShift, (int(r.MaxY)+1)>>chunkShift
	if (x1-x0+1)*(y1-y0+1) > len(t.list) {
		for i := range t.list {
			c := &t.list[i]
			if x, y := int(c.at.X), int(c.at.Y); x0 <= x && x <= x1 && y0 <= y && y <= y1 {
				c.rev = t.rev
			}
		}
		return
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if i, ok := t.chunks[gridseg.Cell{X: int32(x), Y: int32(y)}]; ok {
				t.list[i].rev = t.rev
			}
		}
	}
}

// markAll gives every chunk a new revision.
func (t *terrain) markAll() {
	t.rev++
	for i := range t.list {
		t.list[i].rev = t.rev
	}
}

// at returns the index of the chunk with coordinates c, and makes it if it is missing.
func (t *terrain) at(c gridseg.Cell) int {
	i, ok := t.chunks[c]
	if !ok {
		i = len(t.list)
		t.list = append(t.list, chunk{at: c})
		t.chunks[c] = i
	}
	return i
}

// chunkOf returns the coordinates of the chunk that contains cell c.
func chunkOf(c gridseg.Cell) gridseg.Cell {
	return gridseg.Cell{X: c.X >> chunkShift, Y: c.Y >> chunkShift}
}

// chunkCells returns the cells of the chunk with coordinates c.
func chunkCells(c gridseg.Cell) gridseg.Rect {
	r := gridseg.Rect{MinX: c.X * ChunkCells, MinY: c.Y * ChunkCells}
	r.MaxX, r.MaxY = r.MinX+ChunkCells-1, r.MinY+ChunkCells-1
	return r
}

// appendChunk appends the CHUNK message of chunk i. It uses segs as scratch memory and returns it.
func (t *terrain) appendChunk(dst []byte, i int, g quarry.Ground, segs []gridseg.Segment,
	color func(gridseg.Tile) uint32,
) ([]byte, []gridseg.Segment) {
	at := t.list[i].at
	r := chunkCells(at)
	start := len(dst)
	dst = appendChunkHead(dst, t.number, r.MinX, r.MinY)
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
