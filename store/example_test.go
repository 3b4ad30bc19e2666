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
