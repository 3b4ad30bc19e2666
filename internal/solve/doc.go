// Package solve moves bodies under contact: velocities and displacements of
// one step, in float32 relative to each body, with soft contacts solved in
// sub-steps ("Soft Step": Erin Catto, Solver2D, 2024). It knows no world: who
// calls it fills Bodies and Contacts, calls Run, and reads them back.
//
// A sub-step integrates velocities, applies the impulses that are already
// known (warm starting), solves the contacts as stiff damped springs, moves the
// bodies, and solves once more without the springs, which takes out the speed
// that the springs put in (relaxing). After the last one a pass of restitution
// makes what hit fast enough bounce.
//
// Contacts are solved one after the other in the order given (projected
// Gauss-Seidel), so the same order gives the same bits. Every product that
// meets a sum stands in a float32(...), which keeps compilers from fusing them.
package solve
