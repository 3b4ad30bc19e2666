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
// in number, in rate and in cost, connections from other origins are
// refused, and so is the five-hundredth bad message of one client.
//
// An answer waits for one step, and for the commands and updates of one tick, whatever the
// other 63 clients send (TestSiege):
//
//   - Messages are read and decoded outside the loop, by one goroutine for each client,
//     no faster than frameRate and byteRate; one long message is decoded at a time
//     (throttle.go).
//   - A tick has a time limit for commands and one for updates of the clients. The next
//     command is that of the client with the least recent cost, and many cells are edited
//     in parts (obey.go); answers to commands are sent even when there is no time for
//     updates (sim.go).
//   - A scene's world is built on another goroutine while the world before goes on. A
//     scene of more than maxSharedBodies dynamic bodies is refused while several clients
//     are connected (start.go).
//   - A step has a budget of contacts, and clients cannot add bodies while steps take long;
//     both limits are half as high while several clients are connected. A world whose
//     steps take longer than longStep is then paused for pauseTime, and everyone is told
//     (load.go). Grounds have limits of tiles, chunks and segments (paint.go, stroke.go).
//     A command that would exceed a limit is refused, with a message to its sender.
//   - Clients that do not answer pings are dropped; when there are 64, the client that
//     was silent longest, for replaceAfter at least, makes room for the next. Messages and
//     pongs count (clients.go).
//
// A client alone may run every scene, however long its steps take.
package sandbox
