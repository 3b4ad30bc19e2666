// Package query compares a convex probe with a target: one shape, ground or chain. It finds where a moving probe
// first touches the target (shape casts and rays), where the probe overlaps it, its contact planes, and its point
// nearest to the probe's centroid. The results have cell, tile, chain segment and material. A Search finds the
// targets near a probe and merges the results. The package does not know World.
//
// Grounds and chains are one-sided: a probe stops at the front of their faces, and leaves solid unhindered. Seams
// do not stop a probe: at a corner it stops only along normals between the normals of the two faces that meet there,
// and at a seam of a straight surface that is only the surface's own normal.
package query
