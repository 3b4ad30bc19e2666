package lattice

// Key is an argument that only the packages of this module can make. It opens what one of them has for the others, and
// not for games: see gridseg.Grid.Engine.
type Key struct{}
