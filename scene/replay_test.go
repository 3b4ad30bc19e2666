package scene

import (
	"bytes"
	"testing"

	"github.com/quarry2d/quarry"
)

// TestReplayOfScenes records every scene for some steps, from the start and from a time later, and replays it: each
// hash is the recorded one. Functions are those that the scene names.
func TestReplayOfScenes(t *testing.T) {
	rounds, steps := 2, 30
	if testing.Short() {
		rounds, steps = 1, 4
	}
	for _, s := range All() {
		in := s.New()
		for range rounds {
			var log bytes.Buffer
			in.World.Record(&log, 4)
			for range steps {
				in.Step()
			}
			if err := in.World.StopRecording(); err != nil {
				t.Errorf("%s: %v", s.Name, err)
				break
			}
			w := quarry.NewWorld(quarry.Config{Workers: 2})
			if s.Functions != nil {
				s.Functions(w)
			}
			if err := w.Replay(&log); err != nil || w.Hash() != in.World.Hash() {
				t.Errorf("%s: %v", s.Name, err)
			}
			for range 20 {
				in.Step()
			}
		}
	}
}
