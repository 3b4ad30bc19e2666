module github.com/quarry2d/quarry/examples/ebitengine

go 1.26.8

replace github.com/quarry2d/quarry => ../..

require (
	github.com/hajimehoshi/ebiten/v2 v2.10.0
	github.com/quarry2d/quarry v0.0.0-00010101000000-000000000000
)

require (
	github.com/ebitengine/gomobile v0.0.0-20260820040257-d11f821a26a6 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.11.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
