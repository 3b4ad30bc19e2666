//go:build !js

package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/quarry2d/quarry/sandbox"
)

// tokenCommand makes a token for a link.
type tokenCommand struct {
	World string        `arg:"" help:"Name of the world."`
	Role  string        `help:"Role that the token gives: own, build, play or look (${default})." default:"build" enum:"own,build,play,look"`
	For   time.Duration `help:"Time for which the token is valid (${default})." default:"720h" placeholder:"TIME"`
	Keys  string        `help:"File with the keys of the servers. It is made if it is missing." required:"" placeholder:"FILE"`
}

// Run prints the token.
func (c tokenCommand) Run(s streams) error {
	if c.For <= 0 {
		return fmt.Errorf("--for %v is out of range: it must be above 0", c.For)
	}
	if err := makeKeys(c.Keys, s); err != nil {
		return err
	}
	keys, err := sandbox.ReadKeys(c.Keys)
	if err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	role, err := sandbox.ParseRole(c.Role)
	if err != nil {
		return err
	}
	token, err := keys.Token(c.World, role, time.Now().Add(c.For))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, token)
	return err
}

// makeKeys makes a file with a random key if there is none.
func makeKeys(path string, s streams) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	_, err = fmt.Fprintln(f, rand.Text()+rand.Text())
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("--keys: %w", err)
	}
	fmt.Fprintf(s.err, "quarry: a new key is in %s; servers need the same file\n", path)
	return nil
}

// access returns the keys that tokens are checked with, and the role of visitors without a token.
func (c serveCommand) access() (keys *sandbox.Keys, guests sandbox.Role, err error) {
	if c.Keys != "" {
		if keys, err = sandbox.ReadKeys(c.Keys); err != nil {
			return nil, 0, fmt.Errorf("--keys: %w", err)
		}
		guests = sandbox.Look
	}
	if c.Guests != "" {
		if guests, err = sandbox.ParseRole(c.Guests); err != nil {
			return nil, 0, fmt.Errorf("--guests: %w", err)
		}
	}
	return keys, guests, nil
}
