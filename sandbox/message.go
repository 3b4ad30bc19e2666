package sandbox

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// The functions in this file append parts of messages, which protocol.go specifies.

var wire = binary.LittleEndian

func appendHeader(dst []byte, kind byte, flags uint16) []byte {
	return wire.AppendUint16(append(dst, kind, ProtocolVersion), flags)
}

func appendF32(dst []byte, x float64) []byte {
	return wire.AppendUint32(dst, math.Float32bits(float32(x)))
}

func appendF64(dst []byte, x float64) []byte {
	return wire.AppendUint64(dst, math.Float64bits(x))
}

func appendError(dst []byte, text string) []byte {
	return append(appendHeader(dst, msgError, 0), text...)
}

// appendJSON appends a message of JSON. v is one of the structs in protocol.go, with finite
// numbers, so encoding cannot fail.
func appendJSON(dst []byte, kind byte, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("quarry: sandbox message %d: %v", kind, err))
	}
	return append(appendHeader(dst, kind, 0), b...)
}

// appendBody appends one body of a SHAPES message.
func appendBody(dst []byte, index uint32, b quarry.Body, color func(quarry.MaterialID) uint32) []byte {
	dst = wire.AppendUint32(dst, index)
	dst = append(dst, byte(b.Type()), 0)
	count := len(dst)
	dst = wire.AppendUint16(dst, 0)
	dst = appendF64(dst, float64(b.ID()))
	n := 0
	for s := range b.Shapes() {
		if n == math.MaxUint16 {
			break
		}
		dst = appendShape(dst, s.Geometry(), color(s.Material()))
		n++
	}
	wire.PutUint16(dst[count:], uint16(n))
	return dst
}

// appendShape appends one shape of a body. Points are relative to the centre of their box, so that
// float32 keeps the form of a shape far from its body's origin.
func appendShape(dst []byte, g geom.Shape, color uint32) []byte {
	kind, radius := byte(shapeHull), 0.0
	var points [geom.MaxVertices]geom.Vec
	n := 0
	switch g := g.(type) {
	case geom.Circle:
		points[0], n, radius = g.Center, 1, g.Radius
	case geom.Capsule:
		points[0], points[1], n, radius = g.A, g.B, 2, g.Radius
	case geom.Segment:
		points[0], points[1], n, kind = g.A, g.B, 2, shapeSegment
	case geom.Polygon:
		n = copy(points[:], g.Vertices[:g.N])
		radius = g.Radius
	}
	box := geom.Empty
	for _, p := range points[:n] {
		box = box.Union(geom.AABB{Min: p, Max: p})
	}
	middle := box.Center()
	dst = append(dst, kind, byte(n), 0, 0)
	dst = wire.AppendUint32(dst, color)
	dst = appendF32(dst, radius)
	dst = appendF64(dst, middle.X)
	dst = appendF64(dst, middle.Y)
	for _, p := range points[:n] {
		dst = appendF32(dst, p.X-middle.X)
		dst = appendF32(dst, p.Y-middle.Y)
	}
	return dst
}

// frameHead is the part of a FRAME message before the grounds and bodies.
type frameHead struct {
	paused  bool
	breaks  bool
	stopped bool
	seq     uint32
	steps   uint64
	origin  geom.Vec
	stepMS  float64
	stats   quarry.Stats
}

// frameCounts is the offset of the number of grounds in a FRAME message; the number of bodies
// follows.
const frameCounts = 4 + 4 + 8 + 16 + 4 + 8*4

func appendFrameHead(dst []byte, h frameHead) []byte {
	var flags uint16
	if h.paused {
		flags |= flagPaused
	}
	if h.breaks {
		flags |= flagBreaks
	}
	if h.stopped {
		flags |= flagStopped
	}
	dst = appendHeader(dst, msgFrame, flags)
	dst = wire.AppendUint32(dst, h.seq)
	dst = appendF64(dst, float64(h.steps))
	dst = appendF64(dst, h.origin.X)
	dst = appendF64(dst, h.origin.Y)
	dst = appendF32(dst, h.stepMS)
	st := h.stats
	for _, n := range [...]int{
		st.Bodies, st.Awake, st.Contacts, st.Touching, st.Points, st.Segments, st.Tiles,
		st.ChainSegments,
	} {
		dst = wire.AppendUint32(dst, uint32(n))
	}
	return append(dst, 0, 0, 0, 0, 0, 0, 0, 0) // the counts, set by syncFrame
}

// The kinds of object placed by appendFramePlace.
const (
	frameOfGround = 0
	frameOfChain  = 1
)

func appendFramePlace(dst []byte, index, kind uint32, t geom.Transform) []byte {
	dst = wire.AppendUint32(dst, index)
	dst = wire.AppendUint32(dst, kind)
	dst = appendF64(dst, t.P.X)
	dst = appendF64(dst, t.P.Y)
	dst = appendF64(dst, t.Q.C)
	return appendF64(dst, t.Q.S)
}

// appendChunkHead appends a CHUNK message up to its counts, which putChunkCounts sets later.
func appendChunkHead(dst []byte, ground uint32, x, y int32) []byte {
	dst = appendHeader(dst, msgChunk, 0)
	dst = wire.AppendUint32(dst, ground)
	dst = wire.AppendUint32(dst, uint32(x))
	dst = wire.AppendUint32(dst, uint32(y))
	return append(dst, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

func putChunkCounts(message []byte, tiles, segments, polygons int) {
	wire.PutUint32(message[16:], uint32(tiles))
	wire.PutUint32(message[20:], uint32(segments))
	wire.PutUint32(message[24:], uint32(polygons))
}

func appendTile(dst []byte, column, row byte, t gridseg.Tile, color uint32) []byte {
	dst = append(dst, column, row)
	dst = wire.AppendUint16(dst, uint16(t.Shape))
	dst = append(dst, byte(t.Turn), t.Layer)
	dst = wire.AppendUint16(dst, t.Material)
	return wire.AppendUint32(dst, color)
}

// appendSegment appends s relative to the lower left corner of its chunk, where float32 is exact
// for lattice points.
func appendSegment(dst []byte, s *gridseg.Segment, corner gridseg.Point) []byte {
	flags := byte(0)
	g1, g2 := s.A, s.B
	if s.HasGhost1 {
		flags, g1 = flags|1, s.Ghost1
	}
	if s.HasGhost2 {
		flags, g2 = flags|2, s.Ghost2
	}
	for _, p := range [...]gridseg.Point{s.A, s.B, g1, g2} {
		dst = appendF32(dst, float64(p.X-corner.X)/gridseg.Unit)
		dst = appendF32(dst, float64(p.Y-corner.Y)/gridseg.Unit)
	}
	dst = append(dst, flags, s.Tile.Layer)
	return wire.AppendUint16(dst, s.Tile.Material)
}

// appendPolygon appends a polygon of a cell. Its counts fit in 16 bits: a cell has at most
// 1024 vertices, or a tile shape of 64 polygons of 256 vertices.
func appendPolygon(dst []byte, column, row byte, t gridseg.Tile, color uint32, loops [][]gridseg.Point) []byte {
	dst = append(dst, column, row, t.Layer, 0)
	dst = wire.AppendUint16(dst, t.Material)
	dst = wire.AppendUint16(dst, uint16(len(loops)))
	dst = wire.AppendUint32(dst, color)
	for _, loop := range loops {
		dst = wire.AppendUint16(dst, uint16(len(loop)))
		for _, p := range loop {
			dst = wire.AppendUint16(dst, uint16(p.X))
			dst = wire.AppendUint16(dst, uint16(p.Y))
		}
	}
	return dst
}
