// Package sandbox shows a world in a browser: an HTTP server with one page, and a WebSocket by
// which the page receives the world and sends commands: add, drag and join bodies, dig, build, pause, step.
//
// Server is the only type that a program needs. All clients share one world. It runs in this
// process at 60 steps a second and belongs to one goroutine, that of Server.Run. Commands wait in a
// short queue of their client and are executed between two steps. The world is sent as binary
// messages; a client is sent the next batch when it has taken the last, so a slow client skips
// frames and delays no other. protocol.go specifies the messages.
//
// Input from the network is not trusted. Messages are limited in size, number, rate and cost;
// connections from other origins are refused; a client is dropped after its five-hundredth invalid
// message.
//
// An answer waits for one step and for the commands and updates of one tick, with 63 other clients
// at their limits (TestSiege):
//
//   - Each client has a goroutine that reads and decodes its messages outside the loop, no faster
//     than frameRate and byteRate. Only one long message is decoded at a time (throttle.go).
//   - A tick has a time limit for commands and another for updates. The next command is that of the
//     client with the least recent cost; commands of many cells are split (obey.go). Answers to
//     commands are sent even if there is no time for updates (sim.go).
//   - A scene's world is built on another goroutine while the present world runs. While several
//     clients are connected, a scene of more than maxSharedBodies dynamic bodies is refused
//     (start.go).
//   - A step has a budget of contacts, and bodies are refused while steps take long; both limits are
//     halved while several clients are connected. Then a world whose steps take longer than longStep
//     is also paused for pauseTime, with a message to all (load.go). A ground has limits of tiles,
//     chunks and segments (paint.go, stroke.go), and a world a limit of grounds (terrain.go): parts that
//     come off beyond it vanish. A command that would exceed a limit is refused, with
//     a message to its sender.
//   - Clients that do not answer pings are dropped. When 64 are connected and another comes, the
//     client that sent no message or pong for the longest time, at least replaceAfter, is dropped
//     (clients.go).
//
// A client that is alone may run every scene, however long its steps take.
package sandbox
