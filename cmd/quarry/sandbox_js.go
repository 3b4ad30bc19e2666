package main

import "errors"

// sandboxCommand is not available in wasm, which has no network server.
type sandboxCommand struct{}

// Run returns an error.
func (sandboxCommand) Run() error {
	return errors.New("a wasm program cannot serve the sandbox; run, bench, list and hash work")
}

// galleryCommand is not available in wasm, which has no files.
type galleryCommand struct{}

// Run returns an error.
func (galleryCommand) Run() error { return errors.New("a wasm program cannot write the gallery") }

// siteCommand is not available in wasm, which cannot run the command go.
type siteCommand struct{}

// Run returns an error.
func (siteCommand) Run() error { return errors.New("a wasm program cannot build the page") }
