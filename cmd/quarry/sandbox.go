//go:build !js

package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

// sandboxCommand serves the sandbox.
type sandboxCommand struct {
	Addr  string `help:"Address to serve on (${default})." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	Scene string `help:"Scene or map file to begin with (${default})." default:"valley" placeholder:"FILE_OR_SCENE"`
	source
}

// Run serves until it is interrupted.
func (c sandboxCommand) Run(s streams) error {
	first, err := c.open(c.Scene, s)
	if err != nil {
		return err
	}
	scenes := scene.All()
	if _, ok := scene.Get(first.Name); !ok {
		scenes = append(scenes, first) // a map file
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C does not wait for the step under way
	return sandbox.New(sandbox.Config{Scenes: scenes, Start: first.Name}).ListenAndServe(ctx, c.Addr, func(addr string) {
		fmt.Fprintf(s.out, "quarry: the sandbox is at http://%s (Ctrl-C ends it)\n", addr)
	})
}
