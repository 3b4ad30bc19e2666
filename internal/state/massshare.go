package state

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// shareOfMass returns a part's share of own, a mass that a game has given to a body, where whole and part are the
// masses that shapes and tiles give the body and the part. The shares of all parts, joined rigidly, have the mass,
// the centre and the moment of inertia of own: so parts that move on as the body did keep its momentum, angular
// momentum and energy.
//
// The mass of each part is in proportion, and its centre is as far from own's as it is from whole's. If
// own has more inertia than the parts need for that, the rest is divided by mass. If it has less, own is the
// distribution of whole drawn together about the centre, and so are the parts. (With the centres of the tiles, the
// rest of a body could need an inertia below 0.)
func shareOfMass(own, whole, part geom.Mass) geom.Mass {
	density, share := own.Mass/whole.Mass, part.Mass/whole.Mass
	scale, rest := 1.0, own.Inertia-float64(density*whole.Inertia)
	if rest < 0 {
		scale, rest = math.Sqrt(own.Inertia/(density*whole.Inertia)), 0
	}
	return geom.Mass{
		Mass:    own.Mass * share,
		Center:  own.Center.MulAdd(scale, part.Center.Sub(whole.Center)),
		Inertia: float64(density*scale*scale*part.Inertia) + float64(rest*share),
	}
}
