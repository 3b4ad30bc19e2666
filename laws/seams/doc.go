// Package seams holds black-box tests of laws 1, 2 and 4 of contact: a straight
// surface's seams are not felt, corners push only to the front of their faces, and
// feature ids are stable. The laws are numbered in docs/laws.md.
package seams
