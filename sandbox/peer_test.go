//go:build !js

package sandbox

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// peer is a client that keeps the state that it receives, as the page does.
type peer struct {
	t          testing.TB
	conn       *websocket.Conn
	hello      hello
	hellos     int
	palettes   int
	chunksSeen int
	errors     []string
	bodies     map[uint32]*peerBody
	chunks     map[gridseg.Cell]peerChunk            // of ground 0
	others     map[uint32]map[gridseg.Cell]peerChunk // of other grounds, by number
	places     map[uint32]geom.Transform             // of all grounds
	tables     []groundTable
	frames     int
	seq        uint32
	paused     bool
	breaks     bool
	stopped    bool
	step       float64
	origin     geom.Vec
	chains     map[uint32]*peerChain
	chainBytes int
	drawn      []peerItem // of the last DRAW
	draws      int
	cut        bool
	status     status
	people     []person
	pointers   map[uint32]geom.Vec
	frameBytes int // of the bodies of the last FRAME
	// frameBodies is the number of bodies in it.
	frameBodies int
	stats       [8]uint32 // bodies, awake, contacts, touching, points, segments, tiles, segments of chains
}

type peerBody struct {
	id     float64
	typ    byte
	shapes []peerShape
	placed bool
	awake  bool
	at     geom.Vec
	c, s   float64
	place  place // the last one, and its last change
	change place
}

type peerItem struct {
	layer  string
	form   byte
	asleep bool
	points []geom.Vec // in the world
}

type peerShape struct {
	kind   byte
	color  uint32
	radius float64
	middle geom.Vec
	points []geom.Vec
}

type peerChunk struct {
	tiles    map[gridseg.Cell]gridseg.Tile
	segments int
	ghosts   int
	polygons []peerPolygon
}

type peerPolygon struct {
	cell  gridseg.Cell
	tile  gridseg.Tile
	loops [][]gridseg.Point
}

// reader reads the wire's numbers one after another.
type reader struct {
	t testing.TB
	b []byte
}

