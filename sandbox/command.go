package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// Command is a request of a client: a command of package play, which changes the world, or one of these, which do not:
//
//	pause, resume
//	step    N                          makes N steps of a paused world; 0 means 1
//	reset                              starts the scene again
//	scene   Name                       starts another scene
//	view    X, Y                       sets the centre of the client's view
//	draw    Layers, X0, Y0, X1, Y1     sends DRAW with these layers in this box from now on; "" ends it
//	lens    Name, X, Y, X0, Y0, X1, Y1, Body, Joint, Off
//	                                   sends LENS of that name at X, Y from now on; "ray" is from X0, Y0 to
//	                                   X1, Y1, "object" of Body or Joint if one is given. Off ends it, or all
//	                                   without Name
//	news    Off                        sends NEWS from now on, or no more
//	ack     Seq                        acknowledges FRAME number Seq
type Command struct {
	play.Command
	// N is a number of steps, at most MaxSteps.
	N    int    `json:"n,omitempty"`
	Name string `json:"name,omitempty"`
	// Layers are names of layers of World.Draw, separated by commas.
	Layers string `json:"layers,omitempty"`
	Seq    uint32 `json:"seq,omitempty"`
	Off    bool   `json:"off,omitempty"`
}

// MaxSteps bounds the steps requested and not yet made.
const MaxSteps = 3600

// description is all that there is to know about a command of the sandbox itself.
type description struct {
	check   func(c *Command) error                   // nil: nothing to check
	do      func(s *sim, c *client, m Command) error // nil: the reader executes it
	stopped bool                                     // it is executed although the world has stopped
	starts  bool                                     // it starts a scene
	soon    bool                                     // it makes the next step come sooner; see guard
}

var descriptions map[string]*description

func init() { // the functions read the map
	descriptions = map[string]*description{
		"pause":  {do: func(s *sim, _ *client, _ Command) error { return s.setPaused(true) }},
		"resume": {do: func(s *sim, _ *client, _ Command) error { return s.setPaused(false) }, soon: true},
		"step":   {check: checkSteps, do: (*sim).request, soon: true},
		"reset": {
			do: func(s *sim, c *client, _ Command) error { return s.ask(c, s.Scene()) }, stopped: true,
			starts: true,
		},
		"scene": {do: (*sim).choose, stopped: true, starts: true},
		"view":  {check: checkView, do: look, stopped: true},
		"draw":  {check: checkDraw, do: draw, stopped: true},
		"lens":  {check: checkLens, do: setLens, stopped: true},
		"news":  {do: setNews, stopped: true},
		"ack":   {},
	}
}

// DecodeCommand decodes and checks one command. On failure it returns the zero Command and an error
// with a text for the client's user.
func DecodeCommand(message []byte) (Command, error) {
	if len(message) > MaxMessage {
		return Command{}, fmt.Errorf("the message has %d bytes, the limit is %d", len(message), MaxMessage)
	}
	var c Command
	d := json.NewDecoder(bytes.NewReader(message))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Command{}, fmt.Errorf("not a command: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Command{}, errors.New("not a command: more text follows its end")
	}
	if err := c.check(); err != nil {
		return Command{}, err
	}
	return c, nil
}

// Append appends c in the form that DecodeCommand decodes.
func (c Command) Append(dst []byte) ([]byte, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return dst, fmt.Errorf("encode command: %w", err)
	}
	return append(dst, b...), nil
}

// check returns an error if c is invalid in any world, and sets defaults.
func (c *Command) check() error {
	d := descriptions[c.Do]
	switch {
	case d == nil:
		return c.Check()
	case d.check != nil:
		return d.check(c)
	}
	return nil
}

// starts reports whether the command starts a scene.
func (c *Command) starts() bool { d := descriptions[c.Do]; return d != nil && d.starts }

func checkSteps(c *Command) error {
	if c.N == 0 {
		c.N = 1
	}
	if c.N < 1 || c.N > MaxSteps {
		return fmt.Errorf("step: n %d is out of range: it must be 1 to %d", c.N, MaxSteps)
	}
	return nil
}

func checkView(c *Command) error {
	if !within(c.X, play.MaxCoordinate) || !within(c.Y, play.MaxCoordinate) {
		return fmt.Errorf("view: (%v, %v) is out of range: x and y must be within %d of 0", c.X, c.Y,
			play.MaxCoordinate)
	}
	return nil
}

// setPaused pauses or resumes the world.
func (s *sim) setPaused(on bool) error {
	s.paused, s.pending = on, 0
	return nil
}

// request adds to the steps of a paused world.
func (s *sim) request(_ *client, m Command) error {
	if !s.paused {
		return errors.New("step: the world is running; pause it first")
	}
	s.pending = min(s.pending+m.N, MaxSteps)
	return nil
}

// choose starts another scene.
func (s *sim) choose(c *client, m Command) error {
	sc, ok := find(s.config.Scenes, m.Name)
	if !ok {
		return fmt.Errorf("scene: there is no scene %.60q", m.Name)
	}
	return s.ask(c, sc)
}

func look(_ *sim, c *client, m Command) error {
	c.look(geom.V(m.X, m.Y))
	return nil
}

func find(scenes []scene.Scene, name string) (scene.Scene, bool) {
	for _, sc := range scenes {
		if sc.Name == name {
			return sc, true
		}
	}
	return scene.Scene{}, false
}
