package gridseg

// profile describes the border of a form on one side of its cell. Positions increase along +x or
// +y, whichever way the edges run, so that the profiles of two neighbours can be compared.
type profile struct {
	at       []uint16 // positions of all polygon vertices on the side, increasing
	edge     []tag    // of the face between at[i] and at[i+1], or noFace
	whole    bool     // one face along the whole side, without vertices between its ends
	faceless bool     // no face
	plain    bool     // no vertex between the ends of the side: whole or faceless
	one      seg      // the face of a whole side
}

// innerEdge is a part of a polygon edge that lies on no side of the cell. Neighbours cannot cover
// it.
type innerEdge struct {
	a, b spot
	edge tag
}

// tag identifies an edge: its number in the shape or polygon, and above that the number of the
// polygon in a patch.
type tag int32

// noFace is the tag of a part of a side without a face.
const noFace tag = -1

func tagOf(owner, edge int) tag { return tag(owner<<16 | edge) }

func (t tag) owner() uint8 { return uint8(t >> 16) }

func (t tag) edge() uint16 { return uint16(t) }

// face returns the segment of a side between positions lo and hi.
func face(side int, lo, hi uint16, t tag) seg {
	s := seg{edge: t.edge(), owner: t.owner()}
	switch side {
	case bottom:
		s.a, s.b = spotAt(lo, 0), spotAt(hi, 0)
	case right:
		s.a, s.b = spotAt(Unit, lo), spotAt(Unit, hi)
	case top:
		s.a, s.b = spotAt(hi, Unit), spotAt(lo, Unit)
	default:
		s.a, s.b = spotAt(0, hi), spotAt(0, lo)
	}
	return s
}

// sideOf returns the position of p along side s; ok is false if p is not on that side.
func sideOf(p Point, s int) (uint16, bool) {
	switch s {
	case bottom:
		return uint16(p.X), p.Y == 0
	case right:
		return uint16(p.Y), p.X == Unit
	case top:
		return uint16(p.X), p.Y == Unit
	default:
		return uint16(p.Y), p.X == 0
	}
}

// appendFaces appends the faces of one side of a tile, cut at every vertex of either tile on the
// side, without the parts that the neighbour's faces cover. other is the neighbour's profile of the
// same border, or nil if the neighbour is empty; a covered part stays where keeps, unless it is nil, returns true for
// the two faces.
func appendFaces(dst []seg, side int, mine, other *profile, keeps func(e, o tag) bool) []seg {
	if mine.faceless || other != nil && other.whole && keeps == nil {
		return dst
	}
	if other == nil || other.faceless && other.plain {
		for i, e := range mine.edge {
			if e >= 0 {
				dst = append(dst, face(side, mine.at[i], mine.at[i+1], e))
			}
		}
		return dst
	}
	k := 0 // other.at[:k] are at or below lo
	for i, e := range mine.edge {
		if e < 0 {
			continue
		}
		for lo, end := mine.at[i], mine.at[i+1]; lo < end; {
			for k < len(other.at) && other.at[k] <= lo {
				k++
			}
			hi, o := end, noFace
			if k < len(other.at) {
				hi = min(hi, other.at[k])
				if k > 0 {
					o = other.edge[k-1]
				}
			}
			if o < 0 || keeps != nil && keeps(e, o) {
				dst = append(dst, face(side, lo, hi, e))
			}
			lo = hi
		}
	}
	return dst
}

// facesMeet reports whether faces of two neighbours lie on one another, on a side of the one and the
// opposite side of the other.
func facesMeet(p, q *profile) bool {
	if p.whole && q.whole {
		return true
	}
	if p.faceless || q.faceless {
		return false
	}
	for i, k := 0, 0; i < len(p.edge) && k < len(q.edge); {
		if p.edge[i] >= 0 && q.edge[k] >= 0 && max(p.at[i], q.at[k]) < min(p.at[i+1], q.at[k+1]) {
			return true
		}
		if p.at[i+1] <= q.at[k+1] {
			i++
		} else {
			k++
		}
	}
	return false
}

// nearOrder lists the sides in an order that leaves little to sort.
var nearOrder = [sides]int{bottom, right, left, top}

// sideStep is the offset of the neighbour beyond each side.
var sideStep = [sides][2]int{bottom: {0, -1}, right: {1, 0}, top: {0, 1}, left: {-1, 0}}
