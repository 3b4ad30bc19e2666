// Package contact has the results of the narrow phase: manifolds, their points, the features that name the points,
// and the sources of the points on a ground or chain. A Matcher gives new points the impulses of the points of the
// same name in the step before (warm starting). An Order keeps the contacts of the solver in the order of their
// pairs. The package does not know World.
package contact
