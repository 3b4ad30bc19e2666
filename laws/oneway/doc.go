// Package oneway has only tests, black box, of one-way tiles and belts: the promises of
// docs/surfaces.md, and the laws of contact beside such tiles. The laws are numbered in
// docs/laws.md.
package oneway
