package gridseg

import "github.com/quarry2d/quarry/internal/lattice"

// Engine gives the other packages of this module the methods that games do not need. Games cannot call it, since they
// cannot make its argument.
func (g *reader) Engine(lattice.Key) engine { return engine{g} }

// engine holds a grid, and the methods for the other packages of this module.
type engine struct{ *reader }
