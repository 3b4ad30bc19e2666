// Command arrows counts the arrows between the files of a package that run back up.
//
//	go run ./internal/repo/arrows gridseg internal/solve
//
// An arrow runs from file A to file B if A uses a name that B declares at its top level: a type, function, method,
// variable or constant. Fields count as part of their type, and test files do not count. The files are then put in the
// order that leaves the fewest arrows from a file to an earlier one: those run back up. A package that reads from the
// top of that order to its end without turning back has none. Finding the best order is hard, so the command takes a
// good one (see order); the count is the same on every run.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	worst := flag.Int("worst", 12, "number of arrows back up to print, those with the most uses first")
	listing := flag.Bool("order", false, "print the order of the files")
	flag.Parse()
	for _, dir := range flag.Args() {
		g, err := read(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "arrows:", err)
			os.Exit(1)
		}
		g.print(dir, *worst, *listing)
	}
}

// graph holds the files of a package and how often each uses the names of each other.
type graph struct {
	files []string
	uses  [][]int // uses[a][b]: in file a, of names of file b
}

// read returns the graph of the package in dir.
func read(dir string) (*graph, error) {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	g := &graph{files: pkg.GoFiles}
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

func (g *graph) arrow(a, b int) int {
	if g.uses[a][b] > 0 {
		return 1
	}
	return 0
}

// order returns the files, users before the used: the best of several orders. Each starts from the files by the
// difference between the files that they use and those that use them (the heuristic of Eades, Lin and Smyth), with ties
// broken in another way, and then moves single files, each to the place that leaves the fewest arrows back up, until no
// move helps.
func (g *graph) order() (best []int) {
	for seed := range uint64(30) {
		if order := g.try(rand.New(rand.NewPCG(seed, 0)).Perm(len(g.files))); best == nil ||
			g.back(order) < g.back(best) {
			best = order
		}
	}
	return best
}

// back returns the number of arrows that run back up.
func (g *graph) back(order []int) (n int) {
	for i, a := range order {
		for _, b := range order[:i] {
			n += g.arrow(a, b)
		}
	}
	return n
}

// try returns an order of the files in rest.
func (g *graph) try(rest []int) (order []int) {
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

// print writes the count and the arrows that run back up.
func (g *graph) print(dir string, worst int, listing bool) {
	type arrow struct{ from, to, uses int }
	var back []arrow
	all := 0
	order := g.order()
	for i, a := range order {
		for k, b := range order {
			if all += g.arrow(a, b); k < i && g.uses[a][b] > 0 {
				back = append(back, arrow{a, b, g.uses[a][b]})
			}
		}
	}
	fmt.Printf("%s: %d files, %d arrows, %d back up\n", dir, len(order), all, len(back))
	slices.SortStableFunc(back, func(a, b arrow) int { return cmp.Compare(b.uses, a.uses) })
	for _, a := range back[:min(worst, len(back))] {
		fmt.Printf("  %s uses %s %d times\n", g.files[a.from], g.files[a.to], a.uses)
	}
	for i := 0; listing && i < len(order); i++ {
		fmt.Println("    ", g.files[order[i]])
	}
}
