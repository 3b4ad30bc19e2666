package gridseg

import (
	"cmp"
	"fmt"
	"slices"
)

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

// Edge is a directed edge from A to B.
type Edge struct{ A, B Point }

// MaxEdge bounds an edge of RadialMatch: its ends differ by no more than this in
// X and in Y, so that the sum of two products of such differences fits an int64. It
// is half a million cells.
const MaxEdge = 1<<31 - 1

// EdgeError is a refused edge of RadialMatch.
type EdgeError struct {
	Index int   // of the edge
	Err   error // why: wraps ErrDegenerate or ErrTooLarge
}

func (e *EdgeError) Error() string { return fmt.Sprintf("gridseg: edge %d: %v", e.Index, e.Err) }

// Unwrap returns the reason.
func (e *EdgeError) Unwrap() error { return e.Err }

// RadialMatch links the edges of any directed set, each by what meets at its own
// ends alone, as Resolve does with the segments of a grid: prev[i] is the edge that
// comes before edges[i], next[i] the one after it, or -1 where none ends at its
// start or starts at its end.
//
// The law is that of the grid. At B of an edge, look back along it, from B to A,
// and turn counter-clockwise: next is the first edge met that starts at B. At A look
// along it and turn clockwise: prev is the first met that ends at A. A turn of
// nothing counts as a whole one, so that an edge that runs straight back is taken
// only if there is no other. Of edges that lie in one direction the one with the
// lowest index is met first.
//
// Where edges that start and edges that end alternate round each vertex, as those of
// a boundary do, prev and next are inverse to each other and part the edges into
// loops. Otherwise several edges may have the same next, or the same prev.
//
// Vertices are the same only if their coordinates are. They may be anywhere in
// int64; an edge without length, or beyond MaxEdge, is refused with an *EdgeError.
// It costs n log n, however many edges meet at one vertex.
func RadialMatch(edges []Edge) (prev, next []int, err error) {
	out, in := make([]edgeEnd, len(edges)), make([]edgeEnd, len(edges))
	prev, next = make([]int, len(edges)), make([]int, len(edges))
	for i, e := range edges {
		d, ok := edgeVec(e)
		if !ok {
			return nil, nil, &EdgeError{i, fmt.Errorf("%w: over %d along an axis", ErrTooLarge, MaxEdge)}
		}
		if d == (vec{}) {
			return nil, nil, &EdgeError{i, fmt.Errorf("%w: both ends at (%d, %d)", ErrDegenerate, e.A.X, e.A.Y)}
		}
		out[i] = edgeEnd{e.A, d, i}
		in[i] = edgeEnd{e.B, vec{-d.X, -d.Y}, i}
	}
	matchEnds(next, in, out, 1)
	matchEnds(prev, out, in, -1)
	return prev, next, nil
}

// edgeEnd is one end of an edge: where it is, and the direction to the other.
type edgeEnd struct {
	at   Point
	dir  vec
	edge int
}

// reach returns B - A of an edge that is not too long.
func edgeVec(e Edge) (vec, bool) {
	d := sub(e.B, e.A)
	// A difference that has wrapped has the wrong sign.
	ok := (d.X >= 0) == (e.B.X >= e.A.X) && (d.Y >= 0) == (e.B.Y >= e.A.Y)
	return d, ok && -MaxEdge <= d.X && d.X <= MaxEdge && -MaxEdge <= d.Y && d.Y <= MaxEdge
}

// matchEnds sets to[from.edge] for each ray of from: the edge of the first ray of
// cand at the same vertex that a turn meets, counter-clockwise for way = 1,
// clockwise for -1; -1 if there is none. It sorts cand.
func matchEnds(to []int, from, cand []edgeEnd, way int64) {
	// Round each vertex the candidates are sorted by their turn from +x, which is
	// the order that a turn from anywhere meets them in, up to where it begins.
	slices.SortFunc(cand, func(p, q edgeEnd) int {
		switch {
		case p.at != q.at:
			return comparePoints(p.at, q.at)
		case nearer(vec{1, 0}, p.dir, q.dir, way):
			return -1
		case nearer(vec{1, 0}, q.dir, p.dir, way):
			return 1
		}
		return cmp.Compare(p.edge, q.edge)
	})
	for _, f := range from {
		// Nothing compares as equal, so these find where a run begins.
		first, _ := slices.BinarySearchFunc(cand, f, func(p, f edgeEnd) int {
			if p.at != f.at {
				return comparePoints(p.at, f.at)
			}
			return 1
		})
		beyond, _ := slices.BinarySearchFunc(cand[first:], f, func(p, f edgeEnd) int {
			if p.at == f.at && !nearer(vec{1, 0}, f.dir, p.dir, way) {
				return -1
			}
			return 1
		})
		beyond += first
		switch {
		case beyond < len(cand) && cand[beyond].at == f.at:
			to[f.edge] = cand[beyond].edge
		case first < len(cand) && cand[first].at == f.at:
			to[f.edge] = cand[first].edge // on over +x
		default:
			to[f.edge] = -1
		}
	}
}

func comparePoints(p, q Point) int { return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X)) }
