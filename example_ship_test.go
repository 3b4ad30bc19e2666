package quarry_test

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

// The programs of chapter 13 of docs/manual.md, a game of ships: TestManual holds the page to this file.

// newShip adds a ship of tiles: a hull of 16 x 6 cells around two holds, a wall between them, and a pointed bow.
func newShip(w *quarry.World, at geom.Vec) quarry.Ground {
	steel := w.AddMaterial(quarry.Material{Name: "steel", Friction: 0.4, Density: 3, Strength: 20})
	plate := gridseg.Tile{Shape: gridseg.Full, Material: uint16(steel)}
	grid := gridseg.New(nil)
	_ = grid.Fill(gridseg.Rect{MinX: -8, MinY: -3, MaxX: 7, MaxY: 2}, plate)
	for _, hold := range []gridseg.Rect{{MinX: -7, MinY: -2, MaxX: -1, MaxY: 1}, {
		MinX: 1, MinY: -2, MaxX: 6,
		MaxY: 1,
	}} {
		_ = grid.Fill(hold, gridseg.Tile{}) // the zero Tile is air
	}
	_ = grid.Set(8, 0, gridseg.Tile{Shape: gridseg.Ramp, Turn: 3, Material: uint16(steel)})
	_ = grid.Set(8, -1, gridseg.Tile{Shape: gridseg.Ramp, Turn: 2, Material: uint16(steel)})

	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at})
	id, err := w.AddGround(body, quarry.GroundDef{Grid: grid, MinFragment: 0.5})
	if err != nil {
		panic(err)
	}
	ship, _ := w.Ground(id)
	return ship
}

func Example_manualShip() {
	w := quarry.NewWorld(quarry.Config{}) // no gravity: space
	ship := newShip(w, geom.V(100, 50))
	fmt.Printf("a mass of %.0f\n", ship.Body().Mass())

	cargo := addBox(w, geom.V(102, 50), 0.5) // in the fore hold
	for range 120 {
		hull := ship.Body()
		nozzle := hull.WorldPoint(geom.V(-8, -1)) // off the centre: the ship turns, too
		hull.ApplyForce(hull.WorldVector(geom.V(300, 0)), nozzle)
		w.Step(1.0 / 60)
	}
	hull := ship.Body()
	fmt.Printf("%.1f units a second, turned by %.2f\n", hull.Velocity().Len(), hull.Angle())
	fmt.Println("cargo in tow:", cargo.Velocity().X > 1)

	bow := hull.WorldPoint(geom.V(7.5, 0.5)) // a place on the ship, wherever it is
	cell, _ := ship.CellAt(bow)
	fmt.Println("the bow is cell", cell, "of the ship, solid:", ship.Solid(bow))
	_ = ship.Dig(bow, bow, 1)
	fmt.Printf("solid: %v, a mass of %.1f\n", ship.Solid(bow), hull.Mass())
	// Output:
	// a mass of 135
	// 4.4 units a second, turned by 0.14
	// cargo in tow: true
	// the bow is cell {7 0} of the ship, solid: true
	// solid: false, a mass of 128.0
}

// listBreaks prints the pieces that came off in the last step, and returns the last of them that is a ground.
func listBreaks(w *quarry.World) quarry.Ground {
	var piece quarry.Ground
	for _, ev := range w.Breaks() {
		if ev.Piece == 0 {
			fmt.Printf("debris of %.2f cells at %.1f\n", ev.Area, ev.Center) // for the game to draw
			continue
		}
		piece, _ = w.Ground(ev.Piece)
		fmt.Printf("a piece of %.1f cells, a mass of %.1f\n", ev.Area, piece.Body().Mass())
	}
	return piece
}

func Example_manualShipBreaks() {
	w := quarry.NewWorld(quarry.Config{})
	ship := newShip(w, geom.V(0, 0))
	ship.Body().SetVelocity(geom.V(2, 0))

	_ = ship.Dig(geom.V(8.3, -1), geom.V(8.3, 1), 0.1) // a saw, across the tip of the bow
	w.Step(1.0 / 60)
	listBreaks(w)

	_ = ship.Dig(geom.V(2.5, -3), geom.V(2.5, 3), 0.2) // across the fore hold
	w.Step(1.0 / 60)
	bow := listBreaks(w)
	fmt.Printf("the ship keeps %.1f, at a velocity of %.1f; the bow flies at %.1f\n", ship.Body().Mass(),
		ship.Body().Velocity(), bow.Body().Velocity())
	// Output:
	// debris of 0.36 cells at {8.6 0.0}
	// a piece of 15.0 cells, a mass of 45.1
	// the ship keeps 85.6, at a velocity of {2.0 0.0}; the bow flies at {2.0 0.0}
}

