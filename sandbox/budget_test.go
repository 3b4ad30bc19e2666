//go:build !js

package sandbox

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
)

// Large bodies over many small ones are refused before a step takes long, with an error that
// names the limit. (Only bodies of like size used to count: 60 bodies of size 10 over 16,000
// of size 0.1 made millions of contacts.)
func TestLargeBodiesOverSmallAreRefused(t *testing.T) {
	s := newSim(bare)
	for i := range 4_000 {
		x, y := float64(i%64)*0.31, float64(i/64)*0.31
		if err := s.add(Command{Do: "add", Kind: "circle", X: x, Y: y, Size: 0.1}); err != nil {
			t.Fatal(err)
		}
	}
	if s.step(); s.in.World.Stats().Contacts != 0 {
		t.Fatalf("%d contacts of the small ones alone", s.in.World.Stats().Contacts)
	}
	refused := 0
	for i := range 60 {
		err := s.add(Command{Do: "add", Kind: "box", X: 5 + float64(i%10), Y: 5 + float64(i/10)/4, Size: 10})
		switch {
		case err == nil:
		case strings.Contains(err.Error(), "the limit is 16384"):
			refused++
		default:
			t.Fatal(err)
		}
		if i%20 == 0 {
			s.step() // contacts that exist already count, too
		}
	}
	s.step()
	st := s.in.World.Stats()
	t.Logf("%d of 60 refused, %d contacts, a step took %v", refused, st.Contacts, s.took)
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
	s := newSim(shelf)
	for x := range 3 {
		if err := s.do(nil, Command{Do: "add", Kind: kindTiles, X: float64(20 * x), Y: 30, Size: 10}); err != nil {
			t.Fatal(err)
		}
	}
	s.look()
	own, least := s.budget, 3*100+29
	tiles, segments, chunks := s.groundSize()
	if tiles != least || len(s.terrains) != 4 {
		t.Fatalf("%d tiles in %d grounds", tiles, len(s.terrains))
	}
	fails := func(what string) {
		t.Helper()
		for number := range uint32(4) {
			for _, m := range []Command{
				{Do: "paint", Shape: 1, Cells: []int32{300, 300}, Ground: number},
				{Do: "build", X0: -300, X1: -300, Y0: 40, Y1: 40, Radius: 1, Ground: number},
			} {
				if err := s.do(nil, m); err == nil || !strings.Contains(err.Error(), "all grounds together have "+
					what) {
					t.Errorf("%s on ground %d: %v", m.Do, number, err)
				}
			}
		}
		if err := s.do(nil, Command{Do: "add", Kind: kindTiles, X: 100, Y: 30, Size: 3}); err == nil ||
			!strings.Contains(err.Error(), what) {
			t.Errorf("add: %v", err)
		}
	}
	s.budget.tiles = tiles - MaxTiles
	fails("329 tiles")
	s.budget = own
	s.budget.segments = segments - MaxSegments - 1
	fails(fmt.Sprintf("%d segments", segments))
	s.budget = own
	s.budget.chunks = chunks - MaxChunks
	fails("tiles in ")
	s.budget = own
	if err := s.do(nil, Command{Do: "paint", Shape: 1, Cells: []int32{300, 300}}); err != nil {
		t.Error(err)
	}
}

// The CHUNK messages that are kept for clients have one limit for all grounds.
func TestKeptMessagesAreBounded(t *testing.T) {
	s := newSim(pit)
	for x := range 50 {
		if err := s.do(nil, Command{Do: "add", Kind: kindTiles, X: float64(20 * x), Y: 30, Size: 10}); err != nil {
			t.Fatal(err)
		}
	}
	sum := func() (n int) {
		for _, tr := range s.terrains {
			for k := range tr.list {
				n += len(tr.list[k].message)
			}
		}
		return n
	}
	c := newClient("")
	s.clients = append(s.clients, c)
	s.tell()
	if s.kept == 0 || s.kept != sum() {
		t.Errorf("%d bytes are counted, %d kept", s.kept, sum())
	}
	s.kept = maxKept + 1<<14
	s.terrains[5].markAll()
	s.change++
	c.idle.Store(true)
	<-c.outbox
	s.tell()
	if n := sum(); n != s.kept || n > 1<<14 {
		t.Errorf("beyond the limit %d bytes are counted, %d kept", s.kept, n)
	}
	for b := range s.in.World.Bodies() {
		if b.Type() == quarry.Dynamic {
			s.in.World.RemoveBody(b.ID())
		}
	}
	s.change++
	s.look()
	if s.kept != sum() {
		t.Errorf("without the bodies %d bytes are counted, %d kept", s.kept, sum())
	}
}

// Changes of the ground beside many bodies are refused until a step is made, or wait for it if the world runs. (All
// that a client had done to a paused world came in one step.)
func TestGroundBesideManyBodies(t *testing.T) {
	s := newSim(pit)
	for i := range 40 {
		if err := s.do(nil, Command{
			Do: "add", Kind: "box", Size: 1, X: float64(i%20) - 9.5,
			Y: 9 + float64(i/20),
		}); err != nil {
			t.Fatal(err)
		}
	}
	s.step()
	c := newClient("")
	s.clients = append(s.clients, c)
	m := Command{Do: "paint", Shape: 1, Cells: cellsList(-10, 9, 9, 10)}
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		err = s.do(c, m)
		m.Shape = 3 - m.Shape // full, ramp
	}
	if err == nil || !strings.Contains(err.Error(), "paint: the ground beside 256 bodies was changed since the last "+
		"step") || n < 3 {
		t.Errorf("after %d edits: %v", n, err)
	}
	if err := s.do(c, Command{Do: "remove", X: 0.5, Y: 9}); err != nil {
		t.Error(err)
	}
	s.paused = false
	c.inbox <- request{command: m}
	if s.obeyAll(obeyTime); len(c.inbox) != 0 || !c.waiting || len(c.errors) != 0 {
		t.Errorf("in a world that runs: %d commands in the inbox, told %q", len(c.inbox), c.errors)
	}
	s.step()
	if s.obeyAll(obeyTime); c.waiting || len(c.errors) != 0 {
		t.Errorf("after a step: waiting %v, told %q", c.waiting, c.errors)
	}
}

func cellsList(x0, y0, x1, y1 int32) (cells []int32) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			cells = append(cells, x, y)
		}
	}
	return cells
}
