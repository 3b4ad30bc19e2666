// Command ebitengine is a small game of digging and building: a miner on hills of tiles, drawn by
// Ebitengine. Parts that are cut off fall; bombs dig craters; time can be turned back.
//
// level.go makes the world, game.go has the rules and knows no screen, draw.go the picture. The game makes 60 steps a
// second on screens of any rate. Run it with
//
//	go run .
//
// or in a browser: GOOS=js GOARCH=wasm go build -o miner.wasm .
package main

import (
	"log"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// window connects the game to Ebitengine, which calls Update and Draw once for each frame of the screen.
type window struct {
	game   *game
	clock  quarry.Clock // makes steps of dt of the frames
	last   time.Time    // of the last frame
	throw  bool         // a bomb is to be thrown in the next step: a frame may have none
	camera camera
	from   geom.Vec // the camera's centre before the last step
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
	now := time.Now()
	frame := now.Sub(w.last).Seconds()
	w.last = now
	w.throw = w.throw || inpututil.IsKeyJustPressed(ebiten.KeyF)
	for range w.clock.Advance(frame) {
		w.game.update(input{
			left:   key(ebiten.KeyA, ebiten.KeyArrowLeft),
			right:  key(ebiten.KeyD, ebiten.KeyArrowRight),
			jump:   key(ebiten.KeyW, ebiten.KeyArrowUp, ebiten.KeySpace),
			down:   key(ebiten.KeyS, ebiten.KeyArrowDown),
			rewind: key(ebiten.KeyR),
			throw:  w.throw,
			dig:    ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft),
			build:  ebiten.IsMouseButtonPressed(ebiten.MouseButtonRight),
			aim:    w.camera.world(ebiten.CursorPosition()),
		})
		w.throw = false
		w.from = w.camera.center
		d := w.game.hero.Position.Add(geom.V(0, 2)).Sub(w.from)
		w.camera.center = w.from.Add(d.Mul(0.15))
	}
	return nil
}

// Draw draws the game, and sees it, at the fraction of the last step that the clock tells: smooth on screens of any
// rate.
func (w *window) Draw(screen *ebiten.Image) {
	alpha := w.clock.Alpha()
	w.canvas.draw(screen, w.game, camera{w.from.Lerp(w.camera.center, alpha)}, alpha)
}

func (w *window) Layout(int, int) (int, int) { return screenW, screenH }

func main() {
	w := &window{game: newGame(), clock: quarry.Clock{DT: dt}, last: time.Now()}
	w.from, w.camera.center = w.game.hero.Position, w.game.hero.Position
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetWindowSize(screenW, screenH)
	ebiten.SetWindowTitle("Quarry: a miner")
	if err := ebiten.RunGame(w); err != nil {
		log.Fatal(err)
	}
}
