package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/play"
)

var ctx = context.Background()

// calmSim returns a simulation without faults, with worlds of the scene pit.
func calmSim(t *testing.T, hosts int, worlds ...string) *sim {
	t.Helper()
	s := newSim(1, hosts)
	s.calm = true
	for _, name := range worlds {
		s.create(t, name, "pit")
	}
	return s
}

// ball adds a circle.
func ball(x float64) play.Command {
	return play.Command{Do: "add", Kind: "circle", X: x, Y: 5, Size: 0.5}
}

// give gives an input at once and returns the channel of the answer.
func (s *sim) give(t *testing.T, p *simHost, world string, in Input) *Answer {
	t.Helper()
	w, ok := p.h.World(world)
	if !ok {
		t.Fatalf("world %s does not run on %s", world, p.name)
	}
	var a Answer
	w.Do(in, func(got Answer) { a = got })
	return &a
}

// verify replays the log of a world.
func (s *sim) verify(t *testing.T, world string) Verified {
	t.Helper()
	v, err := Verify(ctx, simLog{&simHost{sim: s}}, world, findScene, Seen{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// records returns the records of a world.
func (s *sim) records(t testing.TB, world string) (list []Record) {
	t.Helper()
	var parts joiner
	for _, b := range s.logs[world].records {
		r, whole, err := parts.decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if whole {
			list = append(list, r)
		}
	}
	return list
}

// An input is answered once it is in the log, within two ticks, and a record is short.
func TestInput(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(time.Second)
	before := len(s.logs["w"].records)
	a := s.give(t, p, "w", Input{Player: 7, Op: Do, Command: ball(1)})
	s.runTo(time.Second + 2*tick)
	if a.Code != Applied {
		t.Fatalf("answer %+v", a)
	}
	list := s.records(t, "w")[before:]
	if len(list) != 1 || len(list[0].Inputs) != 1 || list[0].Step != a.Step {
		t.Errorf("records %+v, answer %+v", list, a)
	}
	if n := len(s.logs["w"].records[before]); n > 80 {
		t.Errorf("the record has %d bytes", n)
	}
	bad := s.give(t, p, "w", Input{Player: 7, Op: Do, Command: play.Command{Do: "remove", X: 500}})
	wrong := s.give(t, p, "w", Input{Player: 7, Op: Do, Command: play.Command{Do: "fly"}})
	s.runTo(2 * time.Second)
	if bad.Code != Failed || !strings.Contains(bad.Text, "no body") || wrong.Code != Invalid {
		t.Errorf("answers %+v, %+v", bad, wrong)
	}
	if v := s.verify(t, "w"); v.Inputs != 3 || v.Epochs != 1 || v.Hashes < 2 {
		t.Errorf("verified %+v", v)
	}
}

// A world without inputs looks for work without garbage, of which a host with many worlds would be full.
func TestIdleWorkAllocatesNothing(t *testing.T) {
	s := calmSim(t, 1, "w")
	s.hosts[0].start(Config{})
	s.runTo(time.Second)
	w, _ := s.hosts[0].h.World("w")
	if n := testing.AllocsPerRun(20, w.Work); n != 0 || w.over {
		t.Errorf("%v allocations", n)
	}
}

// The inputs of a session are applied once and in their order, however often they come; a session ends by Leave, or
// after a minute without inputs.
func TestSession(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(time.Second)
	give := func(in Input) *Answer {
		a := s.give(t, p, "w", in)
		s.runTo(s.now + 100*time.Millisecond)
		return a
	}
	by := give(Input{Op: Join}).Player
	if by < FirstSession {
		t.Fatalf("player %d", by)
	}
	in := func(n uint64) Input { return Input{Player: by, Number: n, Op: Do, Command: ball(float64(n))} }
	for _, c := range []struct {
		number uint64
		want   Code
	}{{1, Applied}, {1, Again}, {3, Early}, {2, Applied}, {1, Again}, {3, Applied}} {
		if a := give(in(c.number)); a.Code != c.want {
			t.Errorf("input %d: %+v, want code %d", c.number, a, c.want)
		}
	}
	w, _ := p.h.World("w")
	if n := w.Play().Engine().Stats().Bodies; n != 5 { // the ground, the box, 3 circles
		t.Errorf("%d bodies", n)
	}
	first, second := s.give(t, p, "w", in(4)), s.give(t, p, "w", in(5)) // in one record
	s.runTo(s.now + time.Second)
	if first.Code != Applied || second.Code != Applied {
		t.Errorf("two inputs: %+v, %+v", first, second)
	}
	other := give(Input{Op: Join}).Player
	give(Input{Player: by, Number: 6, Op: Leave})
	if a := give(in(7)); a.Code != Ended {
		t.Errorf("after leaving: %+v", a)
	}
	s.runTo(s.now + sessionRest + 3*time.Second)
	if a := give(Input{Player: other, Number: 1, Op: Pause}); a.Code != Ended || len(w.state.sessions.list) != 0 ||
		len(w.heard) != 0 {
		t.Errorf("after a minute: %+v, sessions %v, %d heard", a, w.state.sessions, len(w.heard))
	}
	s.verify(t, "w")
}

// One session more than the limit ends the one that was used longest ago.
func TestSessionsAreBounded(t *testing.T) {
	var s sessions
	for n := range maxSessions {
		s.join(uint64(n), nil)
	}
	s.next(&Input{Player: FirstSession, Number: 1}, maxSessions)
	var ended []play.Player
	s.join(maxSessions, func(by play.Player) { ended = append(ended, by) })
	if len(s.list) != maxSessions || !slices.Equal(ended, []play.Player{FirstSession + 1}) {
		t.Errorf("%d sessions; ended %v", len(s.list), ended)
	}
	if c := s.check(&Input{Player: FirstSession + 1, Number: 1}); c != Ended {
		t.Errorf("code %d", c)
	}
}

// A paused world makes the steps that were asked for, and commands are applied between them.
func TestPause(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(time.Second)
	w, _ := p.h.World("w")
	s.give(t, p, "w", Input{Op: Pause})
	s.runTo(2 * time.Second)
	at := w.Steps()
	s.runTo(3 * time.Second)
	if !w.Paused() || w.Steps() != at || at > 70 {
		t.Fatalf("paused %t, steps %d, %d", w.Paused(), at, w.Steps())
	}
	asked := s.give(t, p, "w", Input{Op: Steps, N: 100})
	added := s.give(t, p, "w", Input{Op: Do, Command: ball(1)})
	s.runTo(5 * time.Second)
	if w.Steps() != at+100 || asked.Code != Applied || added.Step != at {
		t.Errorf("steps %d after %d; answers %+v, %+v", w.Steps(), at, asked, added)
	}
	s.give(t, p, "w", Input{Op: Resume})
	again := s.give(t, p, "w", Input{Op: Steps, N: 1})
	s.runTo(6 * time.Second)
	if again.Code != Failed || w.Steps() < at+150 {
		t.Errorf("answer %+v, steps %d", again, w.Steps())
	}
	s.verify(t, "w")
}

// A scene starts in place of another; steps go on to count, and a takeover replays it.
func TestStart(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(time.Second)
	none := s.give(t, p, "w", Input{Op: Start, Scene: "none"})
	s.runTo(2 * time.Second)
	bare := s.give(t, p, "w", Input{Op: Start, Scene: "bare"})
	added := s.give(t, p, "w", Input{Op: Do, Command: ball(1)})
	s.runTo(3 * time.Second)
	w, _ := p.h.World("w")
	if none.Code != Failed || bare.Code != Applied || added.Code != Applied || w.Play().Scene().Name != "bare" ||
		w.Play().Engine().Stats().Bodies != 1 || w.Steps() < 150 || uint64(w.Play().Steps()) >= w.Steps() {
		t.Errorf("answers %+v, %+v, %+v; scene %s, steps %d", none, bare, added, w.Play().Scene().Name, w.Steps())
	}
	s.hosts[0].kill()
	p.start(Config{})
	s.runTo(5 * time.Second)
	if w, ok := p.h.World("w"); !ok || w.Play().Scene().Name != "bare" || w.Epoch() != 2 {
		t.Errorf("after the takeover: %v", ok)
	}
	s.verify(t, "w")
}

// What a player without a session holds ends with the epoch.
func TestDragEndsWithOwner(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(2 * time.Second)
	s.give(t, p, "w", Input{Player: 1, Op: Do, Command: play.Command{Do: "grab", X: 0, Y: 0.5}})
	s.runTo(3 * time.Second)
	joints := func() int {
		w, _ := p.h.World("w")
		n := 0
		for range w.Play().Engine().Joints() {
			n++
		}
		return n
	}
	if joints() != 1 {
		t.Fatal("there is no drag")
	}
	p.kill()
	p.start(Config{})
	s.runTo(5 * time.Second)
	if joints() != 0 {
		t.Error("the drag goes on")
	}
}

// A host that was stopped for more than half a lease makes no step and no frame before it has renewed; one that was
// stopped for longer than a lease makes none at all.
func TestStoppedHost(t *testing.T) {
	for _, long := range []time.Duration{simLease * 6 / 10, 3 * simLease} {
		s := calmSim(t, 1, "w")
		p := s.hosts[0]
		p.start(Config{})
		s.runTo(2 * time.Second)
		w, _ := p.h.World("w")
		p.stopped = s.now + long
		if long > simLease {
			other := &simHost{sim: s, name: "z"}
			s.hosts = append(s.hosts, other)
			other.start(Config{})
		}
		s.runTo(p.stopped - 1)
		steps, renewed := w.Steps(), p.h.renewed.Load()
		s.frames["w"] = 0
		for p.h.renewed.Load() == renewed && !w.over {
			s.runTo(s.now + 100*time.Microsecond)
			if w.Steps() != steps && p.h.renewed.Load() == renewed {
				t.Fatalf("stopped for %v: a step before the lease was renewed", long)
			}
		}
		s.runTo(s.now + 2*tick)
		if w.over && w.Steps() != steps {
			t.Errorf("stopped for %v: %d steps of a deposed owner", long, w.Steps()-steps)
		}
		if w.over != (long > simLease) {
			t.Errorf("stopped for %v: lost %t", long, w.over)
		}
	}
}

// An owner whose append is refused ends if another record is in the place of its own, and goes on if that is its own,
// whose answer was lost.
func TestRefusedAppend(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(2 * time.Second)
	w, _ := p.h.World("w")
	p.deaf = true
	mine := s.give(t, p, "w", Input{Op: Do, Command: ball(2)})
	s.runTo(s.now + 2*tick)
	p.deaf = false
	if mine.Code != 0 {
		t.Fatal("an answer before the answer of the log")
	}
	s.runTo(s.now + 20*tick)
	if mine.Code != Applied || w.Play().Engine().Stats().Bodies != 3 || w.over {
		t.Fatalf("answer %+v, %d bodies, over: %t", mine, w.Play().Engine().Stats().Bodies, w.over)
	}
	other := Record{Kind: Claim, Epoch: w.epoch + 1, Step: w.Steps(), Owner: "z", Engine: "v1"}
	b, err := other.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (simLog{p}).Append(ctx, "w", w.last, b); err != nil {
		t.Fatal(err)
	}
	lost := s.give(t, p, "w", Input{Op: Do, Command: ball(4)})
	s.runTo(s.now + 4*tick)
	if lost.Code != Busy || !w.over || p.h.Stats().Lost != 1 {
		t.Errorf("answer %+v, over: %t", lost, w.over)
	}
	s.runTo(s.now + 2*simLease) // the entry names this host still: it takes the world over again
	if again, ok := p.h.World("w"); !ok || again.Epoch() != w.epoch+2 || again.Play().Engine().Stats().Bodies != 3 {
		t.Errorf("taken over again: %t", ok)
	}
	s.verify(t, "w")
}

// newer reports whether a viewer that has taken the frame last takes f, as Frame says.
func newer(f, last Frame) bool {
	return f.Epoch > last.Epoch || f.Epoch == last.Epoch && f.Step > last.Step
}

// A snapshot of an owner that had been deposed is not part of the history: it is passed over, and an older one is
// taken.
func TestZombiesSnapshot(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{Whole: true})
	s.runTo(6 * time.Second)
	w, _ := p.h.World("w")
	number := w.last
	s.give(t, p, "w", Input{Op: Do, Command: ball(2)})
	s.runTo(7 * time.Second)
	if w.last == number {
		t.Fatal("no record")
	}
	// The world as it would be without that input, a second later.
	var z *snapshot
	for most := uint64(math.MaxUint64); z == nil || z.number >= w.last; {
		n, b, err := simLog{p}.Kept(ctx, "w", most)
		if err != nil {
			t.Fatal(err)
		}
		if z, err = restore(b, findScene); err != nil {
			t.Fatal(err)
		}
		most = n - 1
	}
	_ = z.state.runTo(w.Steps() + 60)
	z.number, z.step, z.hash = number, z.state.steps(), z.state.hash()
	b, err := z.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	clear(s.logs["w"].snapshots)
	s.logs["w"].snapshots[number] = b
	p.kill()
	p.start(Config{Whole: true})
	s.runTo(9 * time.Second)
	if w, ok := p.h.World("w"); !ok || w.Play().Engine().Stats().Bodies != 3 {
		t.Errorf("the world runs: %t", ok)
	}
	if v := s.verify(t, "w"); v.Passed != 1 {
		t.Errorf("verified %+v", v)
	}
}

// A host of another version of the engine takes a world over from a snapshot without later records, and not otherwise.
func TestVersions(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(3 * time.Second)
	s.give(t, p, "w", Input{Op: Pause})
	s.runTo(3*time.Second + 3*tick)
	p.kill()
	start := func(version string) {
		p.start(Config{})
		p.h.config.Engine = version
		s.runTo(s.now + 2*time.Second)
	}
	start("v2")
	if _, ok := p.h.World("w"); ok {
		t.Fatal("a host of version 2 replays records of version 1")
	}
	p.kill()
	start("v1")
	s.give(t, p, "w", Input{Op: Do, Command: ball(2)})
	s.runTo(s.now + time.Second)
	p.drain()
	s.runTo(s.now + time.Second)
	if p.up {
		t.Fatal("it does not end")
	}
	start("v2")
	if w, ok := p.h.World("w"); !ok || w.Play().Engine().Stats().Bodies != 3 {
		t.Fatalf("a host of version 2 does not run the world: %t", ok)
	}
	p.kill()
	start("v2")
	if _, ok := p.h.World("w"); !ok {
		t.Fatal("a host of version 2 does not take over from version 2")
	}
	// A snapshot of a later form cannot be read.
	p.drain()
	s.runTo(s.now + time.Second)
	for _, b := range s.logs["w"].snapshots {
		b[len(snapshotMagic)-1]++
	}
	start("v2")
	if _, ok := p.h.World("w"); ok || p.h.Stats().Failures == 0 {
		t.Fatal("a host takes over from a snapshot that it cannot read")
	}
	p.kill()
	for _, b := range s.logs["w"].snapshots {
		b[len(snapshotMagic)-1]--
	}
	start("v3")
	if w, ok := p.h.World("w"); !ok || w.Play().Engine().Stats().Bodies != 3 {
		t.Fatal("a host that can read it does not run the world")
	}
}

// When the log and the leases do not answer for a while, no host is deposed for it, whoever is served first afterwards.
func TestOutage(t *testing.T) {
	for _, late := range []bool{false, true} {
		outage(t, late)
	}
}

// outage lets an outage end for all hosts, or late for two of them.
func outage(t *testing.T, late bool) {
	s := calmSim(t, 3, "a", "b", "c", "d")
	for _, p := range s.hosts {
		p.start(Config{})
		s.runTo(s.now + simLease/11) // they do not renew at the same times
	}
	s.runTo(6 * time.Second)
	worlds := func() (list []string) {
		for _, p := range s.hosts {
			for name, w := range p.h.worlds {
				list = append(list, fmt.Sprint(p.name, name, w.Epoch()))
			}
		}
		slices.Sort(list)
		return list
	}
	before := worlds()
	s.out = true
	s.runTo(s.now + 5*simLease)
	s.out, s.hosts[1].cut, s.hosts[2].cut = false, late, late
	s.runTo(s.now + simLease*3/4)
	s.hosts[1].cut, s.hosts[2].cut = false, false
	s.runTo(s.now + 4*simLease)
	if after := worlds(); !slices.Equal(before, after) || len(after) != 4 {
		t.Errorf("late: %t: worlds %v, before %v", late, after, before)
	}
	for _, p := range s.hosts {
		if n := p.h.Stats().Deposed; n != 0 {
			t.Errorf("host %s was deposed %d times", p.name, n)
		}
	}
}

// While the log takes no records, as on a full disk, a world with an input stands still, and goes on when there is
// room.
func TestLogFails(t *testing.T) {
	s := calmSim(t, 1, "w")
	p := s.hosts[0]
	p.start(Config{})
	s.runTo(2 * time.Second)
	w, _ := p.h.World("w")
	s.out = true
	s.runTo(3 * time.Second) // without inputs it goes on
	at := w.Steps()
	a := s.give(t, p, "w", Input{Op: Do, Command: ball(2)})
	s.runTo(6 * time.Second)
	if at < 170 || w.Steps() > at+2 || a.Code != 0 || p.h.Stats().Stalls < 100 {
		t.Fatalf("steps %d, before %d; answer %+v", w.Steps(), at, a)
	}
	s.out = false
	s.runTo(8 * time.Second)
	if w.Steps() < at+60 || a.Code != Applied || w.Play().Engine().Stats().Bodies != 3 {
		t.Errorf("steps %d, before %d; answer %+v", w.Steps(), at, a)
	}
	s.verify(t, "w")
}

// A host without room takes no world.
func TestCapacity(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	s := calmSim(t, 2, names...)
	s.hosts[0].start(Config{Capacity: 2})
	s.runTo(2 * time.Second)
	if n := s.hosts[0].h.Stats().Worlds; n != 2 {
		t.Errorf("%d worlds, want 2", n)
	}
	s.hosts[1].start(Config{Capacity: 2})
	s.runTo(10 * time.Second)
	if n := s.hosts[1].h.Stats().Worlds; n != 2 {
		t.Errorf("%d worlds, want 2", n)
	}
}

// Worlds of a host that has nobody beside it.
func TestAlone(t *testing.T) {
	a := NewAlone([]string{"w"})
	if _, err := a.Set(ctx, "world/w", nil, 0); !errors.Is(err, ErrRefused) {
		t.Error(err)
	}
	e, err := a.Get(ctx, "world/w")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := a.Set(ctx, "world/w", []byte("x"), e.Revision); n <= e.Revision || err != nil {
		t.Error(n, err)
	}
	if _, err := a.Get(ctx, "world/v"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if list, err := a.Entries(ctx); len(list) != 1 || string(list[0].Value) != "x" || err != nil {
		t.Error(list, err)
	}
	<-a.Changed()
}

// What was appended is decoded again, and other bytes are refused or mean what they say.
func TestRecordCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Record{
			Kind: Kind(rapid.IntRange(1, 5).Draw(t, "kind")), Epoch: rapid.Uint64().Draw(t, "epoch"),
			Step: rapid.Uint64().Draw(t, "step"), Time: rapid.Int64Range(0, 1<<60).Draw(t, "time"),
		}
		if rapid.Bool().Draw(t, "checked") {
			r.Checked, r.Hash = true, rapid.Uint64().Draw(t, "hash")
			r.CheckStep = rapid.Uint64Range(0, r.Step).Draw(t, "check")
		}
		switch r.Kind {
		case Birth:
			r.Scene, r.MaxBodies = rapid.StringN(0, -1, MaxName).Draw(t, "scene"), rapid.IntRange(0, 1<<30).Draw(t,
				"most")
			r.Paused = rapid.Bool().Draw(t, "paused")
			if rapid.Bool().Draw(t, "own") {
				r.World = rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "world")
			}
		case Claim:
			r.Owner, r.Entropy, r.Engine, r.Codec = "a", rapid.Uint64().Draw(t, "entropy"), "v1", play.CodecVersion
		case Inputs:
			for range rapid.IntRange(0, 4).Draw(t, "inputs") {
				r.Inputs = append(r.Inputs, drawInput(t))
			}
		case Part:
			r.Count = rapid.IntRange(1, maxParts).Draw(t, "count")
			r.Index = rapid.IntRange(0, r.Count-1).Draw(t, "index")
			r.Data = rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "data")
		}
		b, err := r.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeRecord(b)
		if err != nil {
			t.Fatal(err)
		}
		again, err := got.AppendBinary(nil)
		if err != nil || !slices.Equal(b, again) {
			t.Fatalf("%x, again %x, %v", b, again, err)
		}
		for n := range b {
			if _, err := DecodeRecord(b[:n]); err == nil {
				t.Fatalf("%x is decoded without its end, %d bytes", b, n)
			}
		}
	})
}

