package pool_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/pool"
)

// A slot that was freed is the first to be used again, zeroed, and an id of its old value finds
// nothing.
func TestPoolSlots(t *testing.T) {
	var p pool.Pool[int]
	var ids []uint64
	for k := range 4 {
		i, id, v := p.Add()
		if i != int32(k) || *v != 0 || id == 0 || id >= 1<<53 {
			t.Fatalf("Add %d: slot %d, id %d, value %d", k, i, id, *v)
		}
		*v = 10 + k
		ids = append(ids, id)
	}
	p.Remove(2)
	p.Remove(1)
	if _, ok := p.Find(ids[1]); ok || p.Used(1) || p.Len() != 2 || p.Slots() != 4 {
		t.Errorf("after Remove: found %v, used %v, %d of %d slots", ok, p.Used(1), p.Len(), p.Slots())
	}
	i, id, v := p.Add()
	if i != 1 || *v != 0 || id == ids[1] {
		t.Errorf("Add after Remove: slot %d, id %d (before %d), value %d", i, id, ids[1], *v)
	}
	if _, ok := p.Find(ids[1]); ok {
		t.Error("the id of the removed value finds the new one")
	}
	if k, ok := p.Find(ids[3]); !ok || *p.At(k) != 13 || p.ID(k) != ids[3] {
		t.Errorf("Find(%d) = %d, %v", ids[3], k, ok)
	}
	for _, made := range []uint64{0, 1 << 52, ids[0] + 1<<26, 99} {
		if _, ok := p.Find(made); ok {
			t.Errorf("the made-up id %d finds a value", made)
		}
	}
}

// The roots are the smallest members, after joins in any order.
func TestUnionFind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const n = 40
		var u pool.UnionFind
		u.Reset(n)
		label := make([]int32, n) // the smallest member of each number's set
		for i := range label {
			label[i] = int32(i)
		}
		for range r.IntN(n) {
			i, j := r.Int32N(n), r.Int32N(n)
			u.Join(i, j)
			a, b := label[i], label[j]
			for k := range label {
				if label[k] == a || label[k] == b {
					label[k] = min(a, b)
				}
			}
		}
		for k := range label {
			if got := u.Root(int32(k)); got != label[k] {
				t.Fatalf("Root(%d) = %d, want %d", k, got, label[k])
			}
		}
	}
}

// The sum depends on each bit and on the order of the words.
func TestHasher(t *testing.T) {
	sum := func(words ...uint64) pool.Hasher {
		var h pool.Hasher
		for _, x := range words {
			h.Word(x)
		}
		return h
	}
	seen := map[pool.Hasher]uint64{}
	for k := range 64 {
		h := sum(1<<k, 0)
		if _, dup := seen[h]; dup {
			t.Fatalf("bit %d gives the sum of another bit", k)
		}
		seen[h] = uint64(k)
	}
	if sum(1, 2) == sum(2, 1) {
		t.Error("the order of words does not matter")
	}
}

// An event between steps is one of the next step, and only of that.
func TestLog(t *testing.T) {
	var l pool.Log[int]
	l.Add(1, true)
	l.Add(2, false)
	for _, want := range [][]int{{1}, {2}, {}} {
		if !slices.Equal(l.Now, want) {
			t.Errorf("%v, not %v", l.Now, want)
		}
		l.Next()
	}
}
