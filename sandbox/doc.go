// Package sandbox shows a world in a browser: an HTTP server with one page, and a WebSocket by
// which the page receives the world and sends commands: add, drag and join bodies, dig, build, pause, step.
//
// Server is the only type that a program needs for one world, and Worlds shows several. Package host makes the steps
// and keeps a log of the commands: a Server has a host of its own (alone.go, hosted.go). All clients share one world,
// a play.World. It runs in this process at 60 steps a second and belongs to one goroutine, the loop. Commands wait in
// a short queue of their client and are executed between two steps. The world is sent as binary messages; a client is
// sent the next batch when it has taken the last, so a slow client skips frames and delays no other. protocol.go
// specifies the messages.
//
// A world that is not kept has a host.Local, without a log. So has one in a Worker of the page, which a log would make
// larger: the browser keeps snapshots.
//
// A client has a Role, by its link (role.go). Owners rewind the world by up to 20 s (reel.go), keep worlds under names
// (library.go), and make files the present world (import.go). Clients see each other's names, pointers and deeds
// (people.go).
//
// Input from the network is not trusted. Messages are limited in size, number and rate;
// connections from other origins are refused; a client is dropped after its five-hundredth invalid
// message. An answer waits at most 100 ms, with 63 other clients at their limits (TestSiege):
//
//   - Each client has a goroutine that reads and decodes its messages outside the loop, no faster
//     than frameRate and byteRate. Only one long message is decoded at a time (throttle.go).
//   - A tick has a time limit for commands and another for updates. The next command is from the
//     client whose commands took the shortest time recently; commands of many cells or grounds are split (obey.go).
//     Answers to commands are sent even if there is no time for updates (sim.go).
//   - A scene's world is built on another goroutine while the present world runs (start.go).
//   - The size of a world is bounded, summed up over all grounds and bodies (package play). While several clients are
//     connected, one step that takes longer than longStep pauses the world (guard.go).
//   - The end of a connection, whoever sees it, ends its goroutines and drops its commands (connection.go). At most 64
//     clients are connected. When another comes, the client that sent no message or pong for the longest time, at least
//     replaceAfter, makes room (clients.go).
//
// A client that is alone may run every scene, however long its steps take. A panic in a scene or in a command stops
// the world, and its clients are told; the server goes on (stop.go). docs/house.md, "One
// visitor of the sandbox", is the overview.
package sandbox
