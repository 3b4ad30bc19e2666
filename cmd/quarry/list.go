package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/quarry2d/quarry/scene"
)

// listCommand names the scenes.
type listCommand struct{}

// Run prints a line for each scene.
func (listCommand) Run(s streams) error {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	for _, sc := range scene.All() {
		fmt.Fprintf(t, "%s\t%d steps\t%s\n", sc.Name, sc.Steps, sc.Doc)
	}
	return t.Flush()
}
