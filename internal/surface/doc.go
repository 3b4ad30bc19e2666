// Package surface holds the surfaces that shapes touch, as straight one-sided faces with ghost
// vertices, features that name their points, and the sources of these points. It does not know
// World. Query gathers the surface of a ground near one shape, in runs; Chain is the surface of a
// chain.
package surface
