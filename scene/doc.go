// Package scene is the registry of named worlds. Tests, benchmarks, the command line and the
// sandbox share it, so that figures, pictures and bug reports refer to the same worlds.
//
// The benchmark scenes of other engines are rebuilt from their descriptions. Unless a scene
// says otherwise, the step is 1/60 s with 4 sub-steps, gravity is (0, -10), friction 0.6,
// restitution 0 and density 1. Every scene is deterministic: random numbers come from a
// fixed seed.
package scene
