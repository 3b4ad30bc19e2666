package main

import "errors"

// sandboxCommand has no place to serve from in a wasm program.
type sandboxCommand struct{}

// Run says so.
func (sandboxCommand) Run() error {
	return errors.New("a wasm program cannot serve the sandbox; run, bench, list and hash work")
}
