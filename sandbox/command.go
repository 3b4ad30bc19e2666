package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// Command is a request of a client: a command of package play, which changes the world, or one of these, which do not:
//
//	pause, resume
//	step    N                          makes N steps of a paused world; 0 means 1
//	rewind  N                          pauses the world at the state before step N, at most 20 s back
//	speed   Rate                       makes Rate times 60 steps a second, 1/16 to 4
//	repeat  All                        starts the scene again whenever it has come to rest, or does not
//	reset                              starts the scene again
//	keep    Name                       keeps the world under a name
//	open    Name                       goes on with the world that is kept under a name
//	forget  Name                       removes that world from those that are kept
//	scene   Name                       starts another scene
//	name    Name                       sets the client's name, as others see it
//	point   X, Y                       shows others where the client points; with All, that it does not
//	answer  N, All                     allows, or without All refuses, what another client asked for; see PEOPLE
//	view    X, Y, X0, Y0, X1, Y1       sets the centre of the client's view, and its box: bodies outside of it have
//	                                   a place in few frames; with an empty box all are seen
//	draw    Layers, X0, Y0, X1, Y1     sends DRAW with these layers in this box from now on; "" ends it
//	lens    Name, X, Y, X0, Y0, X1, Y1, Body, Joint, Off
//	                                   sends LENS of that name at X, Y from now on; "ray" is from X0, Y0 to
//	                                   X1, Y1, "object" of Body or Joint if one is given. Off ends it, or all
//	                                   without Name
//	news    Off                        sends NEWS from now on, or no more
//	ack     Seq                        acknowledges FRAME number Seq
type Command struct {
	play.Command
	// N is a number of steps, at most MaxSteps; of "rewind" the number of a step.
	N    int     `json:"n,omitempty"`
	Rate float64 `json:"rate,omitempty"`
	Name string  `json:"name,omitempty"`
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
	quiet   bool                                     // no FRAME follows it
}

var descriptions map[string]*description

func init() { // the functions read the map
	descriptions = map[string]*description{
		"pause":  {do: give},
		"resume": {do: give, soon: true},
		"step":   {check: checkSteps, do: give, soon: true},
		"rewind": {do: (*sim).rewind},
		"speed":  {check: checkRate, do: give, soon: true},
		"repeat": {do: (*sim).repeat},
		"reset": {
			do: func(s *sim, c *client, _ Command) error { return s.ask(c, s.Scene()) }, stopped: true,
			starts: true,
		},
		"keep":   {check: checkWorld, do: (*sim).keepAs},
		"open":   {check: checkWorld, do: (*sim).open, stopped: true, starts: true},
		"forget": {check: checkWorld, do: (*sim).forget, stopped: true},
		"scene":  {do: (*sim).choose, stopped: true, starts: true},
		"name":   {check: checkName, do: (*sim).rename, stopped: true, quiet: true},
		"point":  {check: checkView, do: (*sim).point, stopped: true, quiet: true},
		"answer": {do: (*sim).answer, stopped: true},
		"view":   {check: checkView, do: look, stopped: true},
		"draw":   {check: checkDraw, do: draw, stopped: true},
		"lens":   {check: checkLens, do: setLens, stopped: true},
		"news":   {do: setNews, stopped: true, quiet: true},
		"ack":    {},
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

func checkRate(c *Command) error {
	if !(c.Rate >= minRate && c.Rate <= maxRate) {
		return fmt.Errorf("speed: the rate %v is out of range: it must be 1/16 to %d", c.Rate, maxRate)
	}
	return nil
}

// give gives a command to the owner.
func give(s *sim, c *client, m Command) error {
	s.give(c, m, inputOf(m))
	return nil
}

func (s *sim) repeat(c *client, m Command) error {
	s.rested = time.Time{}
	return give(s, c, m)
}

// rewind pauses the world at an earlier state, or at a later one if it went back before. Drags and strokes end.
func (s *sim) rewind(c *client, m Command) error {
	s.pause()
	to, err := s.reel.find(s.World, c.lastRewind(m).N)
	if err != nil {
		return err
	}
	back, err := s.owner.Back(&to.saved)
	if err == nil {
		s.build(c, m, back)
	}
	return err
}

// lastRewind returns m, or the last one of the commands "rewind" that the client has given directly after it: while it
// drags the slider, a world whose states are long goes back less often.
func (c *client) lastRewind(m Command) Command {
	for !c.waiting {
		select {
		case c.next = <-c.inbox:
			c.taken++
			if c.waiting = c.next.err != nil || c.next.command.Do != "rewind"; !c.waiting {
				m = c.next.command
			}
		default:
			return m
		}
	}
	return m
}

func checkName(c *Command) error {
	if len(c.Name) > 8*maxName {
		return fmt.Errorf("name: the name has %d bytes, the limit is %d characters", len(c.Name), maxName)
	}
	return nil
}

func checkView(c *Command) error {
	if !within(c.X, play.MaxCoordinate) || !within(c.Y, play.MaxCoordinate) {
		return fmt.Errorf("%s: (%v, %v) is out of range: x and y must be within %d of 0", c.Do, c.X, c.Y,
			play.MaxCoordinate)
	}
	return c.CheckLine()
}

// pause pauses the world.
func (s *sim) pause() { _ = give(s, nil, Command{Command: play.Command{Do: "pause"}}) }

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
	c.moved = true
	if c.window = geom.Empty; m.X0 < m.X1 && m.Y0 < m.Y1 {
		c.window = geom.AABB{Min: geom.V(m.X0, m.Y0), Max: geom.V(m.X1, m.Y1)}
	}
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
