// Package store keeps worlds and the chunks of their grounds, in memory or in one file.
//
// A [Store] maps keys to bytes. A chunk's key is the name of its ground and the chunk's coordinates; a record's key
// is a name, such as [RecordWorld]. [Store.Put] and [Store.Delete] queue changes. [Store.Commit] ends a moment of
// changes: a file that is opened later holds all changes of a moment, or none of them. Changes that are not committed
// are never written.
//
// A goroutine writes the moments so far in one transaction each Options.Interval, by default a quarter of a second.
// [Store.Flush] writes them at once and returns when they are on disk. So a program that is killed, or a machine that
// loses power, leaves a file that opens, with one of the moments: the moment that was the last one at most the interval
// and the time of two writes ago, or a later one.
//
// Each value has a format version and a checksum of itself and its key, and the file has a sum of all values. So a
// damaged byte is found, and reported with its key or page. [Open] checks the file's structure, which costs one
// sequential read; [Store.Get] checks its value; [Store.Verify] reads the whole file. Every later version of this
// package reads the files; docs/formats.md has the format.
//
// [SaveWorld] and [LoadWorld] keep a whole world in a [Store], with its grounds by chunk. A [Saver] writes only the
// chunks that have changed.
package store
