package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
	"github.com/quarry2d/quarry/store"
)

// worldExtension is the extension of the names of world files, by which the program knows them.
const worldExtension = ".db"

// isWorldFile reports whether name names a world file.
func isWorldFile(name string) bool { return strings.EqualFold(filepath.Ext(name), worldExtension) }

// worldFile opens the world file name for reading, and checks all of it. It returns an error that names a damaged
// place.
func worldFile(name string, s streams) (*store.Store, *store.Report, error) {
	st, err := store.Open(name, store.Options{ReadOnly: true})
	if err != nil {
		return nil, nil, err
	}
	bar := progress(s.err, 100, "checking")
	r, err := st.Verify(func(done, all int64) { setPart(bar, done, all) })
	finish(bar)
	if err != nil {
		return nil, nil, errors.Join(err, st.Close())
	}
	return st, r, nil
}

// damaged returns an error that names the first fault of a file. It only warns if the file was recovered.
func damaged(r *store.Report, s streams) error {
	switch {
	case len(r.Faults) == 0:
		return nil
	case r.Recovered && len(r.Faults) == 1:
		fmt.Fprintf(s.err, "quarry: warning: %v\n", r.Faults[0])
		return nil
	case len(r.Faults) > 1:
		return fmt.Errorf("%w; quarry inspect lists all %d faults", r.Faults[0], len(r.Faults))
	}
	return r.Faults[0]
}

// setPart sets a bar of 100 items. bar may be nil.
func setPart(bar *progressbar.ProgressBar, done, all int64) {
	if bar != nil {
		_ = bar.Set(int(100 * done / max(1, all))) // an error of drawing the bar is ignored
	}
}

