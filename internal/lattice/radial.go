package lattice

import (
	"cmp"
	"fmt"
	"slices"
)

// The radial match at a vertex links each outgoing segment to the first incoming segment that a
// clockwise turn from its direction meets, and each incoming segment to the first outgoing segment
// that a counter-clockwise turn meets. Solid lies on the left of an outgoing segment and, seen from
// the vertex, on the right of an incoming one, so the turn sweeps air in both cases. Directions are
// from the vertex to the far end. A turn of zero counts as a whole turn.

// Sectors of a turn, in increasing order. Within a sector cross products compare.
const (
	belowHalf = iota
	half
	aboveHalf
	wholeTurn
)

// sector returns the sector of the counter-clockwise turn between two directions.
func sector(from, to Vec) int {
	switch c := Cross(from, to); {
	case c > 0:
		return belowHalf
	case c < 0:
		return aboveHalf
	case Dot(from, to) < 0:
		return half
	}
	return wholeTurn
}

// Nearer reports whether the turn from one direction meets p strictly before q: counter-clockwise
// for way = 1, clockwise for way = -1.
func Nearer(from, p, q Vec, way int64) bool {
	from.X, p.X, q.X = way*from.X, way*p.X, way*q.X
	sp, sq := sector(from, p), sector(from, q)
	return sp < sq || sp == sq && Cross(p, q) > 0
}

// MetFirst reports whether a turn from one direction meets p strictly before q: counter-clockwise,
// or clockwise. The directions are vectors, not zero, with components of at most MaxEdge. A turn
// of zero counts as a whole turn.
func MetFirst(from, p, q Point, clockwise bool) bool {
	way := int64(1)
	if clockwise {
		way = -1
	}
	return Nearer(Vec(from), Vec(p), Vec(q), way)
}

// Edge is a directed edge from A to B.
type Edge struct{ A, B Point }

// MaxEdge bounds the difference of an edge's ends in X and in Y, for RadialMatch, so that the sum
// of two products of such differences fits an int64. It is half a million cells.
const MaxEdge = 1<<31 - 1

// EdgeError is a refused edge of RadialMatch.
type EdgeError struct {
	Index int   // of the refused edge
	Err   error // the reason: wraps ErrDegenerate or ErrTooLarge
}

// Error names the edge and the reason.
func (e *EdgeError) Error() string { return fmt.Sprintf("lattice: edge %d: %v", e.Index, e.Err) }

// Unwrap returns the reason.
func (e *EdgeError) Unwrap() error { return e.Err }

// RadialMatch links any set of directed edges, each by the edges that meet at its ends, as Resolve
// does with the segments of a grid: prev[i] is the edge before edges[i] and next[i] the edge after
// it, or -1 if no edge ends at its start or starts at its end.
//
// The rule, as in a grid: at B of an edge, look back along it, from B to A, and turn
// counter-clockwise: next is the first edge met that starts at B. At A look along the edge and turn
// clockwise: prev is the first edge met that ends at A. A turn of zero counts as a whole turn, so
// that an edge that runs straight back is taken only if there is no other. Of edges in the same
// direction the one with the lowest index is met first.
//
// If edges that start and edges that end alternate around each vertex, as in a boundary, prev and
// next are inverse to each other and split the edges into loops. Otherwise several edges may have
// the same next, or the same prev.
//
// Vertices are equal only if their coordinates are. They may be anywhere in int64; an edge of zero
// length, or beyond MaxEdge, is refused with an *EdgeError. The cost is n log n, however many edges
// meet at one vertex.
func RadialMatch(edges []Edge) (prev, next []int, err error) {
	out, in := make([]edgeEnd, len(edges)), make([]edgeEnd, len(edges))
	prev, next = make([]int, len(edges)), make([]int, len(edges))
	for i, e := range edges {
		d, ok := edgeVec(e)
		if !ok {
			return nil, nil, &EdgeError{i, fmt.Errorf("%w: from (%d, %d) to (%d, %d), at most %d along an axis",
				ErrTooLarge,
				e.A.X, e.A.Y, e.B.X, e.B.Y, MaxEdge)}
		}
		if d == (Vec{}) {
			return nil, nil, &EdgeError{i, fmt.Errorf("%w: both ends at (%d, %d)", ErrDegenerate, e.A.X, e.A.Y)}
		}
		out[i] = edgeEnd{e.A, d, i}
		in[i] = edgeEnd{e.B, Vec{-d.X, -d.Y}, i}
	}
	matchEnds(next, in, out, 1)
	matchEnds(prev, out, in, -1)
	return prev, next, nil
}

// edgeEnd is one end of an edge: its position, and the direction to the other end.
type edgeEnd struct {
	at   Point
	dir  Vec
	edge int
}

// edgeVec returns B - A; ok is false if it exceeds MaxEdge.
func edgeVec(e Edge) (Vec, bool) {
	d := Sub(e.B, e.A)
	// A difference that overflowed has the wrong sign.
	ok := (d.X >= 0) == (e.B.X >= e.A.X) && (d.Y >= 0) == (e.B.Y >= e.A.Y)
	return d, ok && -MaxEdge <= d.X && d.X <= MaxEdge && -MaxEdge <= d.Y && d.Y <= MaxEdge
}

// matchEnds sets to[from.edge], for each element of from, to the edge of the first element of cand
// at the same vertex that a turn meets, counter-clockwise for way = 1, clockwise for -1; to -1 if
// there is none. It sorts cand.
func matchEnds(to []int, from, cand []edgeEnd, way int64) {
	// Sort the candidates at each vertex by their turn from +x. A turn from any direction meets
	// them in this order, starting in the middle.
	slices.SortFunc(cand, func(p, q edgeEnd) int {
		switch {
		case p.at != q.at:
			return ComparePoints(p.at, q.at)
		case Nearer(Vec{1, 0}, p.dir, q.dir, way):
			return -1
		case Nearer(Vec{1, 0}, q.dir, p.dir, way):
			return 1
		}
		return cmp.Compare(p.edge, q.edge)
	})
	for _, f := range from {
		// The comparisons never return 0, so the searches find the start of a run.
		first, _ := slices.BinarySearchFunc(cand, f, func(p, f edgeEnd) int {
			if p.at != f.at {
				return ComparePoints(p.at, f.at)
			}
			return 1
		})
		beyond, _ := slices.BinarySearchFunc(cand[first:], f, func(p, f edgeEnd) int {
			if p.at == f.at && !Nearer(Vec{1, 0}, f.dir, p.dir, way) {
				return -1
			}
			return 1
		})
		beyond += first
		switch {
		case beyond < len(cand) && cand[beyond].at == f.at:
			to[f.edge] = cand[beyond].edge
		case first < len(cand) && cand[first].at == f.at:
			to[f.edge] = cand[first].edge // wrap around at +x
		default:
			to[f.edge] = -1
		}
	}
}
