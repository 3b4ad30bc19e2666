// Package scene is the one registry of named worlds that the tests, the
// benchmarks, the command line and the sandbox share, so that a figure, a
// picture and a bug are always of the same thing.
//
// The scenes that other engines are measured on are rebuilt from their
// descriptions; unless a scene says otherwise, the step is 1/60 s with 4
// sub-steps, gravity is (0, -10), friction 0.6, restitution 0 and density 1.
// Every scene is deterministic: what looks random comes from a seed in it.
package scene
