package surface

// Tally counts the work of the searches for the ground that a shape touches. An exhaustive
// search gives the same contacts, and tests with few tiles do not notice its time; so tests
// bound these numbers in proportion to the ground.
type Tally struct {
	Segments int // segments that a vertex or a line of sight was compared with
	Rows     int // rows of cells, or parts of rows, that were searched for occluding segments
	Cells    int // cells that the cell of a one-way face was compared with
	Shapes   int // shapes that a one-way face was compared with
	Places   int // places that were tested for a free spot
}

// Add adds the counts of u to t's.
func (t *Tally) Add(u *Tally) {
	t.Segments += u.Segments
	t.Rows += u.Rows
	t.Cells += u.Cells
	t.Shapes += u.Shapes
	t.Places += u.Places
}
