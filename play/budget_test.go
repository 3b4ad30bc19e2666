package play

import (
	"fmt"
	"strings"
	"testing"
)

// Bodies dropped one on another without end are refused, at any size, before their pairs
// are so many that the world stands still.
func TestCrowdIsRefused(t *testing.T) {
	w := newWorld(t, pit)
	for i := range 5000 {
		size := [...]float64{10, 0.1, 1}[i%3]
		err := w.Do(0, Command{Do: "add", Kind: Kinds[i%len(Kinds)], Y: 20, Size: size})
		if err != nil && !strings.Contains(err.Error(), "the limit is 32") {
			t.Fatal(err)
		}
	}
	step(t, w)
	if st := w.in.World.Stats(); st.Bodies < maxCrowd || st.Contacts > 10_000 {
		t.Errorf("%+v", st)
	}
	// Elsewhere there is room, and so there is for a large body among small ones.
	for i := range 400 {
		if err := w.Do(0, Command{
			Do: "add", Kind: "circle", X: 100 + float64(i%20)/2, Y: 20 + float64(i/20)/2,
			Size: 0.4,
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Do(0, Command{Do: "add", Kind: "box", X: 105, Y: 25, Size: 8}); err != nil {
		t.Error(err)
	}
}

// Single tiles all over the world cost a chunk each: they are refused when there are too
// many, also if each is erased again, and existing tiles stay editable.
func TestScatteredTilesAreRefused(t *testing.T) {
	w := newWorld(t, pit)
	var err error
	at := int32(0)
	for n := 0; err == nil && n < MaxChunks/1000+2; n++ {
		cells := make([]int32, 0, 2000)
		for range 1000 {
			at += ChunkCells
			cells = append(cells, at, at/7)
		}
		if err = w.Do(0, Command{Do: "paint", Cells: cells, Shape: 1}); err == nil && n%2 == 0 {
			err = w.Do(0, Command{Do: "erase", Cells: cells})
		}
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint(w.budget.chunks+MaxChunks)) {
		t.Errorf("after %d chunks: %v", at/ChunkCells, err)
	}
	if n := len(w.grounds[0].list); n > w.budget.chunks+MaxChunks {
		t.Errorf("%d chunks", n)
	}
	for _, do := range []string{"erase", "paint"} {
		if err := w.Do(0, Command{Do: do, Cells: []int32{0, -1}, Shape: 1}); err != nil {
			t.Error(err)
		}
	}
}

// Large bodies over many small ones are refused before a step takes long, with an error that
// names the limit. (Only bodies of like size used to count: 60 bodies of size 10 over 16,000
// of size 0.1 made millions of contacts.)
func TestLargeBodiesOverSmallAreRefused(t *testing.T) {
	w := newWorld(t, bare)
	for i := range 4_000 {
		x, y := float64(i%64)*0.31, float64(i/64)*0.31
		if err := w.Do(0, Command{Do: "add", Kind: "circle", X: x, Y: y, Size: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	if step(t, w); w.in.World.Stats().Contacts != 0 {
		t.Fatalf("%d contacts of the small ones alone", w.in.World.Stats().Contacts)
	}
	refused := 0
	for i := range 60 {
		err := w.Do(0, Command{Do: "add", Kind: "box", X: 5 + float64(i%10), Y: 5 + float64(i/10)/4, Size: 10})
		switch {
		case err == nil:
		case strings.Contains(err.Error(), "the limit is 16384"):
			refused++
		default:
			t.Fatal(err)
		}
		if i%20 == 0 {
			step(t, w) // contacts that exist already count, too
		}
	}
	step(t, w)
	st := w.in.World.Stats()
	t.Logf("%d of 60 refused, %d contacts", refused, st.Contacts)
	if refused < 30 || refused > 50 || st.Contacts > 3*maxContacts/2 {
		t.Errorf("%d of 60 refused, %d contacts", refused, st.Contacts)
	}
}

// Contacts of the scene's own bodies leave room for others.
func TestOwnContactsDoNotCount(t *testing.T) {
	var b budget
	for range 20 {
		b.stepped(50_000)
	}
	if err := b.add(100, 0); err != nil {
		t.Error(err)
	}
	if err := b.add(maxContacts, 0); err == nil {
		t.Error("as many again are taken")
	}
	if err := b.add(0, segmentsPerContact*maxContacts); err == nil {
		t.Error("any number of segments is taken")
	}
	b.stepped(50_000) // the new body has made no contact
	if err := b.add(maxContacts, 0); err != nil {
		t.Errorf("contacts that did not come still count: %v", err)
	}
}

// Tiles, segments and chunks are counted over all grounds together, in excess of the scene's own, by painting, building
// and new bodies of tiles. (The limits held for each ground: 512 grounds of 2^22 tiles.)
func TestLimitsSumUpAllGrounds(t *testing.T) {
	w := newWorld(t, shelf)
	for x := range 3 {
		if err := w.Do(0, Command{Do: "add", Kind: kindTiles, X: float64(20 * x), Y: 30, Size: 10}); err != nil {
			t.Fatal(err)
		}
	}
	w.look()
	own, least := w.budget, 3*100+29
	tiles, segments, chunks := w.groundSize()
	if tiles != least || len(w.grounds) != 4 {
		t.Fatalf("%d tiles in %d grounds", tiles, len(w.grounds))
	}
	fails := func(what string) {
		t.Helper()
		for number := range uint32(4) {
			for _, m := range []Command{
				{Do: "paint", Shape: 1, Cells: []int32{300, 300}, Ground: number},
				{Do: "build", X0: -300, X1: -300, Y0: 40, Y1: 40, Radius: 1, Ground: number},
			} {
				if err := w.Do(0, m); err == nil || !strings.Contains(err.Error(), "all grounds together have "+what) {
					t.Errorf("%s on ground %d: %v", m.Do, number, err)
				}
			}
		}
		if err := w.Do(0, Command{Do: "add", Kind: kindTiles, X: 100, Y: 30, Size: 3}); err == nil ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("add: %v", err)
		}
	}
	w.budget.tiles = tiles - MaxTiles
	fails("329 tiles")
	w.budget = own
	w.budget.segments = segments - MaxSegments - 1
	fails(fmt.Sprintf("%d segments", segments))
	w.budget = own
	w.budget.chunks = chunks - MaxChunks
	fails("tiles in ")
	w.budget = own
	if err := w.Do(0, Command{Do: "paint", Shape: 1, Cells: []int32{300, 300}}); err != nil {
		t.Error(err)
	}
}
