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
// in number and in what they may cost, connections from other origins are
// refused, and so is the five-hundredth bad message of one client.
package sandbox
