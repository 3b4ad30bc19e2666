package host

import (
	"encoding/binary"
	"time"

	"github.com/quarry2d/quarry/play"
)

// Code is the outcome of an input.
type Code byte

// The outcomes. The first three mean that the input is in the log, once.
const (
	// Applied: the input was applied.
	Applied Code = 1
	// Failed: the world refused the input, or a part of it, for the reason in Answer.Text. Every host that replays the
	// log refuses it.
	Failed Code = 2
	// Again: the input was applied before; this is a retry.
	Again Code = 3
	// Early: an input of the session with a smaller number has not come. The input was not applied.
	Early Code = 4
	// Ended: there is no such session, or it has ended. The input was not applied.
	Ended Code = 5
	// Busy: the host is not the owner any more, or has too many inputs. Send the input again: one of a session is
	// applied once. Nobody knows whether one without a number was applied.
	Busy Code = 6
	// Invalid: it is no input. It was not applied.
	Invalid Code = 7
)

// Safe reports whether the input is in the log.
func (c Code) Safe() bool { return c >= Applied && c <= Again }

// Answer is the answer to an Input.
type Answer struct {
	Code   Code
	Text   string      // why, if Code is none of Applied and Again
	Player play.Player // of the new session, for Join
	Step   uint64      // at which the input was applied
	// Took is the time that it took to apply the input, for World.Do alone.
	Took time.Duration
}

// maxText bounds the text of an answer.
const maxText = 1000

// AppendBinary appends the binary form of an answer. A long text is cut.
func (a Answer) AppendBinary(dst []byte) []byte {
	dst = append(dst, byte(a.Code))
	dst = binary.AppendUvarint(dst, uint64(a.Player))
	dst = binary.AppendUvarint(dst, a.Step)
	return appendText(dst, a.Text[:min(len(a.Text), maxText)])
}

// DecodeAnswer decodes an answer. On failure it returns the zero Answer and an error.
func DecodeAnswer(b []byte) (Answer, error) {
	r := reader{b: b}
	a := Answer{Code: Code(r.byte()), Player: play.Player(r.uvarint()), Step: r.uvarint()}
	a.Text = string(r.bytes(maxText))
	if err := r.end("answer"); err != nil {
		return Answer{}, err
	}
	return a, nil
}
