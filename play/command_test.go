package play

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/scene"
)

// drawCommand draws a command with values in and near the ranges of its fields.
func drawCommand(t *rapid.T) Command {
	number := func(name string, most float64) float64 {
		return rapid.OneOf(rapid.Float64Range(-most, most),
			rapid.SampledFrom([]float64{0, math.Copysign(0, -1), most, -most, 1, 0.5})).Draw(t, name)
	}
	c := Command{Do: rapid.SampledFrom(slices.Sorted(maps.Keys(descriptions))).Draw(t, "do")}
	d := descriptions[c.Do]
	if d.kinds != nil {
		c.Kind = rapid.SampledFrom(d.kinds).Draw(t, "kind")
	}
	has := func(f field) bool { return d.fields&f != 0 }
	if has(fieldPoint) {
		c.X, c.Y = number("x", d.within), number("y", d.within)
	}
	if has(fieldAngle) {
		c.Angle = number("angle", maxAngle)
	}
	if has(fieldSize) {
		c.Size = rapid.Float64Range(MinSize, MaxSize).Draw(t, "size")
	}
	c.All = has(fieldAll) && rapid.Bool().Draw(t, "all")
	c.Hold = has(fieldHold) && rapid.Bool().Draw(t, "hold")
	if has(fieldCells) {
		for range rapid.IntRange(0, 20).Draw(t, "cells") {
			c.Cells = append(c.Cells, rapid.Int32().Draw(t, "x"), rapid.Int32().Draw(t, "y"))
		}
	}
	if has(fieldLine) {
		c.X0, c.Y0 = number("x0", MaxCoordinate), number("y0", MaxCoordinate)
		c.X1, c.Y1 = c.X0, c.Y0
	}
	if has(fieldRadius) {
		c.Radius = rapid.Float64Range(MinBrush, MaxBrush).Draw(t, "radius")
	}
	if has(fieldTurn) {
		c.Turn = rapid.Uint8Range(0, 7).Draw(t, "turn")
	}
	if has(fieldShape) {
		c.Shape = rapid.Uint16Range(1, math.MaxUint16).Draw(t, "shape")
	}
	if has(fieldLayer) {
		c.Layer = rapid.Uint8().Draw(t, "layer")
	}
	if has(fieldMaterial) {
		c.Material = rapid.Uint16().Draw(t, "material")
	}
	if has(fieldGround) {
		c.Ground = rapid.Uint32().Draw(t, "ground")
	}
	if has(fieldBody) {
		c.Body = quarry.BodyID(rapid.Uint64().Draw(t, "body"))
	}
	if has(fieldJoint) {
		c.Joint = quarry.JointID(rapid.Uint64().Draw(t, "joint"))
	}
	if has(fieldValue) {
		c.Value = number("value", MaxValue)
	}
	if has(fieldText) {
		c.Text = rapid.StringN(0, 15, MaxText).Draw(t, "text")
	}
	if has(fieldTuning) {
		c.Motor, c.Force = number("motor", maxTuning), rapid.Float64Range(0, MaxValue).Draw(t, "force")
		c.Hertz, c.Lower = rapid.Float64Range(0, MaxHertz).Draw(t, "hertz"), number("lower", maxTuning)
		c.Upper = max(c.Lower, number("upper", maxTuning))
	}
	if has(fieldKeys) {
		c.Keys = rapid.Uint8Range(0, maxKeys).Draw(t, "keys")
	}
	return c
}

// A command is the same after encoding and decoding, and no shorter or longer form decodes.
func TestBinaryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCommand(t)
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		b, err := c.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeBinary(b)
		if d := cmp.Diff(c, got); err != nil || d != "" {
			t.Fatalf("%v: %s", err, d)
		}
		if _, err := DecodeBinary(append(b, 0)); err == nil {
			t.Fatal("a byte too many is accepted")
		}
		for n := range b {
			if _, err := DecodeBinary(b[:n]); err == nil {
				t.Fatalf("%d of %d bytes are accepted", n, len(b))
			}
		}
	})
}

// The binary form of version 1 stays as it is: logs hold it.
func TestBinaryForm(t *testing.T) {
	for _, c := range []struct {
		c    Command
		want string
	}{
		{Command{Do: "release"}, "\x01\x0a"},
		{Command{Do: "breaks", All: true}, "\x01\x08\x01"},
		{Command{Do: "undo"}, "\x01\x0c"},
		{Command{Do: "redo"}, "\x01\x0d"},
		{Command{Do: "drive", Keys: KeyRight | KeyUp}, "\x01\x0f\x06"},
		{Command{Do: "leave"}, "\x01\x10"},
		{
			Command{Do: "board", X: 1, Y: -2, All: true},
			"\x01\x0e\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\xc0\x01",
		},
		{
			Command{Do: "remove", X: 1, Y: -2},
			"\x01\x02\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\xc0",
		},
		{
			Command{Do: "erase", Cells: []int32{1, -1, 2, -1}, Ground: 300, Hold: true},
			"\x01\x05\x01\x04\x02\x01\x02\x00\xac\x02",
		},
	} {
		b, err := c.c.AppendBinary(nil)
		if err != nil || string(b) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.c.Do, b, err, c.want)
		}
	}
}

