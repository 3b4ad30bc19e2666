package host

import (
	"errors"
	"fmt"
)

// maxPart is the greatest length of a record that is appended as one: NATS carries 1 MB.
const maxPart = 512 << 10

// parts returns the records that are appended for the bytes of r: these, or Parts of at most most of them each.
func (r *Record) parts(b []byte, most int) (list [][]byte, err error) {
	if len(b) <= most {
		return [][]byte{b}, nil
	}
	n := (len(b) + most - 1) / most
	for i := range n {
		p := Record{
			Kind: Part, Epoch: r.Epoch, Step: r.Step, Time: r.Time, Index: i, Count: n,
			Data: b[i*most : min(len(b), (i+1)*most)],
		}
		one, err := p.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// joiner decodes the records of a log in their order, and joins Parts.
type joiner struct {
	whole []byte // of the parts so far
	next  int    // index of the next part
	begun bool   // a record was decoded
}

// decode decodes the next record. It returns false if that is a part that is not the last one. A record whose owner
// did not append all parts is left out: it was never applied.
func (j *joiner) decode(b []byte) (r Record, whole bool, err error) {
	first := !j.begun
	j.begun = true
	if r, err = DecodeRecord(b); err != nil || r.Kind != Part {
		j.whole, j.next = nil, 0
		return r, true, err
	}
	last := r.Index == r.Count-1
	switch {
	case first && last && r.Index > 0: // the log was trimmed to a snapshot that contains it
		r.Kind, r.Data = Mark, nil
		return r, true, nil
	case r.Index == 0:
		j.whole, j.next = nil, 0
	case r.Index != j.next:
		return Record{}, false, fmt.Errorf("part %d of %d follows part %d", r.Index, r.Count, j.next-1)
	}
	j.whole, j.next = append(j.whole, r.Data...), j.next+1
	if !last {
		return r, false, nil
	}
	r, err = DecodeRecord(j.whole)
	if err == nil && r.Kind == Part {
		err = errors.New("a part has parts")
	}
	j.whole, j.next = nil, 0
	return r, true, err
}