func drawInput(t *rapid.T) Input {
	in := Input{Op: Op(rapid.IntRange(1, 11).Draw(t, "op"))}
	if in.Op != Join && rapid.Bool().Draw(t, "session") {
		in.Player, in.Number = FirstSession+play.Player(rapid.IntRange(0, 9).Draw(t, "by")),
			rapid.Uint64Min(1).Draw(t, "n")
	}
	switch in.Op {
	case Do:
		in.Command = ball(rapid.Float64Range(-100, 100).Draw(t, "x"))
	case Steps:
		in.N = rapid.IntRange(1, MaxPending).Draw(t, "steps")
	case Speed:
		in.N = rapid.IntRange(1, MaxSpeed).Draw(t, "speed")
	case Repeat:
		in.N = rapid.IntRange(0, 1).Draw(t, "repeat")
	case Begin:
		in.World = rapid.SliceOfN(rapid.Byte(), 0, 50).Draw(t, "world")
	case Start:
		in.Scene = rapid.StringN(0, -1, MaxName).Draw(t, "scene")
	}
	return in
}

// FuzzDecode decodes any bytes as a record, an input, an answer and a frame.
func FuzzDecode(f *testing.F) {
	r := Record{Kind: Inputs, Epoch: 1, Step: 2, Time: 3, Checked: true, Inputs: []Input{{Op: Do, Command: ball(1)}}}
	b, err := r.AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := DecodeRecord(b); err == nil {
			if _, err := r.AppendBinary(nil); err != nil {
				t.Error(err)
			}
		}
		if in, err := DecodeInput(b); err == nil && in.Check() != nil {
			t.Error(in.Check())
		}
		_, _ = DecodeAnswer(b)
		_, _ = DecodeFrame("w", b)
	})
}

