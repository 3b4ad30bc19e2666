package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Role is what a client may do. Each role may do all that those after it may.
type Role uint8

// The roles.
const (
	// Own is the role of who pauses, resets, goes back, and chooses the scene, and grants these to others who ask.
	Own   Role = iota
	Build      // changes the ground, bodies and joints
	Play       // drags bodies, and drives
	Look
	// None is the role of who is not let in.
	None
)

var roleNames = [...]string{"own", "build", "play", "look", "none"}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return fmt.Sprintf("role %d", uint8(r))
}

// ParseRole returns the role of a name: own, build, play, look or none.
func ParseRole(name string) (Role, error) {
	if i := slices.Index(roleNames[:], name); i >= 0 {
		return Role(i), nil
	}
	return None, fmt.Errorf("unknown role %.20q; the roles are %s", name, strings.Join(roleNames[:], ", "))
}

// needs are the roles that commands need, where it is not Build for a command of package play, or Own for one of the
// sandbox.
var needs = map[string]Role{
	"release": Look, "view": Look, "draw": Look, "ack": Look, "name": Look, "point": Look, "lens": Look, "news": Look,
	"grab": Play, "through": Play, "board": Play, "drive": Play, "leave": Play,
}

// need returns the role that a command needs.
func need(do string) Role {
	if r, ok := needs[do]; ok {
		return r
	}
	if descriptions[do] != nil {
		return Own
	}
	return Build
}

// allow returns an error if a client may not give a command. For one that an owner could give, the owners are asked
// first.
func (s *sim) allow(c *client, m *Command) error {
	least := need(m.Do)
	switch {
	case c.role <= least:
		return nil
	case least != Own || c.role == Look || m.Do == "answer":
		return fmt.Errorf("%s: your link lets you %s only", m.Do, c.role)
	case !slices.ContainsFunc(s.clients, func(o *client) bool { return o.role == Own && !o.ended() }):
		return fmt.Errorf("%s: only an owner of this world may do that, and none is here", m.Do)
	}
	s.asks++
	c.asks, c.asked = *m, s.asks
	s.people.rev++
	return fmt.Errorf("%s: an owner of this world was asked", m.Do)
}

// answer lets an owner allow or refuse what another client asked for.
func (s *sim) answer(by *client, m Command) error {
	i := slices.IndexFunc(s.clients, func(c *client) bool { return c.asked != 0 && c.asked == m.N })
	if i < 0 {
		return errors.New("answer: nobody asks for that any more")
	}
	c := s.clients[i]
	wanted := c.asks
	c.asks, c.asked = Command{}, 0
	s.people.rev++
	if !m.All {
		c.complain(fmt.Errorf("%s: %s says no", wanted.Do, by.called()))
		return nil
	}
	if err := s.refuse(&wanted); err != nil {
		return err
	}
	s.did(c, wanted.Do)
	return descriptions[wanted.Do].do(s, c, wanted)
}
