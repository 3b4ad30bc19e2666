// Package lattice computes with points and polygons of integer coordinates, [Unit] steps a cell. Nothing is compared
// with a tolerance, and no angle is computed: the signs of cross and dot products decide.
//
// Polygons are loops, as slices of points: counter-clockwise around their outsides, clockwise around their holes.
// [CheckLoops] and [CheckApart] refuse loops that are no polygon of a cell; [Combine] unites a stroke with the polygons
// of a cell or subtracts it, by snap rounding and winding numbers; [Clip] cuts a stroke along the grid lines.
// [RadialMatch] links edges around their vertices.
//
// A function that cuts or rounds takes loops that are local to a cell, 0 to Unit, unless it says otherwise: then all
// products fit an int64.
package lattice
