package play

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Command is what a player asks of a world. Do is its name; each command reads only the fields listed here, and ignores
// the others.
//
//	add     Kind, X, Y, Angle, Size    adds a body with its centre at X, Y
//	remove  X, Y                       removes the newest body at X, Y
//	through X, Y                       lets the newest body at X, Y fall through one-way tiles
//	through All                        lets all bodies on one-way tiles fall through them
//	paint   Cells, Shape, Turn, Layer, Material, Ground, Hold
//	erase   Cells, Ground, Hold
//	dig     X0, Y0, X1, Y1, Radius, Ground, Hold    empties the ground within Radius of a line
//	dig     X0, Y0, X1, Y1, Radius, All, Hold       empties every ground there
//	build   X0, Y0, X1, Y1, Radius, Layer, Material, Ground, Hold    makes it solid
//	breaks  All                        lets parts of standing grounds that nothing holds fall, or, without
//	                                   All, hang
//	grab    X, Y, All                  begins to drag the body at X, Y, or drags it there; with All
//	                                   it begins no drag
//	release                            ends the drag, and the stroke that Hold began
//	join    Kind, X0, Y0, X1, Y1, Motor, Force, Hertz, Lower, Upper
//	                                   adds a joint between the bodies at both points, or the world; its
//	                                   Kind is one of JointKinds
//	undo                               undoes the player's last stroke, added or removed body, or joint; see
//	                                   World.Unfinished
//	redo                               does again what the player undid last
//	board   X, Y, All                  lets the player drive the body at X, Y, or a new character where there
//	                                   is none; with All always a character
//	drive   Keys                       holds these keys down: KeyLeft, KeyRight, KeyUp, KeyDown
//	leave                              ends the drive
//	tune    Joint, Motor, Force, Hertz, Lower, Upper    replaces the motor, spring and limit of a joint
//	unjoin  Joint, or X, Y             removes a joint, or, with Joint 0, the one nearest to X, Y
//	stamp   Kind, X, Y, Angle, Size    adds the bodies and joints of one of Stamps
//	copy    Body, X, Y, Angle, Size    adds a copy of a body, and of those that joints link to it, with its centre of
//	                                   mass at X, Y, turned by Angle and Size times as large
//	alter   Body, Kind, Value          changes a property of a body: one of Properties
//	label   Body, Text                 names a body
//	delete  Body, All                  removes a body; with All, those that joints link to it, too
//	explode X, Y, Radius               digs a crater of that radius and pushes bodies away
//	loosen  X0, Y0, X1, Y1, Ground     makes the cells of a ground between two corners a dynamic body
//	glue    X0, Y0, X1, Y1             joins the tiles, or welds the bodies, at both points
type Command struct {
	Do string `json:"do"`
	// Kind is the kind of a body: one of Kinds; or of a joint.
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
	// Hold marks a part of a stroke: no ground breaks until the player's release, or until the player leaves.
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
	// Ground is the number of the ground to edit: its index in World.Grounds.
	Ground   uint32 `json:"ground,omitempty"`
	Shape    uint16 `json:"shape,omitempty"`
	Turn     uint8  `json:"turn,omitempty"` // 0 to 7
	Layer    uint8  `json:"layer,omitempty"`
	Material uint16 `json:"material,omitempty"`
	Keys     uint8  `json:"keys,omitempty"`
	// Body and Joint are ids of the engine.
	Body  quarry.BodyID  `json:"body,omitempty"`
	Joint quarry.JointID `json:"joint,omitempty"`
	// Value is of a property, within MaxValue of 0.
	Value float64 `json:"value,omitempty"`
	// Text is a name, of at most MaxText bytes of UTF-8.
	Text string `json:"text,omitempty"`
	// Motor is the speed of a joint's motor, in cells or radians a second. Force is the most force or torque of the
	// motor; 0 means a strong one if Motor is not 0, and none otherwise. With Motor 0 it is a brake.
	Motor float64 `json:"motor,omitempty"`
	Force float64 `json:"force,omitempty"`
	// Hertz is the frequency of a joint's spring, up to MaxHertz; 0: it has none.
	Hertz float64 `json:"hertz,omitempty"`
	// Lower and Upper limit a joint's angle, in radians, or its length. Both 0 mean no limit.
	Lower float64 `json:"lower,omitempty"`
	Upper float64 `json:"upper,omitempty"`
}

