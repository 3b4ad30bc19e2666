//go:build !js

package sandbox

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/store"
)

// fromStore returns the world in the bytes of a file of package store.
func fromStore(b []byte) (q *quarry.World, err error) {
	dir, err := os.MkdirTemp("", "quarry")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "world.db")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return nil, err
	}
	st, err := store.Open(file, store.Options{ReadOnly: true})
	if err != nil {
		return nil, errors.New("it is no world file, or damaged") // the error would name the temporary file
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	q = quarry.NewWorld(quarry.Config{})
	return q, store.LoadWorld(st, q)
}
