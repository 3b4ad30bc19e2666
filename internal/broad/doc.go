// Package broad is the broad phase of a world: one grid of boxes, the proxies, and the pairs of those
// that overlap. There is one proxy for each shape, each ground that has tiles, and each chain. It does
// not know World: owners of proxies, bodies and contacts are slots.
//
// A proxy's box is the AABB of its owner, grown by a margin. Its category tells the kinds apart, so
// that a query visits only the kinds that it needs.
//
// A pair becomes a contact as follows. A proxy whose box is new, or was enlarged, is listed; in the
// next step FindPairs finds the proxies that its box overlaps, and returns each new pair that may
// collide; where too many shapes overlap, the crowd (crowd.go) chooses. A pair that already overlapped in the
// last FindPairs has a contact, or may not collide, so most pairs need no look-up. Pairs are sorted, so
// that the order of contacts does not depend on the order in which the grid finds them. The contact ends
// when the two boxes no longer overlap; see Unfind.
package broad
