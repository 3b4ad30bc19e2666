package gridseg

import "github.com/quarry2d/quarry/internal/lattice"

// Engine gives the other packages of this module the methods that games do not need. Games cannot call it, since they
// cannot make its argument.
func (g *reader) Engine(lattice.Key) engine { return engine{g} }

// engine holds a grid, and the methods for the other packages of this module.
type engine struct{ *reader }

// Engine is Engine of a View, with the methods that change a grid.
func (g *Grid) Engine(lattice.Key) gridEngine { return gridEngine{engine{&g.reader}, g} }

// gridEngine holds a grid that may be changed, and the methods for the other packages of this module.
type gridEngine struct {
	engine
	grid *Grid
}
