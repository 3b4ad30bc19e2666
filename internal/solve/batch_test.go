package solve

import (
	"testing"

	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/team"

	"pgregory.net/rapid"
)

// TestBatches: a step has the same bits in batches of any size and with any number of workers, except
// that the work of an island's warm start is summed in another order. Stacks stand on the ground, on a kinematic
// body that turns, or on a held body.
func TestBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spin := rapid.Float64Range(-0.3, 0.3).Draw(t, "spin")
		stacks := rapid.SliceOfN(rapid.IntRange(1, 6), 1, 12).Draw(t, "stacks")
		run := func(most, workers int) *listed {
			s := solver(1)
			s.Reset()
			s.Team = team.New(workers)
			defer s.Team.Close()
			s.Team.Begin()
			s.most = most
			s.Motions = append(s.Motions, Motion{C: 1, Spin: spin}, Motion{C: 1})
			for i, high := range stacks {
				below := int32(i % 3)
				for y := range high {
					b := int32(len(s.Motions))
					s.Motions = append(s.Motions, Motion{C: 1, InvMass: 1, InvI: 6, AY: -10})
					c := s.meetFlat(Contact{A: below, B: b, Static: y == 0 && below < 2}, [2]float64{-0.5, 0.5}, 0.5,
						-0.5)
					for k := range c.Points {
						c.Points[k].Separation = -0.001
					}
					below = b
				}
			}
			var in pool.UnionFind
			in.Reset(len(s.Motions))
			in.Join(0, 1)
			for i := range s.Contacts {
				if c := &s.Contacts[i]; !c.Static {
					in.Join(c.A, c.B)
				}
			}
			s.Islands, s.IslandCount = in.AppendNumbers(nil)
			for range 3 {
				s.Run(1.0/60, 4)
			}
			return s
		}
		want := run(1<<20, 1)
		most := rapid.IntRange(1, 20).Draw(t, "most")
		got := run(most, rapid.IntRange(1, 4).Draw(t, "workers"))
		if len(want.batches) != 1 || len(stacks) > most && len(got.batches) == 1 {
			t.Fatalf("%d and %d batches", len(want.batches), len(got.batches))
		}
		for i := range want.Motions {
			if got.Motions[i] != want.Motions[i] {
				t.Fatalf("body %d: %+v, in one batch %+v", i, got.Motions[i], want.Motions[i])
			}
		}
		inBatches := 0
		for i := range got.batches {
			inBatches += got.batches[i].to - got.batches[i].from
		}
		if inBatches+len(got.workers)*got.fixedCount != len(got.bodies) {
			t.Fatalf("%d bodies of %d are in batches", inBatches, len(got.bodies))
		}
	})
}

// TestSplit: a step of one large island has the same bits with any number of workers.
func TestSplit(t *testing.T) {
	run := func(workers int) []Motion {
		s := pyramid(80)
		s.Team = team.New(workers)
		defer s.Team.Close()
		s.Team.Begin()
		for range 5 {
			s.Run(1.0/60, 4)
		}
		if workers > 1 && !s.workers[0].split {
			t.Fatalf("the island of %d contacts is not split", len(s.Links))
		}
		return s.Motions
	}
	want := run(1)
	for _, workers := range []int{2, 3, 8} {
		for i, m := range run(workers) {
			if m != want[i] {
				t.Fatalf("%d workers: body %d: %+v, with one %+v", workers, i, m, want[i])
			}
		}
	}
}
