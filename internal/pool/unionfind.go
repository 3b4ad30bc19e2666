package pool

// UnionFind is a partition of the numbers from 0 on into sets: each number's parent in its set's
// tree. The root of a set is its smallest number, after joins in any order.
type UnionFind []int32

// Reset makes n sets of one number each.
func (u *UnionFind) Reset(n int) {
	*u = (*u)[:0]
	for i := range n {
		*u = append(*u, int32(i))
	}
}

// Root returns the root of k's set, and halves the path to it for the next search.
func (u UnionFind) Root(k int32) int32 {
	for u[k] != k {
		u[k] = u[u[k]]
		k = u[k]
	}
	return k
}

// Join makes one set of the sets of i and j.
func (u UnionFind) Join(i, j int32) {
	if u[i] != u[j] {
		u.join(i, j)
	}
}

func (u UnionFind) join(i, j int32) {
	i, j = u.Root(i), u.Root(j)
	u[max(i, j)] = min(i, j)
}

// AppendNumbers appends the number of the set of each number to of, and returns the extended slice and the number of
// sets. Sets are numbered from 0 on, in the order of their smallest numbers.
func (u UnionFind) AppendNumbers(of []int32) (_ []int32, sets int) {
	from := len(of)
	for i, parent := range u {
		if int(parent) == i {
			of = append(of, int32(sets))
			sets++
		} else {
			of = append(of, of[from+int(parent)]) // a parent is smaller than its child, so it has a number already
		}
	}
	return of, sets
}
