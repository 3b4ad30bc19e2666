package sandbox

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// client is the other end of a connection. Each field has one owner: the reader, the writer, or the loop
// of sim.
type client struct {
	// ending is closed at the end of the connection, once: from then on the loop executes no command of the client.
	ending chan struct{}
	// inbox holds commands from the reader to the loop. While it is full, the reader reads no
	// further messages.
	inbox chan request
	// outbox passes a batch from the loop to the writer, which owns it until it sets idle. The loop
	// sends only when idle is set, so it never waits.
	outbox chan *batch
	idle   atomic.Bool
	acked  atomic.Uint32 // largest FRAME acknowledged

	// The loop owns all other fields.
	player  play.Player
	role    Role
	nick    string // "" for none
	pointer geom.Vec
	points  bool    // it has a pointer
	did     string  // its last command that changed the world
	times   int     // number of such commands
	asks    Command // what it asks the owners for
	asked   int     // the number of that; 0: nothing
	next    request // the next command, taken from inbox
	waiting bool    // next holds a command
	used    int     // recent time of the client's commands, in microseconds; see obeyAll
	taken   int     // commands taken from inbox so far
	failed  int     // commands up to the last one whose error was sent
	undoes  bool    // its "undo" or "redo" is executed, in parts

	// State of the world as sent to this client.
	batch  batch
	errors []string
	epoch  uint64
	seq    uint32
	change uint64   // of the last frame
	colors uint64   // revision of the palette
	bodies []uint64 // revisions of the roster's entries
	tracks []track  // of the roster's entries
	ground []groundSent
	lines  []lineSent
	origin geom.Vec          // of DRAW
	moved  bool              // the origin or the window has changed, so a frame is due
	window geom.AABB         // the client's view; geom.Empty is everything
	status status            // the last one sent
	people uint64            // of PEOPLE
	moves  uint64            // of POINTERS
	layers quarry.DrawLayers // of DRAW, in view
	view   geom.AABB
	lenses map[string]lensPlace // of LENS, by name
	news   bool                 // it gets NEWS
	heard  uint64               // the last piece of news sent
	more   bool                 // the last batch was full, and changes remain to be sent
}

// request is a decoded command, or the error of decoding it.
type request struct {
	command Command
	err     error
	// grounds are those in which a stroke still has to dig, once it has met them.
	grounds []uint32
	met     bool
}

// groundSent is the part of a ground that was sent to a client.
type groundSent struct {
	serial uint64 // of the ground; 0 before the first
	shapes int
	rev    uint64 // all chunks up to this revision were sent
	frame  geom.Transform
	chunks []uint64
}

// batch is a sequence of messages in one buffer; ends are their ends.
type batch struct {
	bytes []byte
	ends  []int
}

func (b *batch) cut() { b.ends = append(b.ends, len(b.bytes)) }

const (
	// inboxLength is the number of commands that wait for the loop. Each has at most MaxMessage bytes.
	inboxLength = 16
	// maxErrors bounds the errors that wait to be sent; further errors are dropped.
	maxErrors = 8
	// batchBytes is the size at which a batch is full: large enough to send a world in a few
	// frames, small enough that encoding it does not delay the loop.
	batchBytes = 256 << 10
	// originReach bounds the distance, in x and in y, of a client's view from the origin of its
	// frames. At this distance float32 has a resolution of 1/4096 of a cell.
	originReach = 2048
)

func newClient() *client {
	c := &client{
		inbox: make(chan request, inboxLength), outbox: make(chan *batch, 1), ending: make(chan struct{}),
		window: geom.Empty,
	}
	c.idle.Store(true)
	return c
}

// ended reports whether the connection ends or has ended.
func (c *client) ended() bool {
	select {
	case <-c.ending:
		return true
	default:
		return false
	}
}

// complain adds an error to the client's next batch, unless it is there already.
func (c *client) complain(err error) {
	if text := err.Error(); len(c.errors) < maxErrors && !slices.Contains(c.errors, text) {
		c.errors = append(c.errors, text)
	}
}

// fail complains of a command, by its number; of one that is executed in parts only once.
func (c *client) fail(taken int, err error) {
	if c.failed < taken {
		c.failed = taken
		c.complain(err)
	}
}

// look sets the centre of the client's view.
func (c *client) look(p geom.Vec) {
	if d := p.Sub(c.origin); !within(d.X, originReach) || !within(d.Y, originReach) {
		c.origin, c.moved = geom.V(float64(int64(p.X)), float64(int64(p.Y))), true
	}
}

// sync passes the unsent answers and, if world is set, the unsent changes of the world to the
// writer, which must be idle.
func (c *client) sync(s *sim, world bool) {
	b := &c.batch
	b.bytes, b.ends = b.bytes[:0], b.ends[:0]
	for _, text := range c.errors {
		b.bytes = appendError(b.bytes, text)
		b.cut()
	}
	c.errors = c.errors[:0]
	if world {
		c.syncPeople(s)
	}
	if n := len(b.ends); world && !s.try("reading the world", func() { c.syncWorld(s) }) {
		b.ends = b.ends[:n]
	}
	if len(b.ends) > 0 {
		c.idle.Store(false)
		c.outbox <- b
	}
}

