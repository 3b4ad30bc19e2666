package sandbox

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// maxWorldName bounds the name of a world that is kept, in runes.
const maxWorldName = 40

// checkWorld returns an error unless Name can be the name of a world, and so of a file.
func checkWorld(c *Command) error {
	n := 0
	for _, r := range c.Name {
		if n++; !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_", r) {
			return fmt.Errorf("%s: the name %.60q must have letters, digits, spaces, - and _ only", c.Do, c.Name)
		}
	}
	if n == 0 || n > maxWorldName || strings.TrimSpace(c.Name) != c.Name {
		return fmt.Errorf("%s: the name %.60q must have 1 to %d characters, and no space at its ends", c.Do, c.Name,
			maxWorldName)
	}
	return nil
}

var errNoLibrary = errors.New("this sandbox keeps no worlds under names")

// keepAs keeps the world under a name.
func (s *sim) keepAs(c *client, m Command) error {
	if s.library == nil {
		return fmt.Errorf("keep: %w", errNoLibrary)
	}
	b, err := s.AppendSnapshot(nil)
	if err != nil {
		return fmt.Errorf("keep: %w", err)
	}
	return s.library.begin(c, "keep", func() error { return s.library.put(m.Name, b) })
}

// open goes on with a world that is kept.
func (s *sim) open(c *client, m Command) error {
	if s.library == nil {
		return fmt.Errorf("open: %w", errNoLibrary)
	}
	library := s.library
	s.goOn(c, m, func() ([]byte, error) {
		b, err := library.get(m.Name)
		if err != nil {
			err = fmt.Errorf("open: %w", err)
		}
		return b, err
	})
	return nil
}

// forget removes a world that is kept.
func (s *sim) forget(c *client, m Command) error {
	if s.library == nil {
		return fmt.Errorf("forget: %w", errNoLibrary)
	}
	return s.library.begin(c, "forget", func() error { return s.library.remove(m.Name) })
}
