package store

// Ends are the places of an edge between two nodes in the lists of edges of both. An end is named
// edge*2 + side, where side is 0 or 1; a node keeps the first end of its list, -1 for none.
type Ends struct {
	next, prev [2]int32
}

// Next returns the end after that of the given side in its node's list, -1 if it is the last.
func (e *Ends) Next(side int32) int32 { return e.next[side&1] }

// Link puts the end of an edge on the given side in front of the list that starts at first. of
// returns the ends of an edge.
func Link(of func(edge int32) *Ends, first *int32, edge, side int32) {
	e := of(edge)
	e.prev[side], e.next[side] = -1, *first
	if l := *first; l >= 0 {
		of(l >> 1).prev[l&1] = edge<<1 | side
	}
	*first = edge<<1 | side
}

// Unlink removes that end from the list that starts at first.
func Unlink(of func(edge int32) *Ends, first *int32, edge, side int32) {
	e := of(edge)
	if p := e.prev[side]; p >= 0 {
		of(p >> 1).next[p&1] = e.next[side]
	} else {
		*first = e.next[side]
	}
	if n := e.next[side]; n >= 0 {
		of(n >> 1).prev[n&1] = e.prev[side]
	}
}
