//go:build !js

package sandbox

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quarry2d/quarry/play"
)

func TestCommandRoundTrip(t *testing.T) {
	for _, c := range []Command{
		{Command: play.Command{Do: "add", Kind: "capsule", X: -3.5, Y: 1e6, Angle: 0.25, Size: 2}},
		{Command: play.Command{Do: "remove", X: 1, Y: 2}},
		{Command: play.Command{Do: "through", X: -1, Y: 2}},
		{Command: play.Command{Do: "through", All: true}},
		{Command: play.Command{
			Do: "paint", Cells: []int32{-1, 2, 2147483647, -2147483648}, Shape: 3, Turn: 7, Layer: 2,
			Material: 9, Ground: 1,
		}},
		{Command: play.Command{Do: "erase", Cells: []int32{5, 6}}},
		{Command: play.Command{Do: "dig", X0: 1, Y0: -2, X1: 3.5, Y1: 4, Radius: 0.2, Ground: 1}},
		{Command: play.Command{Do: "build", X0: 1e9, Y0: -1e9, X1: 1e9, Y1: -1e9, Radius: 4, Layer: 1, Material: 3}},
		{Command: play.Command{Do: "pause"}},
		{Command: play.Command{Do: "resume"}},
		{Command: play.Command{Do: "step"}, N: 40},
		{Command: play.Command{Do: "reset"}},
		{Command: play.Command{Do: "scene"}, Name: "cliff"},
		{Command: play.Command{Do: "grab", X: 3, Y: -2, All: true}},
		{Command: play.Command{Do: "release"}},
		{Command: play.Command{Do: "join", Kind: "distance", X0: 1, X1: 3, Y1: 2}},
		{Command: play.Command{Do: "draw", X0: -9, Y0: -8, X1: 7, Y1: 6}, Layers: "joints,islands"},
		{Command: play.Command{Do: "draw"}},
		{Command: play.Command{Do: "view", X: 1e9, Y: -1e9}},
		{Command: play.Command{Do: "ack"}, Seq: 4294967295},
	} {
		message, err := c.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeCommand(message)
		if err != nil {
			t.Errorf("%s: %v", message, err)
		}
		if d := cmp.Diff(c, got); d != "" {
			t.Errorf("%s: %s", message, d)
		}
	}
}

func TestCommandDefaults(t *testing.T) {
	if c, err := DecodeCommand([]byte(`{"do":"step"}`)); err != nil || c.N != 1 {
		t.Errorf("step: %+v, %v; want 1 step", c, err)
	}
	if c, err := DecodeCommand([]byte(`{"do":"add","kind":"box"}`)); err != nil || c.Size != 1 {
		t.Errorf("add: %+v, %v; want size 1", c, err)
	}
}

