package tilemap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxDecoded bounds the total of the tiles that the read layers declare.
const maxDecoded = 4 * MaxCells

// maxChunkAt bounds the coordinates of chunks, so that their cells' fit in int32.
const maxChunkAt = 1 << 29

// placed is a cell and the index of its map layer.
type placed struct {
	Cell
	layer uint16
	plain bool // its tile has no collision data
}

// build makes a Map of a document.
func (m *Map) build(d *document, opt Options) error {
	chosen, err := d.choose(opt.Layers)
	if err != nil {
		return err
	}
	m.Width, m.Height = d.width, d.height
	g := newGrounds(d)
	var cells []placed
	var gids []uint32
	decoded := int64(0)
	for i, l := range chosen {
		start := len(cells)
		for k := range l.chunks {
			c := &l.chunks[k]
			if decoded += int64(c.w) * int64(c.h); decoded > maxDecoded {
				return c.at.errorf("the layers that are read have more than %d tiles in all", maxDecoded)
			}
			if gids, err = c.decode(gids[:0]); err != nil {
				return err
			}
			if cells, err = g.place(cells, c, gids, uint16(i), l); err != nil {
				return err
			}
		}
		cells = g.decidePlain(cells, start, l)
	}
	cells, dropped, err := settle(cells, chosen)
	if err != nil {
		return err
	}
	m.fill(g, cells)
	m.Preserve = preserved(chosen)
	m.warn(d, g, chosen, dropped)
	return nil
}

// choose returns the indices of the layers to read, lowest first.
func (d *document) choose(names []string) ([]*layer, error) {
	var chosen []*layer
	found := make([]bool, len(names))
	for i := range d.layers {
		l := &d.layers[i]
		for k, name := range names {
			found[k] = found[k] || name == l.name || name == l.path
		}
		if l.chosen(names) {
			chosen = append(chosen, l)
		}
	}
	for k, ok := range found {
		if !ok {
			return nil, d.at.errorf("no %s is named %s; the %ss are %s", d.layerNoun, quote(names[k]), d.layerNoun,
				d.layerNames())
		}
	}
	return chosen, nil
}

