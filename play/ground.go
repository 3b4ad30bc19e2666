package play

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// ChunkCells is the side of a chunk, in cells.
const (
	ChunkCells = 1 << chunkShift
	chunkShift = 5
)

// maxGrounds bounds the grounds of a world: the parts that come off beyond it vanish, and no bodies of tiles are added.
const maxGrounds = 512

// Ground is a ground by the number that commands use for it, cut into chunks, each with a revision, so that whoever
// shows it need read only the chunks that changed. After the ground is removed it is empty, and its number belongs to
// the next ground.
type Ground struct {
	id     quarry.GroundID
	number uint32
	serial uint64
	seen   uint64 // the last change at which the ground existed
	// version is the version of the ground that the revisions show.
	version uint64
	chunks  map[gridseg.Cell]int // chunk coordinates to index in list
	list    []Chunk
	rev     uint64
	gone    bool // the ground was removed
}

// Chunk is a square of cells that holds tiles, or once did.
type Chunk struct {
	At  gridseg.Cell // chunk coordinates: cell coordinates / ChunkCells
	Rev uint64       // grows with each change of its tiles or segments
}

// Cells returns the cells of c.
func (c Chunk) Cells() gridseg.Rect {
	r := gridseg.Rect{MinX: c.At.X * ChunkCells, MinY: c.At.Y * ChunkCells}
	r.MaxX, r.MaxY = r.MinX+ChunkCells-1, r.MinY+ChunkCells-1
	return r
}

// ID returns the ground's id in the engine.
func (t *Ground) ID() quarry.GroundID { return t.id }

// Number returns the number that commands use.
func (t *Ground) Number() uint32 { return t.number }

// Serial returns a number that differs between the grounds that have had this number.
func (t *Ground) Serial() uint64 { return t.serial }

// Gone reports whether the ground was removed.
func (t *Ground) Gone() bool { return t.gone }

// Chunks returns the chunks, valid until the next command or step. A chunk keeps its index.
func (t *Ground) Chunks() []Chunk { return t.list }

// Rev returns the largest revision of a chunk.
func (t *Ground) Rev() uint64 { return t.rev }

// Grounds returns the grounds by number, those that are gone included, valid until the next command or step.
func (w *World) Grounds() []*Ground { return w.grounds }

// numberGrounds gives each new ground a number, if possible of a removed ground, and frees the numbers of removed
// grounds.
func (w *World) numberGrounds() {
	for g := range w.in.World.Grounds() {
		i, ok := w.numberOf[g.ID()]
		if !ok {
			i = w.addGround(g)
		}
		w.grounds[i].seen = w.change
	}
	for i, t := range w.grounds {
		if t.seen != w.change && !t.gone {
			w.serials++
			w.grounds[i] = &Ground{number: t.number, serial: w.serials, gone: true}
			delete(w.numberOf, t.id)
			w.free = append(w.free, t.number)
		}
	}
}

// addGround gives a ground a number.
func (w *World) addGround(g quarry.Ground) int {
	i := len(w.grounds)
	if n := len(w.free); n > 0 {
		i = int(w.free[n-1])
		w.free = w.free[:n-1]
	} else {
		w.grounds = append(w.grounds, nil)
	}
	w.serials++
	t := &Ground{id: g.ID(), number: uint32(i), serial: w.serials, version: g.Version(), chunks: map[gridseg.Cell]int{}}
	w.grounds[i], w.numberOf[g.ID()] = t, i
	if r, ok := g.Grid().Bounds(); ok {
		t.addChunks(g, r)
		t.markAll()
		if g.Body().Type() != quarry.Dynamic {
			w.lower(g.Transform().Apply(geom.V(float64(r.MinX), float64(r.MinY))).Y)
		}
	}
	return i
}

// lookAtEdits marks the chunks that edits since the last step changed, of grounds that broke in it
// included, other than the edits of commands, which mark their own.
func (w *World) lookAtEdits() {
	for _, t := range w.grounds {
		if g, ok := w.in.World.Ground(t.id); ok {
			t.look(g, w.in.World.GroundEdits())
		}
	}
}

// addChunks makes the missing chunks of the tiles in r.
func (t *Ground) addChunks(g quarry.Ground, r gridseg.Rect) {
	last, made := gridseg.Cell{}, false
	for cell := range g.Grid().Tiles(r) {
		if c := chunkOf(cell); !made || c != last {
			t.at(c)
			last, made = c, true
		}
	}
}

// look marks the chunks that the given edits changed, except edits that are marked already.
func (t *Ground) look(g quarry.Ground, edits []quarry.GroundEdit) {
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
func (t *Ground) mark(r gridseg.Rect) {
	t.rev++
	x0, y0 := (int(r.MinX)-1)>>chunkShift, (int(r.MinY)-1)>>chunkShift
	x1, y1 := (int(r.MaxX)+1)>>chunkShift, (int(r.MaxY)+1)>>chunkShift
	if (x1-x0+1)*(y1-y0+1) > len(t.list) {
		for i := range t.list {
			c := &t.list[i]
			if x, y := int(c.At.X), int(c.At.Y); x0 <= x && x <= x1 && y0 <= y && y <= y1 {
				c.Rev = t.rev
			}
		}
		return
	}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if i, ok := t.chunks[gridseg.Cell{X: int32(x), Y: int32(y)}]; ok {
				t.list[i].Rev = t.rev
			}
		}
	}
}

// markAll gives every chunk a new revision.
func (t *Ground) markAll() {
	t.rev++
	for i := range t.list {
		t.list[i].Rev = t.rev
	}
}

// at returns the index of the chunk with coordinates c, and makes it if it is missing.
func (t *Ground) at(c gridseg.Cell) int {
	i, ok := t.chunks[c]
	if !ok {
		i = len(t.list)
		t.list = append(t.list, Chunk{At: c})
		t.chunks[c] = i
	}
	return i
}

// chunkOf returns the coordinates of the chunk that contains cell c.
func chunkOf(c gridseg.Cell) gridseg.Cell {
	return gridseg.Cell{X: c.X >> chunkShift, Y: c.Y >> chunkShift}
}
