// Package advance is the stage of a step that moves the bodies. The solver tells how far each awake body would go
// (solve.Motion). The stage finds how far it goes before continuous collision stops it, and sets its pose, its velocity
// and its boxes in the broad phase.
//
// Stage.Step moves the kinematic bodies first (moving.go). Then it computes the pose that each dynamic body reaches,
// which changes no body (body.go), and commits the poses (commit.go): both on all workers. In between it stops the
// bodies that joints hold to stopped bodies (joined.go). The worker of a body gives internal/ccd the obstacles near it
// (obstacles.go), and asks the game's pre-solve function about shapes and surfaces in the way (arrival.go). Bullets
// move last, one after the other (bullets.go).
//
// The records are the world's (internal/state). A Stage owns the memory of a step, which is valid until the next.
package advance