// A damaged snapshot is refused.
func TestDamagedSnapshot(t *testing.T) {
	birth := Record{Kind: Birth, Scene: "pit", MaxBodies: 10}
	s, err := newState(&birth, findScene)
	if err != nil {
		t.Fatal(err)
	}
	s.sessions.join(0, nil)
	snap := snapshot{number: 1, engine: "v1", hash: s.hash(), state: s}
	b, err := snap.append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := restore(b, findScene); err != nil || got.engine != "v1" || len(got.state.sessions.list) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, i := range []int{0, 9, len(b) / 2, len(b) - 1} {
		c := slices.Clone(b)
		c[i] ^= 1
		if _, err := restore(c, findScene); err == nil {
			t.Errorf("byte %d was changed", i)
		}
	}
	for n := range 40 {
		if _, err := restore(b[:n], findScene); err == nil {
			t.Errorf("cut off after %d bytes", n)
		}
	}
	snap.hash++
	if b, err = snap.append(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := restore(b, findScene); !errors.Is(err, errBits) {
		t.Errorf("another hash: %v", err)
	}
}

// Names are file names on every system.
func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "a-b_9", strings.Repeat("x", MaxName)} {
		if err := CheckName(name); err != nil || filepath.Base(name) != name {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "-a", "A", "a.b", "a/b", "..", "ä", strings.Repeat("x", MaxName+1)} {
		if CheckName(name) == nil {
			t.Errorf("%q is a name", name)
		}
	}
}

// Configurations out of range are refused.
func TestConfig(t *testing.T) {
	good := func() Config { return Config{Name: "a", Log: simLog{}, Leases: simLeases{}} }
	if _, err := New(good()); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(c *Config){
		"name":     func(c *Config) { c.Name = "" },
		"log":      func(c *Config) { c.Log = nil },
		"lease":    func(c *Config) { c.Lease = time.Millisecond },
		"snapshot": func(c *Config) { c.Snapshot = time.Millisecond },
		"mark":     func(c *Config) { c.Mark = time.Millisecond },
		"replay":   func(c *Config) { c.Replay = -1 },
		"capacity": func(c *Config) { c.Capacity = -1 },
		"engine":   func(c *Config) { c.Engine = strings.Repeat("v", 300) },
	} {
		c := good()
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%s out of range", what)
		}
	}
}
