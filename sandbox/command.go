package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Command is what a client asks for. Do says what; the other fields are those
// that it needs, and are refused nowhere else, only not looked at.
//
//	add     Kind, X, Y, Angle, Size    drops a body with its middle at X, Y
//	remove  X, Y                       removes the topmost body there
//	through X, Y                       lets the topmost body there fall through its one-way tiles
//	through All                        lets all that stand on one-way tiles fall through them
//	paint   Cells, Shape, Turn, Layer, Material, Ground
//	erase   Cells, Ground
//	dig     X0, Y0, X1, Y1, Radius, Ground    empties all within Radius of a line
//	build   X0, Y0, X1, Y1, Radius, Layer, Material, Ground    makes it solid
//	pause, resume
//	step    N                          N steps while paused, 0 = 1
//	reset                              the scene from its beginning
//	scene   Name                       another scene
//	view    X, Y                       the client now looks at X, Y
//	ack     Seq                        the client has taken FRAME number Seq
type Command struct {
	Do string `json:"do"`
	// Kind is a body: one of Kinds.
	Kind string `json:"kind,omitempty"`
	// X and Y are a point of the world, at most MaxCoordinate from 0.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// Angle turns a new body, in radians, at most 1000 either way.
	Angle float64 `json:"angle,omitempty"`
	// Size is a new body's diameter, MinSize to MaxSize; 0 means 1.
	Size float64 `json:"size,omitempty"`
	// All is every body instead of the one at X, Y.
	All bool `json:"all,omitempty"`
	// Cells are x, y, x, y, ... of at most MaxCells cells, in the ground's frame.
	Cells []int32 `json:"cells,omitempty"`
	// X0, Y0 and X1, Y1 are the ends of a stroke, points of the world as X and
	// Y, at most MaxStroke apart; they may be one.
	X0 float64 `json:"x0,omitempty"`
	Y0 float64 `json:"y0,omitempty"`
	X1 float64 `json:"x1,omitempty"`
	Y1 float64 `json:"y1,omitempty"`
	// Radius is half the width of a stroke, in cells, MinBrush to MaxBrush.
	Radius float64 `json:"radius,omitempty"`
	// Ground is which ground is edited: the number that GROUND gave it.
	Ground   uint32 `json:"ground,omitempty"`
	Shape    uint16 `json:"shape,omitempty"`
	Turn     uint8  `json:"turn,omitempty"` // 0 to 7
	Layer    uint8  `json:"layer,omitempty"`
	Material uint16 `json:"material,omitempty"`
	// N is a number of steps, at most MaxSteps.
	N    int    `json:"n,omitempty"`
	Name string `json:"name,omitempty"`
	Seq  uint32 `json:"seq,omitempty"`
}

// The bounds of what a command may ask for.
const (
	MaxCoordinate = 1 << 30 // cells from 0, of a point
	MinSize       = 0.1     // cells, of a new body
	MaxSize       = 10      // cells, of a new body
	MaxCells      = 4096    // of one paint or erase
	MaxSteps      = 3600    // that wait to be made while paused
	MinBrush      = 0.1     // cells, of a stroke's radius
	MaxBrush      = 4       // cells, of a stroke's radius
	MaxStroke     = 32      // cells between a stroke's ends
)

// Kinds are the bodies that the command "add" knows.
var Kinds = []string{"box", "circle", "capsule", "rounded", "pentagon"}

// DecodeCommand reads one command. The error says in words for the person at
// the other end what is wrong with it; the command is then empty.
func DecodeCommand(message []byte) (Command, error) {
	if len(message) > MaxMessage {
		return Command{}, fmt.Errorf("the message is too long: %d bytes, at most %d", len(message), MaxMessage)
	}
	var c Command
	d := json.NewDecoder(bytes.NewReader(message))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Command{}, fmt.Errorf("not a command: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Command{}, errors.New("not a command: something follows its end")
	}
	if err := c.check(); err != nil {
		return Command{}, err
	}
	return c, nil
}

// Append appends c as DecodeCommand reads it.
func (c Command) Append(dst []byte) ([]byte, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return dst, fmt.Errorf("encode command: %w", err)
	}
	return append(dst, b...), nil
}

// check tells what is wrong with c, apart from what only the world knows.
func (c *Command) check() error {
	switch c.Do {
	case "add":
		if !slices.Contains(Kinds, c.Kind) {
			return fmt.Errorf("add: no body kind %.40q; there are %s", c.Kind, strings.Join(Kinds, ", "))
		}
		if !within(c.Angle, 1000) {
			return errors.New("add: the angle is out of range")
		}
		if c.Size == 0 {
			c.Size = 1
		}
		if !(c.Size >= MinSize && c.Size <= MaxSize) {
			return fmt.Errorf("add: the size must be %v to %v", MinSize, MaxSize)
		}
		return c.checkPoint()
	case "remove", "view", "through":
		return c.checkPoint()
	case "paint", "erase":
		if len(c.Cells)%2 != 0 {
			return fmt.Errorf("%s: cells must be pairs of x and y", c.Do)
		}
		if len(c.Cells) > 2*MaxCells {
			return fmt.Errorf("%s: %d cells at once, at most %d", c.Do, len(c.Cells)/2, MaxCells)
		}
		if c.Turn > 7 {
			return fmt.Errorf("%s: the turn must be 0 to 7", c.Do)
		}
		if c.Do == "paint" && c.Shape == 0 {
			return errors.New("paint: no shape; use erase to clear cells")
		}
	case "dig", "build":
		return c.checkStroke()
	case "step":
		if c.N == 0 {
			c.N = 1
		}
		if c.N < 1 || c.N > MaxSteps {
			return fmt.Errorf("step: n must be 1 to %d", MaxSteps)
		}
	case "pause", "resume", "reset", "scene", "ack":
	default:
		return fmt.Errorf("no command %.40q", c.Do)
	}
	return nil
}

func (c *Command) checkPoint() error {
	if !within(c.X, MaxCoordinate) || !within(c.Y, MaxCoordinate) {
		return fmt.Errorf("%s: x and y must be within %d of 0", c.Do, MaxCoordinate)
	}
	return nil
}

// within reports whether x is a number at most limit from 0.
func within(x, limit float64) bool { return math.Abs(x) <= limit }
