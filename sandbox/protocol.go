package sandbox

// # The wire
//
// A client opens a WebSocket at /ws, same origin only. It sends commands, each
// one JSON object in a text message of at most MaxMessage bytes (see Command).
// The server sends binary messages. All numbers are little endian; f32 and f64
// are IEEE 754. Each message begins with four bytes:
//
//	u8  type      one of the message types below
//	u8  version   ProtocolVersion; a client that knows another must give up
//	u16 flags     of FRAME; 0 in all others
//
// HELLO is the first message, and comes again when the scene is reset or
// another is chosen: the client forgets all bodies, grounds, chunks and chains. The rest
// is one JSON object, see hello.
//
// ERROR says what was wrong with something that the client sent. The rest is
// UTF-8 text for people.
//
// SHAPES brings bodies that the client does not have yet, or whose shapes have
// changed. Bodies are named by an index, which is used again once a body is
// gone. They are drawn from the FRAME on that first moves them.
//
//	u32 bodies, then for each:
//	  u32 index
//	  u8  type: 0 static, 1 kinematic, 2 dynamic
//	  u8  0
//	  u16 shapes
//	  f64 BodyID (below 2^53)
//	  then for each shape:
//	    u8  1: points are one, two or up to eight corners, counter-clockwise,
//	        of a convex hull that is grown by the radius; 2: a bare segment
//	    u8  points
//	    u16 0
//	    u32 colour 0xRRGGBB, 0 = the page's choice
//	    f32 radius
//	    f64 x, y of the shape's middle in the body's frame
//	    points times f32 x, y, from that middle
//
// REMOVED takes bodies away.
//
//	u32 bodies, then each one's u32 index
//
// GROUND announces a ground, or a change of its tile shapes. The rest is one
// JSON object, see groundTable.
//
// CHUNK holds all that a square of ChunkCells x ChunkCells cells of a ground
// shows, in place of what the client had of that square. A client gets every
// chunk that is not empty, and again each one that an edit touches.
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
//	  f32 ax, ay, bx, by           from the chunk's lower left corner, in cells
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
//	    vertices times u16 x, y    0 to 4096, from the cell's lower left corner
//
// The solid is on the left of a segment, its normal on the right. A polygon's
// loops run counter-clockwise round the outside and clockwise round holes; a
// cell has at most gridseg.MaxPatch vertices.
//
// CHAIN brings a piece of a chain: of its segments, in order, those from number
// first on. A client gets every chain once; with first 0 it forgets what it had of
// that chain, which is gone if there are no segments, and else looks different now.
// Of a chain of more than MaxChainSegments, points are left out.
//
//	u32 chain
//	u32 first
//	u32 segments, u32 materials
//	f32 how far the segments reach from their middle, in cells
//	f64 x, y of that middle, in the chain's frame
//	for each material:
//	  u32 colour 0xRRGGBB, 0 = the page's choice
//	  f32 speed of the belt, cells a second, clockwise round the solid
//	for each segment: as in CHUNK, from the middle; the material is one of these
//
// PALETTE is the list of materials that HELLO gave, when the scene has changed one of
// them. The rest is a JSON array, see helloMaterial; the order and the indices are
// those of before. Where colours change, the chunks come again.
//
// FRAME says where the bodies are that have moved, woken or fallen asleep since
// the last one, and what the world counts. Positions are relative to an origin
// near what the client looks at (the command "view"), so that a world ten
// million cells away is drawn as well as one at 0.
//
//	flags of the header: 1 = paused
//	u32 sequence number, to be sent back in the command "ack"
//	f64 steps made
//	f64 x, y of the origin
//	f32 ms that the last step took
//	u32 bodies, awake, contacts, touching, points, segments, tiles, segments of chains
//	u32 grounds and chains, u32 bodies that follow
//	for each ground: u32 ground, u32 0, f64 x, y, cosine, sine;
//	or for each chain: u32 chain, u32 1, the same
//	for each body:
//	  u32 index, the top bit set when awake
//	  f32 x, y from the origin
//	  i16 cosine, sine times 32767
//
// # Flow
//
// A client acknowledges FRAMEs: the server never has more than maxUnacked of
// them under way, and makes none while one is being written. What changes
// meanwhile comes in the next, once, as it is then. So the memory that a client
// costs does not depend on how slow it is.
//
// A client may send frameBurst WebSocket frames at once and frameRate a second, of
// byteBurst and byteRate bytes; pings and pongs count. Frames beyond that wait unread.
// A client is pinged every pingEvery and must answer within pongWithin. The close status
// 1013 (try again later) means that the server was full when another client came, and this
// client was silent longest.
const (
	// ProtocolVersion is the second byte of each message.
	ProtocolVersion = 5
	// MaxMessage is how long a client's message may be, in bytes.
	MaxMessage = 64 << 10
	// ChunkCells is the side of a chunk, in cells.
	ChunkCells = 1 << chunkShift
	chunkShift = 5
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
)

// flagPaused is set in a FRAME of a world that stands still.
const flagPaused = 1

// The kinds of shape in SHAPES.
const (
	shapeHull    = 1
	shapeSegment = 2
)

// maxUnacked is how many frames may be on their way to a client: enough to
// hide the way there and back, few enough that what is seen is not old.
const maxUnacked = 4

// hello is the JSON of HELLO.
type hello struct {
	Scene  string       `json:"scene"`
	Scenes []helloScene `json:"scenes"`
	// View is what to look at: least x, least y, greatest x, greatest y.
	View [4]float64 `json:"view"`
	// Kinds are the bodies that the command "add" knows.
	Kinds     []string        `json:"kinds"`
	Materials []helloMaterial `json:"materials"`
	MaxBodies int             `json:"maxBodies"`
	MaxCells  int             `json:"maxCells"`
	MaxStroke float64         `json:"maxStroke"`
	Chunk     int             `json:"chunk"`
}

type helloScene struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

type helloMaterial struct {
	Index uint16 `json:"index"`
	Name  string `json:"name"`
	Color uint32 `json:"color"`
	// Speed is that of a belt, in cells a second, clockwise round the solid.
	Speed float64 `json:"speed,omitempty"`
	// Way is which way bodies pass it: "up", "left", "down", "right", or "" for none.
	Way string `json:"way,omitempty"`
}

// groundTable is the JSON of GROUND.
type groundTable struct {
	Ground uint32      `json:"ground"`
	Shapes []tileShape `json:"shapes"`
	// Preserve are the pairs of layers that keep their faces where they meet.
	Preserve [][2]uint8 `json:"preserve,omitempty"`
}

// tileShape is a shape that tiles have; its polygons lie in the unit square,
// counter-clockwise, as x, y, x, y, ...
type tileShape struct {
	ID       uint16      `json:"id"`
	Name     string      `json:"name"`
	Polygons [][]float64 `json:"polygons"`
}
