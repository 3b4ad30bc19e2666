package published

import (
	"slices"
	"testing"
)

// TestDifferences compares every world of the table with both algorithms.
func TestDifferences(t *testing.T) {
	seen := map[string]bool{}
	for i := range differences {
		d := &differences[i]
		t.Run(d.id, func(t *testing.T) {
			if seen[d.id] {
				t.Fatal("id is taken")
			}
			seen[d.id] = true
			if !slices.Contains(laws, d.law) || d.why == "" {
				t.Error("no law decides, or no reason is given")
			}
			p, q, _ := d.answers(t)
			if got := write(only(p, q)); !slices.Equal(got, d.published) {
				t.Errorf("only published has\n%q", got)
			}
			if got := write(only(q, p)); !slices.Equal(got, d.quarry) {
				t.Errorf("only quarry has\n%q", got)
			}
			if len(d.published)+len(d.quarry) == 0 && d.marked == "" {
				t.Error("no difference")
			}
		})
	}
}
