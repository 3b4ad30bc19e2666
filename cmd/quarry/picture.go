package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/render"
	"github.com/quarry2d/quarry/scene"
)

// picture is what a run is asked to draw.
type picture struct {
	Out      string  `help:"File to draw: .png or .svg of the end, .gif of the whole run." placeholder:"FILE"`
	Width    int     `help:"Width in pixels (${default})." default:"960" placeholder:"N"`
	Height   int     `help:"Height in pixels (${default})." default:"540" placeholder:"N"`
	FPS      float64 `help:"Frames a second of a .gif, 1 to 50 (${default})." default:"30" placeholder:"N"`
	All      bool    `help:"Show the whole world rather than the scene's own view."`
	Light    bool    `help:"Draw on a light background."`
	Normals  bool    `help:"Draw the segments' normals."`
	Ghosts   bool    `help:"Draw the segments' ghost vertices."`
	Contacts bool    `help:"Draw contact points and normals."`
}

// camera draws a run. The zero camera draws nothing.
type camera struct {
	warn    io.Writer
	file    string
	kind    string
	options render.Options
	gif     *render.Recorder
	every   int // steps a frame
	full    bool
}

// begin checks what is asked for, so that a run does not fail at its end.
func (p picture) begin(sc scene.Scene, s streams) (*camera, error) {
	c := &camera{warn: s.err, file: p.Out, kind: strings.ToLower(filepath.Ext(p.Out))}
	if p.Out == "" {
		for _, f := range []struct {
			name string
			set  bool
		}{{"all", p.All}, {"light", p.Light}, {"normals", p.Normals}, {"ghosts", p.Ghosts}, {"contacts", p.Contacts}} {
			if f.set {
				return nil, fmt.Errorf("--%s says how to draw: --out FILE says where", f.name)
			}
		}
		return c, nil
	}
	c.options = render.Options{
		View: sc.View, Width: p.Width, Height: p.Height, Light: p.Light,
		Normals: p.Normals, Ghosts: p.Ghosts, Contacts: p.Contacts,
	}
	if p.All {
		c.options.View = render.Options{}.View
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	switch c.kind {
	case ".png", ".svg":
		return c, c.options.Check()
	case ".gif":
		if !(p.FPS >= 1 && p.FPS <= 50) {
			return nil, fmt.Errorf("--fps %v: between 1 and 50", p.FPS)
		}
		c.every = max(1, int(60/p.FPS+0.5))
		var err error
		c.gif, err = render.NewRecorder(c.options, 60/float64(c.every))
		return c, err
	}
	return nil, fmt.Errorf("--out %s: the file's name must end in .png, .svg or .gif", p.Out)
}

// check finds what would keep the file from being written at the end.
func (c *camera) check() error {
	if dir, err := os.Stat(filepath.Dir(c.file)); err != nil || !dir.IsDir() {
		return fmt.Errorf("--out %s: there is no folder %s", c.file, filepath.Dir(c.file))
	}
	if old, err := os.Stat(c.file); err == nil && !old.Mode().IsRegular() {
		return fmt.Errorf("--out %s: what is there is not a plain file", c.file)
	}
	return nil
}

// frame records the world as it is before step i.
func (c *camera) frame(w *quarry.World, i int) error {
	if c.gif == nil || c.full || i%c.every != 0 {
		return nil
	}
	err := c.gif.Frame(w)
	if errors.Is(err, render.ErrAnimationFull) {
		c.full = true // what fits is still worth having
		fmt.Fprintf(c.warn, "quarry: warning: %s ends at step %d: %s\n", c.file, i, err)
		return nil
	}
	return err
}

// finish writes the file and returns its name. It writes beside it first, so a
// failure leaves what was there.
func (c *camera) finish(w *quarry.World) (string, error) {
	if c.file == "" {
		return "", nil
	}
	f, err := os.CreateTemp(filepath.Dir(c.file), ".quarry-*")
	if err != nil {
		return "", err
	}
	err = c.write(f, w)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), c.file)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return c.file, nil
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
