package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
	"github.com/quarry2d/quarry/tilemap"
)

// source is the scene, map file or world file of a command line.
type source struct {
	Layer    []string `help:"Names of the layers of a map file to read. Default: all visible layers." placeholder:"NAME"`
	Plain    string   `help:"Tiles of a Tiled map without collision data: by-use (full blocks, unless the layer places tiles of the same tileset with collision data), solid or air." enum:"by-use,solid,air" default:"by-use"`
	World    string   `help:"Name of the world of an LDtk project to read. Default: the only one that has levels." placeholder:"NAME"`
	LeaveOut []string `help:"Values of an LDtk project's IntGrid layers that are no ground, by number or name." placeholder:"VALUE"`
	Drop     *int     `help:"Number of bodies to drop on a map file's ground (40)." placeholder:"N"`
}

// maxDrop bounds the number of dropped bodies.
const maxDrop = 100_000

// usualDrop is the default number of dropped bodies.
const usualDrop = 40

// mapFlag returns a flag that is set and that only map files take, with its value; "" if there is none.
func (c source) mapFlag() (flag, value string) {
	switch {
	case len(c.Layer) > 0:
		return "--layer", c.Layer[0]
	case c.Drop != nil:
		return "--drop", strconv.Itoa(*c.Drop)
	case c.Plain != byUse:
		return "--plain", c.Plain
	case c.World != "":
		return "--world", c.World
	case len(c.LeaveOut) > 0:
		return "--leave-out", c.LeaveOut[0]
	}
	return "", ""
}

// byUse is the default of --plain.
const byUse = "by-use"

// options returns the options for a map file.
func (c source) options() tilemap.Options {
	plain := map[string]tilemap.PlainTiles{
		byUse: tilemap.PlainByUse, "solid": tilemap.PlainSolid,
		"air": tilemap.PlainAir,
	}
	return tilemap.Options{Layers: c.Layer, Plain: plain[c.Plain], World: c.World, LeaveOut: c.LeaveOut}
}

// open returns the named scene, or a scene of the map file's ground or of the world file.
func (c source) open(name string, s streams) (scene.Scene, error) {
	sc, isScene := scene.Get(name)
	if flag, value := c.mapFlag(); flag != "" && (isScene || isWorldFile(name)) {
		kind := "a world file"
		if isScene {
			kind = "a scene"
		}
		return scene.Scene{}, fmt.Errorf("%s %s: %s is %s; only map files take %s", flag, value, name, kind, flag)
	}
	if isScene {
		return sc, nil
	}
	if isWorldFile(name) {
		return openWorld(name, s)
	}
	if _, err := os.Stat(name); err != nil && !strings.ContainsAny(name, `./\`) {
		return scene.Scene{}, unknownScene("scene or file", name)
	}
	drop := usualDrop
	if c.Drop != nil {
		drop = *c.Drop
	}
	if drop < 0 || drop > maxDrop {
		return scene.Scene{}, fmt.Errorf("--drop %d is out of range: it must be 0 to %d", drop, maxDrop)
	}
	m, err := tilemap.LoadFile(name, c.options())
	if err != nil {
		return scene.Scene{}, err
	}
	for _, w := range m.Warnings {
		fmt.Fprintf(s.err, "quarry: warning: %s\n", w)
	}
	if w, h, ok := rectangle(m); ok {
		fmt.Fprintf(s.err, "quarry: warning: all of the map is ground: one full rectangle of %d x %d cells\n", w, h)
	}
	return scene.FromGrid(filepath.Base(name), func() (*gridseg.Grid, error) { return m.Grid() }, drop)
}

// rectangle returns the size in cells of a map that is one full rectangle of blocks. Such a
// map is usually a mistake: a bitmap without a transparent or light pixel, or a Tiled map
// whose background layer has no collision data and so is ground.
func rectangle(m *tilemap.Map) (w, h int, ok bool) {
	n := len(m.Cells)
	if n == 0 || len(m.Shapes) != 1 || !m.Shapes[0].IsFull() {
		return 0, 0, false
	}
	w, h = m.Width, m.Height
	if w == 0 || h == 0 { // an infinite map: the bounds of its cells
		x0, x1 := m.Cells[0].X, m.Cells[0].X
		for _, c := range m.Cells {
			x0, x1 = min(x0, c.X), max(x1, c.X)
		}
		w = int(int64(x1) - int64(x0) + 1)
		h = int(int64(m.Cells[n-1].Y) - int64(m.Cells[0].Y) + 1)
	}
	return w, h, int64(w)*int64(h) == int64(n)
}

// unknownScene returns the error for an unknown name.
func unknownScene(wanted, name string) error {
	return fmt.Errorf("no %s is named %q; the scenes are %s", wanted, name, sceneNames())
}

// sceneNames returns the names of the scenes for a message.
func sceneNames() string {
	var names []string
	for _, s := range scene.All() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// maxSteps bounds the number of steps.
const maxSteps = 10_000_000

// stepCount returns the requested number of steps, or by default the scene's.
func stepCount(asked *int, sc scene.Scene) (int, error) {
	if asked == nil {
		return sc.Steps, nil
	}
	if *asked < 0 || *asked > maxSteps {
		return 0, fmt.Errorf("--steps %d is out of range: it must be 0 to %d", *asked, maxSteps)
	}
	return *asked, nil
}
