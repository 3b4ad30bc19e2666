// Package surface finds the faces of a ground or chain near a shape: straight one-sided faces with ghost vertices,
// the features that name points on them, and the sources of these points (cell, tile, segment and material). Query
// collects the faces of a ground, as runs of collinear segments; Chain has a chain's faces. The package does not
// know World.
package surface