// The limits of the fields of a command.
const (
	MaxCoordinate = 1 << 30 // of a point, in cells from 0
	// MaxJointCoordinate bounds the points of "grab" and "join": two such points are nearer than a joint reaches.
	MaxJointCoordinate = 3e8
	MinSize            = 0.1  // of a new body, in cells
	MaxSize            = 10   // of a new body, in cells
	MaxCells           = 4096 // of one paint or erase
	MinBrush           = 0.1  // radius of a stroke, in cells
	MaxBrush           = 4    // radius of a stroke, in cells
	MaxStroke          = 32   // length of a stroke, in cells
	maxAngle           = 1000 // of a new body, in radians
	MaxValue           = 1e6  // of a property
	MaxText            = 60   // bytes of a name
	MaxHertz           = 30   // of a joint's spring
	maxTuning          = 1000 // of a joint's motor and limits
)

// Kinds are the kinds of body of the command "add". One of tiles is a square ground of as many blocks a side as its
// size has whole cells, at least one; players dig in it and build on it.
var Kinds = []string{"box", "circle", "capsule", "rounded", "pentagon", kindTiles}

const kindTiles = "tiles"

// field is a set of fields of a Command, in the order in which the binary form has them.
type field uint32

const (
	fieldKind field = 1 << iota
	fieldAngle
	fieldSize
	fieldPoint
	fieldAll
	fieldHold
	fieldCells
	fieldTurn
	fieldShape
	fieldLine
	fieldRadius
	fieldLayer
	fieldMaterial
	fieldGround
	fieldKeys
	fieldBody
	fieldJoint
	fieldValue
	fieldText
	fieldTuning
)

// description is all that there is to know about a command.
type description struct {
	code   byte // in the binary form
	fields field
	kinds  []string                                    // of fieldKind
	within float64                                     // of fieldPoint
	check  func(c *Command) error                      // besides the ranges of the fields; nil: nothing
	do     func(w *World, by *player, c Command) error // changes the world
	traits Traits
	edits  bool // a player can undo it
}

// Traits tell what a command may do to a world, for those who plan its time.
type Traits struct {
	ChangesGround bool // it counts for World.Full
	Adds          bool // it may make later steps take longer
}

const (
	stroke = fieldLine | fieldRadius | fieldGround | fieldHold
	tiles  = fieldCells | fieldGround | fieldHold
)

