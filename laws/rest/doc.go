// Package rest has only tests, black box, of law 5 of contact, energy, and of rest:
// piles, rocking, sleep and waking, and the bounds on crowds. The laws are numbered in
// docs/laws.md.
package rest
