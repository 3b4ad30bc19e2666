// Package solid holds black-box tests of laws 3 and 7 of contact. Solid that comes to a body (tiles that are put over
// it, jams, presses, edits) pushes it out; a body that comes, at any velocity up to MaxSpeed and any spin, gets neither
// into or through solid nor through a shape, and does not hang. The laws are numbered in docs/laws.md.
package solid
