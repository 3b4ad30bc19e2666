package tilemap

import (
	"cmp"
	"slices"
	"strings"
)

// maxPreserve bounds the layers in the property preserve of a map's layer: a ground has no
// more layers.
const maxPreserve = 256

// property reads a custom property of a tile layer, and ignores all but three: layer is the
// ground's layer of the tiles, preserve lists the layers against which the tiles keep
// their faces, and solid says whether tiles without collision data are ground.
func (l *layer) property(f *fields) error {
	name := f.text("name", "")
	if f.err != nil || name != "layer" && name != "preserve" && name != "solid" {
		return f.err
	}
	f.at = l.at.at(f.at.line).in("property " + name)
	typ := f.text("type", "string")
	switch name {
	case "layer":
		if l.numbered {
			return f.at.errorf("the property occurs twice")
		}
		l.numbered = true
		if typ != "int" {
			f.fail("type", "is "+quote(typ)+", must be int")
		}
		l.number = uint8(f.integer("value", 0, 0, 255))
	case "solid":
		if l.plain != unset {
			return f.at.errorf("the property occurs twice")
		}
		if typ != "bool" {
			f.fail("type", "is "+quote(typ)+", must be bool")
		}
		l.plain = no
		if f.flag("value", false) {
			l.plain = yes
		}
	case "preserve":
		if l.preserves {
			return f.at.errorf("the property occurs twice")
		}
		l.preserves = true
		if typ != "string" {
			f.fail("type", "is "+quote(typ)+", must be string")
		}
		list := strings.SplitN(f.text("value", ""), ",", maxPreserve+1)
		if len(list) > maxPreserve {
			return f.at.errorf("value lists more than %d layers", maxPreserve)
		}
		for _, s := range list {
			n, err := parseInteger(strings.TrimSpace(s), 0, 255)
			if err != nil {
				f.fail("value", err.Error())
				break
			}
			l.preserve = append(l.preserve, uint8(n))
		}
	}
	return f.err
}

// preserved returns the pairs of layers that the read layers of a map preserve, each
// once, the lower first, in order.
func preserved(chosen []*layer) [][2]uint8 {
	var pairs [][2]uint8
	for _, l := range chosen {
		for _, n := range l.preserve {
			pairs = append(pairs, [2]uint8{min(l.number, n), max(l.number, n)})
		}
	}
	slices.SortFunc(pairs, func(p, q [2]uint8) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	return slices.Compact(pairs)
}
