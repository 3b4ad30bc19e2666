package sandbox

import "github.com/quarry2d/quarry/play"

// # The wire
//
// A client opens a WebSocket at /ws, from the same origin only. It sends commands, each a JSON
// object in a text message of at most MaxMessage bytes (see Command). The server sends binary
// messages. All numbers are little endian; f32 and f64 are IEEE 754. Each message begins with four
// bytes:
//
//	u8  type      a message type below
//	u8  version   ProtocolVersion; a client for another version must stop
//	u16 flags     of FRAME and DRAW; 0 in all others
//
// HELLO is the first message. It is sent again when a scene is started; the client then drops all
// bodies, grounds, chunks and chains. The rest of the message is a JSON object, see hello.
//
// ERROR is the refusal of a message of this client, or news for all clients, such as a pause. The
// rest is UTF-8 text to show to the user.
//
// SHAPES has new bodies, and bodies whose shapes have changed. A body has an index, which is reused
// after the body is removed. A new body is drawn when the first FRAME with its position arrives.
//
//	u32 bodies, then for each:
//	  u32 index
//	  u8  type: 0 static, 1 kinematic, 2 dynamic
//	  u8  0
//	  u16 shapes
//	  f64 BodyID (below 2^53)
//	  then for each shape:
//	    u8  1: a convex hull of 1 to 8 points, counter-clockwise, expanded by the radius;
//	        2: a segment
//	    u8  points
//	    u16 0
//	    u32 colour 0xRRGGBB, 0 = the page's choice
//	    f32 radius
//	    f64 x, y of the shape's centre in the body's frame
//	    points times f32 x, y, relative to that centre
//
// REMOVED lists removed bodies.
//
//	u32 bodies, then the u32 index of each
//
// GROUND has the tile shapes and layers of a new ground, or of a ground whose registry has grown.
// The rest is a JSON object, see groundTable. Without shapes, the ground has been removed: the client drops its
// chunks. Numbers are reused.
//
// CHUNK has the complete content of a square of play.ChunkCells x play.ChunkCells cells of a ground, which
// replaces the previous content. A client gets every chunk that has tiles, and each chunk again
// that an edit changes.
//
//	u32 ground
//	i32 x, y of the lower left cell
//	u32 tiles, u32 segments, u32 polygons
//	for each tile:
//	  u8  column, row in the chunk
//	  u16 shape (of the ground's table; 4096 = the cell's polygons follow)
//	  u8  turn: bits 0-1 quarter turns counter-clockwise, bit 2 = mirrored in x first
//	  u8  layer
//	  u16 material
//	  u32 colour 0xRRGGBB, 0 = the page's choice
//	for each segment:
//	  f32 ax, ay, bx, by           relative to the chunk's lower left corner, in cells
//	  f32 ghost1 x, y, ghost2 x, y
//	  u8  1 = has ghost1, 2 = has ghost2
//	  u8  layer
//	  u16 material
//	for each polygon:
//	  u8  column, row in the chunk
//	  u8  layer
//	  u8  0
//	  u16 material
//	  u16 loops
//	  u32 colour 0xRRGGBB, 0 = the page's choice
//	  for each loop:
//	    u16 vertices
//	    vertices times u16 x, y    0 to 4096, relative to the cell's lower left corner
//
// The solid is on the left of a segment, its normal on the right. The loops of a polygon run
// counter-clockwise around outsides and clockwise around holes. A cell has at most 1024
// vertices.
//
// CHAIN has successive segments of a chain, the first of number first. A client gets every chain
// once, and again when its look changes. With first = 0 the client drops its segments of that
// chain; no segments mean that the chain was removed. Of a chain of more than MaxChainSegments
// segments, points are omitted.
//
//	u32 chain
//	u32 first
//	u32 segments, u32 materials
//	f32 radius of the circle around their centre that contains the segments, in cells
//	f64 x, y of that centre, in the chain's frame
//	for each material:
//	  u32 colour 0xRRGGBB, 0 = the page's choice
//	  f32 speed of the belt, cells a second, clockwise around the solid
//	for each segment: as in CHUNK, relative to the centre; material is an index of this list
//
// PALETTE is the list of materials of HELLO after the scene has changed one of them. The rest is a
// JSON array, see play.Material, in the same order with the same indices. If a colour has changed,
// all chunks are sent again.
//
// FRAME has the positions of the bodies that have moved, woken or fallen asleep since the last
// FRAME, and the counts of World.Stats. A body outside of the client's view (the command "view") is in every 32nd at
// most. Positions are x and y in 1/4096 of a cell and an angle in 1/65536 of a turn, counter-clockwise. They are sent
// as the difference from where the body would be if it had moved, since its last position, as before that: a body that
// flies straight takes four bytes.
//
//	flags of the header: 1 = paused, 2 = parts of standing grounds that nothing holds fall,
//	  4 = the world has stopped: its scene or a command failed, as an ERROR has said; the client keeps what it
//	  shows until the next HELLO
//	u32 sequence number, for the command "ack"
//	f64 steps made
//	f64 x, y of the origin of DRAW
//	f32 time of the last step in ms
//	u32 bodies, awake, contacts, touching, points, segments, tiles, segments of chains
//	u32 number of grounds and chains, u32 number of bodies
//	for each ground: u32 ground, u32 0, f64 x, y, cosine, sine;
//	or for each chain: u32 chain, u32 1, the same
//	for each body, in the order of their indices, in variable length (encoding/binary's):
//	  uvarint: bodies left out before it times 4, plus 1 if it is awake, plus 2 if the position is whole: as if the
//	    one before had been 0, and without a change
//	  varint  x minus (x before + its last change)
//	  varint  y minus (y before + its last change)
//	  varint  angle minus (angle before + its last change), modulo 65536, -32768 to 32767
//	A whole position leaves no change.
//
// DRAW has the items of World.Draw of the layers that the client asked for (the command "draw"), before
// each FRAME. It replaces the previous DRAW.
//
//	flags of the header: 1 = items are missing, because there are more than 8192
//	u32 items
//	f64 x, y of the origin
//	for each item:
//	  u8  layer: its index in the list of HELLO
//	  u8  form: 0 point, 1 line, 2 arrow, 3 convex hull, 4 frame (origin and tips of both axes)
//	  u8  points
//	  u8  state: 1 = the body is asleep; bits 4 to 7 of a joint: 1 + its kind's index in HELLO, 0 for a drag
//	  points times f32 x, y, relative to the origin
//
// STATUS is the state of the world's time and of this client, sent when it changes: a JSON object, see status.
//
// PEOPLE lists all clients, sent when one of them changes, four times a second at most: a JSON array of person.
//
// POINTERS has the places at which clients point, when one of them moves, 20 times a second at most. It replaces the
// previous POINTERS.
//
//	u32 pointers, then for each:
//	  u32 id of the client
//	  f64 x, y
//
// LENS is what a lens shows that the client asked for (the command "lens"), before each FRAME. The rest is a JSON
// object, see lensPicture.
//
// NEWS is what has happened since the last NEWS: impacts, edits and explosions, at most maxNews of each, for the client
// to show or sound once. Only a client that asked for it (the command "news") gets it. The rest is a JSON object, see
// news.
//
// # Flow
//
// A client acknowledges FRAMEs. At most maxUnacked are unacknowledged, and none is made while a
// batch is being written. The next FRAME has the latest state of everything that changed in the
// meantime, so a slow client costs no more memory than a fast one.
//
// A client that leaves, however it does, leaves nothing behind: its commands that wait are dropped.
//
// A client may send frameBurst WebSocket frames at once and frameRate a second, of byteBurst and
// byteRate bytes; pings and pongs count. Further frames are read later. A client is pinged every
// pingEvery and must answer within pongWithin. The close status 1013 (try again later) means that
// the server was full when another client came, and that this client was silent longest.
const (
	// ProtocolVersion is the second byte of each message.
	ProtocolVersion = 8
	// MaxMessage bounds the length of a client's message in bytes.
	MaxMessage = 64 << 10
)