// syncWorld appends the unsent changes of the world, unless maxUnacked frames are unacknowledged. Of a world that has
// stopped, it appends the state only.
func (c *client) syncWorld(s *sim) {
	stopped := s.Stopped() != ""
	if !stopped {
		s.look()
	}
	b := &c.batch
	if c.epoch != s.epoch {
		c.greet(s)
		if stopped {
			b.bytes = appendError(b.bytes, stoppedText(s.Stopped()))
			b.cut()
		}
	}
	c.syncStatus(s)
	if c.seq-c.acked.Load() < maxUnacked && (c.change != s.changes() || c.moved || c.more) {
		if list, rev := s.Palette(); c.colors != rev {
			c.colors = rev
			b.bytes = appendJSON(b.bytes, msgPalette, list)
			b.cut()
		}
		c.more = false
		if !stopped {
			c.syncNews(s) // before the chunks, of which the page shows what an edit took
			c.more = !(c.syncGrounds(s) && c.syncChains(s) && c.syncBodies(s))
			c.syncDraw(s) // before the FRAME, which the client acknowledges
			c.syncLenses(s)
		}
		c.syncFrame(s)
	}
}

// greet appends HELLO and marks everything as unsent.
func (c *client) greet(s *sim) {
	c.batch.bytes = append(c.batch.bytes, s.helloMessage()...)
	c.batch.cut()
	c.epoch, c.change = s.epoch, 0
	_, c.colors = s.Palette()
	c.bodies, c.tracks, c.ground = c.bodies[:0], c.tracks[:0], nil
	c.lines, c.status = nil, status{}
	c.look(s.Scene().View.Center())
}

// helloMessage returns the HELLO message, which all clients share.
func (s *sim) helloMessage() []byte {
	materials, rev := s.Palette()
	if s.hello != nil && s.helloRev == rev {
		return s.hello
	}
	v := s.Scene().View
	h := hello{
		Scene: s.Scene().Name, View: [4]float64{v.Min.X, v.Min.Y, v.Max.X, v.Max.Y},
		Kinds: play.Kinds, JointKinds: play.JointKinds, Layers: drawLayers(), Materials: materials,
		Stamps: play.Stamps, Lenses: lensNames(), MaxBrush: play.MaxBrush,
		MaxBodies: s.config.MaxBodies, MaxCells: play.MaxCells, MaxStroke: play.MaxStroke, Chunk: play.ChunkCells,
	}
	h.Scenes = gallery(s.config.Scenes)
	s.hello, s.helloRev = appendJSON(nil, msgHello, h), rev
	return s.hello
}

// gallery lists scenes by the groups of package scene, after those that are in none, such as a map file.
func gallery(scenes []scene.Scene) (list []helloScene) {
	group := map[string]string{}
	for _, g := range scene.Groups() {
		for _, name := range g.Scenes {
			group[name] = g.Name
		}
	}
	for _, sc := range scenes {
		if group[sc.Name] == "" {
			list = append(list, helloScene{sc.Name, sc.Doc, "Your own"})
		}
	}
	for _, g := range scene.Groups() {
		for _, name := range g.Scenes {
			if sc, ok := find(scenes, name); ok {
				list = append(list, helloScene{sc.Name, sc.Doc, g.Name})
			}
		}
	}
	return list
}

// syncGrounds appends new grounds and changed chunks, and reports whether the batch had room for
// all of them.
func (c *client) syncGrounds(s *sim) bool {
	for i, t := range s.Grounds() {
		if i == len(c.ground) {
			c.ground = append(c.ground, groundSent{})
		}
		sent := &c.ground[i]
		if sent.serial != t.Serial() {
			if sent.shapes > 0 {
				c.batch.bytes = appendJSON(c.batch.bytes, msgGround, groundTable{Ground: t.Number()})
				c.batch.cut()
			}
			*sent = groundSent{serial: t.Serial()}
		}
		g, ok := s.Engine().Ground(t.ID())
		if !ok {
			continue
		}
		if shapes := g.Grid().Shapes().Len(); shapes != sent.shapes {
			sent.shapes = shapes
			c.batch.bytes = append(c.batch.bytes, s.tableMessage(t, g.Grid(), shapes)...)
			c.batch.cut()
		}
		if sent.rev == t.Rev() {
			continue
		}
		list := t.Chunks()
		for len(sent.chunks) < len(list) {
			sent.chunks = append(sent.chunks, 0)
		}
		for k := range list {
			if sent.chunks[k] == list[k].Rev {
				continue
			}
			if len(c.batch.bytes) > batchBytes {
				return false
			}
			c.batch.bytes = append(c.batch.bytes, s.chunkMessage(t, k, g)...)
			c.batch.cut()
			sent.chunks[k] = list[k].Rev
		}
		sent.rev = t.Rev()
	}
	return true
}

