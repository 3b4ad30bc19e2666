// Package chain holds black-box tests of laws 1 to 3 of contact on chains, and of
// features that only chains have: open ends and one-sided faces. The laws are numbered in
// docs/laws.md.
package chain
