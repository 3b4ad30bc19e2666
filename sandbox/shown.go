package sandbox

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
)

// shown is a world, with the numbers and revisions by which clients know its bodies and chains, and the messages that
// clients share. It belongs to the loop of sim.
type shown struct {
	*play.World
	unread string // why the world of an owner, which goes on, cannot be read; "" if it can
	asked  uint64 // grows with each command that changes what is shown, but not the world
	looked uint64 // the number of changes up to which the fields below are current
	stats  quarry.Stats
	roster roster
	kept   []groundMessages // by number of the ground
	bytes  int              // of all CHUNK messages that are kept

	hello    []byte // the HELLO message of revision helloRev of the palette
	helloRev uint64

	lines     []*line // chains, by number
	lineOf    map[quarry.ChainID]int
	freeLines []uint32 // numbers of removed chains

	reporter reporter
	trip     tripShown

	segs []gridseg.Segment // scratch
}

// show returns a world as it is before it is first looked at.
func show(w *play.World) *shown { return &shown{World: w, lineOf: map[quarry.ChainID]int{}} }

// Stopped returns why the world has stopped or cannot be read, or "".
func (s *shown) Stopped() string {
	if s.unread != "" {
		return s.unread
	}
	return s.World.Stopped()
}

// changes returns a number that grows with each change of what is shown.
func (s *shown) changes() uint64 { return s.Change() + s.asked }

// look brings the numbers and revisions up to date with the world.
func (s *shown) look() {
	if s.looked == s.changes() {
		return
	}
	s.looked = s.changes()
	s.stats = s.Engine().Stats()
	s.roster.look(s.Engine(), s.looked, s.Redrawn)
	s.lookAtChains()
}

// color returns the colour of a material; 0 leaves the choice to the page.
func (s *shown) color(m quarry.MaterialID) uint32 { return s.Engine().Material(m).Color }

// maxKept bounds the memory for the CHUNK messages of all grounds, in bytes. They hold the latest
// changes until they are sent to all clients.
const maxKept = 16 << 20

// groundMessages are the messages of a ground that all clients share.
type groundMessages struct {
	serial uint64 // of the ground
	table  []byte // the GROUND message of the first tabled shapes
	tabled int
	chunks []chunkMessage // by index of the chunk
	bytes  int            // of chunks
}

// chunkMessage is the CHUNK message of revision made of a chunk; nil if it is not kept.
type chunkMessage struct {
	message []byte
	made    uint64
}

// messagesOf returns the messages of a ground.
func (s *shown) messagesOf(t *play.Ground) *groundMessages {
	for int(t.Number()) >= len(s.kept) {
		s.kept = append(s.kept, groundMessages{})
	}
	k := &s.kept[t.Number()]
	if k.serial != t.Serial() {
		s.bytes -= k.bytes
		*k = groundMessages{serial: t.Serial()}
	}
	for len(k.chunks) < len(t.Chunks()) {
		k.chunks = append(k.chunks, chunkMessage{})
	}
	return k
}

// chunkMessage returns the CHUNK message of chunk k of a ground.
func (s *shown) chunkMessage(t *play.Ground, k int, g quarry.Ground) []byte {
	all, c := s.messagesOf(t), t.Chunks()[k]
	m := &all.chunks[k]
	if m.message != nil && m.made == c.Rev {
		return m.message
	}
	all.bytes -= len(m.message)
	if s.bytes -= len(m.message); s.bytes > maxKept {
		for i := range s.kept {
			for j := range s.kept[i].chunks {
				s.kept[i].chunks[j].message = nil
			}
			s.kept[i].bytes = 0
		}
		s.bytes = 0
	}
	m.message, s.segs = appendChunk(m.message[:0], t.Number(), c, g, s.segs, func(tile gridseg.Tile) uint32 {
		return s.color(g.Material(tile))
	})
	m.made = c.Rev
	all.bytes += len(m.message)
	s.bytes += len(m.message)
	return m.message
}

// tableMessage returns the GROUND message of a ground with that number of shapes.
func (s *shown) tableMessage(t *play.Ground, grid gridseg.View, shapes int) []byte {
	k := s.messagesOf(t)
	if k.tabled != shapes {
		k.tabled, k.table = shapes, appendJSON(nil, msgGround, tableOf(t.Number(), grid))
	}
	return k.table
}

// appendChunk appends the CHUNK message of a chunk. It uses segs as scratch memory and returns it.
func appendChunk(dst []byte, number uint32, c play.Chunk, g quarry.Ground, segs []gridseg.Segment,
	color func(gridseg.Tile) uint32,
) ([]byte, []gridseg.Segment) {
	r := c.Cells()
	start := len(dst)
	dst = appendChunkHead(dst, number, r.MinX, r.MinY)
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
