// Package solve moves bodies under contact: velocities and displacements of
// one step, with soft contacts solved in sub-steps ("Soft Step": Erin Catto,
// Solver2D, 2024). It knows no world: who calls it fills Motions and Contacts,
// calls Run, and reads them back.
//
// What is iterated is float32, relative to each body: not only where it is but how
// it moves is seen from the frame in which it begins the step at rest, so only
// changes are rounded, and a body at 200 units/s is solved as one that lies. Its
// motion at the start stays in float64 (Motion), and what two of them do there
// relative to each other is found in float64 too (Contact). At the end the changes
// are added, anew from the sums of what acted.
//
// A sub-step integrates velocities, applies the impulses that are already
// known (warm starting), solves the contacts as stiff damped springs, moves the
// bodies, and solves once more without the springs, which takes out the speed
// that the springs put in (relaxing). There the two points of a contact are solved
// at once, so that a resting body is still. Bodies that meet at speed, and bodies that part
// though they are pressed together, are solved apart, with all that the impact goes on to
// (impact.go, calm.go). Of the impulses of a warm start an island takes at most the share that
// gives it next to no energy (warm.go). The surface velocity of a rotating kinematic body is found
// anew for each pass (turning.go). After the last sub-step, what hit fast enough bounces
// (restitution.go).
//
// Contacts are solved one after the other in the order given (projected
// Gauss-Seidel), so the same order gives the same bits. Every product that
// meets a sum stands in a float32(...) or float64(...), which keeps compilers from
// fusing them.
package solve
