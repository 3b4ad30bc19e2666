package main

import "testing"

// TestOrder: of three files in a ring only one arrow runs back up, whichever file comes first.
func TestOrder(t *testing.T) {
	g := &graph{files: []string{"a.go", "b.go", "c.go"}, uses: [][]int{{0, 5, 0}, {0, 0, 1}, {2, 0, 0}}}
	order := g.order()
	back := g.back(order)
	if back != 1 || len(order) != 3 {
		t.Errorf("a ring of three files has %d arrows back up in the order %v: 1 expected", back, order)
	}
}
