package scene

import "testing"

func TestScenesRun(t *testing.T) {
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			in := s.New()
			for range 60 {
				in.Step()
			}
			st := in.World.Stats()
			if st.Bodies == 0 {
				t.Error("no bodies")
			}
			t.Logf("%+v hash %016x", st, in.World.Hash())
		})
	}
}
