// Package oneway decides which one-way tiles stop a shape, and gives the surface of a ground
// without those that do not. Its input is plain data: the grid, the directions of its tiles, and
// a Query with the poses of one body and the tiles that its shapes stand on. It does not know
// World.
package oneway
