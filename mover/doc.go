// Package mover moves a character by queries of a world, not by forces: it keeps its speed on slopes,
// climbs steps, rides on platforms and belts, and stops at walls, as players of a platform game expect.
//
// [Mover.Slide], [Mover.GroundUnder], [Mover.StepUp], [Mover.Push] and [Mover.Clip] are functions over the queries of
// package quarry; a game may call these in any order. [Character.Move] calls them in the order that most games need. A
// character is not a body: it is not in the world, so bodies do not collide with it. To be pushed or hit, give it a
// kinematic body that follows it, and leave this body out of its own queries (quarry.QueryFilter.Except).
//
// A [Character] is not in snapshots of the world: a game that goes back in time keeps a copy of it with each
// quarry.Snapshot. Copies share the memory of Planes: read Planes only after the copy's own [Mover.Slide] or
// [Character.Move].
//
// Up is +y, unless Mover.Turn is set. Lengths are in cells, angles in radians, times in seconds. The package is
// deterministic, as the queries are.
package mover
