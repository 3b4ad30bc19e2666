package host

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/play"
)

// visitor is a player of a simulation, who gives inputs one after another, each until it is answered.
type visitor struct {
	s       *sim
	world   string
	player  play.Player // 0: not joined
	number  uint64
	input   Input
	asking  bool
	tries   int
	answers []given // that say that the input is in the log
	ended   bool    // gives no further input
}

// given is an input that was acknowledged.
type given struct {
	player play.Player
	number uint64
	code   Code
	step   uint64
	at     time.Duration
}

// think gives the next input after a while.
func (v *visitor) think() {
	v.s.after(time.Duration(10+v.s.rnd.IntN(200))*time.Millisecond, func() {
		if v.ended {
			return
		}
		v.asking = true
		if v.player == 0 {
			v.input = Input{Op: Join}
		} else {
			v.number++
			v.input = v.draw()
			v.input.Player, v.input.Number = v.player, v.number
		}
		v.ask()
	})
}

// draw returns an input.
func (v *visitor) draw() Input {
	r := v.s.rnd
	x, y := float64(r.IntN(18)-9), float64(r.IntN(8))
	switch r.IntN(16) {
	case 0:
		return Input{Op: Pause}
	case 1, 2, 3:
		return Input{Op: Resume}
	case 4:
		return Input{Op: Steps, N: 1 + r.IntN(40)}
	case 5:
		return Input{Op: Start, Scene: []string{"", "pit", "bare", "none"}[r.IntN(4)]}
	case 6:
		return Input{Op: Do, Command: play.Command{Do: "grab", X: x, Y: 0.5}}
	case 7:
		return Input{Op: Do, Command: play.Command{
			Do: "dig", X0: x, Y0: -1, X1: x + 1, Y1: -1, Radius: 0.6,
			Hold: true,
		}}
	}
	switch r.IntN(30) {
	case 0:
		return Input{Op: Speed, N: 8 + r.IntN(MaxSpeed-8)}
	case 1:
		return Input{Op: Repeat, N: r.IntN(2)}
	case 2, 3:
		return Input{Op: Begin, World: v.s.other}
	case 4:
		return Input{Op: Begin, World: []byte("none")}
	}
	return Input{Op: Do, Command: play.Command{Do: "add", Kind: "circle", X: x, Y: y, Size: 0.5}}
}

// ask sends the input, and again if no answer comes.
func (v *visitor) ask() {
	v.tries++
	try, in := v.tries, v.input
	b, err := in.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	v.s.request(v.world, b, func(b []byte) {
		a, err := DecodeAnswer(b)
		if err != nil {
			panic(err)
		}
		v.answered(in, a)
	})
	v.s.after(300*time.Millisecond, func() {
		if v.asking && v.tries == try {
			v.ask()
		}
	})
}

// answered takes an answer to an input, perhaps to an earlier one.
func (v *visitor) answered(in Input, a Answer) {
	if a.Code.Safe() && in.Op != Join {
		v.answers = append(v.answers, given{in.Player, in.Number, a.Code, a.Step, v.s.now})
	}
	if !v.asking || in.Number != v.input.Number || in.Player != v.input.Player {
		return
	}
	switch {
	case a.Code.Safe():
		if in.Op == Join {
			v.player, v.number = a.Player, 0
		}
	case a.Code == Ended:
		v.player = 0
	default:
		return // it is sent again
	}
	v.asking = false
	v.think()
}