// badCommands are refused, with a text that holds the second string.
var badCommands = [][2]string{
	{`{"do":"grab","x":1073741824}`, "within 300000000"}, // beyond the reach of a joint: it once ended the server
	{``, "not a command"},
	{`{`, "not a command"},
	{`[]`, "not a command"},
	{`{"do":"pause"} x`, "follows"},
	{`{"do":"pause"}{"do":"pause"}`, "follows"},
	{`{"do":"fly"}`, `unknown command "fly"`},
	{`{}`, `unknown command ""`},
	{`{"do":"pause","speed":3}`, "unknown field"},
	{`{"do":"add","kind":"teapot"}`, `unknown kind of body "teapot"`},
	{`{"do":"add","kind":"box","x":1e300}`, "within"},
	{`{"do":"add","kind":"box","x":1e999}`, "not a command"},
	{`{"do":"add","kind":"box","x":NaN}`, "not a command"},
	{`{"do":"add","kind":"box","y":-1073741825}`, "within"},
	{`{"do":"add","kind":"box","angle":1e6}`, "angle"},
	{`{"do":"add","kind":"box","size":0.001}`, "size"},
	{`{"do":"add","kind":"box","size":11}`, "size"},
	{`{"do":"view","x":2e9}`, "within"},
	{`{"do":"through","y":-2e9}`, "within"},
	{`{"do":"through","all":true,"x":2e9}`, "within"},
	{`{"do":"through","all":1}`, "not a command"},
	{`{"do":"through","seconds":3}`, "unknown field"},
	{`{"do":"grab","x":2e9}`, "within"},
	{`{"do":"join","kind":"glue"}`, `unknown kind of joint "glue"`},
	{`{"do":"join","kind":"weld","y1":-2e9}`, "within"},
	{`{"do":"draw","layers":"box"}`, `no layer "box"`},
	{`{"do":"draw","layers":"shapes,boxes"}`, "the layers shapes are not offered"},
	{`{"do":"draw","layers":"all"}`, "not offered"},
	{`{"do":"draw","layers":"boxes","x0":1e300}`, "within"},
	{`{"do":"draw","layers":"` + strings.Repeat("boxes,", 100) + `boxes"}`, "the limit is 500"},
	{`{"do":"paint","cells":[1,2]}`, "no shape"},
	{`{"do":"paint","cells":[1],"shape":1}`, "pairs"},
	{`{"do":"paint","cells":[1.5,2],"shape":1}`, "not a command"},
	{`{"do":"paint","cells":[3000000000,2],"shape":1}`, "not a command"},
	{`{"do":"paint","cells":[1,2],"shape":1,"turn":8}`, "turn"},
	{`{"do":"erase","cells":[` + strings.Repeat("0,", 2*play.MaxCells+1) + `0]}`, "the limit is 4096"},
	{`{"do":"dig","x1":1}`, "radius"},
	{`{"do":"dig","x1":1,"radius":0.01}`, "radius"},
	{`{"do":"build","x1":1,"radius":4.5}`, "radius"},
	{`{"do":"build","x1":1,"radius":-1}`, "radius"},
	{`{"do":"dig","x1":40,"radius":1}`, "long"},
	{`{"do":"build","y0":-30,"x1":30,"radius":1}`, "long"},
	{`{"do":"dig","x0":1e300,"x1":-1e300,"radius":1}`, "within"},
	{`{"do":"dig","y1":2e9,"y0":2e9,"radius":1}`, "within"},
	{`{"do":"step","n":-1}`, "step: n"},
	{`{"do":"step","n":1000000}`, "step: n"},
	{strings.Repeat(" ", MaxMessage+1), "the limit is 65536"},
	{strings.Repeat("[", 30000), "not a command"},
}

func TestBadCommands(t *testing.T) {
	for _, c := range badCommands {
		got, err := DecodeCommand([]byte(c[0]))
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.60q: %v, want an error with %q", c[0], err, c[1])
		}
		if d := cmp.Diff(Command{}, got); d != "" {
			t.Errorf("%.60q: something was decoded: %s", c[0], d)
		}
	}
}

// FuzzCommand: any input is refused, or is a command within its bounds, which stays the
// same when encoded and read again.
func FuzzCommand(f *testing.F) {
	for _, c := range badCommands {
		f.Add([]byte(c[0]))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		c, err := DecodeCommand(message)
		if err != nil {
			if d := cmp.Diff(Command{}, c); d != "" {
				t.Fatalf("refused (%v), and yet decoded: %s", err, d)
			}
			return
		}
		switch c.Do {
		case "add", "remove", "view", "through", "grab":
			if !within(c.X, play.MaxCoordinate) || !within(c.Y, play.MaxCoordinate) {
				t.Fatalf("accepted a point out of bounds: %+v", c)
			}
		case "paint", "erase":
			if len(c.Cells) > 2*play.MaxCells || len(c.Cells)%2 != 0 || c.Do == "paint" && c.Turn > 7 {
				t.Fatalf("accepted cells out of bounds: %+v", c)
			}
		case "dig", "build":
			if !(c.Radius >= play.MinBrush && c.Radius <= play.MaxBrush) || !within(c.X0, play.MaxCoordinate) ||
				!within(c.X1-c.X0, play.MaxStroke) || !within(c.Y1-c.Y0, play.MaxStroke) {
				t.Fatalf("accepted a stroke out of bounds: %+v", c)
			}
		case "step":
			if c.N < 1 || c.N > MaxSteps {
				t.Fatalf("accepted steps out of bounds: %+v", c)
			}
		}
		again, err := c.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(again) > MaxMessage {
			return // names of strange letters grow when written again
		}
		got, err := DecodeCommand(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if len(c.Cells) == 0 {
			c.Cells = nil
		}
		if d := cmp.Diff(c, got); d != "" {
			t.Fatalf("%s: %s", again, d)
		}
	})
}
