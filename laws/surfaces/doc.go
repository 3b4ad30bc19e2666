// Package surfaces holds black-box tests of laws 1, 2 and 4 of contact on tiles (a straight surface's seams are not
// felt, corners push only to the front of their faces, feature ids are stable), of one-way tiles and belts
// (oneway_*), and of laws 1 to 3 on chains, with their open ends and one-sided faces (chain_*). The laws are numbered
// in docs/laws.md, one-way tiles and belts are described in docs/surfaces.md.
package surfaces
