//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/filelog"
	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

// dataFlag is the folder of the worlds of serve and verify.
type dataFlag struct {
	Data string `help:"Folder of the worlds (default: quarry/worlds in the user's folder of settings)." placeholder:"DIR"`
}

// folder returns the folder.
func (c dataFlag) folder() (string, error) {
	if c.Data != "" {
		return c.Data, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no folder for the worlds: %w; name one by --data DIR", err)
	}
	return filepath.Join(dir, "quarry", "worlds"), nil
}

// serveCommand serves several worlds.
type serveCommand struct {
	dataFlag
	Addr     string        `help:"Address to serve on (${default})." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	World    []string      `help:"World to make, if there is none of that name: NAME, or NAME=SCENE (valley). Without any world, one is made, named sandbox." placeholder:"NAME[=SCENE]"`
	Snapshot time.Duration `help:"Longest time between two snapshots of a world (${default})." default:"30s" placeholder:"TIME"`
	History  bool          `help:"Keep all records of the worlds ever made, not only those since the snapshot before the last."`
	Keys     string        `help:"File with the keys of tokens, as quarry token makes it: a link with a token gives its role in one world." placeholder:"FILE"`
	Guests   string        `help:"Role of visitors without a token in the link: own, build, play, look or none (own; with --keys look)." placeholder:"ROLE"`
	clusterFlags
	MaxBodies int `help:"Number of bodies at which additions to a new world are refused (${default})." default:"20000" placeholder:"N"`
}

// Run serves until it is interrupted.
func (c serveCommand) Run(s streams) error {
	if len(c.Nats) > 0 {
		return c.member(s)
	}
	dir, err := c.folder()
	if err != nil {
		return err
	}
	folder, err := filelog.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	names, err := folder.Worlds()
	if err != nil {
		return err
	}
	leases := host.NewAlone(names)
	if err := c.create(folder, leases, len(names) == 0); err != nil {
		return err
	}
	return c.serve(host.Config{Name: "alone", Log: folder, Shelf: folder.Shelf, Leases: leases}, s)
}

// serve runs a host and shows its worlds, until it is interrupted. Then the worlds are handed over, and the pages go
// last.
func (c serveCommand) serve(config host.Config, s streams) error {
	log := func(line string) { fmt.Fprintf(s.err, "quarry: %s\n", line) }
	keys, guests, err := c.access()
	if err != nil {
		return err
	}
	pages := sandbox.NewWorlds(sandbox.Config{Scenes: scene.All(), Log: log, Keys: keys, Guests: guests})
	config.Serve, config.Snapshot, config.Whole = pages.Serve, c.Snapshot, c.History
	config.Logger = slog.New(slog.NewTextHandler(s.err, nil)).With("host", config.Name)
	h, err := host.New(config)
	if err != nil {
		return err
	}
	pages.Of(h)
	if !c.has("gateway") {
		pages.OnlyForwarded()
	}
	return c.run(h, pages, s)
}

// run runs the host and serves its worlds.
func (c serveCommand) run(h *host.Host, pages *sandbox.Worlds, s streams) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	serving, end := context.WithCancel(context.Background())
	defer end()
	ran := make(chan error, 1)
	err := pages.ListenAndServe(serving, c.Addr, func(addr string) {
		s.announce(addr, machineAddresses())
		go func() {
			defer end()
			ran <- h.Run(ctx)
		}()
	})
	if err != nil {
		stop()
		return err
	}
	return <-ran
}

// create makes the worlds that are asked for and not there. Without any world it makes one.
func (c serveCommand) create(log host.Log, leases host.Leases, none bool) error {
	if c.MaxBodies < 0 {
		return fmt.Errorf("--max-bodies %d is out of range: it must be 0 or more", c.MaxBodies)
	}
	list := c.World
	if none && len(list) == 0 {
		list = []string{"sandbox"}
	}
	for _, w := range list {
		name, of, ok := strings.Cut(w, "=")
		if !ok {
			of = "valley"
		}
		if _, ok := scene.Get(of); !ok {
			return fmt.Errorf("--world %s: %w", w, unknownScene("scene", of))
		}
		err := host.Create(context.Background(), log, leases, name, of, c.MaxBodies)
		if err != nil && !errors.Is(err, host.ErrRefused) {
			return fmt.Errorf("--world %s: %w", w, err)
		}
	}
	return nil
}

// verifyCommand replays the log of a world.
type verifyCommand struct {
	Name string `arg:"" name:"world" help:"Name of the world."`
	dataFlag
}

// Run replays the log as far as it is there, and prints the number of records and the hash; it fails at the first hash
// that differs.
func (c verifyCommand) Run(s streams) error {
	dir, err := c.folder()
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, c.Name)); err != nil {
		return fmt.Errorf("there is no world %.80q in %s", c.Name, dir)
	}
	folder, err := filelog.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	v, err := host.Verify(context.Background(), folder, c.Name, scene.Get, host.Seen{})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s: %d records, %d inputs, %d owners, %d steps; %d hashes and %d snapshots are equal to the "+
		"replay's\n", c.Name, v.Records, v.Inputs, v.Epochs, v.Steps, v.Hashes, v.Snapshots)
	if v.From > 0 {
		fmt.Fprintf(s.out, "  from the snapshot of step %d on: the records before it were dropped\n", v.From)
	}
	if v.Passed > 0 {
		fmt.Fprintf(s.out, "  %d snapshots of owners that had been deposed are no part of its history\n", v.Passed)
	}
	_, err = fmt.Fprintf(s.out, "  hash      %016x\n", v.Hash)
	return err
}
