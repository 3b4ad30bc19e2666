package host

import (
	"encoding/binary"
	"slices"

	"github.com/quarry2d/quarry/play"
)

// maxSessions bounds the sessions of a world. One more ends the session that was used longest ago.
const maxSessions = 4096

// session is what a world knows of the inputs of a player, so that each is applied once.
type session struct {
	player play.Player
	number uint64 // of the last input
	used   uint64 // step of the last input
}

// sessions are the sessions of a world, in the order of their players.
type sessions struct {
	list []session
	made uint64 // number of sessions so far
}

// find returns the session of a player, or nil.
func (s *sessions) find(by play.Player) *session {
	i, ok := slices.BinarySearchFunc(s.list, by, func(x session, by play.Player) int {
		return int(int64(x.player) - int64(by))
	})
	if !ok {
		return nil
	}
	return &s.list[i]
}

// check returns Applied if an input is the next of its player, and otherwise why it is not.
func (s *sessions) check(in *Input) Code {
	if in.Number == 0 {
		return Applied
	}
	x := s.find(in.Player)
	switch {
	case x == nil:
		return Ended
	case in.Number <= x.number:
		return Again
	case in.Number > x.number+1:
		return Early
	}
	return Applied
}

// next is check, and counts the input at a step if it is the next one.
func (s *sessions) next(in *Input, step uint64) Code {
	c := s.check(in)
	if c == Applied && in.Number > 0 {
		x := s.find(in.Player)
		x.number, x.used = in.Number, step
	}
	return c
}

// join begins a session at a step and returns its player. If there are too many, it ends one, and calls ended with it.
func (s *sessions) join(step uint64, ended func(play.Player)) play.Player {
	if len(s.list) >= maxSessions {
		oldest := 0
		for i := range s.list {
			if s.list[i].used < s.list[oldest].used {
				oldest = i
			}
		}
		ended(s.list[oldest].player)
		s.list = slices.Delete(s.list, oldest, oldest+1)
	}
	by := FirstSession + play.Player(s.made)
	s.made++
	s.list = append(s.list, session{player: by, used: step})
	return by
}

// leave ends the session of a player, if there is one.
func (s *sessions) leave(by play.Player) {
	s.list = slices.DeleteFunc(s.list, func(x session) bool { return x.player == by })
}

// append appends a binary form.
func (s *sessions) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, s.made)
	dst = binary.AppendUvarint(dst, uint64(len(s.list)))
	for _, x := range s.list {
		dst = binary.AppendUvarint(dst, uint64(x.player-FirstSession))
		dst = binary.AppendUvarint(dst, x.number)
		dst = binary.AppendUvarint(dst, x.used)
	}
	return dst
}

// sessions reads what sessions.append wrote.
func (r *reader) sessions() (s sessions) {
	s.made = r.uvarint()
	for n := r.uvarint(); n > 0 && r.err == nil; n-- {
		x := session{FirstSession + play.Player(r.uvarint()), r.uvarint(), r.uvarint()}
		if k := len(s.list); x.player < FirstSession || uint64(x.player-FirstSession) >= s.made ||
			k > 0 && s.list[k-1].player >= x.player || k == maxSessions {
			r.fail(errDamaged)
		}
		s.list = append(s.list, x)
	}
	return s
}
