// Package filelog keeps the logs and snapshots of worlds in a folder: a host.Log, and a host.Shelf, without a server.
//
// Each world has a folder of its name. Its file "log" has a head of 8 bytes, and then each record as a frame: the
// length of the record, a checksum (CRC-32C) of the rest of the frame, the record's number, and the record. Numbers
// count from 1. A file "snapshot-" with a number in hexadecimal has a snapshot that contains the records up to that
// number. A log that was trimmed has another head, and begins with the last record of a snapshot. The folder "kept" has
// the files of the world's Shelf.
//
// Append returns when the record is on the disk (fsync), and begins the next only then. So after a crash at any time,
// or a loss of power, at most the last record is incomplete: one that nobody was told is there. Open puts its bytes
// into a file "torn" and goes on without it. A frame that is damaged before intact ones is no such record: then the
// world cannot be opened, and the error names the place. Snapshots are written beside, and renamed.
//
// A folder belongs to one process at a time.
package filelog
