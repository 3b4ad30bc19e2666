// Package surface holds the surfaces that shapes touch, as straight one-sided faces with ghost
// vertices, features that name their points, and the sources of these points. It does not know
// World. Chain is the surface of a chain; the surface of a ground is still in package quarry.
package surface
