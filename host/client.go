package host

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/quarry2d/quarry/play"
)

const (
	// firstWait is the time for which a Session waits for an answer before it sends an input again. It doubles up to
	// longestWait.
	firstWait   = 250 * time.Millisecond
	longestWait = 500 * time.Millisecond
	// busyWait is the time before an input is sent again that met Busy, or no owner.
	busyWait = 20 * time.Millisecond
)

// Session gives inputs to a world over a Bus, each until it is answered, whichever hosts die meanwhile: each is applied
// once. Its methods may be called from several goroutines; the inputs go one after another.
type Session struct {
	bus   Bus
	world string

	mu     sync.Mutex
	player play.Player // 0: not joined
	number uint64      // of the last input
	open   *Input      // the input that has no answer yet
}

// NewSession returns a session that has not joined yet.
func NewSession(bus Bus, world string) *Session { return &Session{bus: bus, world: world} }

// Player returns the player of the session, 0 if it has not joined.
func (s *Session) Player() play.Player {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.player
}

// Number returns the number of the last input.
func (s *Session) Number() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.number
}

// Do gives an input, whose Player and Number it sets, and returns the answer. If ctx ends before that, Do returns an
// error; the input may then be applied or not, and the next call first waits for its answer. An answer with the code
// Ended means that the session has ended after a long silence; the next call joins again.
func (s *Session) Do(ctx context.Context, in Input) (Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		if _, err := s.ask(ctx, *s.open); err != nil {
			return Answer{}, err
		}
	}
	if s.player == 0 {
		a, err := s.ask(ctx, Input{Op: Join})
		if err != nil {
			return Answer{}, err
		}
		s.player, s.number = a.Player, 0
	}
	s.number++
	in.Player, in.Number = s.player, s.number
	if err := in.Check(); err != nil {
		s.number--
		return Answer{}, err
	}
	return s.ask(ctx, in)
}

// ask sends an input until it is answered.
func (s *Session) ask(ctx context.Context, in Input) (Answer, error) {
	b, err := in.AppendBinary(nil)
	if err != nil {
		return Answer{}, err
	}
	s.open = &in
	if in.Op == Join {
		s.open = nil // another join does no harm
	}
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		a, answered := s.try(ctx, b, wait)
		switch {
		case answered && a.Code == Invalid:
			s.open = nil
			return a, errors.New(a.Text)
		case answered && a.Code == Ended:
			s.open, s.player = nil, 0
			return a, nil
		case answered && a.Code.Safe():
			s.open = nil
			return a, nil
		}
		if ctx.Err() != nil {
			return Answer{}, fmt.Errorf("host: world %s: input %d has no answer: %w", s.world, in.Number, ctx.Err())
		}
	}
}

// try sends an input once. It reports whether it was answered by an owner.
func (s *Session) try(ctx context.Context, input []byte, wait time.Duration) (Answer, bool) {
	c, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	b, err := s.bus.Request(c, s.world, input)
	var a Answer
	if err == nil {
		a, err = DecodeAnswer(b)
	}
	if err == nil && a.Code != Busy && a.Code != Early {
		return a, true
	}
	t := time.NewTimer(busyWait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return Answer{}, false
}
