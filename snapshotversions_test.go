package quarry_test

import (
	"path/filepath"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// Snapshots of each version that there has been, as text: base64 of gzip, of a world with all kinds of shapes and
// joints, terrain and blocks of tiles that lie on each other; and its hash today. A new version gets a new line, and a
// file made by the last commit before it: old snapshots must be read for ever.
var snapshotVersions = []struct {
	name string
	hash uint64
}{
	{"v1", 0x4573c2ef9d24cb54},
	{"v2", 0x4573c2ef9d24cb54},
}

// TestSnapshotsOfAllVersions restores snapshots that older programs have made; the worlds go on, and a snapshot of
// today's version is as good.
func TestSnapshotsOfAllVersions(t *testing.T) {
	for _, v := range snapshotVersions {
		data := worldtest.Unpack(t, filepath.Join("testdata", "snapshot-"+v.name+".txt"))
		w, again := quarry.NewWorld(quarry.Config{Workers: 1}), quarry.NewWorld(quarry.Config{Workers: 1})
		if err := w.Restore(data); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		if h := w.Hash(); h != v.hash {
			t.Errorf("%s: hash %#x, want %#x", v.name, h, v.hash)
		}
		if s := w.Stats(); s.Bodies != 18 || s.Contacts != 12 || s.Tiles != 65 {
			t.Errorf("%s: %+v", v.name, s)
		}
		if err := again.Restore(w.AppendSnapshot(nil)); err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		for range 60 {
			w.Step(1.0 / 60)
			again.Step(1.0 / 60)
		}
		if w.Hash() != again.Hash() {
			t.Errorf("%s: after 60 steps %#x, of a new snapshot %#x", v.name, w.Hash(), again.Hash())
		}
	}
}
