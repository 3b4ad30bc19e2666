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

// Command is a request of a client. Do is its name; each command reads only the fields listed here
// and ignores the others.
//
//	add     Kind, X, Y, Angle, Size    adds a body with its centre at X, Y
//	remove  X, Y                       removes the newest body at X, Y
//	through X, Y                       lets the newest body at X, Y fall through one-way tiles
//	through All                        lets all bodies on one-way tiles fall through them
//	paint   Cells, Shape, Turn, Layer, Material, Ground, Hold
//	erase   Cells, Ground, Hold
//	dig     X0, Y0, X1, Y1, Radius, Ground, Hold    empties the ground within Radius of a line
//	dig     X0, Y0, X1, Y1, Radius, All, Hold       empties every ground there
//	breaks  All                        lets parts of standing grounds that nothing holds fall, or, without
//	                                   All, hang
//	build   X0, Y0, X1, Y1, Radius, Layer, Material, Ground, Hold    makes it solid
//	pause, resume
//	step    N                          makes N steps of a paused world; 0 means 1
//	reset                              starts the scene again
//	scene   Name                       starts another scene
//	view    X, Y                       sets the centre of the client's view
//	grab    X, Y, All                  begins to drag the body at X, Y, or drags it there; with All
//	                                   it begins no drag
//	release                            ends the drag, and the stroke that Hold began
//	join    Kind, X0, Y0, X1, Y1       adds a joint between the bodies at both points, or the world; its
//	                                   Kind is one of JointKinds
//	draw    Layers, X0, Y0, X1, Y1     sends DRAW with these layers in this box from now on; "" ends it
//	ack     Seq                        acknowledges FRAME number Seq
type Command struct {
	Do string `json:"do"`
	// Kind is the kind of a body: one of Kinds.
	Kind string `json:"kind,omitempty"`
	// X and Y are a point of the world, each within MaxCoordinate of 0.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// Angle is a new body's, in radians, -1000 to 1000.
	Angle float64 `json:"angle,omitempty"`
	// Size is a new body's diameter, MinSize to MaxSize; 0 means 1.
	Size float64 `json:"size,omitempty"`
	// All applies the command to all bodies instead of a body at X, Y, or to all grounds instead of Ground.
	All bool `json:"all,omitempty"`
	// Hold marks a part of a stroke: no standing ground breaks until the client's release, or until the client leaves.
	Hold bool `json:"hold,omitempty"`
	// Cells are the coordinates x, y, x, y, ... of at most MaxCells cells of the ground.
	Cells []int32 `json:"cells,omitempty"`
	// X0, Y0 and X1, Y1 are the ends of a stroke, points of the world like X and Y. They are at
	// most MaxStroke apart and may be equal.
	X0 float64 `json:"x0,omitempty"`
	Y0 float64 `json:"y0,omitempty"`
	X1 float64 `json:"x1,omitempty"`
	Y1 float64 `json:"y1,omitempty"`
	// Radius is half the width of a stroke, in cells, MinBrush to MaxBrush.
	Radius float64 `json:"radius,omitempty"`
	// Ground is the number of the ground to edit, as in the message GROUND.
	Ground   uint32 `json:"ground,omitempty"`
	Shape    uint16 `json:"shape,omitempty"`
	Turn     uint8  `json:"turn,omitempty"` // 0 to 7
	Layer    uint8  `json:"layer,omitempty"`
	Material uint16 `json:"material,omitempty"`
	// N is a number of steps, at most MaxSteps.
	N    int    `json:"n,omitempty"`
	Name string `json:"name,omitempty"`
	// Layers are names of layers of World.Draw, separated by commas.
	Layers string `json:"layers,omitempty"`
	Seq    uint32 `json:"seq,omitempty"`
}

// The limits of the fields of a command.
const (
	MaxCoordinate = 1 << 30 // of a point, in cells from 0
	// MaxJointCoordinate bounds the points of "grab" and "join": two such points are nearer than a joint reaches.
	MaxJointCoordinate = 3e8
	MinSize            = 0.1  // of a new body, in cells
	MaxSize            = 10   // of a new body, in cells
	MaxCells           = 4096 // of one paint or erase
	MaxSteps           = 3600 // requested and not yet made
	MinBrush           = 0.1  // radius of a stroke, in cells
	MaxBrush           = 4    // radius of a stroke, in cells
	MaxStroke          = 32   // length of a stroke, in cells
)

// Kinds are the kinds of body of the command "add". One of tiles is a square ground of as many blocks a side as its
// size has whole cells, at least one; players dig in it and build on it.
var Kinds = []string{"box", "circle", "capsule", "rounded", "pentagon", kindTiles}

const kindTiles = "tiles"

// JointKinds are the kinds of joint of the command "join".
var JointKinds = []string{"revolute", "distance", "weld"}

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
	switch c.Do {
	case "add":
		if !slices.Contains(Kinds, c.Kind) {
			return fmt.Errorf("add: unknown kind of body %.40q; the kinds are %s", c.Kind, strings.Join(Kinds, ", "))
		}
		if !within(c.Angle, 1000) {
			return fmt.Errorf("add: the angle %v is out of range: it must be -1000 to 1000", c.Angle)
		}
		if c.Size == 0 {
			c.Size = 1
		}
		if !(c.Size >= MinSize && c.Size <= MaxSize) {
			return fmt.Errorf("add: the size %v is out of range: it must be %v to %v", c.Size, MinSize, MaxSize)
		}
		return c.checkPoint()
	case "remove", "view", "through", "grab":
		return c.checkPoint()
	case "paint", "erase":
		if len(c.Cells)%2 != 0 {
			return fmt.Errorf("%s: %d coordinates in cells: they must be pairs of x and y", c.Do, len(c.Cells))
		}
		if len(c.Cells) > 2*MaxCells {
			return fmt.Errorf("%s: %d cells, the limit is %d", c.Do, len(c.Cells)/2, MaxCells)
		}
		if c.Turn > 7 {
			return fmt.Errorf("%s: the turn %d is out of range: it must be 0 to 7", c.Do, c.Turn)
		}
		if c.Do == "paint" && c.Shape == 0 {
			return errors.New("paint: shape 0 is no shape; use erase to clear cells")
		}
	case "dig", "build":
		if c.All && c.Do == "build" {
			return errors.New("build: it builds on one ground, not on all")
		}
		return c.checkStroke()
	case "draw":
		return c.checkDraw()
	case "join":
		if !slices.Contains(JointKinds, c.Kind) {
			return fmt.Errorf("join: unknown kind of joint %.40q; the kinds are %s", c.Kind, strings.Join(JointKinds,
				", "))
		}
		return c.checkEnds()
	case "step":
		if c.N == 0 {
			c.N = 1
		}
		if c.N < 1 || c.N > MaxSteps {
			return fmt.Errorf("step: n %d is out of range: it must be 1 to %d", c.N, MaxSteps)
		}
	case "pause", "resume", "reset", "scene", "ack", "release", "breaks":
	default:
		return fmt.Errorf("unknown command %.40q", c.Do)
	}
	return nil
}

func (c *Command) checkPoint() error {
	most := float64(MaxCoordinate)
	if c.Do == "grab" {
		most = MaxJointCoordinate
	}
	if !within(c.X, most) || !within(c.Y, most) {
		return fmt.Errorf("%s: (%v, %v) is out of range: x and y must be within %.0f of 0", c.Do, c.X, c.Y, most)
	}
	return nil
}

// within reports whether x is between -limit and limit; NaN is not.
func within(x, limit float64) bool { return math.Abs(x) <= limit }
