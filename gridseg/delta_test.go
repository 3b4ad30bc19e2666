package gridseg

import "slices"

func addedOf(d Delta) []Segment    { return slices.Collect(d.Added()) }
func removedOf(d Delta) []Segment  { return slices.Collect(d.Removed()) }
func relinkedOf(d Delta) []Segment { return slices.Collect(d.Relinked()) }

// count returns how many segments were added.
func count(d Delta) int {
	n, _, _ := d.Count()
	return n
}
