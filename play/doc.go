// Package play is a world that players share, as a state machine: a scene, and the commands by which they add, drag and
// join bodies, dig and build.
//
// A World changes by World.Do and World.Step alone. It reads no clock, and does not know who watches: two worlds of one
// scene that get equal commands between equal steps are equal bit for bit, on any machine, and refuse the same commands
// with the same texts. So a server, a page without a server and a replay drive the same World.
//
// Players undo their own edits (history.go), and drive characters, cars and ships (ride.go). World.Capture and
// World.Rewind go back by seconds in memory; they are for whoever drives the World, and are no commands.
//
// A Command is checked by Command.Check, which needs no world, and by World.Do. It has a binary form
// (Command.AppendBinary, DecodeBinary) that later versions read, too.
//
// Commands may come from strangers: what a world may grow by is bounded (budget.go), and a panic in a scene or in a
// command stops the world instead of the program.
package play
