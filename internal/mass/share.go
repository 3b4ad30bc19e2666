package mass

import "github.com/quarry2d/quarry/geom"

// Share returns a part's share of own, a mass that a game has given to a body: in proportion to the masses that shapes
// and tiles give the whole body and the part. The shares of all parts add up to own, have the common centre of own, and
// have moments of inertia in the proportion of those of own and whole.
func Share(own, whole, part geom.Mass) geom.Mass {
	out := geom.Mass{Mass: own.Mass * (part.Mass / whole.Mass), Center: part.Center.Add(own.Center.Sub(whole.Center))}
	if whole.Inertia > 0 {
		out.Inertia = own.Inertia * (part.Inertia / whole.Inertia)
	}
	return out
}
