package sandbox

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/quarry2d/quarry/geom"
)

const (
	// maxName bounds a client's name, in runes.
	maxName = 24
	// peopleEvery is the shortest time between two PEOPLE messages, pointersEvery between two POINTERS.
	peopleEvery   = time.Second / 4
	pointersEvery = time.Second / 20
)

// person is what others see of a client.
type person struct {
	ID   uint64 `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
	// Did is the last command that changed the world, and Times the number of such commands so far.
	Did   string `json:"did,omitempty"`
	Times int    `json:"times,omitempty"`
	// Asks is the command that the client asks the owners for, Scene its scene, and Ask the number for "answer".
	Asks  string `json:"asks,omitempty"`
	Scene string `json:"scene,omitempty"`
	Ask   int    `json:"ask,omitempty"`
}

// people has the messages about the clients that all of them share.
type people struct {
	rev      uint64 // grows with each change of a person
	made     uint64 // the revision of list
	list     []byte // the PEOPLE message
	due      time.Time
	moves    uint64 // grows with each move of a pointer
	drawn    uint64 // the moves of pointers
	pointers []byte // the POINTERS message
	next     time.Time
}

// called returns a client's name.
func (c *client) called() string {
	if c.nick != "" {
		return c.nick
	}
	return fmt.Sprintf("Guest %d", c.player)
}

// rename sets a client's name.
func (s *sim) rename(c *client, m Command) error {
	c.nick = tidy(m.Name)
	s.people.rev++
	return nil
}

// tidy returns a name without control characters, repeated spaces, and runes beyond maxName.
func tidy(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	runes := []rune(strings.Join(strings.Fields(name), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), maxName)]))
}

// point sets the place of a client's pointer, or with All that it has none.
func (s *sim) point(c *client, m Command) error {
	c.pointer, c.points = geom.V(m.X, m.Y), !m.All
	s.people.moves++
	return nil
}

// did notes that a client has changed the world.
func (s *sim) did(c *client, do string) {
	c.did, c.times = do, c.times+1
	s.people.rev++
}

// look makes the shared messages again if they are due.
func (p *people) look(s *sim, now time.Time) {
	if p.rev != p.made && !now.Before(p.due) {
		p.made, p.due = p.rev, now.Add(peopleEvery)
		list := []person{}
		for _, c := range s.clients {
			q := person{ID: uint64(c.player), Name: c.called(), Role: c.role.String(), Did: c.did, Times: c.times}
			if c.asked != 0 {
				q.Asks, q.Scene, q.Ask = c.asks.Do, c.asks.Name, c.asked
			}
			list = append(list, q)
		}
		p.list = appendJSON(nil, msgPeople, list)
	}
	if p.moves != p.drawn && !now.Before(p.next) {
		p.drawn, p.next = p.moves, now.Add(pointersEvery)
		b := append(appendHeader(nil, msgPointers, 0), 0, 0, 0, 0)
		n := uint32(0)
		for _, c := range s.clients {
			if c.points {
				b = wire.AppendUint32(b, uint32(c.player))
				b = appendF64(appendF64(b, c.pointer.X), c.pointer.Y)
				n++
			}
		}
		wire.PutUint32(b[4:], n)
		p.pointers = b
	}
}

// syncPeople appends the PEOPLE and POINTERS that the client has not got.
func (c *client) syncPeople(s *sim) {
	p := &s.people
	if c.people != p.made {
		c.people = p.made
		c.batch.bytes = append(c.batch.bytes, p.list...)
		c.batch.cut()
	}
	if c.moves != p.drawn {
		c.moves = p.drawn
		c.batch.bytes = append(c.batch.bytes, p.pointers...)
		c.batch.cut()
	}
}
