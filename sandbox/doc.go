// Package sandbox is a world in a browser: an HTTP server with one page, and a
// WebSocket over which the page sees the world, drops bodies into it, digs in
// it, pauses and steps it.
//
// Server is the one type. Everybody who is connected shares one world, which
// runs in this process at 60 steps a second and belongs to one goroutine, that
// of Server.Run. Commands wait in a short queue of their client and are carried
// out between two steps; what there is to see goes out as binary messages, of
// which each client is sent the next when it has taken the last, so that a slow
// client skips frames and slows nobody down. See protocol.go for the wire.
//
// Nothing that comes in over the wire is trusted: messages are bounded in size,
// in number, in rate and in what they may cost, connections from other origins are
// refused, and so is the five-hundredth bad message of one client.
//
// No set of 64 clients makes another one wait more than 100 ms on two processors,
// as long as a step of the scene itself leaves time for that:
//
//   - Messages are read and decoded outside the loop, by a goroutine a client that
//     waits when more come than messageRate or byteRate; one long message is decoded
//     at a time (throttle.go).
//   - A tick has a time for commands and a time for telling about the world. The next
//     command is that of the client that has cost least of late (obey.go); answers to
//     commands go out even when there is no time for the rest (sim.go).
//   - A step has a budget of contacts, and steps that take long are not added to
//     (load.go); grounds have bounds on tiles, chunks and segments (paint.go,
//     stroke.go). A command that would exceed one is refused, with a message to its
//     sender.
//   - Clients that do not answer pings are dropped; when there are 64, the one that
//     was silent longest makes room for the next (clients.go).
package sandbox
