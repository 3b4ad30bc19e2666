// Package oneway holds black-box tests of one-way tiles and belts: the behaviour that
// docs/surfaces.md states, and the laws of contact beside such tiles. The laws are numbered in
// docs/laws.md.
package oneway