var descriptions = map[string]*description{
	"add": {
		code: 1, fields: fieldKind | fieldAngle | fieldSize | fieldPoint, kinds: Kinds, within: MaxCoordinate,
		do: (*World).add, traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"remove":  {code: 2, fields: fieldPoint, within: MaxCoordinate, do: (*World).remove, edits: true},
	"through": {code: 3, fields: fieldPoint | fieldAll, within: MaxCoordinate, do: (*World).through},
	"paint": {
		code: 4, fields: tiles | fieldShape | fieldTurn | fieldLayer | fieldMaterial,
		check: needShape, do: (*World).edit, traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"erase": {code: 5, fields: tiles, do: (*World).edit, traits: Traits{ChangesGround: true}, edits: true},
	"dig": {
		code: 6, fields: stroke | fieldAll, do: (*World).dig, traits: Traits{ChangesGround: true}, edits: true,
	},
	"build": {
		code: 7, fields: stroke | fieldLayer | fieldMaterial,
		check: needGround, do: (*World).build, traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"breaks":  {code: 8, fields: fieldAll, do: (*World).setBreaks, traits: Traits{Adds: true}},
	"grab":    {code: 9, fields: fieldPoint | fieldAll, within: MaxJointCoordinate, do: (*World).grab},
	"release": {code: 10, do: (*World).release},
	"join": {
		code: 11, fields: fieldKind | fieldLine | fieldTuning, kinds: JointKinds, do: (*World).join,
		traits: Traits{Adds: true}, edits: true,
	},
	"tune":   {code: 32, fields: fieldJoint | fieldTuning, do: (*World).tune, edits: true},
	"unjoin": {code: 33, fields: fieldPoint | fieldJoint, within: MaxCoordinate, do: (*World).unjoin, edits: true},
	"stamp": {
		code: 34, fields: fieldKind | fieldAngle | fieldSize | fieldPoint, kinds: Stamps, within: MaxJointCoordinate,
		do: (*World).stamp, traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"copy": {
		code: 35, fields: fieldBody | fieldAngle | fieldSize | fieldPoint, within: MaxJointCoordinate,
		do: (*World).copyBody, traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"alter": {
		code: 36, fields: fieldBody | fieldKind | fieldValue, kinds: Properties, do: (*World).alter,
		traits: Traits{Adds: true}, edits: true,
	},
	"label":  {code: 37, fields: fieldBody | fieldText, do: (*World).label, edits: true},
	"delete": {code: 38, fields: fieldBody | fieldAll, do: (*World).deleteBody, edits: true},
	"explode": {
		code: 39, fields: fieldPoint | fieldRadius, within: MaxJointCoordinate, do: (*World).explode,
		traits: Traits{ChangesGround: true}, edits: true,
	},
	"loosen": {
		code: 40, fields: fieldLine | fieldGround, do: (*World).loosen,
		traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"glue": {
		code: 41, fields: fieldLine, do: (*World).glue, traits: Traits{ChangesGround: true, Adds: true}, edits: true,
	},
	"board": {
		code: 14, fields: fieldPoint | fieldAll, within: MaxCoordinate, do: (*World).board, traits: Traits{Adds: true},
	},
	"drive": {code: 15, fields: fieldKeys, do: (*World).drive},
	"leave": {code: 16, do: (*World).leave},
	"undo":  {code: 12, do: (*World).undo, traits: Traits{ChangesGround: true, Adds: true}},
	"redo":  {code: 13, do: (*World).undo, traits: Traits{ChangesGround: true, Adds: true}},
}

// TraitsOf returns what the command of a name may do; zero if there is no such command.
func TraitsOf(name string) Traits {
	if d := descriptions[name]; d != nil {
		return d.traits
	}
	return Traits{}
}

// Check returns an error, with a text for the player, if c is invalid in any world. Otherwise it sets defaults.
func (c *Command) Check() error {
	d := descriptions[c.Do]
	if d == nil {
		return fmt.Errorf("unknown command %.40q", c.Do)
	}
	if d.fields&fieldKind != 0 && !slices.Contains(d.kinds, c.Kind) {
		of := "body"
		switch c.Do {
		case "join":
			of = "joint"
		case "alter":
			of = "property"
		}
		return fmt.Errorf("%s: unknown kind of %s %.40q; the kinds are %s", c.Do, of, c.Kind,
			strings.Join(d.kinds, ", "))
	}
	if err := c.checkTool(d.fields); err != nil {
		return err
	}
	if d.fields&fieldAngle != 0 && !within(c.Angle, maxAngle) {
		return fmt.Errorf("%s: the angle %v is out of range: it must be -%d to %d", c.Do, c.Angle, maxAngle, maxAngle)
	}
	if d.fields&fieldSize != 0 {
		if c.Size == 0 {
			c.Size = 1
		}
		if !(c.Size >= MinSize && c.Size <= MaxSize) {
			return fmt.Errorf("%s: the size %v is out of range: it must be %v to %v", c.Do, c.Size, MinSize, MaxSize)
		}
	}
	if d.fields&fieldPoint != 0 && (!within(c.X, d.within) || !within(c.Y, d.within)) {
		return fmt.Errorf("%s: (%v, %v) is out of range: x and y must be within %.0f of 0", c.Do, c.X, c.Y, d.within)
	}
	if d.fields&fieldCells != 0 {
		if len(c.Cells)%2 != 0 {
			return fmt.Errorf("%s: %d coordinates in cells: they must be pairs of x and y", c.Do, len(c.Cells))
		}
		if len(c.Cells) > 2*MaxCells {
			return fmt.Errorf("%s: %d cells, the limit is %d", c.Do, len(c.Cells)/2, MaxCells)
		}
	}
	if d.fields&fieldTurn != 0 && c.Turn > 7 {
		return fmt.Errorf("%s: the turn %d is out of range: it must be 0 to 7", c.Do, c.Turn)
	}
	if d.fields&fieldKeys != 0 && c.Keys > maxKeys {
		return fmt.Errorf("%s: the keys %d are out of range: they must be 0 to %d", c.Do, c.Keys, maxKeys)
	}
	if d.check != nil {
		if err := d.check(c); err != nil {
			return err
		}
	}
	if d.fields&fieldLine != 0 {
		if err := c.CheckLine(); err != nil {
			return err
		}
	}
	if d.fields&fieldRadius != 0 {
		return c.checkStroke()
	}
	return nil
}

// checkTool checks the fields of tools: of joints, properties and names.
func (c *Command) checkTool(has field) error {
	if has&fieldValue != 0 && !within(c.Value, MaxValue) {
		return fmt.Errorf("%s: the value %v is out of range: it must be within %.0f of 0", c.Do, c.Value, MaxValue)
	}
	if has&fieldText != 0 && (len(c.Text) > MaxText || !utf8.ValidString(c.Text)) {
		return fmt.Errorf("%s: the text must be at most %d bytes of UTF-8", c.Do, MaxText)
	}
	if has&fieldTuning == 0 {
		return nil
	}
	for _, v := range [...]float64{c.Motor, c.Lower, c.Upper} {
		if !within(v, maxTuning) {
			return fmt.Errorf("%s: %v is out of range: motor and limits must be within %d of 0", c.Do, v, maxTuning)
		}
	}
	switch {
	case !(c.Force >= 0 && c.Force <= MaxValue):
		return fmt.Errorf("%s: the force %v is out of range: it must be 0 to %.0f", c.Do, c.Force, MaxValue)
	case !(c.Hertz >= 0 && c.Hertz <= MaxHertz):
		return fmt.Errorf("%s: the spring's %v hertz are out of range: they must be 0 to %d", c.Do, c.Hertz, MaxHertz)
	case c.Lower > c.Upper:
		return fmt.Errorf("%s: the limits %v to %v are in the wrong order", c.Do, c.Lower, c.Upper)
	}
	return nil
}

// CheckLine returns an error if a coordinate of the points X0, Y0 and X1, Y1 is out of range.
func (c *Command) CheckLine() error {
	for _, v := range [...]float64{c.X0, c.Y0, c.X1, c.Y1} {
		if !within(v, MaxCoordinate) {
			return fmt.Errorf("%s: the coordinate %v of the ends is out of range: it must be within %d of 0",
				c.Do, v, MaxCoordinate)
		}
	}
	return nil
}

func (c *Command) checkStroke() error {
	if !(c.Radius >= MinBrush && c.Radius <= MaxBrush) {
		return fmt.Errorf("%s: the radius %v is out of range: it must be %v to %v", c.Do, c.Radius, MinBrush, MaxBrush)
	}
	if d := geom.V(c.X1-c.X0, c.Y1-c.Y0).Len(); !(d <= MaxStroke) {
		return fmt.Errorf("%s: the stroke is %.4g cells long, the limit is %d", c.Do, d, MaxStroke)
	}
	return nil
}

// needShape is the check of "paint".
func needShape(c *Command) error {
	if c.Shape == 0 {
		return errors.New("paint: shape 0 is no shape; use erase to clear cells")
	}
	return nil
}

// needGround is the check of "build".
func needGround(c *Command) error {
	if c.All {
		return errors.New("build: it builds on one ground, not on all")
	}
	return nil
}

// within reports whether x is between -limit and limit; NaN is not.
func within(x, limit float64) bool { return math.Abs(x) <= limit }
