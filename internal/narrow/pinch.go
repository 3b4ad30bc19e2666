package narrow

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// A shape may come to be pinched deep between two opposed surfaces: a block was placed there, or
// the shape was pushed out of solid into a place too narrow for it. Each surface pushes the shape
// away, and two surfaces at a sharp angle then drive it out of their wedge at any speed; or
// friction, which holds a wedge, holds the shape there for ever. So a pinched shape has no
// friction, and a cap on its speed.

// PinchDepth is how deep, in units of length, a pinched shape is on both sides: far deeper than
// any load presses a resting shape.
const PinchDepth = 10 * geom.LinearSlop

// PinchDepthOf returns how deep a shape with the given inner radius must be to count as pinched:
// less than PinchDepth for a thin shape.
func PinchDepthOf(innerRadius float64) float64 {
	return max(geom.LinearSlop, min(PinchDepth, 0.5*innerRadius))
}

// PushSpeed is the default of Config.PushSpeed, the highest speed at which overlap is pushed apart, in units of length
// a second, and PushRate is Config.PushRate, in 1/second. The speeds that limit pinched shapes are multiples of
// PushSpeed, and do not depend on Config.PushSpeed: such a shape also falls.
const (
	PushSpeed = 3.0
	PushRate  = 6.2
)

// Pace returns how fast overlap is pushed apart at a highest speed and a rate, as a fraction of the speed with the
// defaults of Config: at most 1. A threshold of motion that tells bodies on their way out of an overlap
// from bodies at rest is multiplied by it. Without the limit of 1, a shape near the end of its way out would count as
// stuck in a world of high speed: it gets slower as the overlap decays.
func Pace(speed, rate float64) float64 { return min(1, speed/PushSpeed, rate/PushRate) }

// AtMost returns v, shortened to the length most if it is longer.
func AtMost(v geom.Vec, most float64) geom.Vec {
	if l := v.Len2(); l <= 0.999*most*most {
		return v // without the root
	} else if l := math.Sqrt(l); l > most {
		return v.Mul(most / l)
	}
	return v
}

// deeper reports whether one of the manifolds is deeper than depth.
func deeper(manifolds []contact.SurfaceManifold, depth float64) bool {
	for i := range manifolds {
		if manifolds[i].LeastSeparation() < -depth {
			return true
		}
	}
	return false
}

// pinched reports whether one of the manifolds is deeper than depth and another has an opposed
// normal.
func pinched(manifolds []contact.SurfaceManifold, depth float64) bool {
	// Skip normals without an opposed one: on rough ground most normals are alike.
	var alone [16]geom.Vec
	known := 0
	for i := range manifolds {
		m := &manifolds[i]
		if m.LeastSeparation() >= -depth || slices.Contains(alone[:min(known, len(alone))], m.Normal) {
			continue
		}
		alone[known%len(alone)] = m.Normal
		known++
		for j := range manifolds {
			if o := &manifolds[j]; m.Normal.Dot(o.Normal) < 0 {
				return true
			}
		}
	}
	return false
}

// Opposed reports whether one of the manifolds a is deeper than depth and one of b has an opposed
// normal.
func Opposed(a, b []contact.SurfaceManifold, depth float64) bool {
	for i := range a {
		if a[i].LeastSeparation() >= -depth {
			continue
		}
		for j := range b {
			if a[i].Normal.Dot(b[j].Normal) < 0 {
				return true
			}
		}
	}
	return false
}
