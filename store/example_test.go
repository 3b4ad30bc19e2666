package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/store"
)

// A game saves its world as it runs, and goes on from the file the next time.
func ExampleSaver() {
	dir, err := os.MkdirTemp("", "quarry")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "quarry.db")

	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -64, MaxX: 255, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})

	s, err := store.Open(path, store.Options{})
	if err != nil {
		fmt.Println(err) // it names the file, and what is damaged
		return
	}
	saver := store.NewSaver(s, w)
	for range 120 {
		w.Step(1.0 / 60)
		if _, err := saver.SaveEach(time.Second / 2); err != nil {
			fmt.Println(err) // the disk is full; the next call tries again
		}
	}
	_ = ground.Dig(geom.V(100, 0), geom.V(100, 0), 3)
	changed, err := saver.Save()
	fmt.Println(changed, "chunk changed", err, s.Close())

	s, err = store.Open(path, store.Options{MustExist: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	again := quarry.NewWorld(quarry.Config{})
	err = store.LoadWorld(s, again)
	fmt.Println(again.Hash() == w.Hash(), err, s.Close())
	// Output:
	// 1 chunk changed <nil> <nil>
	// true <nil> <nil>
}

// A player walks through a world of 268 million cells, which is generated on the way.
func ExampleStreamOptions_generate() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_, err := ground.UnloadPlace(gridseg.Rect{MinX: -8192, MinY: -8192, MaxX: 8191, MaxY: 8191}, gridseg.UnloadedSolid)
	hills := func(g *gridseg.Grid, cells gridseg.Rect) error {
		for x := cells.MinX; x <= cells.MaxX; x++ {
			if top := x / 7 % 5; top >= cells.MinY { // ground from there down
				if err := g.Fill(gridseg.Rect{MinX: x, MinY: cells.MinY, MaxX: x, MaxY: min(top, cells.MaxY)},
					gridseg.Tile{Shape: gridseg.Full}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	streamer := store.NewStreamer(store.Memory(), ground, store.GroundName(id),
		store.StreamOptions{As: gridseg.UnloadedSolid, Memory: 64, Generate: hills})
	player := store.StreamPoint{Position: geom.V(0, 6), Velocity: geom.V(60, 0)}
	for range 3000 {
		_, err = streamer.Step([]store.StreamPoint{player})
		w.Step(1.0 / 60)
		player.Position.X++
	}
	tiles, _ := ground.Grid().Count()
	fmt.Println(ground.Tile(2999, 3).Shape == gridseg.Full, ground.Tile(2999, 4) == gridseg.Tile{},
		tiles < 64*store.Side*store.Side, err)
	// Output: true true true <nil>
}
