package quarry

// tally counts the work of the searches for the ground that a shape touches. A search that
// looks at all for each gives the right results, and tests with few tiles do not notice the
// time; so tests hold these numbers in proportion to the ground.
type tally struct {
	points   int // manifolds and points that a point was compared with
	segments int // segments that a vertex or a line of sight was compared with
	rows     int // rows of cells, or parts of rows, that were searched for what hides a point
	cells    int // cells that the cell of a one-way face was compared with
	places   int // places that were tested for room
}
