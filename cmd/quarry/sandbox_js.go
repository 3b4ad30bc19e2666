package main

import "errors"

// sandboxCommand is not available in wasm, which has no network server.
type sandboxCommand struct{}

// Run returns an error.
func (sandboxCommand) Run() error {
	return errors.New("a wasm program cannot serve the sandbox; run, bench, list and hash work")
}
