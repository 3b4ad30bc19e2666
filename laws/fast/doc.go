// Package fast holds black-box tests of law 3 of contact at speed: no body gets
// into or through solid, nor through a shape, at any velocity up to MaxSpeed and any
// spin. The laws are numbered in docs/laws.md.
package fast
