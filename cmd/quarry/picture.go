package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/render"
	"github.com/quarry2d/quarry/scene"
)

// picture has the flags of a run's picture.
type picture struct {
	Out    string  `help:"Picture file: .png or .svg of the last step, .gif of the whole run." placeholder:"FILE"`
	Width  int     `help:"Width in pixels (${default})." default:"960" placeholder:"N"`
	Height int     `help:"Height in pixels (${default})." default:"540" placeholder:"N"`
	FPS    float64 `help:"Frames per second of a .gif, 1 to 50 (${default})." default:"30" placeholder:"N"`
	All    bool    `help:"Show the whole world instead of the scene's view."`
	Light  bool    `help:"Draw on a light background."`
	Draw   string  `help:"Layers to draw on top, separated by commas: ${layers}; or all." placeholder:"LAYERS"`
}

// usualFPS is the default of FPS.
const usualFPS = 30

// camera draws a run. The zero camera draws nothing.
type camera struct {
	warn    io.Writer
	file    *outFile // nil draws nothing
	kind    string
	options render.Options
	gif     *render.Recorder
	every   int // steps a frame
	full    bool
}

// begin checks the flags and the file, so that a run does not fail at its end.
func (p picture) begin(sc scene.Scene, s streams) (*camera, error) {
	c := &camera{warn: s.err, kind: strings.ToLower(filepath.Ext(p.Out))}
	if p.Out == "" {
		for _, f := range []struct {
			name string
			set  bool
		}{
			{"all", p.All},
			{"light", p.Light},
			{"draw", p.Draw != ""},
			{"width", p.Width != render.DefaultWidth},
			{"height", p.Height != render.DefaultHeight},
			{"fps", p.FPS != usualFPS},
		} {
			if f.set {
				return nil, fmt.Errorf("--%s needs --out FILE: without it no picture is drawn", f.name)
			}
		}
		return c, nil
	}
	for _, f := range []struct {
		name string
		side int
	}{{"width", p.Width}, {"height", p.Height}} {
		if f.side < 1 || f.side > render.MaxSide {
			return nil, fmt.Errorf("--%s %d is out of range: it must be 1 to %d pixels", f.name, f.side, render.MaxSide)
		}
	}
	layers, err := quarry.ParseDrawLayers(p.Draw)
	if err != nil {
		return nil, fmt.Errorf("--draw: %w", err)
	}
	c.options = render.Options{View: sc.View, Width: p.Width, Height: p.Height, Light: p.Light, Draw: layers}
	if p.All {
		c.options.View = render.Options{}.View
	}
	switch c.kind {
	case ".png", ".svg":
		if err := c.options.Check(); err != nil {
			return nil, err
		}
	case ".gif":
		if !(p.FPS >= 1 && p.FPS <= 50) {
			return nil, fmt.Errorf("--fps %v is out of range: it must be 1 to 50", p.FPS)
		}
		c.every = max(1, int(60/p.FPS+0.5))
		if c.gif, err = render.NewRecorder(c.options, 60/float64(c.every)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("--out %s: the file's name must end in .png, .svg or .gif", p.Out)
	}
	c.file, err = newOutFile("--out", p.Out)
	return c, err
}

// frame records the world before step i.
func (c *camera) frame(w *quarry.World, i int) error {
	if c.gif == nil || c.full || i%c.every != 0 {
		return nil
	}
	err := c.gif.Frame(w)
	if errors.Is(err, render.ErrAnimationFull) {
		c.full = true // keep the frames so far
		fmt.Fprintf(c.warn, "quarry: warning: %s ends at step %d: %s\n", c.file.path, i, err)
		return nil
	}
	return err
}

// finish writes the file and returns its name.
func (c *camera) finish(w *quarry.World) (string, error) {
	if c.file == nil {
		return "", nil
	}
	if err := c.file.write(func(out io.Writer) error { return c.write(out, w) }); err != nil {
		return "", fmt.Errorf("--out %s: %w", c.file.path, err)
	}
	return c.file.path, nil
}

func (c *camera) write(out io.Writer, w *quarry.World) error {
	switch c.kind {
	case ".gif":
		return c.gif.WriteGIF(out)
	case ".svg":
		return render.WriteSVG(out, w, c.options)
	}
	return render.WritePNG(out, w, c.options)
}