// The types of message, the first byte of each.
const (
	msgHello   = 1
	msgError   = 2
	msgShapes  = 3
	msgRemoved = 4
	msgGround  = 5
	msgChunk   = 6
	msgFrame   = 7
	msgPalette = 8
	msgChain   = 9
	msgDraw    = 10
	msgStatus  = 11

	msgPeople   = 12
	msgPointers = 13
	msgLens     = 20
	msgNews     = 21
)

// flagCut is set in a DRAW that lacks items.
const flagCut = 1

// The flags of a FRAME.
const (
	flagPaused = 1 // the world is paused
	flagBreaks = 2 // parts of standing grounds that nothing holds fall
	// flagStopped: the world has stopped after an error in it. It is not sent any more.
	flagStopped = 4
)

// The kinds of shape in SHAPES.
const (
	shapeHull    = 1
	shapeSegment = 2
)

// The flags of a body in a FRAME.
const (
	frameAwake = 1
	frameWhole = 2
)

// maxUnacked bounds the unacknowledged frames of a client: enough to hide the round trip, few
// enough to keep the picture current.
const maxUnacked = 4

// hello is the JSON of HELLO.
type hello struct {
	Scene  string       `json:"scene"`
	Scenes []helloScene `json:"scenes"`
	// View is the initial view: smallest x, smallest y, largest x, largest y.
	View [4]float64 `json:"view"`
	// Kinds are the kinds of body of the command "add".
	Kinds []string `json:"kinds"`
	// JointKinds are the kinds of joint of the command "join".
	JointKinds []string `json:"jointKinds"`
	// Stamps are the kinds of the command "stamp", Lenses the names of the command "lens".
	Stamps []string `json:"stamps"`
	Lenses []string `json:"lenses"`
	// Layers are the names of the layers of World.Draw, by their numbers in DRAW. The page may ask for
	// the layers from "joints" on.
	Layers    []string        `json:"layers"`
	Materials []play.Material `json:"materials"`
	MaxBodies int             `json:"maxBodies"`
	MaxCells  int             `json:"maxCells"`
	MaxStroke float64         `json:"maxStroke"`
	MaxBrush  float64         `json:"maxBrush"`
	Chunk     int             `json:"chunk"`
}

type helloScene struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Group string `json:"group"` // of the gallery; the scenes of a group follow each other
}

// groundTable is the JSON of GROUND.
type groundTable struct {
	Ground uint32      `json:"ground"`
	Shapes []tileShape `json:"shapes"`
	// Preserve lists the pairs of layers that keep their faces against each other.
	Preserve [][2]uint8 `json:"preserve,omitempty"`
}

// tileShape is a registered shape of tiles. Its polygons lie in the unit square, counter-clockwise,
// as x, y, x, y, ...
type tileShape struct {
	ID       uint16      `json:"id"`
	Name     string      `json:"name"`
	Polygons [][]float64 `json:"polygons"`
}
