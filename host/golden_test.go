package host

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

var update = flag.Bool("update", false, "make the golden log of this version")

// golden is the log of a world of a registered scene, with commands of all kinds.
const golden = "testdata/valley.log"

// TestGoldenLog: the log that an earlier program wrote is decoded, and comes to the recorded hashes on each target. A
// change of behaviour, which changes goldens of scenes, needs -update; a change of the form of records must not.
func TestGoldenLog(t *testing.T) {
	if *update {
		writeGolden(t)
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	s := newSim(1, 0)
	s.calm = true
	w := &simWorld{}
	for len(b) > 0 {
		n := int(binary.LittleEndian.Uint32(b))
		w.records, b = append(w.records, b[4:4+n]), b[4+n:]
	}
	s.logs["w"] = w
	v, err := Verify(ctx, simLog{&simHost{sim: s}}, "w", scene.Get, Seen{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Hashes < 8 || v.Epochs != 2 || v.Inputs < 40 || v.Scene != "tiles_flat" {
		t.Errorf("%+v", v)
	}
	for i, b := range w.records {
		r, err := DecodeRecord(b)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := r.AppendBinary(nil); err != nil || !bytes.Equal(again, b) {
			t.Errorf("record %d is %x, and encoded again %x, %v", i+1, b, again, err)
		}
	}
}

// writeGolden writes the log of some seconds.
func writeGolden(t *testing.T) {
	s := newSim(1, 1)
	s.calm = true
	s.create(t, "w", "valley")
	p := s.hosts[0]
	p.start(Config{})
	p.h.config.Scenes = scene.Get
	at := tick
	give := func(in Input) *Answer {
		for {
			if _, ok := p.h.World("w"); ok {
				break
			}
			at += tick
			s.runTo(at)
		}
		a := s.give(t, p, "w", in)
		at += 8 * tick
		s.runTo(at)
		return a
	}
	by := give(Input{Op: Join}).Player
	number := uint64(0)
	do := func(in Input) {
		number++
		in.Player, in.Number = by, number
		give(in)
	}
	for i := range 20 {
		x := float64(3*i%40 - 20)
		do(Input{Op: Do, Command: play.Command{Do: "add", Kind: play.Kinds[i%len(play.Kinds)], X: x, Y: 25, Size: 1.5}})
		switch i % 5 {
		case 0:
			do(Input{Op: Do, Command: play.Command{
				Do: "dig", X0: x, Y0: 2, X1: x + 3, Y1: -4, Radius: 1.3,
				Hold: true,
			}})
		case 1:
			do(Input{Op: Do, Command: play.Command{
				Do: "build", X0: x, Y0: 6, X1: x + 4, Y1: 7, Radius: 0.7,
				Hold: true,
			}})
		case 2:
			do(Input{Op: Do, Command: play.Command{Do: "release"}})
		case 3:
			do(Input{Op: Do, Command: play.Command{Do: "breaks", All: i > 10}})
		case 4:
			do(Input{Op: Do, Command: play.Command{Do: "remove", X: x, Y: 25}})
		}
	}
	p.kill()
	p.start(Config{})
	p.h.config.Scenes = scene.Get
	at = s.now + 2*simLease
	s.runTo(at)
	do(Input{Op: Pause})
	do(Input{Op: Steps, N: 90})
	do(Input{Op: Start, Scene: "tiles_flat"})
	do(Input{Op: Resume})
	for i := range 8 {
		do(Input{Op: Do, Command: play.Command{Do: "erase", Cells: []int32{int32(i), -1, int32(i), -2}}})
		do(Input{Op: Do, Command: play.Command{
			Do: "join", Kind: "distance", X0: float64(i), Y0: 1, X1: 1,
			Y1: float64(i),
		}})
	}
	s.runTo(s.now + 5*simLease)
	do(Input{Op: Leave})
	var b []byte
	for _, r := range s.logs["w"].records {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(r))), r...)
	}
	if err := os.MkdirAll(filepath.Dir(golden), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, b, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes in %s", len(b), strings.TrimPrefix(golden, "testdata/"))
}
