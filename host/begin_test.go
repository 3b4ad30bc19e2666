package host

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/play"
)

// packed returns a world that has made some steps, with a ball that somebody drags.
func packed(t testing.TB, name string, steps int) []byte {
	t.Helper()
	sc, _ := findScene(name)
	w, err := play.New(sc, 9999)
	if err != nil {
		t.Fatal(err)
	}
	for range steps {
		_ = w.Step()
	}
	for _, c := range []play.Command{ball(3), {Do: "grab", X: 3, Y: 5}} {
		if err := w.Do(5, c); err != nil {
			t.Fatal(err)
		}
	}
	b, err := w.AppendSnapshot(nil)
	if err == nil {
		b, err = Pack(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A world goes on with another one's state, which is in the log: it makes the same steps after a takeover and in a
// replay, counts them on, and has the bound of its bodies that it had.
func TestBegin(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{Snapshot: time.Minute})
	s.runTo(time.Second)
	records := len(s.logs["w"].records)
	other := packed(t, "bare", 1000)
	bad := s.give(t, p, "w", Input{Op: Begin, World: []byte("none")})
	s.runTo(1500 * time.Millisecond)
	begun := s.give(t, p, "w", Input{Op: Begin, World: other})
	added := s.give(t, p, "w", Input{Op: Do, Command: ball(-3)})
	s.runTo(2 * time.Second)
	w, _ := p.h.World("w")
	if bad.Code != Failed || !strings.Contains(bad.Text, "begin: ") || begun.Code != Applied || added.Code != Applied {
		t.Errorf("answers %+v, %+v, %+v", bad, begun, added)
	}
	look := func(least, bodies int) {
		t.Helper()
		w, ok := p.h.World("w")
		if !ok {
			t.Fatal("the world does not run")
		}
		q := w.Play().Engine()
		if w.Play().Scene().Name != "bare" || w.Play().Steps() < 1000 || w.Play().MaxBodies() != 500 ||
			int(w.Steps()) < least || int(w.Steps()) > least+70 || q.Stats().Bodies != bodies {
			t.Errorf("scene %s, %d steps, %d in all, want %d; limit %d, %d bodies", w.Play().Scene().Name,
				w.Play().Steps(), w.Steps(), least, w.Play().MaxBodies(), q.Stats().Bodies)
		}
		for range q.Joints() {
			t.Error("a drag goes on")
		}
	}
	look(110, 3)
	if n := len(s.logs["w"].records) - records; n < 2+len(other)/simPart {
		t.Errorf("%d records for a world of %d bytes", n, len(other))
	}
	hash := w.Play().Engine().Hash()
	p.kill()
	p.start(Config{})
	s.runTo(2*time.Second + 2*simLease)
	look(120, 3)
	s.runTo(6 * time.Second) // a snapshot
	p.kill()
	p.start(Config{})
	s.runTo(7 * time.Second)
	look(400, 3)
	if v := s.verify(t, "w"); v.Epochs != 3 || v.Snapshots == 0 || v.Scene != "bare" || v.Hash == hash {
		t.Errorf("verified %+v", v)
	}
}

// Whether a scene repeats is a part of the world, until another scene starts.
func TestRepeat(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(time.Second)
	s.give(t, p, "w", Input{Op: Repeat, N: 1})
	s.runTo(5 * time.Second)
	for _, end := range []func(){p.kill, p.drain} { // from the log, and from a last snapshot
		end()
		s.runTo(s.now + 3*simLease)
		p.start(Config{})
		s.runTo(s.now + 3*simLease)
		if w, ok := p.h.World("w"); !ok || !w.Repeats() {
			t.Fatalf("the world runs: %t", ok)
		}
	}
	for _, c := range []struct {
		scene string
		want  bool
	}{{"", true}, {"bare", false}} {
		s.give(t, p, "w", Input{Op: Start, Scene: c.scene})
		s.runTo(s.now + time.Second)
		if w, _ := p.h.World("w"); w.Repeats() != c.want {
			t.Errorf("scene %q: repeats %t", c.scene, !c.want)
		}
	}
	s.verify(t, "w")
}

// A host that dies between two parts of a record leaves nothing of it, and its answer is no promise.
func TestPartsAreAllOrNothing(t *testing.T) {
	for n := range 4 {
		s := calmSim(t, 1, "w")
		p := s.hosts[0]
		p.start(Config{Snapshot: time.Minute})
		s.runTo(time.Second)
		records := len(s.logs["w"].records)
		a := s.give(t, p, "w", Input{Op: Begin, World: packed(t, "bare", 10)})
		for len(s.logs["w"].records) < records+n {
			s.runTo(s.now + 50*time.Microsecond)
		}
		p.kill()
		last, err := new(joiner), error(nil)
		for _, b := range s.logs["w"].records {
			if _, _, err = last.decode(b); err != nil {
				t.Fatal(err)
			}
		}
		torn := last.next > 0
		p.start(Config{})
		s.runTo(s.now + 2*time.Second)
		w, ok := p.h.World("w")
		if !ok || a.Code == Applied && n < 3 || torn && w.Play().Scene().Name != "pit" {
			t.Errorf("%d parts: runs %t, answer %+v", n, ok, a)
		}
		b := s.give(t, p, "w", Input{Op: Begin, World: packed(t, "bare", 10)})
		s.runTo(s.now + time.Second)
		if b.Code != Applied || w.Play().Scene().Name != "bare" {
			t.Errorf("%d parts: answer %+v", n, b)
		}
		s.verify(t, "w")
	}
}

// A log that was trimmed to a snapshot right after a record of several parts is replayed.
func TestTrimToParts(t *testing.T) {
	s := calmSim(t, 1, "w")
	p, log := s.hosts[0], s.logs["w"]
	p.start(Config{})
	s.runTo(time.Second)
	found := false
	for range 40 {
		s.give(t, p, "w", Input{Op: Begin, World: packed(t, "bare", 10)})
		s.runTo(s.now + 700*time.Millisecond)
		first, _ := DecodeRecord(log.records[log.base])
		found = found || first.Kind == Part
		s.verify(t, "w")
	}
	if !found {
		t.Error("no log began with a part")
	}
}

// Parts are joined to the record that was cut, and parts that do not belong together are refused.
func TestParts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	world := make([]byte, 5*maxPart/2)
	for i := range world {
		world[i] = byte(rnd.Uint32())
	}
	r := Record{Kind: Inputs, Epoch: 3, Step: 7, Time: 1, Inputs: []Input{{Op: Begin, World: world}}}
	b, err := r.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.parts(b, maxPart)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d parts, %v", len(list), err)
	}
	mark, err := (&Record{Kind: Mark}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		order []int // -1 is a mark
		whole bool
		bad   bool
	}{
		{[]int{-1, 0, 1, 2}, true, false},
		{[]int{0, 1, 0, 1, 2}, true, false},
		{[]int{2}, true, false},
		{[]int{-1, 0, 1}, false, false},
		{[]int{-1, 2}, false, true},
		{[]int{0, 2}, false, true},
		{[]int{0, 1, -1, 2}, false, true},
	} {
		var j joiner
		var got Record
		var whole bool
		var err error
		for _, i := range c.order {
			one := mark
			if i >= 0 {
				one = list[i]
			}
			if len(one) > maxPart+100 {
				t.Errorf("a part has %d bytes", len(one))
			}
			if got, whole, err = j.decode(one); err != nil {
				break
			}
		}
		if whole != c.whole || (err != nil) != c.bad {
			t.Errorf("%v: whole %t, %v", c.order, whole, err)
		}
		if whole && len(c.order) > 1 && (got.Step != 7 || !slices.Equal(got.Inputs[0].World, world)) {
			t.Errorf("%v: another record", c.order)
		}
	}
}
