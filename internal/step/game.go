package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/state"
)

// Game is the pre-solve function of the game, as the stages call it: on all workers at once, each with its own
// number. A nil Game has no such function.
type Game interface {
	// Keeps calls the function with the manifold m of c, and returns false if it sets Disabled; on is m with its
	// surface, nil between two shapes.
	Keeps(worker int, c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold) bool
	// Mix calls the function with the same arguments, and sets mixed to the properties of the points of m that it
	// leaves.
	Mix(worker int, c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold, mixed *[2]rows.Mixed)
	// KeepsArrival calls the function with x, and returns false if it sets Disabled.
	KeepsArrival(worker int, x *Arrival) bool
}

// Arrival is a shape B that continuous collision finds on its way to a shape, segment or face of A, before there
// is a manifold. Its geometry is as at the start of the step.
type Arrival struct {
	A broad.Owner
	B int32 // slot of the shape
	ccd.Near
	Source contact.Source // at the point of A
}
