// Package surface finds the faces of a ground or chain near a shape: straight one-sided faces with ghost vertices,
// the features that name points on them, and the sources of these points (cell, tile, segment and material). Query
// collects the faces of a ground, as runs of collinear segments; Chain has a chain's faces.
//
// Some tiles are one-way. Tiles are a ground's tiles with their directions, Filter decides which one-way tiles stop a
// shape, and returns the surface without those that do not, and WayQuery has the poses of one body and the tiles on
// which its shapes stand.
//
// The package does not know World: its input is plain data.
package surface
