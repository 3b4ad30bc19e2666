// Package host runs worlds that players share, in one process or in several on several machines. An input that was
// answered is never lost and never applied twice, whichever process dies.
//
// A world is a play.World that changes by a log of records alone (Record), each with the step at which its inputs are
// applied. Any host makes the same world of the same log, bit for bit. One host, the owner, makes the steps:
//
//   - The owner stamps inputs with the number of steps made, appends them as one record, and makes no step meanwhile.
//     Once they are in the log it applies and answers them, and makes the step that became due meanwhile. So nothing
//     that is ever shown depends on an input that is not in the log, and an answer waits for the log alone.
//   - Each append names the record that it follows (the fence). A host that takes a world over appends a claim, which
//     begins an epoch; from then on each append of the old owner is refused.
//   - A takeover reads the newest snapshot that agrees with the log, replays the records after it, and goes on to the
//     step that the owner before may have shown.
//   - A host renews one lease for all its worlds. Whether another is silent is measured by the own monotonic clock,
//     while the store of the leases answers; whoever is silent for a lease is deposed by a compare-and-set, which
//     fails if it lives. A host that was stopped for half a lease makes no step and no frame until it has renewed.
//   - A world can go on with another state (Begin). The record carries it, in parts if it is long, so that a takeover
//     and a replay need nothing but the log. A record of which not all parts are there was never applied.
//   - Inputs of a Session have numbers, and the last one is part of the world: one that is sent again, to whichever
//     owner, is applied once.
//
// Log, Leases, Bus and Shelf are the interfaces to the stores that keep the bytes and the network that carries them.
// Package filelog is a Log, and a Shelf, in a folder.
package host
