package solve

import (
	"reflect"
	"testing"
)

// TestColumns: a column of a block has the rows of the block, with their names, at their places.
func TestColumns(t *testing.T) {
	for _, x := range []struct{ column, rows reflect.Type }{
		{reflect.TypeFor[contactColumn](), reflect.TypeFor[contactRows]()},
		{reflect.TypeFor[rareColumn](), reflect.TypeFor[rareRows]()},
	} {
		for i := range x.column.NumField() {
			f, g := x.column.Field(i), x.rows.Field(i)
			if f.Name != g.Name || f.Offset != g.Offset || f.Type.Size() != g.Type.Size() {
				t.Errorf("%v: %s at %d is %s at %d of %v", x.column, f.Name, f.Offset, g.Name, g.Offset, x.rows)
			}
		}
		if last := x.column.Size() + 7*4; last > x.rows.Size() {
			t.Errorf("the last %v ends at %d, after the %d bytes of %v", x.column, last, x.rows.Size(), x.rows)
		}
	}
}
