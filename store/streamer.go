package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// StreamOptions configure a Streamer. Zero fields take the values in brackets.
type StreamOptions struct {
	// Radius is the distance from each point, and from its path, within which chunks are loaded: above 0 up to 1024
	// cells (128).
	Radius float64
	// Ahead is the time of the path in seconds: above 0 up to 60 (2). Paths end after 2048 cells.
	Ahead float64
	// Memory is the maximum number of loaded chunks with tiles, 1 or more (256). Chunks that a body keeps loaded
	// count, but are not unloaded. Of chunks without tiles that were loaded from unloaded places, those that are not
	// near the points are unloaded if there are more. Streamers of one ground share the largest Memory.
	Memory int
	// Budget is the maximum number of chunks that a Step loads and unloads, 1 or more (4).
	Budget int
	// As is whether unloaded cells count as empty or as solid.
	As gridseg.Unloaded
	// Generate, if not nil, is called when a chunk that the store does not have is loaded for the first time. It
	// sets tiles of g, an empty grid with the shapes of the ground. Tiles outside cells are left out, so the chunks
	// on both sides of a border may each set the whole of a tree. The tiles should depend only on cells: then the
	// world does not depend on the order in which chunks are loaded. Without Generate such a chunk is empty.
	Generate func(g *gridseg.Grid, cells gridseg.Rect) error
}

// Bounds of StreamOptions.
const (
	maxStreamRadius = 16 * Side
	maxStreamPath   = 32 * Side
	maxStreamAhead  = 60
)

// StreamPoint is a point around which a Streamer keeps chunks loaded, such as a player or a camera: its position and
// velocity, in the coordinates of the ground's lattice (quarry.Ground.Transform).
type StreamPoint struct{ Position, Velocity geom.Vec }

// StreamedGround is a ground whose places can be unloaded: a quarry.Ground.
type StreamedGround interface {
	Grid() gridseg.View
	UnloadPlace(r gridseg.Rect, as gridseg.Unloaded) ([]byte, error)
	LoadPlace(data []byte) (gridseg.Rect, error)
}

// Streamer keeps the chunks of a ground loaded that are near given points or their paths, and the other chunks in a
// Store. Make one with NewStreamer. Its only state is a list of the loaded chunks, so after a world is loaded, a
// new Streamer continues.
type Streamer struct {
	s      *Store
	ground StreamedGround
	name   string
	o      StreamOptions

	// The chunks with tiles that are loaded, and those without tiles that were loaded again, as of the version of grid.
	grid    gridseg.View
	version uint64
	loaded  []nearChunk
	airy    []nearChunk

	cells []gridseg.Cell // memory kept from Step to Step
	near  []nearChunk
	full  []nearChunk
	air   []nearChunk

	// The points of the last Step, its number among the Steps of all Streamers of the ground, the greatest difference
	// of two such numbers in turn, and the Streamers that count in it.
	ways  []way
	at    uint64
	pause uint64
	peers []*Streamer
}

// way is a point with its path, from a to b, and the radius around it.
type way struct {
	a, b geom.Vec
	r    float64
}

// nearChunk is a chunk.
type nearChunk struct {
	x, y int32
	far  bool    // not near a point's path
	mine bool    // of those to be loaded: near a point of this Streamer, not only of others
	d    float64 // the square of its distance from the nearest point
}

