package host

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Verified tells what Verify has replayed.
type Verified struct {
	Records   int
	Inputs    int
	Epochs    int
	Hashes    int    // of records and snapshots, each equal to the one of the replay
	Snapshots int    // that are part of the world's history
	Passed    int    // snapshots that are not, of an owner that had been deposed
	From      uint64 // step of the snapshot with which the replay began, as the log was trimmed; 0: the birth
	Steps     uint64
	Hash      uint64 // of the state after the last step
	Scene     string
}

// Seen is what was seen of a world, to be compared with its log.
type Seen struct {
	// Frames are hashes right after steps, as in Frame.
	Frames map[uint64]uint64
	// Applied is called with each input of the log, and its answer; nil: nobody.
	Applied func(Input, Answer)
}

// Verify replays the log of a world from its birth, or from the snapshot to which it was trimmed, and compares each
// recorded hash with the replay, and those that were seen. It returns what it has replayed so far and, at the
// first hash that differs, or if the log is damaged, an error.
func Verify(ctx context.Context, log Log, world string, scenes Finder, seen Seen) (Verified, error) {
	v := verifier{seen: seen}
	if err := v.snapshots(ctx, log, world, scenes); err != nil {
		return v.Verified, fmt.Errorf("host: world %s: %w", world, err)
	}
	err := log.Read(ctx, world, 0, func(number uint64, b []byte) error {
		r, whole, err := v.joiner.decode(b)
		if err == nil && whole {
			err = v.record(number, &r, scenes)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", number, err)
		}
		return nil
	})
	if err == nil && v.state == nil {
		err = errors.New("it has no records")
	}
	if err == nil {
		err = v.compare(math.MaxUint64)
	}
	if err == nil {
		err = v.frames()
	}
	if v.state != nil {
		v.Steps, v.Hash, v.Scene = v.state.steps(), v.state.hash(), v.state.world.Scene().Name
	}
	if err != nil {
		return v.Verified, fmt.Errorf("host: world %s: %w", world, err)
	}
	return v.Verified, nil
}

// verifier replays a log.
type verifier struct {
	Verified
	state  *state
	last   uint64      // number of the last record
	kept   []*snapshot // that are to come, the first one last
	owner  Record      // the last claim
	seen   Seen
	joiner joiner
	wrong  error // of the first frame that differs
}

// begin makes the state after the first record that is there.
func (v *verifier) begin(number uint64, r *Record, scenes Finder) (err error) {
	if r.Kind == Birth {
		v.state, err = newState(r, scenes)
	} else {
		err = v.beginAt(number)
	}
	if err != nil {
		return err
	}
	v.state.applied, v.state.stepped = v.seen.Applied, v.frame
	return nil
}

// beginAt begins with the snapshot that contains the records up to a number.
func (v *verifier) beginAt(number uint64) error {
	for n := len(v.kept) - 1; n >= 0 && v.kept[n].number <= number; n-- {
		s := v.kept[n]
		v.kept = v.kept[:n]
		if s.number == number {
			v.state, v.From, v.owner.Engine = s.state, s.step, s.engine
			v.Snapshots++
			return nil
		}
		v.Passed++ // an owner that had been deposed wrote it late
	}
	return errors.New("it is the first record, and there is no snapshot of it")
}

// frame compares the hash of a frame with the replay.
func (v *verifier) frame() {
	step := v.state.steps()
	want, ok := v.seen.Frames[step]
	if !ok {
		return
	}
	if h := v.state.hash(); h != want && v.wrong == nil {
		v.wrong = fmt.Errorf("%w: a frame of step %d has hash %016x, and the replay %016x", errBits, step, want, h)
	}
	v.Hashes++
}

// frames goes on to the last frame, which may be after the last record.
func (v *verifier) frames() error {
	last := uint64(0)
	for step := range v.seen.Frames {
		last = max(last, step)
	}
	for v.state.moves() && v.state.steps() < last {
		if err := v.state.runTo(v.state.steps() + 1); err != nil {
			return err
		}
	}
	return v.wrong
}

// snapshots reads all snapshots.
func (v *verifier) snapshots(ctx context.Context, log Log, world string, scenes Finder) error {
	for most := uint64(math.MaxUint64); most > 0; {
		c, cancel := context.WithTimeout(ctx, time.Minute)
		number, b, err := log.Kept(c, world, most)
		cancel()
		if errors.Is(err, ErrNone) {
			return nil
		}
		if err != nil {
			return err
		}
		s, err := restore(b, scenes)
		if err != nil {
			return fmt.Errorf("snapshot %d: %w", number, err)
		}
		v.kept, most = append(v.kept, s), number-1
	}
	return nil
}

// record replays a record.
func (v *verifier) record(number uint64, r *Record, scenes Finder) (err error) {
	if v.state == nil {
		err = v.begin(number, r, scenes)
	} else if err = v.compare(r.Step); err == nil {
		err = v.state.replay(r)
	}
	if errors.Is(err, errBits) && v.owner.Engine != Engine() {
		err = fmt.Errorf("%w (version %s of the engine made the record, this is %s)", err, v.owner.Engine, Engine())
	}
	if err != nil {
		return err
	}
	v.last = number
	v.Records++
	v.Inputs += len(r.Inputs)
	if r.Checked {
		v.Hashes++
	}
	if r.Kind == Claim {
		v.Epochs++
		v.owner = *r
	}
	return nil
}

// compare compares the snapshots that contain the records so far and no later one. next is the step of the next record.
func (v *verifier) compare(next uint64) error {
	for n := len(v.kept) - 1; n >= 0 && v.kept[n].number <= v.last; n-- {
		s := v.kept[n]
		v.kept = v.kept[:n]
		if s.step > next || s.step < v.state.steps() {
			v.Passed++
			continue
		}
		if err := v.state.runTo(s.step); err != nil {
			return err
		}
		if h := v.state.hash(); h != s.hash {
			return fmt.Errorf("snapshot %d: %w: at step %d its hash is %016x, want %016x", s.number, errBits, s.step,
				s.hash, h)
		}
		v.Snapshots++
		v.Hashes++
	}
	return nil
}
