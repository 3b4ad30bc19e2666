// Package pool has the containers of a world's state: a pool of slots with ids, in which a slot's generation tells
// its successive values apart; sets of bits; lists of edges; a log of events; a union-find; and the Codec that
// hashes, writes and reads a state. It imports only geom and internal/check.
package pool
