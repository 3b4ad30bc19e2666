//go:build js && wasm

// Command maps reads map files for a page without a server, whose program has no readers of maps: it runs in the same
// Web Worker of the browser, once a map is dropped on the page. "quarry site" builds it.
package main

import (
	"fmt"
	"syscall/js"

	"github.com/quarry2d/quarry/tilemap"
)

// maxCells is the largest number of cells that package sandbox takes; it needs no grid to refuse more.
const maxCells = 1 << 20

func main() {
	js.Global().Set("quarryMap", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := read(args[0], args[1].String())
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return answer
	}))
	select {}
}

// read reads the map name of an object of Uint8Arrays by name. It returns the number of its cells, its shapes and its
// tiles in the forms of package gridseg, and the warnings.
func read(contents js.Value, name string) (answer map[string]any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the map cannot be read: %v", p)
		}
	}()
	list := tilemap.Files{}
	names := js.Global().Get("Object").Call("keys", contents)
	for i := range names.Length() {
		name := names.Index(i).String()
		b := contents.Get(name)
		list[name] = make([]byte, b.Get("length").Int())
		js.CopyBytesToGo(list[name], b)
	}
	m, err := tilemap.Load(list, name, tilemap.Options{})
	if err != nil {
		return nil, err
	}
	if len(m.Cells) > maxCells {
		return map[string]any{"cells": len(m.Cells)}, nil
	}
	g, err := m.Grid()
	if err != nil {
		return nil, err
	}
	warnings := []any{}
	for _, text := range m.Warnings {
		warnings = append(warnings, text)
	}
	return map[string]any{
		"cells": len(m.Cells), "warnings": warnings,
		"shapes": bytesToJS(g.Shapes().AppendBinary(nil)), "tiles": bytesToJS(g.AppendBinary(nil)),
	}, nil
}

func bytesToJS(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}
