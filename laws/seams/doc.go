// Package seams has only tests, black box, of laws 1, 2 and 4 of contact: a straight
// surface's seams are not felt, corners push from their faces' side only, and feature
// ids last. The laws are numbered in docs/laws.md.
package seams
