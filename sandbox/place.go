package sandbox

import (
	"encoding/binary"
	"math"

	"github.com/quarry2d/quarry/geom"
)

// place is where a body is, on the lattice of FRAME: x and y in 1/4096 of a cell, the angle in 1/65536 of a turn.
type place struct {
	x, y  int64
	angle uint16
}

// placeUnit is the number of units of x and y in a cell.
const placeUnit = 4096

func placeOf(t geom.Transform) place {
	return place{
		int64(math.Floor(t.P.X*placeUnit + 0.5)), int64(math.Floor(t.P.Y*placeUnit + 0.5)),
		uint16(int32(math.Floor(t.Q.Angle()*(1<<15)/math.Pi + 0.5))),
	}
}

// track is what a client knows of a body: its last place, and its last change, which it takes to be the next one, too.
type track struct {
	place
	dx, dy int32
	turn   uint16
	known  bool
	stale  bool // the body has changed since
}

// append appends the body to a FRAME: gap is the number of bodies left out before it.
func (t *track) append(dst []byte, gap int, awake bool, now place) []byte {
	dx, dy := now.x-t.x, now.y-t.y
	whole := !t.known || dx != int64(int32(dx)) || dy != int64(int32(dy))
	head := uint64(gap) << 2
	if whole {
		head |= frameWhole
		*t = track{}
	}
	if awake {
		head |= frameAwake
	}
	turn := now.angle - t.angle
	dst = binary.AppendUvarint(dst, head)
	dst = binary.AppendVarint(dst, now.x-t.x-int64(t.dx))
	dst = binary.AppendVarint(dst, now.y-t.y-int64(t.dy))
	dst = binary.AppendVarint(dst, int64(int16(turn-t.turn)))
	if whole { // its change is not known
		*t = track{place: now, known: true}
		return dst
	}
	*t = track{place: now, dx: int32(dx), dy: int32(dy), turn: turn, known: true}
	return dst
}
