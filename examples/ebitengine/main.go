// Command ebitengine is a small game of digging and building: a miner on hills of tiles, drawn by
// Ebitengine. Parts that are cut off fall; bombs dig craters; time can be turned back.
//
// level.go makes the world, game.go has the rules and knows no screen, draw.go the picture. Run it with
//
//	go run .
//
// or in a browser: GOOS=js GOARCH=wasm go build -o miner.wasm .
package main

import (
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/quarry2d/quarry/geom"
)

// window connects the game to Ebitengine, which calls Update 60 times a second.
type window struct {
	game   *game
	camera camera
	canvas canvas
}

func (w *window) Update() error {
	key := func(keys ...ebiten.Key) bool {
		for _, k := range keys {
			if ebiten.IsKeyPressed(k) {
				return true
			}
		}
		return false
	}
	w.game.update(input{
		left:   key(ebiten.KeyA, ebiten.KeyArrowLeft),
		right:  key(ebiten.KeyD, ebiten.KeyArrowRight),
		jump:   key(ebiten.KeyW, ebiten.KeyArrowUp, ebiten.KeySpace),
		down:   key(ebiten.KeyS, ebiten.KeyArrowDown),
		rewind: key(ebiten.KeyR),
		throw:  inpututil.IsKeyJustPressed(ebiten.KeyF),
		dig:    ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft),
		build:  ebiten.IsMouseButtonPressed(ebiten.MouseButtonRight),
		aim:    w.camera.world(ebiten.CursorPosition()),
	})
	d := w.game.hero.Position.Add(geom.V(0, 2)).Sub(w.camera.center)
	w.camera.center = w.camera.center.Add(d.Mul(0.15))
	return nil
}

func (w *window) Draw(screen *ebiten.Image) { w.canvas.draw(screen, w.game, w.camera) }

func (w *window) Layout(int, int) (int, int) { return screenW, screenH }

func main() {
	w := &window{game: newGame()}
	w.camera.center = w.game.hero.Position
	ebiten.SetWindowSize(screenW, screenH)
	ebiten.SetWindowTitle("Quarry: a miner")
	if err := ebiten.RunGame(w); err != nil {
		log.Fatal(err)
	}
}
