package gridseg

// The radial match: at a vertex, each outgoing segment goes with the first
// incoming one that a clockwise turn from its direction meets, and each incoming
// one with the first outgoing that a counter-clockwise turn meets. Solid lies on
// the left of an outgoing segment and, looked at from the vertex, on the right of
// an incoming one, so the turn sweeps air in both cases. Directions are from the
// vertex to the far end. A turn of nothing counts as a whole one.

// sector of a turn: more is further. Within a sector cross products compare.
const (
	belowHalf = iota
	half
	aboveHalf
	wholeTurn
)

// sector tells how far the counter-clockwise turn from one direction to another
// is.
func sector(from, to vec) int {
	switch c := cross(from, to); {
	case c > 0:
		return belowHalf
	case c < 0:
		return aboveHalf
	case dot(from, to) < 0:
		return half
	}
	return wholeTurn
}

// nearer reports whether the turn from one direction meets p strictly before q:
// counter-clockwise for way = 1, clockwise, its mirror image, for way = -1.
func nearer(from, p, q vec, way int64) bool {
	from.X, p.X, q.X = way*from.X, way*p.X, way*q.X
	sp, sq := sector(from, p), sector(from, q)
	return sp < sq || sp == sq && cross(p, q) > 0
}
