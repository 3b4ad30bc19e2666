package main

import "errors"

// sandboxCommand is not available in wasm, which has no network server.
type sandboxCommand struct{}

// Run returns an error.
func (sandboxCommand) Run() error {
	return errors.New("a wasm program cannot serve the sandbox; run, bench, list and hash work")
}

// siteCommand is not available in wasm, which cannot run the command go.
type siteCommand struct{}

// Run returns an error.
func (siteCommand) Run() error { return errors.New("a wasm program cannot build the page") }
