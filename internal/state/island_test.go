package state

import (
	"cmp"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestIslandsAgainstSearch: two bodies have one number if a path of joined pairs leads from one to
// the other, found by a search from each body; numbers follow the first bodies; and an island
// falls asleep if no body of it is kept awake, and all have rested long enough or, where one is
// jammed, have stayed at their places long enough.
func TestIslandsAgainstSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "bodies")
		body := rapid.IntRange(1, n)
		var s Islands
		places := make([]StayPose, n+1)
		jammedBefore := false
		for range rapid.IntRange(1, 3).Draw(t, "steps") {
			s.Reset(n)
			touch := make([][]bool, n+1)
			for i := range touch {
				touch[i] = make([]bool, n+1)
			}
			for range rapid.IntRange(0, 12).Draw(t, "pairs") {
				i, j := body.Draw(t, "i"), body.Draw(t, "j")
				if rapid.IntRange(0, 9).Draw(t, "kinematic") == 0 {
					i = 0
				}
				s.Join(int32(i), int32(j))
				touch[i][j], touch[j][i] = true, true
			}
			kept := make([]bool, n+1)
			for range rapid.IntRange(0, 2).Draw(t, "kept") {
				i := body.Draw(t, "i")
				s.KeepAwake(int32(i))
				kept[i] = true
			}
			s.Number()
			members := make([][]int, n+1) // of each body's island
			for i := range members {
				seen := make([]bool, n+1)
				seen[i] = true
				for todo := []int{i}; len(todo) > 0; todo = todo[1:] {
					members[i] = append(members[i], todo[0])
					for j, on := range touch[todo[0]] {
						if on && !seen[j] {
							seen[j] = true
							todo = append(todo, j)
						}
					}
				}
			}
			numbers := map[int32]bool{}
			for i := range members {
				first := i
				for _, j := range members[i] {
					first = min(first, j)
					if s.Of()[i] != s.Of()[j] {
						t.Fatalf("bodies %d and %d touch, and are in the islands %d and %d", i, j, s.Of()[i], s.Of()[j])
					}
				}
				if first == i && int(s.Of()[i]) != len(numbers) {
					t.Fatalf("the island of body %d has the number %d; %d come before it", i, s.Of()[i], len(numbers))
				}
				numbers[s.Of()[i]] = true
			}
			if len(numbers) != s.Len() {
				t.Fatalf("%d islands, not %d", s.Len(), len(numbers))
			}

			rest, jam := make([]float64, n+1), make([]bool, n+1)
			for i := 1; i <= n; i++ {
				rest[i] = rapid.SampledFrom([]float64{-1, 0.1, SleepTime, 2}).Draw(t, "rest")
				s.Rest(int32(i), rest[i])
				if jam[i] = rapid.IntRange(0, 3).Draw(t, "jam") == 0; jam[i] {
					s.Jam(int32(i))
				}
			}
			s.Pace = rapid.SampledFrom([]float64{0, 1, 0.4}).Draw(t, "pace")
			any := false
			for i := 1; i <= n; i++ {
				any = any || jam[i]
			}
			s.SumUp()
			if s.AnyJam() != (any || jammedBefore) {
				t.Fatal("AnyJam is wrong")
			}
			jammedBefore = any
			for i := 1; i <= n; i++ {
				center := geom.V(rapid.SampledFrom([]float64{0, 0.1, 0.5}).Draw(t, "x"), 0)
				was := places[i]
				s.Stay(int32(i), &places[i], center, geom.Identity, 1, 0.6)
				want := StayPose{}
				for _, j := range members[i] {
					if jam[j] {
						want = StayPose{Center: was.Center, Rot: was.Rot, Time: was.Time + 0.6}
						if was.Time == 0 || center.Dist(was.Center) > stayReach*cmp.Or(s.Pace, 1) {
							want = StayPose{Center: center, Rot: geom.Identity, Time: 0.6}
						}
					}
				}
				if places[i] != want {
					t.Fatalf("body %d: place %v, not %v", i, places[i], want)
				}
			}
			for i := 1; i <= n; i++ {
				awake, rested, stayed := false, true, places[i].Time > 0
				for _, j := range members[i] {
					if j > 0 {
						awake = awake || kept[j] || rest[j] < 0
						rested = rested && rest[j] >= SleepTime
						stayed = stayed && places[j].Time >= stayTime
					}
				}
				if want := !awake && (rested || stayed); s.Asleep(int32(i)) != want {
					t.Fatalf("body %d: asleep %v, not %v", i, s.Asleep(int32(i)), want)
				}
			}
		}
	})
}
