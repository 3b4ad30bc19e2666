// Package contact holds the results of the narrow phase: manifolds, their points, the features
// that name the points, and their places on a ground or chain; and it matches new points with
// those of the step before, for warm starting. It does not know World.
package contact