func (r *reader) take(n int) []byte {
	if len(r.b) < n {
		r.t.Fatalf("message ends %d bytes early", n-len(r.b))
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uvarint() uint64 {
	x, n := binary.Uvarint(r.b)
	r.take(n)
	return x
}

func (r *reader) varint() int64 {
	x, n := binary.Varint(r.b)
	r.take(n)
	return x
}
func (r *reader) u8() byte     { return r.take(1)[0] }
func (r *reader) u16() uint16  { return wire.Uint16(r.take(2)) }
func (r *reader) u32() uint32  { return wire.Uint32(r.take(4)) }
func (r *reader) f32() float64 { return float64(math.Float32frombits(wire.Uint32(r.take(4)))) }
func (r *reader) f64() float64 { return math.Float64frombits(wire.Uint64(r.take(8))) }
func (r *reader) vec32() geom.Vec {
	x := r.f32()
	return geom.V(x, r.f32())
}

func (r *reader) vec64() geom.Vec {
	x := r.f64()
	return geom.V(x, r.f64())
}

// take reads one message into the peer's state.
func (p *peer) take(message []byte) {
	r := &reader{p.t, message}
	kind, version, flags := r.u8(), r.u8(), r.u16()
	if version != ProtocolVersion {
		p.t.Fatalf("message of version %d", version)
	}
	switch kind {
	case msgHello:
		p.hello = hello{}
		if err := json.Unmarshal(r.b, &p.hello); err != nil {
			p.t.Fatal(err)
		}
		p.hellos++
		p.bodies, p.chunks, p.tables = map[uint32]*peerBody{}, map[gridseg.Cell]peerChunk{}, nil
		p.chains = map[uint32]*peerChain{}
		p.others, p.places = map[uint32]map[gridseg.Cell]peerChunk{}, map[uint32]geom.Transform{}
		return
	case msgError:
		p.errors = append(p.errors, string(r.b))
		return
	case msgPalette:
		p.hello.Materials = nil
		if err := json.Unmarshal(r.b, &p.hello.Materials); err != nil {
			p.t.Fatal(err)
		}
		p.palettes++
		return
	case msgPeople:
		p.people = nil
		if err := json.Unmarshal(r.b, &p.people); err != nil {
			p.t.Fatal(err)
		}
		return
	case msgPointers:
		p.pointers = map[uint32]geom.Vec{}
		for n := r.u32(); n > 0; n-- {
			id := r.u32()
			p.pointers[id] = r.vec64()
		}
	case msgStatus:
		p.status = status{}
		if err := json.Unmarshal(r.b, &p.status); err != nil {
			p.t.Fatal(err)
		}
		return
	case msgGround:
		var table groundTable
		if err := json.Unmarshal(r.b, &table); err != nil {
			p.t.Fatal(err)
		}
		p.tables = append(p.tables, table)
		if len(table.Shapes) == 0 {
			delete(p.others, table.Ground)
		}
		return
	case msgShapes:
		for n := r.u32(); n > 0; n-- {
			p.takeBody(r)
		}
	case msgRemoved:
		for n := r.u32(); n > 0; n-- {
			i := r.u32()
			if p.bodies[i] == nil {
				p.t.Errorf("body %d removed, and never seen", i)
			}
			delete(p.bodies, i)
		}
	case msgChunk:
		p.takeChunk(r)
	case msgChain:
		p.takeChain(r)
	case msgDraw:
		p.takeDraw(r, flags)
	case msgFrame:
		p.takeFrame(r, flags)
	default:
		p.t.Fatalf("message of type %d", kind)
	}
	if len(r.b) != 0 {
		p.t.Errorf("message of type %d: %d bytes left over", kind, len(r.b))
	}
}

func (p *peer) takeBody(r *reader) {
	index := r.u32()
	b := &peerBody{typ: r.u8()}
	r.u8()
	shapes := r.u16()
	b.id = r.f64()
	for ; shapes > 0; shapes-- {
		s := peerShape{kind: r.u8()}
		points := r.u8()
		r.u16()
		s.color, s.radius, s.middle = r.u32(), r.f32(), r.vec64()
		for ; points > 0; points-- {
			s.points = append(s.points, r.vec32())
		}
		b.shapes = append(b.shapes, s)
	}
	p.bodies[index] = b
}

func (p *peer) takeChunk(r *reader) {
	ground := r.u32()
	at := gridseg.Cell{X: int32(r.u32()), Y: int32(r.u32())}
	tiles, segments, polygons := r.u32(), r.u32(), r.u32()
	c := peerChunk{tiles: map[gridseg.Cell]gridseg.Tile{}, segments: int(segments)}
	for ; tiles > 0; tiles-- {
		column, row := r.u8(), r.u8()
		if column >= play.ChunkCells || row >= play.ChunkCells {
			p.t.Errorf("tile at %d,%d of its chunk", column, row)
		}
		cell := gridseg.Cell{X: at.X + int32(column), Y: at.Y + int32(row)}
		tile := gridseg.Tile{
			Shape: gridseg.ShapeID(r.u16()), Turn: gridseg.Turn(r.u8()), Layer: r.u8(),
			Material: r.u16(),
		}
		r.u32()
		c.tiles[cell] = tile
	}
	for ; segments > 0; segments-- {
		r.take(32)
		if r.u8() == 3 {
			c.ghosts++
		}
		r.take(3)
	}
	for ; polygons > 0; polygons-- {
		g := peerPolygon{cell: gridseg.Cell{X: at.X + int32(r.u8()), Y: at.Y + int32(r.u8())}}
		g.tile.Layer = r.u8()
		r.u8()
		g.tile.Material = r.u16()
		loops := r.u16()
		r.u32()
		for ; loops > 0; loops-- {
			loop := make([]gridseg.Point, r.u16())
			for i := range loop {
				loop[i].X = int64(r.u16())
				loop[i].Y = int64(r.u16())
			}
			g.loops = append(g.loops, loop)
		}
		c.polygons = append(c.polygons, g)
	}
	p.chunksSeen++
	if ground == 0 {
		p.chunks[at] = c
		return
	}
	if p.others[ground] == nil {
		p.others[ground] = map[gridseg.Cell]peerChunk{}
	}
	p.others[ground][at] = c
}

func (p *peer) takeDraw(r *reader, flags uint16) {
	p.drawn, p.cut = nil, flags&flagCut != 0
	p.draws++
	n, origin := r.u32(), r.vec64()
	for ; n > 0; n-- {
		it := peerItem{layer: p.hello.Layers[r.u8()], form: r.u8()}
		points := r.u8()
		it.asleep = r.u8() == 1
		for ; points > 0; points-- {
			it.points = append(it.points, origin.Add(r.vec32()))
		}
		p.drawn = append(p.drawn, it)
	}
}

func (p *peer) takeFrame(r *reader, flags uint16) {
	p.frames++
	p.paused, p.breaks = flags&flagPaused != 0, flags&flagBreaks != 0
	p.stopped = flags&flagStopped != 0
	p.seq, p.step, p.origin = r.u32(), r.f64(), r.vec64()
	r.f32()
	for i := range p.stats {
		p.stats[i] = r.u32()
	}
	grounds, bodies := r.u32(), r.u32()
	for ; grounds > 0; grounds-- {
		number, kind := r.u32(), r.u32()
		t := geom.Transform{P: r.vec64()}
		t.Q.C = r.f64()
		t.Q.S = r.f64()
		if kind == frameOfChain {
			p.chains[number].frame = t
		} else {
			p.places[number] = t
		}
	}
	index := -1
	p.frameBytes, p.frameBodies = len(r.b), int(bodies)
	for ; bodies > 0; bodies-- {
		head := r.uvarint()
		index += int(head>>2) + 1
		b := p.bodies[uint32(index)]
		if b == nil {
			p.t.Fatalf("frame %d moves body %d, which was never sent", p.seq, index)
		}
		if head&frameWhole != 0 {
			b.place, b.change = place{}, place{}
		}
		was := b.place
		b.place.x += b.change.x + r.varint()
		b.place.y += b.change.y + r.varint()
		b.place.angle += b.change.angle + uint16(r.varint())
		if b.change = (place{b.place.x - was.x, b.place.y - was.y, b.place.angle - was.angle}); head&frameWhole != 0 {
			b.change = place{}
		}
		b.placed, b.awake = true, head&frameAwake != 0
		b.at = geom.V(float64(b.place.x)/placeUnit, float64(b.place.y)/placeUnit)
		b.s, b.c = math.Sincos(float64(b.place.angle) / (1 << 15) * math.Pi)
	}
}

// patience is how long a test waits for an event that must come. A test that passes does not wait so long, also where
// the machine runs something else for seconds.
const patience = 2 * time.Minute

// serve starts a server with the scenes, which ends with the test, and returns
// its address.
func serve(t testing.TB, c Config) string {
	t.Helper()
	return serveOn(t, New(c))
}

// serveOn is serve of a server that is made already. The world is kept, since one that is not has no log.
func serveOn(t testing.TB, s *Server) string {
	t.Helper()
	if s.config.Keep == "" {
		s.config.Keep, s.finds = filepath.Join(t.TempDir(), "world"), s.find
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := httptest.NewServer(s.Handler())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return strings.TrimPrefix(h.URL, "http://")
}

func dial(t testing.TB, addr string) *peer { t.Helper(); return dialWith(t, addr, "") }

// dialWith is dial with a token.
func dialWith(t testing.TB, addr, token string) *peer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+addr+"/ws?token="+token,
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://" + addr}}})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(64 << 20)
	t.Cleanup(func() { conn.CloseNow() })
	return &peer{t: t, conn: conn}
}

// send sends text as it is.
func (p *peer) send(text string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := p.conn.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// read takes the next message, and acknowledges it if it is a frame.
func (p *peer) read(ctx context.Context) error {
	_, message, err := p.conn.Read(ctx)
	if err != nil {
		return err
	}
	p.take(message)
	if message[0] == msgFrame {
		c := Command{Command: play.Command{Do: "ack"}, Seq: p.seq}
		b, err := c.Append(nil)
		if err != nil {
			return err
		}
		return p.conn.Write(ctx, websocket.MessageText, b)
	}
	return nil
}

// until reads messages until done; it fails the test when that takes too long.
func (p *peer) until(what string, done func() bool) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for !done() {
		if err := p.read(ctx); err != nil {
			p.t.Fatalf("waiting for %s: %v (frame %d, step %v, errors %q)", what, err, p.seq, p.step, p.errors)
		}
	}
}

var pit, bare = worldtest.Pit, worldtest.Bare

// swarm is bodies that fly for ever, so that frames are large.
var swarm = scene.Scene{
	Name: "swarm", Doc: "3000 circles that drift.", View: geom.Box(geom.V(0, 0), geom.V(200, 200)),
	Build: func(w *quarry.World) *scene.Instance {
		for i := range 3000 {
			at := geom.V(float64(i%60)*4, float64(i/60)*4)
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at, Velocity: geom.V(1, 0)})
			w.AddShape(b, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}
