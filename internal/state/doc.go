// Package state has the records of a world, World: bodies, shapes, grounds, chains, contacts, joints, materials, and
// the broad phase. A record has its fields, methods for the effect of setters on them, and Visit, which lists the
// fields for hashes and snapshots (pool.Codec). Records name one another by slots. World has the lists that join
// records, and keeps the lists consistent when bodies wake, masses change or a snapshot is read. The package knows no
// definition, view or event of the game: package quarry checks arguments and reports events.
package state
