package published

import (
	"iter"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/gridseg"
)

// The table's rows about a world's past or future.

// named returns a copy of a difference.
func named(t *testing.T, id string) difference {
	t.Helper()
	for _, d := range differences {
		if d.id == id {
			return d
		}
	}
	t.Fatal("no difference ", id)
	return difference{}
}

// TestIdentity is the difference that no list of segments shows: the sweep of a border
// makes even unchanged segments again; in gridseg they keep their ids.
func TestIdentity(t *testing.T) {
	d := named(t, "identity")
	last := d.rounds[1]
	d.rounds = d.rounds[:1]
	b := d.lay(t)
	upper := func() (*Seg, gridseg.Segment) {
		for _, s := range b.pub.Segments() {
			for _, q := range b.grid.AppendSegments(nil, gridseg.Rect{}) {
				if (s.Start == Vec{1, .75}) && (s.End == Vec{1, 1}) && q.A == snap(s.Start) && q.B == snap(s.End) {
					return s, q
				}
			}
		}
		t.Fatal("the upper face is gone")
		return nil, gridseg.Segment{}
	}
	p0, q0 := upper()
	b.set(Cell{last[0].x, last[0].y}, gridseg.Tile{Shape: lookup(t, b.shapes, last[0].shape)})
	delta := b.resolve()
	p1, q1 := upper()
	if p0 == p1 {
		t.Error("published kept its segment")
	}
	if q0 != q1 {
		t.Errorf("quarry's was %v, is %v", q0, q1)
	}
	for _, list := range []iter.Seq[gridseg.Segment]{delta.Added(), delta.Removed(), delta.Relinked()} {
		for s := range list {
			if s.ID == q0.ID {
				t.Error("the delta tells of it")
			}
		}
	}
}

// TestStale builds in one go the world of the ghosts that stay.
func TestStale(t *testing.T) {
	d := named(t, "stale")
	d.rounds = [][]laid{slices.Concat(d.rounds...)}
	p, q, _ := d.answers(t)
	if got, want := write(only(p, q)), []string{"0,1: 0,0.5 > 1,0.5 :-", "-: 1,0.5 > 0,0.5 :0,0"}; !slices.Equal(got,
		want) {
		t.Errorf("at once, only published has %q, want %q", got, want)
	}
}

// TestTwice clears once a tile that was added twice.
func TestTwice(t *testing.T) {
	d := named(t, "twice")
	b := d.lay(t)
	b.set(Cell{}, gridseg.Tile{})
	b.resolve()
	if p, q := len(b.published()), len(b.quarry()); p != 3 || q != 0 {
		t.Errorf("%d and %d segments are left, want 3 and 0", p, q)
	}
}
