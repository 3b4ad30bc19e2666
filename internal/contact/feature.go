package contact

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/gridseg"
)

// Feature names a point, so that the next step finds it again: by the features of two shapes, or
// by a line or lattice vertex of a ground, or a face or corner of a chain, and a feature of the
// shape. Ground points are named by lines instead of segments, so that a sliding body keeps its
// impulses over every seam.
type Feature struct {
	X, Y int64 // see Kind
	Kind Kind
	Pair collide.FeatureID // the features of two shapes, or the shape's half alone
}

// Kind is the kind of a Feature's side A.
type Kind uint32

// The kinds of features.
const (
	Shapes    Kind = iota // two shapes: Pair alone
	Line                  // a line of a ground: X is its offset, Y its direction, packed; see LineOf
	LineEnd               // the same: a second point at a vertex, with another normal
	Vertex                // a vertex of a ground: X, Y are the lattice point
	ChainFace             // a face of a chain: X is its number
	// Corner is a corner of a chain: X is its number. Y is 0, or for a second point, with another normal, 1 + the
	// number of the point's face.
	Corner
	Inside // inside solid ground: the point pushes the shape out through the nearest surface
	Escape // inside solid ground, or pinched: the point pushes the shape to a free spot
)

// PushesOut reports whether the point pushes a shape out of solid ground.
func (k Kind) PushesOut() bool { return k == Inside || k == Escape }

// LineOf names the line through two points: its direction in lowest terms and its offset, both
// exact. The shape's half is not set.
func LineOf(a, b gridseg.Point) Feature {
	dx, dy := b.X-a.X, b.Y-a.Y
	switch {
	case dy == 0 && dx < 0: // a floor, the most common line
		return Feature{Kind: Line, X: a.Y, Y: -1 << 32}
	case dx == 0 || dy == 0 || dx == dy || dx == -dy:
		// Without a division.
		dx, dy = min(1, max(-1, dx)), min(1, max(-1, dy))
	default:
		d := gcd(dx, dy)
		dx, dy = dx/d, dy/d
	}
	return Feature{Kind: Line, X: a.X*dy - a.Y*dx, Y: dx<<32 | int64(uint32(dy))}
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Direction returns the direction of a Line or LineEnd.
func (f *Feature) Direction() (x, y int64) { return f.Y >> 32, int64(int32(uint32(f.Y))) }
