package main

import "errors"

// serveCommand is not available in wasm, which has no network server.
type serveCommand struct{}

// Run returns an error.
func (serveCommand) Run() error { return errors.New("a wasm program cannot serve worlds") }

// loadCommand is not available in wasm, which has no network.
type loadCommand struct{}

// Run returns an error.
func (loadCommand) Run() error { return errors.New("a wasm program cannot reach a cluster") }

// verifyCommand is not available in wasm, which has no folder of worlds.
type verifyCommand struct{}

// Run returns an error.
func (verifyCommand) Run() error { return errors.New("a wasm program has no worlds to verify") }

// tokenCommand is not available in wasm, which has no servers.
type tokenCommand struct{}

// Run returns an error.
func (tokenCommand) Run() error { return errors.New("a wasm program makes no tokens") }