// tableOf returns the shapes of a ground's registry and the layers that the ground preserves.
func tableOf(number uint32, grid gridseg.View) groundTable {
	shapes := grid.Shapes()
	table := groundTable{Ground: number, Preserve: grid.AppendPreserved(nil)}
	for id := gridseg.ShapeID(1); int(id) <= shapes.Len(); id++ {
		sh := tileShape{ID: uint16(id), Name: shapes.Name(id)}
		for _, polygon := range shapes.Polygons(id, 0) {
			var xy []float64
			for _, p := range polygon {
				xy = append(xy, float64(p.X)/gridseg.Unit, float64(p.Y)/gridseg.Unit)
			}
			sh.Polygons = append(sh.Polygons, xy)
		}
		table.Shapes = append(table.Shapes, sh)
	}
	return table
}

// syncBodies appends removed, new and changed bodies, and reports whether the batch had room for
// all of them.
func (c *client) syncBodies(s *sim) bool {
	entries := s.roster.entries
	for len(c.bodies) < len(entries) {
		c.bodies, c.tracks = append(c.bodies, 0), append(c.tracks, track{})
	}
	b := &c.batch
	start, n := c.begin(msgRemoved), 0
	for i := range entries {
		if entries[i].rev == 0 && c.bodies[i] != 0 {
			c.bodies[i] = 0
			b.bytes = wire.AppendUint32(b.bytes, uint32(i))
			n++
		}
	}
	c.end(start, n)
	whole := true
	start, n = c.begin(msgShapes), 0
	for i := range entries {
		e := &entries[i]
		if e.rev == c.bodies[i] {
			continue
		}
		if whole = len(b.bytes) <= batchBytes; !whole {
			break
		}
		if body, ok := s.Engine().Body(e.id); ok {
			b.bytes = appendBody(b.bytes, uint32(i), body, s.color)
			c.bodies[i], c.tracks[i] = e.rev, track{}
			n++
		}
	}
	c.end(start, n)
	return whole
}

// begin starts a message of counted items and returns its position.
func (c *client) begin(kind byte) int {
	start := len(c.batch.bytes)
	c.batch.bytes = append(appendHeader(c.batch.bytes, kind, 0), 0, 0, 0, 0)
	return start
}

// end sets the count of the message, or removes the message if n is 0.
func (c *client) end(start, n int) {
	if n == 0 {
		c.batch.bytes = c.batch.bytes[:start]
		return
	}
	wire.PutUint32(c.batch.bytes[start+4:], uint32(n))
	c.batch.cut()
}

// syncFrame appends a FRAME with the bodies, grounds and chains that moved since the last.
func (c *client) syncFrame(s *sim) {
	b := &c.batch
	start := len(b.bytes)
	c.seq++
	b.bytes = appendFrameHead(b.bytes, frameHead{
		paused: s.paused, breaks: s.Breaks(), stopped: s.Stopped() != "", seq: c.seq, steps: uint64(s.Steps()),
		origin: c.origin,
		stepMS: s.took.Seconds() * 1000, stats: s.stats,
	})
	if s.Stopped() != "" { // the counts are 0
		b.cut()
		c.change, c.moved = s.changes(), false
		return
	}
	grounds := 0 // and chains
	for i := range c.ground {
		if g, ok := s.Engine().Ground(s.Grounds()[i].ID()); ok {
			if t := g.Transform(); t != c.ground[i].frame {
				c.ground[i].frame = t
				b.bytes = appendFramePlace(b.bytes, uint32(i), frameOfGround, t)
				grounds++
			}
		}
	}
	for i := range c.lines {
		if chain, ok := s.Engine().Chain(s.lines[i].id); ok {
			if t := chain.Transform(); t != c.lines[i].frame {
				c.lines[i].frame = t
				b.bytes = appendFramePlace(b.bytes, uint32(i), frameOfChain, t)
				grounds++
			}
		}
	}
	bodies, last := 0, -1
	for i := range c.bodies {
		e, t := &s.roster.entries[i], &c.tracks[i]
		if e.rev == 0 || e.rev != c.bodies[i] {
			continue
		}
		if t.stale = t.stale || e.moved > c.change || !t.known; !t.stale || t.known && !c.sees(e, i) {
			continue
		}
		b.bytes = t.append(b.bytes, i-last-1, e.awake, e.place)
		bodies, last = bodies+1, i
	}
	wire.PutUint32(b.bytes[start+frameCounts:], uint32(grounds))
	wire.PutUint32(b.bytes[start+frameCounts+4:], uint32(bodies))
	b.cut()
	c.change, c.moved = s.changes(), false
}

// unseenEvery is the number of frames between two with the place of a body that moves outside of the view.
const unseenEvery = 32

// sees reports whether the place of a body is in this frame: it is in the view, or its turn has come.
func (c *client) sees(e *rosterEntry, i int) bool {
	if c.window.IsEmpty() || (i+int(c.seq))%unseenEvery == 0 {
		return true
	}
	p, w := e.t.P, &c.window
	return p.X+e.reach >= w.Min.X && p.X-e.reach <= w.Max.X && p.Y+e.reach >= w.Min.Y && p.Y-e.reach <= w.Max.Y
}

// within reports whether x is between -limit and limit; NaN is not.
func within(x, limit float64) bool { return math.Abs(x) <= limit }
