package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry/host"
)

// Files of a shelf are put, replaced, listed and dropped, by any process; the snapshots of the world stay.
func TestShelf(t *testing.T) {
	list := connect(t, 2)
	s, other := list[0].Shelf("w"), list[1].Shelf("w")
	n, err := list[0].Append(t.Context(), "w", 0, []byte("birth"))
	if err != nil {
		t.Fatal(err)
	}
	if err := list[0].Keep(t.Context(), "w", n, []byte("snapshot")); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	long := make([]byte, 3<<20) // of several parts
	for i := range long {
		long[i] = byte(rnd.Uint32())
	}
	for _, b := range [][]byte{long, []byte("short"), nil, long[:2<<20]} {
		if err := s.Put(t.Context(), "a hill.world", b); err != nil {
			t.Fatal(err)
		}
		if got, err := other.Get(t.Context(), "a hill.world"); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%d bytes of %d, %v", len(got), len(b), err)
		}
	}
	if err := s.Put(t.Context(), "\u00e4.png", []byte("picture")); err != nil {
		t.Fatal(err)
	}
	items, err := other.List(t.Context())
	if err != nil || len(items) != 2 || items[0].Name != "a hill.world" || items[0].Bytes != 2<<20 ||
		time.Since(items[1].Time) > time.Minute {
		t.Errorf("%+v, %v", items, err)
	}
	if none, err := list[0].Shelf("v").List(t.Context()); err != nil || len(none) != 0 {
		t.Errorf("another world has %v, %v", none, err)
	}
	if err := other.Drop(t.Context(), "a hill.world"); err != nil {
		t.Fatal(err)
	}
	_, err = s.Get(t.Context(), "a hill.world")
	if gone := s.Drop(t.Context(), "a hill.world"); !errors.Is(err, host.ErrNone) || !errors.Is(gone, host.ErrNone) {
		t.Errorf("%v, %v", err, gone)
	}
	if s.Put(t.Context(), "../x", nil) == nil || list[0].Shelf("w.*").Put(t.Context(), "x", nil) == nil {
		t.Error("a bad name is used")
	}
	if at, b, err := list[1].Kept(t.Context(), "w", n); err != nil || at != n || !slices.Equal(b, []byte("snapshot")) {
		t.Errorf("the snapshot: %d, %q, %v", at, b, err)
	}
}
