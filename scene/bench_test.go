package scene

import "testing"

// BenchmarkScenes times a step of each scene: the mean over the scene's steps
// except the first, as other engines are measured, with the hash at its end. With -short it
// makes a tenth of the steps.
func BenchmarkScenes(b *testing.B) {
	for _, s := range All() {
		if testing.Short() {
			s.Steps = max(2, s.Steps/10)
		}
		b.Run(s.Name, func(b *testing.B) {
			b.ReportAllocs()
			var in *Instance
			for b.Loop() {
				b.StopTimer()
				in = s.New()
				in.Step()
				b.StartTimer()
				for range s.Steps - 1 {
					in.Step()
				}
			}
			st := in.World.Stats()
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e6/float64(b.N*(s.Steps-1)), "ms/step")
			b.ReportMetric(float64(st.Bodies), "bodies")
			b.ReportMetric(float64(st.Touching), "contacts")
			b.Logf("hash %016x", in.World.Hash())
		})
	}
}
