package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// Finder returns the scene of a name, or false if there is none, as scene.Get does.
type Finder func(name string) (scene.Scene, bool)

// state is a world as a function of its log: a play.World, whether it is paused, and the sessions. It reads no clock.
type state struct {
	find     Finder
	world    *play.World
	most     int    // as in play.New
	base     uint64 // steps made less those of world; it wraps around below 0
	paused   bool
	pending  int  // steps asked for of a paused world
	speed    int  // see Speed
	repeats  bool // see Repeat
	sessions sessions
	started  uint64              // number of scenes so far, for those who show the world
	applied  func(Input, Answer) // called by replay; nil: nobody
	stepped  func()              // called after each step of runTo; nil: nobody
}

// newState returns the state after the record Birth.
func newState(birth *Record, find Finder) (*state, error) {
	if birth.Kind != Birth {
		return nil, fmt.Errorf("host: the first record of a world has kind %d, want %d", birth.Kind, Birth)
	}
	s := &state{find: find, most: birth.MaxBodies, speed: NormalSpeed, started: 1, paused: birth.Paused}
	var w *play.World
	var err error
	if birth.World != nil {
		w, err = unpack(birth.World, find, s.most)
	} else if w, err = s.build(birth.Scene); w != nil {
		err = nil // if the scene cannot be built, the world has stopped
	}
	if err != nil {
		return nil, err
	}
	s.base, s.world = -uint64(w.Steps()), w // the method steps counts from 0
	return s, nil
}

// build returns the world of a scene.
func (s *state) build(name string) (*play.World, error) {
	sc, ok := s.find(name)
	if !ok {
		return nil, fmt.Errorf("scene: there is no scene %.60q", name)
	}
	return play.New(sc, s.most)
}

// steps returns the number of steps made in all scenes.
func (s *state) steps() uint64 { return s.base + uint64(s.world.Steps()) }

// moves reports whether the next step is to be made without being asked for.
func (s *state) moves() bool { return s.world.Stopped() == "" && (!s.paused || s.pending > 0) }

// step makes a step. It returns an error if the world has stopped.
func (s *state) step() error {
	if s.paused {
		s.pending = max(0, s.pending-1)
	}
	return s.world.Step()
}

// apply applies an input. It builds the world of Start or Begin, if that is not built yet.
func (s *state) apply(in *Input) (a Answer) {
	a = Answer{Code: Applied, Step: s.steps()}
	switch early := s.sessions.next(in, a.Step); {
	case early != Applied:
		a.Code = early
		return a
	case in.Op == Join:
		a.Player = s.sessions.join(a.Step, s.world.Leave)
		return a
	}
	if err := s.do(in); err != nil {
		a.Code, a.Text = Failed, err.Error()
	}
	return a
}

// do executes an input other than Join.
func (s *state) do(in *Input) error {
	switch in.Op {
	case Do:
		return s.world.Do(in.Player, in.Command)
	case Leave:
		s.world.Leave(in.Player)
		s.sessions.leave(in.Player)
	case Clear:
		s.world.LeaveAll()
	case Pause, Resume:
		s.paused, s.pending = in.Op == Pause, 0
	case Steps:
		if !s.paused {
			return errors.New("step: the world is running; pause it first")
		}
		s.pending = min(s.pending+in.N, MaxPending)
	case Speed:
		s.speed = in.N
	case Repeat:
		s.repeats = in.N == 1
	case Start, Begin:
		return s.change(in)
	}
	return nil
}

// change puts the world of an input Start or Begin in place of the present one. The method steps counts on, however
// many steps that world has made.
func (s *state) change(in *Input) error {
	ready := in.built
	before := s.steps()
	switch {
	case ready.goesBack(s.world):
		s.world.Rewind(ready.saved)
		s.world.LeaveAll()
	default:
		if ready == nil || ready.world == nil && ready.err == nil {
			ready = s.prepare(in, s.sceneOf(in))
		}
		if ready.err != nil {
			return ready.err
		}
		// Another scene repeats only if it is told to.
		s.repeats = s.repeats && ready.world.Scene().Name == s.world.Scene().Name
		s.world = ready.world
	}
	s.base, s.pending = before-uint64(s.world.Steps()), 0
	s.started++
	return nil
}

// prepare builds the world of an input Begin, or of Start with a scene. It reads nothing of s that changes.
func (s *state) prepare(in *Input, scene string) *built {
	var b built
	if in.Op == Begin {
		b.world, b.err = unpack(in.World, s.find, s.most)
	} else {
		b.world, b.err = s.build(scene)
	}
	return &b
}

// sceneOf returns the name of the scene of an input Start.
func (s *state) sceneOf(in *Input) string {
	if in.Scene == "" {
		return s.world.Scene().Name
	}
	return in.Scene
}

// hash returns a hash of the state: of the engine's world, and of the rest.
func (s *state) hash() uint64 {
	h := fnv.New64a()
	b := binary.LittleEndian.AppendUint64(nil, s.base)
	b = binary.LittleEndian.AppendUint64(b, uint64(s.pending))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.most))
	if s.paused {
		b = append(b, 1)
	}
	if s.speed != NormalSpeed { // the hashes of older logs stay
		b = append(b, 2, byte(s.speed))
	}
	if s.repeats {
		b = append(b, 3)
	}
	if s.world.Stopped() == "" {
		b = binary.LittleEndian.AppendUint64(b, s.world.Engine().Hash())
	}
	h.Write(s.sessions.append(b))
	return h.Sum64()
}

// errBits is the error of a replay that comes to another state than the one recorded.
var errBits = errors.New("the world is another than the recorded one")

// replay applies the next record of the log.
func (s *state) replay(r *Record) error {
	if r.Step < s.steps() {
		return fmt.Errorf("the record applies at step %d, and the world is at step %d", r.Step, s.steps())
	}
	if r.Checked {
		if err := s.runTo(r.CheckStep); err != nil {
			return err
		}
		if h := s.hash(); h != r.Hash {
			return fmt.Errorf("%w: at step %d its hash is %016x, want %016x", errBits, r.CheckStep, h, r.Hash)
		}
	}
	if err := s.runTo(r.Step); err != nil {
		return err
	}
	for i := range r.Inputs {
		a := s.apply(&r.Inputs[i])
		if s.applied != nil {
			s.applied(r.Inputs[i], a)
		}
	}
	return nil
}

// runTo makes the steps up to a number of steps. A world that has stopped stays where it is.
func (s *state) runTo(steps uint64) error {
	for s.steps() < steps {
		if s.world.Stopped() != "" {
			return fmt.Errorf("the world has stopped at step %d, and the log goes on to step %d: %s", s.steps(), steps,
				s.world.Stopped())
		}
		_ = s.step() // an error is a stop
		if s.stepped != nil {
			s.stepped()
		}
	}
	return nil
}
