package host

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/quarry2d/quarry/play"
)

// scriptBus answers each request by the next function of a list, and the last one for ever.
type scriptBus struct {
	Bus
	answers []func(in Input) (Answer, error)
	inputs  []Input
}

func (b *scriptBus) Request(_ context.Context, _ string, input []byte) ([]byte, error) {
	in, err := DecodeInput(input)
	if err != nil {
		return nil, err
	}
	b.inputs = append(b.inputs, in)
	f := b.answers[0]
	if len(b.answers) > 1 {
		b.answers = b.answers[1:]
	}
	a, err := f(in)
	return a.AppendBinary(nil), err
}

func says(c Code) func(Input) (Answer, error) {
	return func(Input) (Answer, error) { return Answer{Code: c, Player: FirstSession}, nil }
}

// A session sends an input until it is answered, with the same number; an input whose caller has given up is settled
// before the next one; a session that has ended joins again.
func TestSessionSendsAgain(t *testing.T) {
	lost := func(Input) (Answer, error) { return Answer{}, errLost }
	b := &scriptBus{answers: []func(Input) (Answer, error){
		lost, says(Applied), // the join
		lost, says(Busy), says(Early), says(Applied), // input 1
		lost,
	}}
	s := NewSession(b, "w")
	in := Input{Op: Do, Command: ball(1)}
	if a, err := s.Do(ctx, in); err != nil || a.Code != Applied || s.Player() != FirstSession || s.Number() != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	short, cancel := context.WithTimeout(ctx, 60*time.Millisecond)
	defer cancel()
	if _, err := s.Do(short, in); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	n := len(b.inputs)
	b.answers = []func(Input) (Answer, error){says(Again), says(Failed)}
	if a, err := s.Do(ctx, in); err != nil || a.Code != Failed {
		t.Fatalf("%+v, %v", a, err)
	}
	if rest := b.inputs[n:]; len(rest) != 2 || rest[0].Number != 2 || rest[1].Number != 3 {
		t.Errorf("inputs %+v", rest)
	}
	b.answers = []func(Input) (Answer, error){says(Ended)}
	if a, err := s.Do(ctx, in); err != nil || a.Code != Ended || s.Player() != 0 {
		t.Errorf("%+v, %v", a, err)
	}
	b.answers = []func(Input) (Answer, error){says(Applied)}
	n = len(b.inputs)
	if _, err := s.Do(ctx, in); err != nil || len(b.inputs) != n+2 || b.inputs[n].Op != Join || s.Number() != 1 {
		t.Errorf("%+v, %v", b.inputs[n:], err)
	}
	if _, err := s.Do(ctx, Input{Op: Do, Command: play.Command{Do: "fly"}}); err == nil || s.Number() != 1 {
		t.Errorf("an unknown command: %v", err)
	}
}
