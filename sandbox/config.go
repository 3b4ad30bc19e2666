package sandbox

import "github.com/quarry2d/quarry/scene"

// Config configures a Server.
type Config struct {
	// Scenes are the scenes that the page offers, at least one.
	Scenes []scene.Scene
	// Start is the name of the first scene to run; "" means Scenes[0].
	Start string
	// Paused starts the first scene paused.
	Paused bool
	// MaxBodies is the number of bodies of the world, of any type, at which clients' additions are
	// refused; 0 means 20,000. A scene itself may have more.
	MaxBodies int
	// Keep is the folder in which the world is kept, as a log of all commands: a Server goes on with the world of the
	// folder, if there is one, instead of Start. A kill loses no command that was shown. "" keeps nothing. The folder
	// belongs to one Server at a time. A file of an earlier version in its place becomes the beginning of the world.
	Keep string
	// Worlds is the folder in which worlds are kept under names that owners give them, at most 100 of them; "" keeps
	// none. It is made when it is first needed.
	Worlds string
	// Guests is the role of clients whose link has no token: Own if it is not set. With None they are refused.
	Guests Role
	// Tokens are the roles of clients whose link has a token, as in http://host/?token=TOKEN. A link with another token
	// is refused. Make tokens of at least 16 random bytes.
	Tokens map[string]Role
	// Keys check the tokens of links to Worlds, in place of Tokens; nil: links to them have no tokens.
	Keys *Keys
	// Log gets a line, without a line end, for each connection that was refused or dropped and for each world that
	// was stopped by an error, with the reason: at most ten lines at once and then one a second. It is called from any
	// goroutine, but never twice at the same time. nil logs nothing.
	Log func(line string)
}

// defaultMaxBodies is Config.MaxBodies if that is 0.
const defaultMaxBodies = 20_000
