// Package state has the records of a world, World: bodies, shapes, grounds, chains, contacts, joints, materials and the broad phase
// that finds them. A record has its fields, the effect of each setter on them, and Visit, which lists them for hashes and
// snapshots (store.Codec). Records name one another by slots; World has the lists that join them, and keeps them true when bodies wake,
// masses change or a snapshot is read. The package knows no definition, view or event of the game: package quarry checks
// arguments and reports.
package state
