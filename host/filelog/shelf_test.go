package filelog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/quarry2d/quarry/host"
)

// Files of a shelf are put, replaced, listed and dropped; other names are refused.
func TestShelf(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := f.Shelf("w")
	if list, err := s.List(ctx); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	for _, c := range []struct{ name, text string }{{"b c.world", "1"}, {"ä.png", "22"}, {"b c.world", "333"}} {
		if err := s.Put(ctx, c.name, []byte(c.text)); err != nil {
			t.Fatal(err)
		}
		if b, err := s.Get(ctx, c.name); err != nil || string(b) != c.text {
			t.Errorf("%s: %q, %v", c.name, b, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "w", "kept", "b.world"+beside), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := s.List(ctx)
	if err != nil || len(list) != 2 || list[0].Name != "b c.world" || list[0].Bytes != 3 || list[1].Time.IsZero() {
		t.Errorf("%+v, %v", list, err)
	}
	if err := s.Drop(ctx, "b c.world"); err != nil {
		t.Error(err)
	}
	_, err = s.Get(ctx, "b c.world")
	if gone := s.Drop(ctx, "b c.world"); !errors.Is(err, host.ErrNone) || !errors.Is(gone, host.ErrNone) {
		t.Errorf("%v, %v", err, gone)
	}
	for _, name := range []string{"", "../x", "a/b", `a\b`, ".lock", "/x", "a:b", string(make([]byte, 201))} {
		_, err := s.Get(ctx, name)
		if s.Put(ctx, name, nil) == nil || err == nil || s.Drop(ctx, name) == nil {
			t.Errorf("the name %q is used", name)
		}
	}
	if worlds, err := f.Worlds(); err != nil || len(worlds) != 0 {
		t.Errorf("worlds %q, %v", worlds, err)
	}
}
