package grid_test

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// Culling: only the objects in the view are drawn.
func ExampleGrid_AppendOverlaps() {
	g := grid.NewChunked(4)
	trees := []geom.Vec{{X: 2, Y: 1}, {X: 90, Y: 3}, {X: 7, Y: 5}}
	for i, p := range trees {
		box := geom.AABB{Min: p, Max: p}.Expand(0.5)
		if _, err := g.Add(box, uint64(i)); err != nil {
			fmt.Println(err) // NaN, empty, or further out than grid.Limit
		}
	}
	view := geom.Box(geom.V(0, 0), geom.V(16, 9))
	var seen []grid.ID // kept from frame to frame, so that nothing is allocated
	for _, id := range g.AppendOverlaps(seen[:0], view, grid.All) {
		fmt.Println("draw the tree at", trees[g.Data(id)])
	}
	// Output:
	// draw the tree at {2 1}
	// draw the tree at {7 5}
}

// The demonstration of the spatial hash of the Playchilla engine: an object is added and
// moved, and a box that is in no grid queries its overlaps, before and after a step to the
// right.
func Example_spatialHash() {
	hash := grid.NewHashed(10)
	thing, _ := hash.Add(geom.Box(geom.V(0, 0), geom.V(4, 4)), 0)

	// It moves, and Update tells the grid.
	_ = hash.Update(thing, hash.Box(thing).Translate(geom.V(2, 0)))

	test := geom.Box(geom.V(-1, 0), geom.V(1, 1))
	fmt.Println(len(hash.AppendOverlaps(nil, test, grid.All)), "overlap")

	test = test.Translate(geom.V(2, 0))
	fmt.Println(len(hash.AppendOverlaps(nil, test, grid.All)), "overlaps")

	// Boxes are closed: at a step of 1 it only touches, which counts here, and there does not.
	test = test.Translate(geom.V(-1, 0))
	fmt.Println(len(hash.AppendOverlaps(nil, test, grid.All)), "touches")
	// Output:
	// 0 overlap
	// 1 overlaps
	// 1 touches
}

// Triggers: a Tracker lists the pairs that begin and end.
func ExampleTracker() {
	t := grid.NewTracker(grid.NewHashed(2), 0)
	door, _ := t.Add(geom.Box(geom.V(4, 0), geom.V(6, 2)), 0)
	player, _ := t.Add(geom.Box(geom.V(0, 0), geom.V(1, 1)), 0)
	for x := 0.0; x < 8; x++ {
		if _, err := t.Update(player, geom.Box(geom.V(x, 0), geom.V(x+1, 1))); err != nil {
			fmt.Println(err)
		}
		begin, end := t.Flush()
		for range begin {
			fmt.Printf("%v and %v touch at x = %v\n", door, player, x)
		}
		for range end {
			fmt.Printf("%v and %v part at x = %v\n", door, player, x)
		}
	}
	// Output:
	// 0 and 1 touch at x = 3
	// 0 and 1 part at x = 7
}

// Line of sight: the first blocking object on the ray.
func ExampleGrid_Ray() {
	const wall, glass = 1, 2
	g := grid.NewHashed(2)
	window, _ := g.Add(geom.Box(geom.V(3, 0), geom.V(4, 3)), 0)
	brick, _ := g.Add(geom.Box(geom.V(8, 0), geom.V(9, 3)), 0)
	g.SetCategory(window, glass)
	g.SetCategory(brick, wall)
	if hit, ok := g.Ray(geom.V(0, 1), geom.V(16, 0), 1, wall); ok {
		fmt.Println("object", hit.ID, "at x =", 16*hit.T)
	}
	// Output: object 1 at x = 8
}

// A chunk of a grid goes to a file and comes back with the same ids.
func ExampleAppendObjects() {
	g := grid.NewHierarchical(1)
	id, _ := g.Add(geom.Box(geom.V(3, 4), geom.V(5, 6)), 42)

	x, y := g.ChunkOf(geom.V(3, 4))
	file := grid.AppendObjects(nil, g.Unload(nil, x, y))
	fmt.Println(len(file), "bytes,", g.Len(), "objects left")

	objects, err := grid.ReadObjects(nil, file)
	if err == nil {
		err = g.Load(objects)
	}
	fmt.Println(g.Data(id), err)
	// Output:
	// 67 bytes, 0 objects left
	// 42 <nil>
}
