// Package solid holds black-box tests of law 3 of contact where solid comes to the
// body: tiles that are put over bodies, jams, presses and edits. The laws are numbered
// in docs/laws.md.
package solid
