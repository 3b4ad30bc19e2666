package host

import (
	"encoding/binary"
	"fmt"

	"github.com/quarry2d/quarry/play"
)

// recordVersion is the first byte of a record. Later versions of this package decode all versions so far.
const recordVersion = 1

// Kind is the kind of a Record.
type Kind byte

// The kinds. Their numbers are in logs: they never change.
const (
	Birth  Kind = 1 // the first record of a world: its scene
	Claim  Kind = 2 // a host becomes the owner, and an epoch begins
	Inputs Kind = 3 // inputs of players
	Mark   Kind = 4 // nothing: it tells how far the world is, and its hash
	Part   Kind = 5 // a part of the bytes of a long record, which is applied with the last part
)

// Record is a record of the log of a world.
type Record struct {
	Kind  Kind
	Epoch uint64 // of the owner that appended the record; 0 for Birth
	// Step is the number of steps after which the record's inputs are applied.
	Step uint64
	// Time is the owner's clock at the append, in milliseconds. It only paces a takeover.
	Time int64
	// CheckStep and Hash are a number of steps and the hash of the world after them, with the inputs of all earlier
	// records and none of this one. They are set if Checked.
	Checked   bool
	CheckStep uint64
	Hash      uint64

	Scene     string // of Birth
	World     []byte // of Birth, from Pack: the world in place of that of a scene; nil: there is a scene
	Paused    bool   // of Birth
	MaxBodies int    // of Birth, as in play.New
	Owner     string // of Claim: the name of the host
	Entropy   uint64 // of Claim: tells two claims of one host apart
	Engine    string // of Claim: the version of the engine, which all records of the epoch need
	Codec     byte   // of Claim: the greatest play.CodecVersion of the epoch's commands
	Index     int    // of Part, from 0
	Count     int    // of Part: the number of parts
	Data      []byte // of Part
	Inputs    []Input
}

// MaxInputs bounds the inputs of one record.
const MaxInputs = 64

// maxEngine bounds the text of a version of the engine.
const maxEngine = 200

// maxParts bounds the parts of a record.
const maxParts = (MaxWorld + MaxInputs*maxCommand) / maxPart * 2

const (
	flagChecked = 1
	flagStill   = 2 // Birth: it is paused
	flagOwn     = 4 // Birth: it has a packed world
)

// AppendBinary appends the binary form of a record.
func (r *Record) AppendBinary(dst []byte) ([]byte, error) {
	flags := byte(0)
	if r.Checked {
		flags = flagChecked
	}
	if r.Kind == Birth && r.Paused {
		flags |= flagStill
	}
	if r.Kind == Birth && r.World != nil {
		flags |= flagOwn
	}
	dst = append(dst, recordVersion, byte(r.Kind), flags)
	dst = binary.AppendUvarint(dst, r.Epoch)
	dst = binary.AppendUvarint(dst, r.Step)
	dst = binary.AppendUvarint(dst, uint64(r.Time))
	if r.Checked {
		dst = binary.AppendUvarint(dst, r.Step-r.CheckStep)
		dst = binary.LittleEndian.AppendUint64(dst, r.Hash)
	}
	switch r.Kind {
	case Birth:
		dst = binary.AppendUvarint(appendText(dst, r.Scene), uint64(r.MaxBodies))
		if r.World != nil {
			dst = append(binary.AppendUvarint(dst, uint64(len(r.World))), r.World...)
		}
		return dst, nil
	case Claim:
		dst = appendText(dst, r.Owner)
		dst = binary.LittleEndian.AppendUint64(dst, r.Entropy)
		return append(appendText(dst, r.Engine), r.Codec), nil
	case Part:
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(r.Index)), uint64(r.Count))
		return append(binary.AppendUvarint(dst, uint64(len(r.Data))), r.Data...), nil
	case Inputs:
		dst = binary.AppendUvarint(dst, uint64(len(r.Inputs)))
		for i := range r.Inputs {
			var err error
			if dst, err = r.Inputs[i].AppendBinary(dst); err != nil {
				return dst, err
			}
		}
	}
	return dst, nil
}

// DecodeRecord decodes and checks a record. On failure it returns the zero Record and an error.
func DecodeRecord(b []byte) (Record, error) {
	d := reader{b: b}
	if v := d.byte(); d.err == nil && v != recordVersion {
		return Record{}, fmt.Errorf("host: record: it has version %d, the greatest that this program reads is %d",
			v, recordVersion)
	}
	r := Record{Kind: Kind(d.byte())}
	flags := d.byte()
	r.Epoch, r.Step, r.Time = d.uvarint(), d.uvarint(), int64(d.uvarint()&(1<<62-1))
	if r.Checked = flags&flagChecked != 0; r.Checked {
		before := d.uvarint()
		r.CheckStep, r.Hash = r.Step-before, d.uint64()
		if before > r.Step {
			d.fail(fmt.Errorf("its hash is of %d steps before step %d", before, r.Step))
		}
	}
	switch {
	case flags&^(flagChecked|flagStill|flagOwn) != 0 || flags > flagChecked && r.Kind != Birth:
		d.fail(fmt.Errorf("unknown flags %x", flags))
	case r.Kind == Birth:
		r.Scene, r.MaxBodies = string(d.bytes(MaxName)), int(min(d.uvarint(), 1<<30))
		if r.Paused = flags&flagStill != 0; flags&flagOwn != 0 {
			r.World = d.bytes(MaxWorld)
		}
	case r.Kind == Claim:
		r.Owner, r.Entropy = string(d.bytes(MaxName)), d.uint64()
		r.Engine, r.Codec = string(d.bytes(maxEngine)), d.byte()
		if d.err == nil && r.Codec > play.CodecVersion {
			d.fail(fmt.Errorf("its epoch has commands of version %d, the greatest that this program reads is %d",
				r.Codec, play.CodecVersion))
		}
	case r.Kind == Part:
		r.Index, r.Count = int(min(d.uvarint(), maxParts)), int(min(d.uvarint(), maxParts+1))
		if r.Data = d.bytes(maxPart); r.Index >= r.Count || r.Count > maxParts {
			d.fail(fmt.Errorf("part %d of %d, the limit is %d", r.Index, r.Count, maxParts))
		}
	case r.Kind == Inputs:
		d.inputs(&r)
	case r.Kind != Mark:
		d.fail(fmt.Errorf("unknown kind %d", r.Kind))
	}
	if err := d.end("record"); err != nil {
		return Record{}, err
	}
	return r, nil
}

// inputs reads the inputs of a record.
func (d *reader) inputs(r *Record) {
	n := d.uvarint()
	if n > MaxInputs {
		d.fail(fmt.Errorf("it has %d inputs, the limit is %d", n, MaxInputs))
	}
	for ; n > 0 && d.err == nil; n-- {
		r.Inputs = append(r.Inputs, d.input())
	}
}
