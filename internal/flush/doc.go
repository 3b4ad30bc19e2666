// Package flush finds out whether a contact point lies on a seam of two surfaces that are flush with each other: a
// ground and a box at floor level, two boxes side by side. Each surface is computed without the other one, so each
// has faces and corners at the seam that their union does not have. A face that the other surface covers makes no
// contact (Covers), and its neighbours get ghost vertices on the other surface (Join).
package flush
