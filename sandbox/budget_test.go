//go:build !js

package sandbox

import (
	"strings"
	"testing"

	"github.com/quarry2d/quarry/play"
)

// The CHUNK messages that are kept for clients have one limit for all grounds.
func TestKeptMessagesAreBounded(t *testing.T) {
	s := newSim(pit)
	for x := range 50 {
		if err := s.Do(0, play.Command{Do: "add", Kind: "tiles", X: float64(20 * x), Y: 30, Size: 10}); err != nil {
			t.Fatal(err)
		}
	}
	sum := func() (n int) {
		for i := range s.kept {
			for k := range s.kept[i].chunks {
				n += len(s.kept[i].chunks[k].message)
			}
		}
		return n
	}
	c := newClient()
	s.clients = append(s.clients, c)
	s.tell()
	if s.bytes == 0 || s.bytes != sum() {
		t.Errorf("%d bytes are counted, %d kept", s.bytes, sum())
	}
	s.bytes = maxKept + 1<<14
	if err := s.Do(0, play.Command{Do: "paint", Shape: 2, Cells: []int32{0, 0}, Ground: 5}); err != nil {
		t.Fatal(err)
	}
	c.idle.Store(true)
	<-c.outbox
	s.tell()
	if n := sum(); n != s.bytes || n > 1<<14 {
		t.Errorf("beyond the limit %d bytes are counted, %d kept", s.bytes, n)
	}
	for x := range 50 {
		if err := s.Do(0, play.Command{Do: "remove", X: float64(20 * x), Y: 30}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Do(0, play.Command{Do: "add", Kind: "tiles", Y: 30, Size: 2}); err != nil {
		t.Fatal(err)
	}
	c.idle.Store(true)
	<-c.outbox
	if s.tell(); s.bytes != sum() {
		t.Errorf("without the bodies %d bytes are counted, %d kept", s.bytes, sum())
	}
}

// Changes of the ground beside many bodies are refused until a step is made, or wait for it if the world runs. (All
// that a client had done to a paused world came in one step.)
func TestGroundBesideManyBodies(t *testing.T) {
	s := newSim(pit)
	for i := range 40 {
		if err := s.Do(0, play.Command{
			Do: "add", Kind: "box", Size: 1, X: float64(i%20) - 9.5,
			Y: 9 + float64(i/20),
		}); err != nil {
			t.Fatal(err)
		}
	}
	s.step()
	c := newClient()
	s.clients = append(s.clients, c)
	m := Command{Command: play.Command{Do: "paint", Shape: 1, Cells: cellsList(-10, 9, 9, 10)}}
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		err = s.order(c, m)
		m.Shape = 3 - m.Shape // full, ramp
	}
	if err == nil || !strings.Contains(err.Error(), "paint: the ground beside 256 bodies was changed since the last "+
		"step") || n < 3 {
		t.Errorf("after %d edits: %v", n, err)
	}
	if err := s.order(c, Command{Command: play.Command{Do: "remove", X: 0.5, Y: 9}}); err != nil {
		t.Error(err)
	}
	s.resume()
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
