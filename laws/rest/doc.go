// Package rest holds black-box tests of law 5 of contact (energy), and of resting bodies:
// piles, rocking, sleep and waking, and the bounds on crowds. The laws are numbered in
// docs/laws.md.
package rest
