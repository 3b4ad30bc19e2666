package host

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/play"
)

// Op is what an Input does.
type Op byte

// The operations. Their numbers are in logs: they never change.
const (
	Do     Op = 1 // executes Command
	Join   Op = 2 // begins a session, whose player the Answer names
	Leave  Op = 3 // ends a session, and the drag and the stroke of its player
	Pause  Op = 4 // no step is made from now on
	Resume Op = 5
	Steps  Op = 6  // makes N steps of a paused world
	Start  Op = 7  // starts Scene, or the present scene again if it is ""
	Speed  Op = 9  // sets the speed: N/16 steps a tick; a world begins with NormalSpeed
	Clear  Op = 8  // ends the drags and strokes of all players; a new owner begins with it
	Begin  Op = 10 // goes on with World, in place of the present one; nobody holds anything in it
	Repeat Op = 11 // notes N, 1 or 0: whether who shows the world starts a scene again once all of it is at rest
)

// FirstSession is the least player of a session. Smaller players belong to the owner's own process: they have no
// session, are not retried, and their drags and strokes end with the epoch.
const FirstSession play.Player = 1 << 32

// MaxWorld is the greatest length of Input.World.
const MaxWorld = 32 << 20

// MaxPending bounds the steps that were asked for and not yet made.
const MaxPending = 3600

// The speeds of Speed: NormalSpeed is real time.
const (
	NormalSpeed = 16
	MaxSpeed    = 4 * NormalSpeed
)

// Input is what a player gives to a world.
type Input struct {
	Player play.Player
	// Number counts the inputs of a session, from 1. An input with a number that was applied already is not applied
	// again; one with a gap before it is not applied yet. It is 0 for players without a session, and for Join.
	Number  uint64
	Op      Op
	Command play.Command // of Do
	N       int          // of Steps, 1 to MaxPending; of Speed, 1 to MaxSpeed; of Repeat
	Scene   string       // of Start, at most MaxName bytes
	World   []byte       // of Begin, from Pack; nobody changes it
	built   *built       // of Start or Begin; nil until it is built
}

// Check returns an error if the input is invalid in any world.
func (in *Input) Check() error {
	session := in.Player >= FirstSession
	switch {
	case in.Op == Join:
		if in.Player != 0 || in.Number != 0 {
			return errors.New("join: it has a player or a number already")
		}
	case session != (in.Number > 0):
		return fmt.Errorf("input %d of player %d: sessions have numbers, and nobody else", in.Number, in.Player)
	}
	switch in.Op {
	case Do:
		return in.Command.Check()
	case Join, Leave, Pause, Resume, Clear:
	case Steps:
		if in.N < 1 || in.N > MaxPending {
			return fmt.Errorf("step: %d steps: the number must be 1 to %d", in.N, MaxPending)
		}
	case Speed:
		if in.N < 1 || in.N > MaxSpeed {
			return fmt.Errorf("speed: %d of %d steps a tick: the number must be 1 to %d", in.N, NormalSpeed, MaxSpeed)
		}
	case Begin:
		if len(in.World) > MaxWorld {
			return fmt.Errorf("begin: the packed world has %d bytes, the limit is %d", len(in.World), MaxWorld)
		}
	case Repeat:
		if in.N < 0 || in.N > 1 {
			return fmt.Errorf("repeat: %d: it must be 0 or 1", in.N)
		}
	case Start:
		if len(in.Scene) > MaxName {
			return fmt.Errorf("scene: the name %.80q has %d bytes, the limit is %d", in.Scene, len(in.Scene), MaxName)
		}
	default:
		return fmt.Errorf("unknown operation %d of an input", in.Op)
	}
	return nil
}

// AppendBinary appends the binary form of an input that Check has accepted.
func (in *Input) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(dst, byte(in.Op))
	dst = binary.AppendUvarint(dst, uint64(in.Player))
	dst = binary.AppendUvarint(dst, in.Number)
	switch in.Op {
	case Do:
		start := len(dst)
		dst, err := in.Command.AppendBinary(dst)
		if err != nil {
			return dst[:start], err
		}
		return prefixed(dst, start), nil
	case Steps, Speed, Repeat:
		dst = binary.AppendUvarint(dst, uint64(in.N))
	case Start:
		dst = appendText(dst, in.Scene)
	case Begin:
		dst = append(binary.AppendUvarint(dst, uint64(len(in.World))), in.World...)
	}
	return dst, nil
}

// DecodeInput decodes and checks an input. On failure it returns the zero Input and an error.
func DecodeInput(b []byte) (Input, error) {
	r := reader{b: b}
	in := r.input()
	if err := r.end("input"); err != nil {
		return Input{}, err
	}
	return in, nil
}

// changesWorld reports whether the input puts another world in place of the present one.
func (in *Input) changesWorld() bool { return in.Op == Start || in.Op == Begin }

// prefixed puts the length of dst[start:] before it.
func prefixed(dst []byte, start int) []byte {
	var n [binary.MaxVarintLen64]byte
	k := binary.PutUvarint(n[:], uint64(len(dst)-start))
	dst = append(dst, n[:k]...)
	copy(dst[start+k:], dst[start:len(dst)-k])
	copy(dst[start:], n[:k])
	return dst
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// input reads an input.
func (r *reader) input() (in Input) {
	in.Op, in.Player, in.Number = Op(r.byte()), play.Player(r.uvarint()), r.uvarint()
	switch in.Op {
	case Do:
		b := r.bytes(maxCommand)
		if r.err == nil {
			in.Command, r.err = play.DecodeBinary(b)
		}
	case Steps, Speed, Repeat:
		in.N = int(min(r.uvarint(), MaxPending+1))
	case Start:
		in.Scene = string(r.bytes(MaxName))
	case Begin:
		in.World = r.bytes(MaxWorld)
	}
	if r.err == nil {
		r.err = in.Check()
	}
	return in
}

// maxCommand bounds the bytes of a command: 2 coordinates of 5 bytes for each of play.MaxCells, and 100 for the rest.
const maxCommand = 10*play.MaxCells + 100

// reader reads numbers and texts one after another. After an error it reads zeros.
type reader struct {
	b   []byte
	err error
}

var errCut = errors.New("it is cut off")

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail(errCut)
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) uvarint() uint64 {
	x, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail(errCut)
		return 0
	}
	r.b = r.b[n:]
	return x
}

func (r *reader) uint64() uint64 {
	if len(r.b) < 8 {
		r.fail(errCut)
		return 0
	}
	x := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return x
}

// bytes reads a length of at most most and that many bytes.
func (r *reader) bytes(most uint64) []byte {
	n := r.uvarint()
	if n > most {
		r.fail(fmt.Errorf("a part has %d bytes, the limit is %d", n, most))
		return nil
	}
	if n > uint64(len(r.b)) {
		r.fail(errCut)
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// end returns the error so far, or one if bytes are left. kind is what was read.
func (r *reader) end(kind string) error {
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("%d bytes too many", len(r.b))
	}
	if r.err != nil {
		return fmt.Errorf("host: %s: %w", kind, r.err)
	}
	return nil
}
