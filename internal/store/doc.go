// Package store holds the containers of a world's state: a pool of slots with ids that tell a
// freed slot's values apart, a hash of words, and a union-find. It imports no other package of the
// engine.
package store
