package render_test

import (
	"bytes"
	"fmt"
	"image/png"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/render"
)

// newHeap returns a world with a few boxes above a floor.
func newHeap() *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, -0.5)})
	w.AddShape(floor, geom.NewBox(8, 0.5), quarry.ShapeDef{})
	for i := range 5 {
		b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(i)/4, 1+float64(i))})
		w.AddShape(b, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
	}
	return w
}

// One picture, with the contacts.
func ExampleWritePNG() {
	w := newHeap()
	for range 120 {
		w.Step(1.0 / 60)
	}
	var file bytes.Buffer // or a file of os.Create
	if err := render.WritePNG(&file, w, render.Options{
		Width: 640, Height: 360,
		Draw: quarry.DrawContacts,
	}); err != nil {
		fmt.Println(err) // Options out of range; or the disk is full
	}
	size, err := png.DecodeConfig(&file)
	fmt.Println(size.Width, "x", size.Height, "pixels", err)
	// Output: 640 x 360 pixels <nil>
}

// A second of a world as an animation: 30 pictures of 60 steps.
func ExampleRecorder() {
	w := newHeap()
	a, err := render.NewRecorder(render.Options{Width: 320, Height: 180}, 30)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 60 {
		w.Step(1.0 / 60)
		if i%2 == 0 {
			if err := a.Frame(w); err != nil {
				fmt.Println(err) // ErrAnimationFull: the frames so far can be written
				break
			}
		}
	}
	var file bytes.Buffer
	if err := a.WriteGIF(&file); err != nil {
		fmt.Println(err)
	}
	fmt.Println(a.Len(), "frames,", string(file.Bytes()[:6]))
	// Output: 30 frames, GIF89a
}
