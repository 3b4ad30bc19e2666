package draw

import (
	"fmt"
	"slices"
	"strings"
)

// Layers is a set of layers.
type Layers uint32

// The layers, in the order in which a world lists them.
const (
	Shapes Layers = 1 << iota
	Surfaces
	Normals
	Ghosts
	Joints
	Contacts
	Impulses
	Boxes
	Proxies
	Islands
	Centers
	Velocities

	All Layers = 1<<iota - 1
)

var names = [...]string{
	"shapes", "surfaces", "normals", "ghosts", "joints", "contacts", "impulses", "boxes", "proxies", "islands",
	"centers", "velocities",
}

// Names returns the names of the layers of l, separated by commas.
func (l Layers) Names() string {
	var list []string
	for i, name := range names {
		if l>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ",")
}

// Parse is the inverse of Names; "all" stands for All. The error names the first unknown layer, and all
// layers.
func Parse(text string) (l Layers, err error) {
	if text == "" {
		return 0, nil
	}
	for name := range strings.SplitSeq(text, ",") {
		switch i := slices.Index(names[:], name); {
		case name == "all":
			l = All
		case i >= 0:
			l |= 1 << i
		default:
			return 0, fmt.Errorf("quarry: ParseDrawLayers: no layer %.40q: the layers are all, %s", name,
				strings.Join(names[:], ", "))
		}
	}
	return l, nil
}