// Bad commands are refused in binary form, too.
func TestBinaryIsChecked(t *testing.T) {
	for _, c := range []struct{ b, want string }{
		{"", "cut off"},
		{"\x02\x0a", "version 2"},
		{"\x01\x00", "no code 0"},
		{"\x01\x63", "no code 99"},
		{"\x01\x08\x02", "above 1"},
		{"\x01\x0f\x10", "keys 16"},
		{"\x01\x08\x81\x00", "longer than needed"},
		{"\x01\x05\x00\x01\x00\x00", "pairs"},
		{"\x01\x05\x00\xff\xff\xff\x7f", "above 8192"},
		{"\x01\x02\x00\x00\x00\x00\x00\x00\xf8\x7f\x00\x00\x00\x00\x00\x00\x00\x00", "out of range"},
	} {
		if got, err := DecodeBinary([]byte(c.b)); err == nil || !strings.Contains(err.Error(), c.want) || got.Do != "" {
			t.Errorf("%q: %+v, %v; want an error with %q", c.b, got, err, c.want)
		}
	}
}

// FuzzBinary: any bytes are refused, or are the only form of a valid command.
func FuzzBinary(f *testing.F) {
	for _, s := range []string{
		"\x01\x0a", "\x01\x08\x01", "\x01\x0f\x06", "\x01\x05\x01\x04\x02\x01\x02\x00\xac\x02",
		"\x01\x02\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\xc0",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodeBinary(b)
		if err != nil {
			return
		}
		defaults := c
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		again, err := c.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := DecodeBinary(again); err != nil || cmp.Diff(defaults, got) != "" {
			t.Fatalf("%v: %s", err, cmp.Diff(defaults, got))
		}
	})
}

// Two worlds with equal commands between equal steps are equal, with equal errors, whoever looks at one of them.
func TestWorldsAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sc := rapid.SampledFrom([]string{"pit", "bare", "shelf"}).Draw(t, "scene")
		of := map[string]int{"pit": 0, "bare": 1, "shelf": 2}[sc]
		a, err := New([...]scene.Scene{pit, bare, shelf}[of], 300)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := New([...]scene.Scene{pit, bare, shelf}[of], 300)
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
				if a.Step() != nil || b.Step() != nil {
					t.Fatal("a world has stopped: ", a.Stopped())
				}
				_ = a.Engine().Stats() // one of them is watched
			} else {
				c := drawCommand(t)
				near(t, &c)
				by := Player(rapid.IntRange(1, 2).Draw(t, "by"))
				bin, err := c.AppendBinary(nil)
				if err != nil {
					t.Fatal(err)
				}
				same, err := DecodeBinary(bin)
				if err != nil {
					t.Fatal(err)
				}
				ea, eb := a.Do(by, c), b.Do(by, same)
				if (ea == nil) != (eb == nil) || ea != nil && ea.Error() != eb.Error() {
					t.Fatalf("%+v: %v, %v", c, ea, eb)
				}
			}
			if a.Stopped() != "" {
				t.Fatal(a.Stopped())
			}
			if x, y := a.Engine().Hash(), b.Engine().Hash(); x != y || len(a.grounds) != len(b.grounds) ||
				a.bodies != b.bodies || a.floor != b.floor {
				t.Fatalf("hashes %x and %x, %d and %d grounds, %d and %d bodies", x, y, len(a.grounds), len(b.grounds),
					a.bodies, b.bodies)
			}
		}
		st := a.Engine().Stats()
		if st.Bodies != a.bodies {
			t.Fatalf("%d bodies are counted, the world has %d", a.bodies, st.Bodies)
		}
	})
}

// near moves a command to where the scenes are.
func near(t *rapid.T, c *Command) {
	at := func(name string) float64 { return rapid.Float64Range(-10, 10).Draw(t, name) }
	c.X, c.Y = at("at x"), at("at y")
	c.X0, c.Y0, c.X1, c.Y1 = at("at x0"), at("at y0"), at("at x1"), at("at y1")
	for i := range c.Cells {
		c.Cells[i] %= 12
	}
	c.Ground %= 2
	c.Shape = 1 + c.Shape%3
	c.Material %= 7
}
