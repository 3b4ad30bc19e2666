// Package flush tells whether a point of contact lies on a seam of two surfaces that meet flush: a ground and
// a box at floor level, two boxes side by side. One surface does not know the other, so each has faces and
// corners there that the union of both does not have.
package flush