// oracle replays the log of a world without any faults. It returns how often each numbered input was applied, the step,
// and the hashes after each hashEach steps.
func oracle(t *rapid.T, w *simWorld, last uint64) (applied map[given]int, hashes map[uint64]uint64) {
	applied, hashes = map[given]int{}, map[uint64]uint64{}
	var s *state
	run := func(to uint64) {
		for s.steps() < to {
			if err := s.step(); err != nil {
				t.Fatal(err)
			}
			if n := s.steps(); n%hashEach == 0 {
				hashes[n] = s.hash()
			}
		}
	}
	epoch := uint64(0)
	var parts joiner
	for i, b := range w.records {
		r, whole, err := parts.decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if !whole {
			continue
		}
		if i == 0 {
			if s, err = newState(&r, findScene); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if r.Epoch < epoch || r.Kind == Claim && r.Epoch == epoch {
			t.Fatalf("record %d: epoch %d after epoch %d", i+1, r.Epoch, epoch)
		}
		epoch = r.Epoch
		if r.Checked {
			run(r.CheckStep)
			if h := s.hash(); h != r.Hash {
				t.Fatalf("record %d: hash %x at step %d, want %x", i+1, r.Hash, r.CheckStep, h)
			}
		}
		run(r.Step)
		for k := range r.Inputs {
			in := &r.Inputs[k]
			if a := s.apply(in); in.Number > 0 && (a.Code == Applied || a.Code == Failed) {
				applied[given{player: in.Player, number: in.Number, code: a.Code, step: a.Step}]++
			}
		}
	}
	for s.moves() && s.steps() < last {
		run(s.steps() + 1)
	}
	return applied, hashes
}

// seen are the frames that a viewer of a world has accepted.
type seen struct {
	newest Frame
	hashes map[uint64]Frame // of owners that were not deposed yet
	last   uint64           // largest step
}

// take accepts a frame. An owner that hears nothing from the store does not know that it is deposed, and goes on
// showing its world; a viewer sees that until the next owner's first frame. Such a frame is no promise: its hash is
// not kept.
func (v *seen) take(t *rapid.T, world string, records [][]byte, b []byte) {
	f, err := DecodeFrame(world, b)
	if err != nil {
		t.Fatal(err)
	}
	if newer(f, v.newest) {
		v.newest = f
		claimed, err := DecodeRecord(records[len(records)-1])
		if err != nil {
			t.Fatal(err)
		}
		if f.Hash != 0 && claimed.Epoch <= f.Epoch {
			v.hashes[f.Step] = f
		}
		v.last = max(v.last, f.Step)
	}
}

// TestFaults: whatever dies, stops, is cut off or comes late, no input that was acknowledged is lost or applied twice,
// and every world is where an undisturbed replay of its log comes to. In the end all worlds run, and all inputs are
// answered.
func TestFaults(t *testing.T) {
	other := packed(t, "pit", 40)
	rapid.Check(t, func(t *rapid.T) {
		s := newSim(rapid.Uint64().Draw(t, "seed"), 3)
		worlds := []string{"one", "two", "three"}
		s.other = other
		views, jumps := map[string]*seen{}, false
		var visitors []*visitor
		for i, name := range worlds {
			s.create(&testing.T{}, name, []string{"pit", "bare"}[i%2])
			v := &seen{hashes: map[uint64]Frame{}}
			views[name] = v
			s.views[name] = func(b []byte) { v.take(t, name, s.logs[name].records, b) }
			for range 2 {
				p := &visitor{s: s, world: name}
				visitors = append(visitors, p)
				p.think()
			}
		}
		for _, p := range s.hosts {
			p.start(Config{})
		}
		for range rapid.IntRange(0, 6).Draw(t, "faults") {
			at := time.Duration(rapid.IntRange(500, 8000).Draw(t, "at")) * time.Millisecond
			p := s.hosts[rapid.IntRange(0, 2).Draw(t, "host")]
			long := time.Duration(rapid.IntRange(1, 2000).Draw(t, "long")) * time.Millisecond
			kind := rapid.SampledFrom([]string{"kill", "stop", "drain", "cut", "deaf", "clock"}).Draw(t, "fault")
			jumps = jumps || kind == "clock"
			s.after(at, func() { p.fault(kind, long) })
		}
		s.runTo(10 * time.Second)
		s.calm = true
		for _, p := range s.hosts {
			p.cut, p.deaf = false, false
			if !p.up {
				p.start(Config{})
			}
		}
		s.runTo(16 * time.Second)
		for _, v := range visitors {
			v.ended = true
		}
		s.runTo(18 * time.Second)
		for _, v := range visitors {
			if v.asking {
				t.Fatalf("world %s: no answer to input %d %+v, sent %d times", v.world, v.number, v.input, v.tries)
			}
		}
		acked := 0
		for _, name := range worlds {
			acked += check(t, s, name, views[name], visitors, jumps)
		}
		if acked < 100 {
			t.Fatalf("only %d inputs were acknowledged", acked)
		}
	})
}

// fault does something to a host, for a time.
func (p *simHost) fault(kind string, long time.Duration) {
	if !p.up {
		return
	}
	life := p.life
	switch kind {
	case "kill":
		p.kill()
		p.after(long, func() {
			if !p.up {
				p.start(Config{})
			}
		})
	case "stop":
		p.stopped = p.now + long
	case "drain":
		p.drain()
		p.after(long+2*time.Second, func() {
			if !p.up {
				p.start(Config{})
			}
		})
	case "cut", "deaf":
		p.cut, p.deaf = kind == "cut", kind == "deaf"
		p.after(long, func() {
			if p.life == life {
				p.cut, p.deaf = false, false
			}
		})
	case "clock":
		p.skew += long.Milliseconds()*20 - 20_000
	}
}

// check compares a world with an undisturbed replay of its log, and returns the number of acknowledged inputs.
func check(t *rapid.T, s *sim, name string, v *seen, visitors []*visitor, jumps bool) (acked int) {
	running := 0
	for _, p := range s.hosts {
		if _, ok := p.h.World(name); ok && p.up {
			running++
		}
	}
	if running != 1 {
		t.Fatalf("world %s runs %d times", name, running)
	}
	applied, hashes := oracle(t, s.logs[name], v.last)
	count := map[given]int{}
	for g, n := range applied {
		count[given{player: g.player, number: g.number}] += n
	}
	for g, n := range count {
		if n != 1 {
			t.Fatalf("world %s: input %d of %d was applied %d times", name, g.number, g.player, n)
		}
	}
	for _, p := range visitors {
		if p.world != name {
			continue
		}
		for _, g := range p.answers {
			if count[given{player: g.player, number: g.number}] != 1 {
				t.Fatalf("world %s: input %d of %d was acknowledged at %v, and is lost", name, g.number, g.player, g.at)
			}
			if g.code != Again && applied[given{player: g.player, number: g.number, code: g.code, step: g.step}] != 1 {
				t.Fatalf("world %s: input %d of %d: the answer was %s", name, g.number, g.player, fmt.Sprint(g))
			}
		}
		acked += len(p.answers)
	}
	for step, f := range v.hashes {
		if want, ok := hashes[step]; !jumps && (!ok || want != f.Hash) {
			t.Fatalf("world %s: the frame of step %d, epoch %d, has hash %x, want %x", name, step, f.Epoch, f.Hash,
				want)
		}
	}
	return acked
}