// layerNames lists the layers of a map for a message.
func (d *document) layerNames() string {
	const most = 8
	var list []string
	for i, l := range d.layers {
		if i == most {
			list = append(list, fmt.Sprintf("%d more", len(d.layers)-most))
			break
		}
		list = append(list, quote(l.path))
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// place appends the ground cells of a decoded chunk of layer l, which has the index in the map, lowest row
// first.
func (g *grounds) place(dst []placed, c *chunk, gids []uint32, index uint16, l *layer) ([]placed, error) {
	n := 0
	for _, gid := range gids {
		if gid&gidMask != 0 {
			n++
		}
	}
	dst = slices.Grow(dst, min(n, MaxTiles-len(dst))) // one allocation of the needed size
	for row := c.h - 1; row >= 0; row-- {
		y := g.doc.height - 1 - (c.y + row) // an infinite map has a height of 0
		for col := range c.w {
			gid, turn := splitGID(gids[row*c.w+col])
			if gid == 0 || l.air[gid] {
				continue
			}
			t, ok, err := g.tile(gid)
			switch {
			case !ok:
				return dst, c.at.errorf("column %d, row %d: no tileset has a tile with the number %d",
					c.x+col, c.y+row, gid)
			case err != nil:
				return dst, err
			case t.shape == noShape:
				continue
			case t.plain && (l.plain == no || l.plain == unset && g.doc.plain == PlainAir):
				continue
			case len(dst) == MaxTiles:
				return dst, c.at.errorf("column %d, row %d: more than %d tiles of ground in the layers that are read",
					c.x+col, c.y+row, MaxTiles)
			}
			dst = append(dst, placed{Cell{
				X: int32(c.x + col), Y: int32(y),
				Shape: uint16(t.shape), Turn: turn, Layer: l.number, Material: t.material, User: gid,
			}, index, t.plain})
			if u := &g.uses[t.set]; t.plain {
				u.plain++
			} else if !u.speaks {
				u.speaks, u.speaker = true, gid-g.doc.tilesets[t.set].first
			}
		}
	}
	return dst, nil
}

// settle sorts cells, and of several at one place keeps the one of the lowest layer. It returns the
// number of dropped cells.
func settle(cells []placed, chosen []*layer) ([]placed, int, error) {
	order := func(a, b placed) int {
		switch { // cmp.Or takes three times as long
		case a.Y != b.Y:
			return cmp.Compare(a.Y, b.Y)
		case a.X != b.X:
			return cmp.Compare(a.X, b.X)
		}
		return int(a.layer) - int(b.layer)
	}
	if !slices.IsSortedFunc(cells, order) {
		slices.SortFunc(cells, order)
	}
	kept := cells[:0]
	for i, c := range cells {
		if i == 0 || cells[i-1].X != c.X || cells[i-1].Y != c.Y {
			kept = append(kept, c)
			continue
		}
		if cells[i-1].layer == c.layer {
			return nil, 0, chosen[c.layer].at.errorf("two chunks have a tile for column %d, row %d", c.X, -1-c.Y)
		}
	}
	return kept, len(cells) - len(kept), nil
}

// fill sets the shapes and cells of the map. A shape is numbered by its first use in the sorted
// cells and named after its smallest gid, so that neither depends on the order in the file.
func (m *Map) fill(g *grounds, cells []placed) {
	const unused = -1
	number := make([]int, len(g.shapes))
	least := make([]uint32, len(g.shapes))
	for i := range number {
		number[i] = unused
	}
	if len(cells) > 0 {
		m.Cells = make([]Cell, 0, len(cells))
	}
	misfits := map[uint32]bool{}
	for _, p := range cells {
		c := p.Cell
		if g.anyMisfit && !misfits[c.User] {
			if t := g.known[c.User]; t.misfit {
				misfits[c.User] = true
				g.notes[t.set].misfits++
			}
		}
		s := c.Shape
		if number[s] == unused {
			number[s] = len(m.Shapes)
			least[s] = c.User
			m.Shapes = append(m.Shapes, Shape{Polygons: clonePolygons(g.shapes[s])})
		}
		least[s] = min(least[s], c.User)
		c.Shape = uint16(number[s])
		m.Cells = append(m.Cells, c)
	}
	// Names depend on earlier names, so make them in the order of the map's shapes.
	byNumber := make([]uint32, len(m.Shapes))
	for s, n := range number {
		if n != unused {
			byNumber[n] = least[s]
		}
	}
	taken := map[string]bool{}
	for i := range m.Shapes {
		if m.Shapes[i].IsFull() {
			m.Shapes[i].Name = "full"
			continue
		}
		m.Shapes[i].Name = g.name(byNumber[i], taken)
	}
}

// clonePolygons returns a deep copy, so that two Maps share no memory.
func clonePolygons(polygons [][][2]float64) [][][2]float64 {
	out := make([][][2]float64, len(polygons))
	for i, p := range polygons {
		out[i] = slices.Clone(p)
	}
	return out
}

// warn lists the ignored and changed parts of the file in m.Warnings.
func (m *Map) warn(d *document, g *grounds, chosen []*layer, dropped int) {
	say := func(format string, args ...any) { m.Warnings = append(m.Warnings, fmt.Sprintf(format, args...)) }
	if d.tileW != d.tileH {
		say("tiles of %d x %d pixels become square cells", d.tileW, d.tileH)
	}
	for i, ref := range d.tilesets {
		s := ref.set
		if s.offset {
			say("tileset %s: its drawing offset is ignored", quote(s.name))
		}
		for k, n := range s.ignored {
			if n > 0 {
				say("tileset %s: %s objects enclose no area: %d ignored, the first in tile %d",
					quote(s.name), kindNames[k], n, s.firstIgnored[k])
			}
		}
		n := g.notes[i]
		if n.misfits > 0 {
			say("tileset %s: tiles in use of another size than a cell, each one full block: %d",
				quote(s.name), n.misfits)
		}
		for _, c := range [...]struct {
			noted
			text string
		}{
			{n.flat, "tiles with collision objects without area when rounded to 1/4096 cell, which are left out"},
			{n.unplaced, "tiles with collision objects whose place in the cell is unknown, which are left out"},
			{n.clipped, "tiles with collision objects that reach out of the tile, where they are clipped"},
			{n.united, "tiles with collision objects that overlap and are united"},
			{n.filled, "tiles whose united objects enclose a hole, which is filled"},
		} {
			if c.count > 0 {
				say("tileset %s: %s: %d, the first is tile %d", quote(s.name), c.text, c.count, c.first)
			}
		}
	}
	m.Warnings = append(m.Warnings, g.decided...)
	if more := g.undecided; more > 0 {
		say("the same for %d more layers and tilesets", more)
	}
	if u := d.unread; u.layers > 0 {
		say("object layers are not read: %d (objects in them: %d), the first %s", u.layers, u.objects, quote(u.first))
	}
	if len(chosen) == 0 {
		say("no %s is visible: there is no ground", d.layerNoun)
	}
	for _, l := range chosen {
		if l.shifted {
			say("layer %s: its offset is ignored", quote(l.path))
		}
		if l.snapped != [2]int64{} {
			say("layer %s: it begins between cells, and is moved by (%d, %d) pixels", quote(l.path), l.snapped[0],
				l.snapped[1])
		}
	}
	if dropped > 0 {
		say("tiles left out because a lower layer has ground in the same cell: %d", dropped)
	}
}
