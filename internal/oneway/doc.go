// Package oneway decides which one-way tiles stop a shape, and returns the surface of a ground without the tiles
// that do not. Its input is plain data: the grid, the directions of its tiles, and a Query with the poses of one
// body and the tiles on which its shapes stand. It does not know World.
package oneway
