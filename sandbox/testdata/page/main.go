//go:build js && wasm

// Command page is the page without a server with scenes for tests instead of all scenes of the registry.
package main

import (
	"github.com/quarry2d/quarry/internal/worldtest"
	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

func main() {
	radial, _ := scene.Get("radial_match")
	sandbox.ServeWorker(sandbox.Config{Scenes: []scene.Scene{worldtest.Pit, radial}, Start: "pit", Paused: true})
	select {}
}
