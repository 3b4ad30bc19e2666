// Package solve computes the velocities and displacements of bodies in one step, under contacts
// and joints, with soft contacts solved in sub-steps ("Soft Step": Erin Catto, Solver2D, 2024). It
// does not know World: the caller sets the Motions of bodies, the Links of contacts and joints, and
// a Source and a JointSource, and calls Run. Run asks the two for each contact and joint (Lane,
// Joint), stores the impulses in the manifolds, and leaves the new Motions.
//
// The passes iterate in float32 on the changes of each body's position and velocity since
// the start of the step. Only changes are rounded, so a body at 200 units/s is solved like
// one at rest. The motion at the start stays in float64 (Motion), and so does the relative
// motion of two bodies there until it is rounded once. At the end the changes
// are summed again in float64, from the impulses.
//
// Impacts, contacts that approach at speed, are solved first, apart from all others, each with the cluster of contacts
// and joints that it spreads to (cluster.go). A sub-step then integrates velocities, applies the impulses of the
// sub-step before (warm starting; an island takes at most the share that adds next to no energy, warm.go), solves the
// contacts as stiff damped springs, moves the bodies, and solves the contacts again without the springs, which removes
// the velocity that the springs added (relax pass). Bodies that carry heavy loads have more inertia (load.go). The
// two points of a contact are solved as one block, so that a resting body is still. Contacts of rotating kinematic
// bodies, and of discs off their centre of mass, follow the turn (turning.go). After the last sub-step come bounces,
// as clusters, too.
//
// Joints (joint.go) are solved before contacts in each pass; their rows are computed again in
// each sub-step (jointrows.go).
//
// Contacts are solved colour by colour (projected Gauss-Seidel; color.go), in blocks of eight
// (block.go) by AVX2 or NEON kernels or their twin in Go (gen/kernels.go), which have the same bits.
// The colours depend on the order of the contacts alone, so the same order gives the same
// bits. Every product that meets a sum stands in a float32(...) or float64(...), which keeps
// compilers from fusing them. See docs/solver.md.
package solve