func Example_manualShipUnderFire() {
	w := quarry.NewWorld(quarry.Config{})
	newShip(w, geom.V(0, 0))
	for step := range 180 {
		if step%15 == 0 && step < 90 { // a shot at the wall between the holds
			shot := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0.5, 12), Velocity: geom.V(0, -40)})
			w.AddShape(shot, geom.Circle{Radius: 0.4}, quarry.ShapeDef{Density: 4})
		}
		w.Step(1.0 / 60)
		for _, hit := range w.Hits() {
			target, isGround := w.Ground(hit.Ground)
			shot, isShape := w.Shape(hit.ShapeB)
			if !isGround || !isShape {
				continue // two shapes, two grounds, or one that is removed since
			}
			if strength := w.Material(target.Material(hit.Tile)).Strength; hit.Impulse > strength {
				fmt.Printf("step %d: an impulse of %.1f on cell %v\n", w.StepCount(), hit.Impulse, hit.Cell)
				_ = target.Crater(hit, 0.5*hit.Impulse/strength) // an area in cells
				w.RemoveBody(shot.Body().ID())
			}
		}
		listBreaks(w)
	}
	// Output:
	// step 14: an impulse of 79.2 on cell {0 2}
	// step 31: an impulse of 77.3 on cell {0 1}
	// step 48: an impulse of 76.7 on cell {0 0}
	// step 66: an impulse of 74.8 on cell {0 -1}
	// step 83: an impulse of 74.2 on cell {0 -2}
	// step 101: an impulse of 33.4 on cell {0 -3}
	// a piece of 18.3 cells, a mass of 54.9
}

func Example_manualShipJoins() {
	w := quarry.NewWorld(quarry.Config{})
	ship := newShip(w, geom.V(0, 0))
	_ = ship.Dig(geom.V(2.5, -3), geom.V(2.5, 3), 0.2)
	w.Step(1.0 / 60)
	bow := listBreaks(w)
	bow.Body().SetVelocity(geom.V(1, 0.3)) // it drifts away
	bow.Body().SetAngularVelocity(0.1)
	simulate(w, 120)

	// A winch pulls it back until the two hulls touch. Frames are in the cells of each ground: the cells of the bow are
	// still the ship's.
	winch := w.AddJoint(quarry.DistanceJoint{
		JointBase: quarry.JointBase{
			A: ship.Body().ID(), FrameA: quarry.JointFrame{Position: geom.V(0.5, 0)},
			B: bow.Body().ID(), FrameB: quarry.JointFrame{Position: geom.V(7, 0)},
			CollideConnected: true,
		},
		Limit: quarry.JointLimit{On: true, Lower: 1, Upper: 20},
		Motor: quarry.JointMotor{Speed: -1, Max: 100}, // shortens
	})
	for touch := false; !touch; {
		w.Step(1.0 / 60)
		for _, e := range w.ContactBegins() {
			touch = touch || e.GroundB != 0 // a ground against a ground
		}
	}
	w.RemoveJoint(winch)
	fmt.Printf("it touches, turned by %.2f\n", bow.Body().Angle()-ship.Body().Angle())

	// Its tiles become the ship's where they are, and plates over the gap hold the two together.
	if err := ship.Join(bow.ID()); err != nil {
		fmt.Println(err)
	}
	hull := ship.Body()
	for _, y := range []float64{-2.5, 2.5} {
		// steel
		_ = ship.Build(hull.WorldPoint(geom.V(1.5, y)), hull.WorldPoint(geom.V(4.5, y)), 0.5, gridseg.Attr{Material: 1})
	}
	w.Step(1.0 / 60)
	fmt.Println("pieces that came off:", len(w.Breaks()), "bodies:", w.Stats().Bodies)
	// Output:
	// a piece of 15.6 cells, a mass of 46.8
	// it touches, turned by 0.46
	// pieces that came off: 0 bodies: 1
}

func Example_manualShipSaved() {
	dir, err := os.MkdirTemp("", "quarry")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "space.db")

	// A belt of rocks, 2,000 cells long, and a ship that flies along it.
	w := quarry.NewWorld(quarry.Config{})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	belt, _ := w.Ground(id)
	for x := 0.0; x < 2000; x += 16 {
		_ = belt.Build(geom.V(x, 0), geom.V(x, 0), 5, gridseg.Attr{})
	}
	ship := newShip(w, geom.V(0, 12))
	ship.Body().SetVelocity(geom.V(200, 0))

	s, err := store.Open(file, store.Options{})
	if err != nil {
		fmt.Println(err) // it names the file and the reason
		return
	}
	saver := store.NewSaver(s, w)
	_, _ = saver.Save() // all chunks of 64 x 64 cells: the Streamer may then unload any
	streamer := store.NewStreamer(s, belt, store.GroundName(id), store.StreamOptions{
		Radius: 100, Ahead: 0.5,
		Memory: 20,
	})
	chunks := 0
	for range 300 {
		hull := ship.Body()
		done, err := streamer.Step([]store.StreamPoint{{Position: hull.Position(), Velocity: hull.Velocity()}})
		if err != nil {
			fmt.Println(err)
		}
		w.Step(1.0 / 60)
		_, _ = saver.SaveEach(time.Second / 2) // of the clock: a game that is killed goes on from there
		chunks = done.Chunks
	}
	_, err = saver.Save()
	fmt.Println("saved:", err, s.Close(), "chunks in memory:", chunks)

	// The next day.
	s, err = store.Open(file, store.Options{MustExist: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	next := quarry.NewWorld(quarry.Config{})
	fmt.Println("loaded:", store.LoadWorld(s, next), s.Close(), "the same world:", next.Hash() == w.Hash())
	ship, _ = next.Ground(ship.ID())
	fmt.Printf("the ship is at x = %.0f\n", ship.Body().Position().X)
	// Output:
	// saved: <nil> <nil> chunks in memory: 20
	// loaded: <nil> <nil> the same world: true
	// the ship is at x = 1000
}
