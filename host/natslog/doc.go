//go:build !js

// Package natslog keeps the logs, snapshots and leases of worlds in NATS JetStream, and carries inputs and frames over
// NATS: a host.Log, host.Leases and host.Bus for several hosts. It needs a server of version 2.11 or later.
//
// Streams and subjects, all file storage with the replicas of Config:
//
//	QLOG<k>       q.log.<k>.<world>        records; a world's k is a hash of its name modulo the number of logs
//	QSNAP         q.snap.<world>.<number>  the newest snapshots, compressed
//	QKEPT         q.kept.<world>.<name>    files of shelves; the name is in base64
//	QPART         q.part.<world>.<n>.<i>   parts of a file, or of a snapshot that is too long for one message
//	KV_q_leases   $KV.q_leases.>           entries of hosts and worlds; "layout" has the number of logs
//	              q.in.<world>             inputs, as requests; q.frame.<world>: frames
//
// An append expects the number of the last message of its subject, which is the fence. A revision of an entry is its
// number in the bucket's stream. Entries are never given a time to live by the server, and a watch only fills a cache.
package natslog
