//go:build js && wasm

// Command page is the sandbox for a page without a server: it runs in a Web Worker of the browser. "quarry site" builds
// it.
package main

import (
	"syscall/js"

	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

func main() {
	start := "outpost"
	if name := js.Global().Get("quarryScene"); name.Truthy() {
		start = name.String()
	}
	sandbox.ServeWorker(sandbox.Config{Scenes: scene.All(), Start: start})
	select {}
}
