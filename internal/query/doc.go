// Package query answers questions about one shape, ground or chain, asked by a convex probe: where a
// moving probe first touches it (shape casts and rays), whether and where the probe overlaps it, its
// contact planes, and the point of it nearest to the probe's centroid. The results know cell, tile,
// chain segment and material. A Search finds the things near a probe and merges their answers. It does not know World, which names
// them.
//
// Grounds and chains are one-sided: a probe stops at the front of their faces, and leaves solid
// unhindered. Seams do not stop a probe: at a corner it stops only along normals between those of the
// two faces that meet there, and a seam of a straight surface has no such normal but the surface's own.
package query
