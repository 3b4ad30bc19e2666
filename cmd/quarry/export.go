package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/store"
	"github.com/quarry2d/quarry/tilemap"
)

// exportCommand makes a Tiled map of a ground of a world file.
type exportCommand struct {
	File   string `arg:"" name:"file" help:"A world file."`
	Out    string `required:"" help:"The map file, whose name ends in .tmj." placeholder:"FILE"`
	Ground uint64 `help:"The ground's id, as inspect prints it. Default: the only ground." placeholder:"ID"`
}

// Run makes the map.
func (c exportCommand) Run(s streams) (err error) {
	if !strings.EqualFold(filepath.Ext(c.Out), ".tmj") {
		return fmt.Errorf("--out %s: the name of the map must end in .tmj", c.Out)
	}
	if !isWorldFile(c.File) {
		return fmt.Errorf("%s is not a world file; see quarry import", c.File)
	}
	file, err := newOutFile("--out", c.Out)
	if err != nil {
		return err
	}
	st, r, err := worldFile(c.File, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if err := damaged(r, s); err != nil {
		return err
	}
	w := quarry.NewWorld(quarry.Config{})
	if err := store.LoadWorld(st, w); err != nil {
		return err
	}
	g, err := c.ground(w)
	if err != nil {
		return err
	}
	if err := loadChunks(st, g, s); err != nil {
		return err
	}
	if n := w.Stats(); n.Bodies > 1 || n.Chains > 0 {
		fmt.Fprintf(s.err, "quarry: warning: %d bodies are left out, and %d chains: a map has the ground alone\n",
			n.Bodies-1, n.Chains)
	}
	var warnings []string
	if err := file.write(func(out io.Writer) (err error) {
		warnings, err = tilemap.Write(out, g.Grid())
		return err
	}); err != nil {
		return err
	}
	for _, text := range warnings {
		fmt.Fprintf(s.err, "quarry: warning: %s\n", text)
	}
	tiles, _ := g.Grid().Count()
	_, err = fmt.Fprintf(s.out, "%s: %d tiles\n", c.Out, tiles)
	return err
}

// ground returns the ground of the flag.
func (c exportCommand) ground(w *quarry.World) (quarry.Ground, error) {
	var names []string
	var only quarry.Ground
	for g := range w.Grounds() {
		names = append(names, strconv.FormatUint(uint64(g.ID()), 10))
		only = g
	}
	if g, ok := w.Ground(quarry.GroundID(c.Ground)); ok {
		return g, nil
	}
	switch {
	case len(names) == 0:
		return only, fmt.Errorf("%s has no ground", c.File)
	case c.Ground != 0:
		return only, fmt.Errorf("--ground: there is no ground %d; the grounds are %s", c.Ground,
			strings.Join(names, ", "))
	case len(names) > 1:
		return only, fmt.Errorf("%s has %d grounds: choose one by --ground, of %s", c.File, len(names),
			strings.Join(names, ", "))
	}
	return only, nil
}

// loadChunks loads the chunks of g that are unloaded.
func loadChunks(st *store.Store, g quarry.Ground, s streams) error {
	var away []store.Key
	for k, err := range st.Keys() {
		if err != nil {
			return err
		}
		if k.Ground == store.GroundName(g.ID()) && !g.Grid().Loaded(k.X*store.Side, k.Y*store.Side) {
			away = append(away, k)
		}
	}
	bar := progress(s.err, len(away), "chunks")
	defer finish(bar)
	for _, k := range away {
		data, _, err := st.Get(k)
		if err != nil {
			return err
		}
		if _, err := g.LoadPlace(data); err != nil {
			return fmt.Errorf("%v: %w", k, err)
		}
		advance(bar)
	}
	return nil
}