// order sorts chunks near a path first, then by distance, row and column.
func (a nearChunk) order(b nearChunk) int {
	if a.far != b.far {
		if a.far {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
}

// Streamed counts the chunks of a Step.
type Streamed struct {
	Loaded, Unloaded int
	// Waiting is the number of chunks near the points that are not loaded yet: a later Step loads them, if Memory has
	// room.
	Waiting int
	// Held is the number of chunks that should have been unloaded, but hold a body.
	Held int
	// Chunks is the number of chunks with tiles that are loaded now, and Air of those without that were loaded from an
	// unloaded place.
	Chunks, Air int
}

// NewStreamer returns a Streamer of ground. Its chunks are in s under name, which must be GroundName of the
// ground's id if a Saver saves the world, too. NewStreamer panics if an option is out of range.
func NewStreamer(s *Store, ground StreamedGround, name string, o StreamOptions) *Streamer {
	o.Radius, o.Ahead, o.Memory, o.Budget = cmp.Or(o.Radius, 128), cmp.Or(o.Ahead, 2), cmp.Or(o.Memory,
		256), cmp.Or(o.Budget, 4)
	if !(o.Radius > 0 && o.Radius <= maxStreamRadius && o.Ahead > 0 && o.Ahead <= maxStreamAhead) || o.Memory < 1 ||
		o.Budget < 1 || o.As > gridseg.UnloadedSolid {
		o.Generate = nil // a function has no text
		panic(fmt.Sprintf("quarry: store: NewStreamer: StreamOptions is %+v: Radius must be above 0 to %d, Ahead "+
			"above 0 to %d, Memory and Budget at least 1, As a kind of unloaded cells", o, maxStreamRadius,
			maxStreamAhead))
	}
	Chunk(name, 0, 0).check("NewStreamer")
	return &Streamer{s: s, ground: ground, name: name, o: o}
}

// cellsOf returns the cells of chunk (x, y).
func cellsOf(x, y int32) gridseg.Rect {
	return gridseg.Rect{MinX: x << sideBits, MinY: y << sideBits, MaxX: x<<sideBits + Side - 1, MaxY: y<<sideBits +
		Side - 1}
}

// Step loads chunks near the points, nearest first, and unloads those farthest away while more than Memory are
// loaded, Budget chunks in all. Call it before each World.Step. Its result depends only on the ground, the store
// and the points. Unloaded chunks go to the Store's queue: the next Save of a Saver ends the moment, or
// Store.Commit if no world is saved. (If a world is saved, a Commit without Save would leave it without chunks that
// it has loaded.)
//
// A chunk that the store does not have comes from Generate, or is loaded as empty. Step returns an error, which names
// file and chunk, if a chunk cannot be read or loaded, if Generate fails, or if a point is not finite. The chunks of
// this call before that one stay loaded or unloaded.
func (t *Streamer) Step(points []StreamPoint) (done Streamed, err error) {
	for i, p := range points {
		if sum := p.Position.X + p.Position.Y + p.Velocity.X + p.Velocity.Y; math.IsNaN(sum) || math.IsInf(sum, 0) {
			return done, fmt.Errorf("store: Streamer.Step: point %d is %v: it must be finite", i, p)
		}
	}
	putReverted(t.s, t.name, t.ground.Grid(), true)
	t.meet(points)
	t.listLoaded()
	t.listNear()
	memory := t.o.Memory
	for _, p := range t.peers {
		memory = max(memory, p.o.Memory)
	}
	done.Chunks, done.Air = len(t.loaded), len(t.airy)
	full, air := farthest{t: t, of: t.loaded, list: t.full[:0]}, farthest{t: t, of: t.airy, list: t.air[:0]}
	defer func() { t.full, t.air = full.list, air.list }()
	budget := t.o.Budget
	defer func() { done.Unloaded, done.Held = full.freed+air.freed, full.held+air.held }()
	for budget > 0 && done.Chunks > memory {
		if ok, err := full.free(nearChunk{d: -1}); err != nil {
			return done, err
		} else if !ok {
			break
		}
		done.Chunks--
		budget--
	}
	for budget > 0 && done.Air > memory {
		if ok, err := air.free(nearChunk{d: math.Inf(1)}); err != nil {
			return done, err
		} else if !ok {
			break
		}
		done.Air--
		budget--
	}
	reserved := 0 // for chunks that other Streamers load, before a chunk in the order
	for k, c := range t.near {
		if !c.mine {
			reserved++
			continue
		}
		if budget > 0 && done.Chunks+reserved >= memory {
			if ok, err := full.free(c); err != nil {
				return done, err
			} else if ok {
				done.Chunks--
				budget--
			}
		}
		if budget < 1 || done.Chunks+reserved >= memory {
			for _, c := range t.near[k:] {
				if c.mine {
					done.Waiting++
				}
			}
			break
		}
		if err := t.load(c); err != nil {
			return done, err
		}
		budget--
		done.Loaded++
		if t.ground.Grid().Engine(lattice.Key{}).AnySolid(cellsOf(c.x, c.y)) {
			done.Chunks++
		} else {
			done.Air++
		}
	}
	return done, nil
}

// farthest takes chunks of a list out of memory, the last in their order first.
type farthest struct {
	t           *Streamer
	of          []nearChunk
	list        []nearChunk // of, in its order, once one is to be unloaded, without those that were
	freed, held int
}

// free unloads the last chunk, if it is after the chunk than, and reports whether there was one. It leaves out those
// with a body.
func (f *farthest) free(than nearChunk) (bool, error) {
	t := f.t
	if len(f.list) == 0 && f.freed == 0 {
		f.list = append(f.list, f.of...)
		t.sort(f.list)
	}
	for len(f.list) > f.held {
		k := len(f.list) - 1 - f.held
		c := f.list[k]
		if c.order(than) <= 0 {
			return false, nil
		}
		data, err := t.ground.UnloadPlace(cellsOf(c.x, c.y), t.o.As)
		if errors.Is(err, quarry.ErrOccupied) {
			f.held++
			continue
		}
		if err != nil {
			return false, fmt.Errorf("store: %v: %w", Chunk(t.name, c.x, c.y), err)
		}
		t.s.putUnloaded(Chunk(t.name, c.x, c.y), data)
		f.list = slices.Delete(f.list, k, k+1)
		f.freed++
		return true, nil
	}
	return false, nil
}

// meet tells the other Streamers of the ground the points of t, and finds theirs: of those that have made a Step since
// the last one of t, or no longer ago than they have paused before. So all agree which chunk is nearer, and none
// unloads a chunk to which another one's point is nearer, also if they step at different rates. A Streamer that is gone
// no longer counts.
func (t *Streamer) meet(points []StreamPoint) {
	t.ways = t.ways[:0]
	for _, p := range points {
		t.ways = append(t.ways, t.way(p))
	}
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.s.streams == nil {
		t.s.streams = map[string]*streams{}
	}
	all := t.s.streams[t.name]
	if all == nil {
		all = new(streams)
		t.s.streams[t.name] = all
	}
	last := t.at
	all.steps++
	t.at = all.steps
	if last > 0 {
		t.pause = max(t.pause, t.at-last)
	}
	if t.peers = t.peers[:0]; last > 0 {
		all.list = slices.DeleteFunc(all.list, func(o *Streamer) bool { return o.at < last && t.at-o.at > o.pause })
		for _, o := range all.list {
			if o != t {
				t.peers = append(t.peers, o)
			}
		}
	}
	if !slices.Contains(all.list, t) {
		all.list = append(all.list, t)
	}
}

// streams are the Streamers of a ground, and the number of their Steps.
type streams struct {
	list  []*Streamer
	steps uint64
}

// putReverted puts the chunks of a ground that World.Rewind has set back, and takes them off the ground's list if
// take is true.
func putReverted(s *Store, name string, g gridseg.View, take bool) {
	g.Engine(lattice.Key{}).EachReverted(func(place gridseg.Rect, data []byte) bool {
		x, y := place.MinX>>sideBits, place.MinY>>sideBits
		if place != cellsOf(x, y) {
			return false // no Streamer has loaded it
		}
		k := Chunk(name, x, y)
		if is, ok, err := s.Get(k); !ok || err != nil || !bytes.Equal(is, data) {
			s.putUnloaded(k, data)
		}
		return take
	})
}

// load loads a chunk.
func (t *Streamer) load(c nearChunk) error {
	k := Chunk(t.name, c.x, c.y)
	data, ok, err := t.s.Get(k)
	if err != nil {
		return err
	}
	if !ok {
		g := gridseg.New(t.ground.Grid().Shapes())
		if t.o.Generate != nil {
			if err := t.o.Generate(g, cellsOf(c.x, c.y)); err != nil {
				return fmt.Errorf("store: StreamOptions.Generate: %v: %w", k, err)
			}
		}
		if data, err = g.Unload(cellsOf(c.x, c.y), gridseg.UnloadedEmpty); err != nil {
			return &Fault{File: t.s.path, Place: k.String(), Err: err}
		}
	}
	got, err := t.ground.LoadPlace(data)
	if err == nil && got != cellsOf(c.x, c.y) {
		err = fmt.Errorf("it has cells (%d, %d) to (%d, %d)", got.MinX, got.MinY, got.MaxX, got.MaxY)
	}
	if err != nil {
		return &Fault{File: t.s.path, Place: k.String(), Err: err}
	}
	return nil
}

// listLoaded lists the loaded chunks with tiles, if there may be others than in the last Step.
func (t *Streamer) listLoaded() {
	grid := t.ground.Grid()
	if e := grid.Engine(lattice.Key{}); t.grid == grid && t.version == e.LoadedVersion() && !e.Edited() {
		return
	}
	t.loaded, t.airy, t.grid = t.loaded[:0], t.airy[:0], gridseg.View{}
	if !grid.Engine(lattice.Key{}).Edited() {
		t.grid, t.version = grid, grid.Engine(lattice.Key{}).LoadedVersion()
	}
	t.cells = grid.Engine(lattice.Key{}).AppendLoaded(t.cells[:0])
	t.loaded = chunksOf(t.loaded, t.cells)
	t.cells = grid.Engine(lattice.Key{}).AppendLoadedAgain(t.cells[:0])
	t.airy = slices.DeleteFunc(chunksOf(t.airy, t.cells), func(c nearChunk) bool {
		_, tiles := slices.BinarySearchFunc(t.loaded, c, nearChunk.order)
		return tiles || !allLoaded(grid, c)
	})
}

// chunksOf appends the chunks that have one of the cells, each once.
func chunksOf(dst []nearChunk, cells []gridseg.Cell) []nearChunk {
	for _, c := range cells {
		n := nearChunk{x: c.X >> sideBits, y: c.Y >> sideBits}
		if k := len(dst); k == 0 || dst[k-1] != n {
			dst = append(dst, n)
		}
	}
	slices.SortFunc(dst, nearChunk.order)
	return slices.Compact(dst)
}

// allLoaded reports whether all of a chunk is loaded.
func allLoaded(grid gridseg.View, c nearChunk) bool {
	const part = 16 // cells along each side of a chunk of a grid
	for y := int32(0); y < Side; y += part {
		for x := int32(0); x < Side; x += part {
			if !grid.Loaded(c.x<<sideBits+x, c.y<<sideBits+y) {
				return false
			}
		}
	}
	return true
}

// listNear lists the unloaded chunks near the points of all Streamers, nearest first.
func (t *Streamer) listNear() {
	t.near = t.near[:0]
	t.appendNear(t.ways, true)
	for _, p := range t.peers {
		t.appendNear(p.ways, false)
	}
	slices.SortFunc(t.near, func(a, b nearChunk) int {
		if c := a.order(b); c != 0 || a.mine == b.mine {
			return c
		} else if a.mine {
			return -1
		}
		return 1
	})
	t.near = slices.CompactFunc(t.near, func(a, b nearChunk) bool { return a.x == b.x && a.y == b.y })
	t.sort(t.near)
}

// appendNear appends the unloaded chunks near the ways to near.
func (t *Streamer) appendNear(ways []way, mine bool) {
	grid := t.ground.Grid()
	const most = 1<<(31-sideBits) - 1
	index := func(v float64) int32 { return int32(math.Floor(max(-most-1, min(most, v/Side)))) }
	for _, w := range ways {
		a, b, r := w.a, w.b, w.r
		for y := index(min(a.Y, b.Y) - r); y <= index(max(a.Y, b.Y)+r); y++ {
			for x := index(min(a.X, b.X) - r); x <= index(max(a.X, b.X)+r); x++ {
				if !grid.Loaded(x<<sideBits, y<<sideBits) && w.near(x, y) {
					t.near = append(t.near, nearChunk{x: x, y: y, mine: mine})
				}
			}
		}
	}
}

// sort sorts a list of different chunks by their order from the points of all Streamers.
func (t *Streamer) sort(list []nearChunk) {
	for k := range list {
		c := &list[k]
		c.far, c.d = true, math.Inf(1)
		c.measure(t.ways)
		for _, p := range t.peers {
			c.measure(p.ways)
		}
	}
	slices.SortFunc(list, nearChunk.order)
}

// measure makes c as near as it is to one of the points.
func (c *nearChunk) measure(ways []way) {
	for _, w := range ways {
		c.far = c.far && !w.near(c.x, c.y)
		c.d = min(c.d, distance2(c.x, c.y, w.a))
	}
}

// way returns the way of p during Ahead, at most maxStreamPath long.
func (t *Streamer) way(p StreamPoint) way {
	d := p.Velocity.Mul(t.o.Ahead)
	if l := d.Len(); l > maxStreamPath {
		d = d.Mul(maxStreamPath / l)
	}
	return way{p.Position, p.Position.Add(d), t.o.Radius}
}

// distance2 returns the square of the distance of p from chunk (x, y).
func distance2(x, y int32, p geom.Vec) float64 {
	lo := geom.V(float64(x)*Side, float64(y)*Side)
	dx := max(lo.X-p.X, 0, p.X-lo.X-Side)
	dy := max(lo.Y-p.Y, 0, p.Y-lo.Y-Side)
	return float64(dx*dx) + float64(dy*dy)
}

// near reports whether chunk (x, y) is within the radius of the way, or at most a quarter of a chunk farther:
// points of the way a half chunk from each other at most are tried.
func (w way) near(x, y int32) bool {
	a, r, d := w.a, w.r, w.b.Sub(w.a)
	n := 1 + math.Floor(d.Len()/(Side/2))
	r += Side / 4
	for k := range int(n) + 1 {
		s := float64(k) / n
		if distance2(x, y, geom.V(a.X+float64(d.X*s), a.Y+float64(d.Y*s))) <= float64(r*r) {
			return true
		}
	}
	return false
}
