package host

import (
	"bytes"
	"errors"
	"time"
)

// flight is a record from its making until it is applied.
type flight struct {
	record  Record
	parts   [][]byte // of it, that are not in the log yet; the last one stays
	answers []func(Answer)
	number  uint64        // once it is in the log
	asking  bool          // an append, or a reading, is under way
	rest    time.Duration // from the last failure to the next append
	due     time.Duration // of the next append
	starts  bool          // its last input is Start or Begin
}

const (
	leastRest = 50 * time.Millisecond
	mostRest  = 500 * time.Millisecond
)

// begin begins to append the inputs that wait, or a mark if it is time for one.
func (w *World) begin() {
	steps := w.state.steps()
	waits := w.waits()
	if !waits && !w.marks(steps) {
		return // most calls; a flight would be garbage
	}
	f := &flight{record: Record{Kind: Inputs, Epoch: w.epoch, Step: steps, Time: w.h.clock.wall()}}
	if w.fresh {
		f.add(Input{Op: Clear}, func(Answer) {})
	}
	w.collect(f)
	if len(f.record.Inputs) == 0 {
		if waits && !w.marks(steps) {
			return
		}
		f.record.Kind = Mark
	}
	w.markDue, w.rested = false, len(f.record.Inputs) == 0 && w.rested
	if w.fresh && !w.check.is {
		w.check.make(w.state)
	}
	f.record.Checked, f.record.CheckStep, f.record.Hash = w.check.is, w.check.step, w.check.hash
	w.check.is = false
	b, err := f.record.AppendBinary(nil)
	if err == nil {
		f.parts, err = f.record.parts(b, w.h.part)
	}
	if err != nil { // impossible: Do has checked the inputs
		f.answer(Answer{Code: Invalid, Text: err.Error()})
		return
	}
	w.fresh, w.marked, w.flight = false, f.record.Step, f
	w.send()
}

// waits reports whether there is an input for the next record.
func (w *World) waits() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fresh || len(w.waiting) > 0
}

// marks reports whether it is time for a mark.
func (w *World) marks(steps uint64) bool {
	return w.markDue || steps-w.marked >= uint64(w.h.config.Mark/tick) && !w.rests()
}

// rests reports whether nothing moves, and a record tells that already.
func (w *World) rests() bool {
	before := w.rested
	if w.rested = w.state.world.AtRest(); !w.rested || !before {
		return false
	}
	w.marked = w.state.steps()
	return true
}

// add adds an input.
func (f *flight) add(in Input, answer func(Answer)) {
	f.record.Inputs = append(f.record.Inputs, in)
	f.answers = append(f.answers, answer)
}

// answer answers all inputs alike.
func (f *flight) answer(a Answer) {
	for _, to := range f.answers {
		to(a)
	}
}

// collect takes the inputs for a record: as many as can be applied in a short time, and none after a Start or a Begin,
// whose world is built meanwhile.
func (w *World) collect(f *flight) {
	most := MaxInputs
	if w.cost > 0 {
		most = max(1, min(most, int(workTime/w.cost)))
	}
	w.mu.Lock()
	list := w.waiting
	w.waiting = nil
	w.mu.Unlock()
	n := 0
	for ; n < len(list) && len(f.record.Inputs) < most && !f.starts; n++ {
		in, answer := list[n].input, list[n].answer
		if w.state.sessions.check(&in) == Again { // in the log; all else is only sure once this record is
			answer(Answer{Code: Again, Step: w.state.steps()})
			continue
		}
		f.starts = in.changesWorld()
		f.add(in, answer)
	}
	w.mu.Lock()
	w.waiting = append(list[n:], w.waiting...)
	w.mu.Unlock()
	if f.starts && f.last().built == nil {
		w.build(f.last())
	}
}

// last returns the last input.
func (f *flight) last() *Input { return &f.record.Inputs[len(f.record.Inputs)-1] }

