package contact

import "fmt"

// Part is the part of a shape, ground or chain that makes a contact point: one half of a
// quarry.ContactID, with the fields of quarry.ContactFeature.
type Part struct {
	Kind         PartKind
	Another      bool
	Index        int32
	X, Y, Offset int64
}

// PartKind is the kind of a Part. It has the values of quarry.FeatureKind.
type PartKind uint8

// The kinds of parts.
const (
	NoPart PartKind = iota
	ShapeVertex
	ShapeEdge
	GroundLine
	GroundVertex
	ChainRun
	ChainCorner
	InsideGround
)

var partNames = [...]string{
	"nothing", "vertex", "edge", "ground line", "ground vertex", "chain face", "chain corner",
	"inside ground",
}

// String returns the kind in words.
func (k PartKind) String() string {
	if int(k) < len(partNames) {
		return partNames[k]
	}
	return fmt.Sprintf("FeatureKind(%d)", uint8(k))
}

// String returns the part in words: "vertex 2", "ground line (-1, 0) at 4096".
func (p Part) String() string {
	s := p.Kind.String()
	switch p.Kind {
	case ShapeVertex, ShapeEdge, ChainRun, ChainCorner:
		s = fmt.Sprintf("%s %d", s, p.Index)
	case GroundLine:
		s = fmt.Sprintf("%s (%d, %d) at %d", s, p.X, p.Y, p.Offset)
	case GroundVertex:
		s = fmt.Sprintf("%s (%d, %d)", s, p.X, p.Y)
	}
	if p.Another {
		s += ", another way"
	}
	return s
}

// Parts returns the parts of A and B that f names. The Index of a chain's part is the number of its
// face or corner.
func (f *Feature) Parts() (a, b Part) {
	vertexA, vertexB := f.Pair.Vertices()
	if b = shapePart(f.Pair.HullFeature(), vertexB); f.Kind == Shapes {
		return shapePart(f.Pair.Flip().HullFeature(), vertexA), b
	}
	return f.Part(), b
}

// Part returns the part of a ground or chain that f names.
func (f *Feature) Part() (a Part) {
	switch f.Kind {
	case Line, LineEnd:
		a = Part{Kind: GroundLine, Another: f.Kind == LineEnd, Offset: f.X}
		a.X, a.Y = f.Direction()
	case Vertex:
		a = Part{Kind: GroundVertex, X: f.X, Y: f.Y}
	case ChainFace:
		a = Part{Kind: ChainRun, Another: f.Y != 0, Index: int32(f.X)}
	case Corner:
		a = Part{Kind: ChainCorner, Another: f.Y != 0, Index: int32(f.X)}
	case Inside, Escape:
		a.Kind = InsideGround
	}
	return a
}

// shapePart returns the part of one half of a point id of collide, which numbers vertices and edges
// together (collide.HullFeature).
func shapePart(n uint32, vertex bool) Part {
	switch {
	case n == 0:
		return Part{}
	case vertex:
		return Part{Kind: ShapeVertex, Index: int32(n-1) / 2}
	}
	return Part{Kind: ShapeEdge, Index: int32(n-2) / 2}
}
