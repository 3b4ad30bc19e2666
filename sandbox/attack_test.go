//go:build !js

package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/scene"
)

// newSim is a paused world without a loop.
func newSim(sc scene.Scene) *sim {
	s := &sim{config: Config{Scenes: []scene.Scene{sc}, MaxBodies: 20_000}, paused: true, longStep: longStep}
	s.start(sc)
	return s
}

// Bodies dropped one on another without end are refused, at any size, before their pairs
// are so many that the world stands still.
func TestCrowdIsRefused(t *testing.T) {
	s := newSim(pit)
	for i := range 5000 {
		size := [...]float64{10, 0.1, 1}[i%3]
		err := s.add(Command{Do: "add", Kind: Kinds[i%len(Kinds)], Y: 20, Size: size})
		if err != nil && !strings.Contains(err.Error(), "the limit is 32") {
			t.Fatal(err)
		}
	}
	s.step()
	if st := s.in.World.Stats(); st.Bodies < maxCrowd || st.Contacts > 10_000 {
		t.Errorf("%+v", st)
	}
	// Elsewhere there is room, and so there is for a large body among small ones.
	for i := range 400 {
		if err := s.add(Command{
			Do: "add", Kind: "circle", X: 100 + float64(i%20)/2, Y: 20 + float64(i/20)/2,
			Size: 0.4,
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.add(Command{Do: "add", Kind: "box", X: 105, Y: 25, Size: 8}); err != nil {
		t.Error(err)
	}
}

// Single tiles all over the world cost a chunk each: they are refused when there are too
// many, also if each is erased again, and existing tiles stay editable.
func TestScatteredTilesAreRefused(t *testing.T) {
	s := newSim(pit)
	var err error
	at := int32(0)
	for n := 0; err == nil && n < MaxChunks/1000+2; n++ {
		cells := make([]int32, 0, 2000)
		for range 1000 {
			at += ChunkCells
			cells = append(cells, at, at/7)
		}
		if err = s.edit(Command{Do: "paint", Cells: cells, Shape: 1}); err == nil && n%2 == 0 {
			err = s.edit(Command{Do: "erase", Cells: cells})
		}
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint(s.budget.chunks+MaxChunks)) {
		t.Errorf("after %d chunks: %v", at/ChunkCells, err)
	}
	if n := len(s.terrains[0].list); n > s.budget.chunks+MaxChunks {
		t.Errorf("%d chunks", n)
	}
	for _, do := range []string{"erase", "paint"} {
		if err := s.edit(Command{Do: do, Cells: []int32{0, -1}, Shape: 1}); err != nil {
			t.Error(err)
		}
	}
}

// Clients whose commands each take a tick's whole time for commands take turns, with a
// step of the world between them.
func TestDearCommandsTakeTurns(t *testing.T) {
	s := newSim(pit)
	for range 4 {
		c := newClient("")
		for range 2 {
			c.inbox <- request{command: Command{Do: "view"}}
		}
		s.clients = append(s.clients, c)
	}
	for i := range 8 {
		s.obeyAll(-1) // one command, also by a coarse clock
		total := 0
		for k, c := range s.clients {
			left := len(c.inbox)
			if c.waiting {
				left++
			}
			total += left
			// The first four ticks go to the clients without any cost yet. After that the
			// order depends on measured times.
			if want := 2 - (i+4-k)/4; i < 4 && left != want {
				t.Errorf("tick %d: client %d waits with %d commands, want %d", i, k, left, want)
			}
		}
		if total != 7-i {
			t.Errorf("tick %d: %d commands wait, want %d", i, total, 7-i)
		}
	}
}

// The command of a client with few commands is next, however many others send and however
// long those have waited.
func TestLittleComesFirst(t *testing.T) {
	s := newSim(pit)
	cells := make([]int32, 2*MaxCells)
	for i := range cells[:MaxCells] {
		cells[2*i], cells[2*i+1] = int32(i%64), int32(20+i/64)
	}
	for range 63 {
		c := newClient("")
		for k := range inboxLength {
			c.inbox <- request{command: Command{Do: [...]string{"paint", "erase"}[k%2], Shape: 1, Cells: cells}}
		}
		s.clients = append(s.clients, c)
	}
	hadNoTurn := func(c *client) bool {
		return len(c.inbox) == inboxLength || len(c.inbox) == inboxLength-1 && c.waiting
	}
	for slices.ContainsFunc(s.clients, hadNoTurn) {
		s.obeyAll(obeyTime) // a client without a turn has no cost yet, and would come first
	}
	little := newClient("")
	s.clients = append(s.clients, little)
	for tick := range 20 {
		little.inbox <- request{command: Command{Do: "remove", X: -1000}}
		if s.obeyAll(obeyTime); len(little.errors) != 1 {
			t.Fatalf("tick %d: the command waits", tick)
		}
		little.errors = little.errors[:0]
		little.used = min(little.used, leastUsed) // not the time for which the machine may have run something else
	}
}
