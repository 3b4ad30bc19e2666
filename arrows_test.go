package quarry_test

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// TestArrowsBackUp: a package of many files reads from the top down. An arrow runs from file A to file B if A uses a
// name that B declares at its top level: a type, function, method, variable or constant. Fields count as part of their
// type, and test files do not count. The files are put in the order that leaves the fewest arrows from a file to an
// earlier one: those run back up. Finding the best order is hard, so the test takes a good one (see order); the count
// is the same on every run. With -v it logs the order, and the arrows back up.
func TestArrowsBackUp(t *testing.T) {
	for dir, most := range map[string]int{"gridseg": 20, "internal/solve": 60} {
		g, err := readArrows(dir)
		if err != nil {
			t.Fatal(err)
		}
		order := g.order()
		if n := g.back(order); n > most {
			t.Errorf("%s: %d arrows between files run back up, at most %d are allowed", dir, n, most)
		}
		g.log(t, dir, order)
	}
}

// TestArrowsOfRing: of three files in a ring only one arrow runs back up, whichever file comes first.
func TestArrowsOfRing(t *testing.T) {
	g := &fileArrows{files: []string{"a.go", "b.go", "c.go"}, uses: [][]int{{0, 5, 0}, {0, 0, 1}, {2, 0, 0}}}
	order := g.order()
	back := g.back(order)
	if back != 1 || len(order) != 3 {
		t.Errorf("a ring of three files has %d arrows back up in the order %v: 1 expected", back, order)
	}
}

// fileArrows holds the files of a package and how often each uses the names of each other.
type fileArrows struct {
	files []string
	uses  [][]int // uses[a][b]: in file a, of names of file b
}

// readArrows returns the arrows of the package in dir.
func readArrows(dir string) (*fileArrows, error) {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	g := &fileArrows{files: pkg.GoFiles}
	var parsed []*ast.File
	for _, name := range g.files {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
		g.uses = append(g.uses, make([]int, len(g.files)))
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	own, err := config.Check(dir, set, parsed, info)
	if err != nil {
		return nil, err
	}
	fileOf := func(at token.Pos) int {
		return slices.Index(g.files, filepath.Base(set.Position(at).Filename))
	}
	for id, o := range info.Uses {
		if o.Pkg() == own && (o.Parent() == own.Scope() || isMethod(o)) {
			g.uses[fileOf(id.Pos())][fileOf(o.Pos())]++
		}
	}
	for f := range g.uses {
		g.uses[f][f] = 0
	}
	return g, nil
}

// isMethod reports whether o is a method of a type with a name; methods of interfaces belong to the interface.
func isMethod(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && f.Signature().Recv() != nil && !types.IsInterface(f.Signature().Recv().Type())
}

func (g *fileArrows) arrow(a, b int) int {
	if g.uses[a][b] > 0 {
		return 1
	}
	return 0
}

// order returns the files, users before the used: the best of several orders. Each starts from the files by the
// difference between the files that they use and those that use them (the heuristic of Eades, Lin and Smyth), with ties
// broken in another way, and then moves single files, each to the place that leaves the fewest arrows back up, until no
// move helps.
func (g *fileArrows) order() (best []int) {
	for seed := range uint64(30) {
		if order := g.try(rand.New(rand.NewPCG(seed, 0)).Perm(len(g.files))); best == nil ||
			g.back(order) < g.back(best) {
			best = order
		}
	}
	return best
}

// back returns the number of arrows that run back up.
func (g *fileArrows) back(order []int) (n int) {
	for i, a := range order {
		for _, b := range order[:i] {
			n += g.arrow(a, b)
		}
	}
	return n
}

// try returns an order of the files in rest.
func (g *fileArrows) try(rest []int) (order []int) {
	for len(rest) > 0 {
		surplus := func(f int) (n int) {
			for _, o := range rest {
				n += g.arrow(f, o) - g.arrow(o, f)
			}
			return n
		}
		next := slices.MaxFunc(rest, func(a, b int) int { return cmp.Compare(surplus(a), surplus(b)) })
		order = append(order, next)
		rest = slices.DeleteFunc(rest, func(f int) bool { return f == next })
	}
	for moved := true; moved; {
		moved = false
		for f := range g.files {
			at := slices.Index(order, f)
			// The change in the count as f passes the files below it, and those above it.
			best, to := 0, at
			for _, step := range [2]int{1, -1} {
				gain := 0
				for k := at + step; k >= 0 && k < len(order); k += step {
					gain += step * (g.arrow(order[k], f) - g.arrow(f, order[k]))
					if gain > best {
						best, to = gain, k
					}
				}
			}
			if to != at {
				order = slices.Insert(slices.Delete(order, at, at+1), to, f)
				moved = true
			}
		}
	}
	return order
}

// log logs the order, and the arrows back up, those with the most uses first.
func (g *fileArrows) log(t *testing.T, dir string, order []int) {
	type arrow struct{ from, to, uses int }
	var back []arrow
	for i, a := range order {
		t.Logf("%s/%s", dir, g.files[a])
		for _, b := range order[:i] {
			if g.uses[a][b] > 0 {
				back = append(back, arrow{a, b, g.uses[a][b]})
			}
		}
	}
	slices.SortStableFunc(back, func(a, b arrow) int { return cmp.Compare(b.uses, a.uses) })
	t.Logf("%s: %d arrows run back up", dir, len(back))
	for _, a := range back {
		t.Logf("  %s uses %s %d times", g.files[a.from], g.files[a.to], a.uses)
	}
}