// openWorld returns a scene of the world in a file, as it was saved.
func openWorld(name string, s streams) (sc scene.Scene, err error) {
	st, r, err := worldFile(name, s)
	if err != nil {
		return scene.Scene{}, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if err := damaged(r, s); err != nil {
		return scene.Scene{}, err
	}
	data, err := store.Snapshot(st)
	if err != nil {
		return scene.Scene{}, err
	}
	first := quarry.NewWorld(quarry.Config{})
	if err := first.Restore(data); err != nil {
		return scene.Scene{}, fmt.Errorf("%s: %w", name, err)
	}
	return scene.Scene{
		Name: filepath.Base(name), Doc: "The world of the file " + name + ".", Steps: 600,
		View: viewOf(first),
		Build: func(w *quarry.World) *scene.Instance {
			if err := w.Restore(data); err != nil {
				panic("quarry: " + err.Error()) // it succeeded before
			}
			return &scene.Instance{World: w, DT: 1.0 / 60}
		},
	}, nil
}

// viewOf returns the box of all grounds and bodies of w, with a margin.
func viewOf(w *quarry.World) geom.AABB {
	box := geom.Empty
	for g := range w.Grounds() {
		if r, ok := g.Grid().Bounds(); ok {
			cells := geom.AABB{Min: geom.V(float64(r.MinX), float64(r.MinY)), Max: geom.V(float64(r.MaxX)+1,
				float64(r.MaxY)+1)}
			box = box.Union(cells.In(g.Transform()))
		}
	}
	for b := range w.Bodies() {
		if b.Type() == quarry.Dynamic {
			box = box.Union(geom.AABB{Min: b.Position(), Max: b.Position()})
		}
	}
	if box == geom.Empty {
		return geom.AABB{Min: geom.V(-10, -10), Max: geom.V(10, 10)}
	}
	return box.Expand(2)
}

// worldName returns an error unless the flag's value is the name of a world file.
func worldName(flag, name string) error {
	if !isWorldFile(name) {
		return fmt.Errorf("%s %s: the name of a world file must end in %s", flag, name, worldExtension)
	}
	return nil
}

// makeWorld replaces f by a file of the world w, completely or not at all.
func (f *outFile) makeWorld(w *quarry.World, name string, s streams) (err error) {
	ctx, stop := interruptible()
	defer stop()
	temporary := filepath.Join(filepath.Dir(f.path), fmt.Sprintf(".quarry-%016x", rand.Uint64()))
	defer func() {
		if err != nil {
			_ = os.Remove(temporary) // there may be none
		}
	}()
	st, err := store.Open(temporary, store.Options{Interval: time.Hour})
	if err != nil {
		return err
	}
	st.Put(store.Record(store.RecordName), []byte(name))
	bar := progress(s.err, 100, "chunks")
	saver := store.NewSaver(st, w)
	saver.Progress = func(done, all int) { setPart(bar, int64(done), int64(all)) }
	_, err = saver.Save()
	finish(bar)
	if err = errors.Join(err, st.Close(), context.Cause(ctx)); err != nil {
		return err
	}
	if f.old != nil {
		if err := os.Chmod(temporary, f.old.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(temporary, f.path)
}

// importCommand makes a world file of a map.
type importCommand struct {
	Map string `arg:"" name:"map" help:"A map file: .tmx, .tmj, .json, .ldtk, .png."`
	Out string `required:"" help:"The world file, whose name ends in .db." placeholder:"FILE"`

	Replace bool `help:"Replace a file that exists: the world in it is gone then."`
	source
}

// Run makes the file.
func (c importCommand) Run(s streams) error {
	if err := worldName("--out", c.Out); err != nil {
		return err
	}
	if _, ok := scene.Get(c.Map); ok || isWorldFile(c.Map) {
		return fmt.Errorf("%s is not a map file", c.Map)
	}
	sc, err := c.open(c.Map, s)
	if err != nil {
		return err
	}
	file, err := newOutFile("--out", c.Out)
	if err != nil {
		return err
	}
	if file.old != nil && !c.Replace {
		return fmt.Errorf("--out %s: the file exists; --replace replaces it, with the world in it", c.Out)
	}
	w := sc.New().World
	if err := file.makeWorld(w, sc.Name, s); err != nil {
		return err
	}
	st := w.Stats()
	_, err = fmt.Fprintf(s.out, "%s: %d tiles, %d bodies\n  hash      %016x\n", c.Out, st.Tiles, st.Bodies, w.Hash())
	return err
}

// saving is the flag that saves a run to its world file.
type saving struct {
	Save  bool `help:"Save the world to its file, each half second and at the end. Only of a world file."`
	st    *store.Store
	saver *store.Saver
	path  string
}

// begin opens the file, if the flag is set.
func (c *saving) begin(what string, w *quarry.World) (err error) {
	if !c.Save {
		return nil
	}
	if !isWorldFile(what) {
		return fmt.Errorf("--save: %s is not a world file; see quarry import", what)
	}
	if c.st, err = store.Open(what, store.Options{MustExist: true}); err != nil {
		return fmt.Errorf("--save: %w", err)
	}
	c.saver, c.path = store.NewSaver(c.st, w), what
	return nil
}

// after returns a function that calls ended, which may be nil, and saves if it is time.
func (c *saving) after(ended func() error) func() error {
	if c.saver == nil {
		return ended
	}
	return func() error {
		if ended != nil {
			if err := ended(); err != nil {
				return err
			}
		}
		_, err := c.saver.SaveEach(500 * time.Millisecond)
		return err
	}
}

// finish saves if the run had no error, and closes the file.
func (c *saving) finish(err error) error {
	if c.saver == nil {
		return err
	}
	if err == nil {
		_, err = c.saver.Save()
	}
	return errors.Join(err, c.st.Close())
}

// inspectCommand checks a world file.
type inspectCommand struct {
	File string `arg:"" name:"file" help:"A world file."`
}

// mostFaults is the number of faults that inspect lists.
const mostFaults = 50

// Run prints the contents of the file and its faults.
func (c inspectCommand) Run(s streams) (err error) {
	st, r, err := worldFile(c.File, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	bw := &strings.Builder{}
	fmt.Fprintf(bw, "%s: %d bytes\n", c.File, r.FileBytes)
	if name, ok, err := st.Get(store.Record(store.RecordName)); err == nil && ok {
		fmt.Fprintf(bw, "  name      %s\n", name)
	}
	faults := r.Faults
	if len(faults) == 0 || r.Recovered && len(faults) == 1 {
		w := quarry.NewWorld(quarry.Config{})
		if err := store.LoadWorld(st, w); err == nil {
			n := w.Stats()
			fmt.Fprintf(bw, "  world     step %d: %s, %s, hash %016x\n", w.StepCount(), plural(n.Bodies, "body"),
				plural(n.Tiles, "tile"), w.Hash())
		} else if f := (*store.Fault)(nil); errors.As(err, &f) {
			faults = append(faults, f)
		} else {
			return err
		}
	}
	for _, v := range r.Records {
		fmt.Fprintf(bw, "  record    %s: %d bytes, %d in the file\n", v.Name, v.Bytes, v.Size)
	}
	for _, g := range r.Grounds {
		fmt.Fprintf(bw, "  ground    %s: %s, %d loaded and %d unloaded, from (%d, %d) to (%d, %d); %d bytes, %d in "+
			"the file\n", g.Name, plural(g.Chunks, "chunk"), g.Chunks-g.Unloaded, g.Unloaded, g.MinX, g.MinY, g.MaxX,
			g.MaxY, g.Bytes, g.Size)
	}
	for k, f := range faults {
		if k == mostFaults {
			fmt.Fprintf(bw, "  fault     %d more\n", len(faults)-k)
			break
		}
		fmt.Fprintf(bw, "  fault     %s: %v\n", f.Place, f.Err)
	}
	if len(faults) == 0 {
		fmt.Fprintf(bw, "  faults    none: every page, key and checksum is right\n")
	}
	if _, err := io.WriteString(s.out, bw.String()); err != nil {
		return err
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s has %s", c.File, plural(len(faults), "fault"))
	}
	return nil
}