// build builds the world of an input on another goroutine.
func (w *World) build(in *Input) {
	scene := w.state.sceneOf(in)
	s := state{find: w.state.find, most: w.state.most}
	var b *built
	w.h.spawn(func() { b = s.prepare(in, scene) }, func() { w.post(func() { in.built = b }) })
}

// send appends the next part of the record of the flight, perhaps not for the first time: the fence makes that safe.
func (w *World) send() {
	f, after := w.flight, w.last
	f.asking = true
	var number uint64
	var err error
	began := w.h.clock.mono()
	ask := func() {
		ctx, cancel := w.h.timeout()
		defer cancel()
		number, err = w.h.config.Log.Append(ctx, w.name, after, f.parts[0])
	}
	answered := func() {
		f.asking = false
		switch {
		case err == nil:
			w.h.stats.appended(w.h.clock.mono() - began)
			w.sent(number)
		case errors.Is(err, ErrRefused):
			w.doubt()
		default:
			w.again(err)
		}
	}
	if w.h.config.Quick {
		ask()
		answered()
		return
	}
	w.h.spawn(ask, func() { w.post(answered) })
}

// sent notes the number of a part that is in the log, and sends the next one.
func (w *World) sent(number uint64) {
	f := w.flight
	if len(f.parts) == 1 {
		f.number = number
		return
	}
	f.parts, w.last = f.parts[1:], number
	w.send()
}

// again sends the part again after a rest. Only the first failure is told.
func (w *World) again(err error) {
	f := w.flight
	w.h.stats.retries.Add(1)
	if f.rest == 0 {
		w.warn(f, err)
	}
	f.rest = min(mostRest, max(leastRest, 2*f.rest))
	f.due = w.h.clock.mono() + f.rest
}

func (w *World) warn(f *flight, err error) {
	w.h.config.Logger.Warn("append, to be repeated", "world", w.name, "epoch", w.epoch, "step", f.record.Step, "err",
		err)
}

// errFirst ends a reading after the first record.
var errFirst = errors.New("the first record")

// doubt reads the record after the last one when an append was refused. If it is ours, an answer was lost; if it is
// another, another host owns the world.
func (w *World) doubt() {
	f, after := w.flight, w.last
	f.asking = true
	var number uint64
	var ours bool
	var err error
	w.h.spawn(func() {
		ctx, cancel := w.h.timeout()
		defer cancel()
		err = w.h.config.Log.Read(ctx, w.name, after, func(n uint64, b []byte) error {
			number, ours = n, bytes.Equal(b, f.parts[0])
			return errFirst
		})
	}, func() {
		w.post(func() {
			f.asking = false
			switch {
			case number != 0 && ours:
				w.sent(number)
			case number != 0:
				w.h.config.Logger.Warn("lost: another host owns the world", "world", w.name, "epoch", w.epoch)
				w.h.stats.lost.Add(1)
				w.end()
			default:
				w.again(errors.Join(ErrRefused, err))
			}
		})
	})
}

// applyFlight applies the record under way, once it is in the log, and the world that it starts is built.
func (w *World) applyFlight() {
	f := w.flight
	if f == nil || w.over {
		return
	}
	if f.number == 0 {
		if !f.asking && w.h.clock.mono() >= f.due {
			w.send()
		}
		return
	}
	if f.starts && f.last().built == nil {
		return
	}
	w.flight, w.last = nil, f.number
	began := w.h.clock.mono()
	now := began
	for i := range f.record.Inputs {
		in := &f.record.Inputs[i]
		a := w.state.apply(in)
		before := now
		now = w.h.clock.mono()
		a.Took = now - before
		if in.Number > 0 && a.Code != Ended {
			w.heard[in.Player] = began
		}
		f.answers[i](a)
	}
	if n := len(f.record.Inputs); n > 0 && !f.starts {
		w.cost += ((now-began)/time.Duration(n) - w.cost) / 8
	}
	w.worked += now - began
	w.h.stats.inputs.Add(int64(len(f.record.Inputs)))
	w.keeper.records++
}
