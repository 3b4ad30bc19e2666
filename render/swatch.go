package render

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/canvas"
)

// swatch is the palette of all frames of an animation, with a lookup of the nearest entry.
type swatch struct {
	colours []canvas.Ink // at most swatchSize
	// cache has recent answers by a hash of the colour. A frame looks up a few thousand colours
	// half a million times; the cache has a fixed size, unlike a map.
	cache [1 << 13]cached
}

type cached struct {
	key   uint32 // 0xRRGGBB with bit 24 set
	index uint8
}

// A GIF palette has 256 entries; the last is for unchanged pixels.
const (
	swatchSize  = 255
	transparent = 255
)

// flatShare: a colour of at least 1/flatShare of the pixels gets an entry of its own, because it
// probably fills areas.
const flatShare = 4000

// newSwatch chooses the colours for pictures like the RGBA pixels pix, drawn with the theme.
// Colours that fill areas and colours of the theme get entries; blends along edges share the rest.
func newSwatch(pix []uint8, t *theme) *swatch {
	counts := map[uint32]int{}
	for i := 0; i+3 < len(pix); i += 4 {
		counts[keyOf(pix[i], pix[i+1], pix[i+2])]++
	}
	all := make([]shade, 0, len(counts))
	for key, n := range counts {
		all = append(all, shade{key, n})
	}
	slices.SortFunc(all, func(a, b shade) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key))
	})
	s := &swatch{}
	taken := map[uint32]bool{}
	take := func(c canvas.Ink) {
		key := keyOf(c.R, c.G, c.B)
		if !taken[key] && len(s.colours) < swatchSize {
			taken[key] = true
			s.colours = append(s.colours, canvas.Ink{R: c.R, G: c.G, B: c.B, A: 255})
		}
	}
	flat := 0
	for flat < len(all) && flat < 100 && all[flat].count*flatShare >= len(pix)/4 {
		take(all[flat].ink())
		flat++
	}
	for _, c := range t.all() {
		take(c)
	}
	rest := all[flat:]
	for i := range rest {
		// The logarithm gives many rare blends more weight than one common blend.
		rest[i].count = bits.Len(uint(rest[i].count))
	}
	// Later frames may have inks of the theme that the first frame lacks.
	for _, c := range t.all() {
		for _, share := range [...]float64{0.33, 0.67} {
			m := c.Mix(t.background, share)
			rest = append(rest, shade{keyOf(m.R, m.G, m.B), 1})
		}
	}
	for _, c := range medianCut(rest, swatchSize-len(s.colours)) {
		take(c)
	}
	return s
}

// shade is a colour and its weight.
type shade struct {
	key   uint32
	count int
}

func keyOf(r, g, b uint8) uint32 { return uint32(r)<<16 | uint32(g)<<8 | uint32(b) }

func (s shade) ink() canvas.Ink { return canvas.RGB(s.key) }

// channel returns red, green or blue (2, 1, 0).
func (s shade) channel(c int) uint8 { return uint8(s.key >> (8 * c)) }

// medianCut returns at most n colours that represent the shades (Heckbert 1982): it repeatedly
// splits the box of colours with the largest weight times width at its weighted median, and then
// returns the heaviest shade of each box. It reorders shades.
func medianCut(shades []shade, n int) []canvas.Ink {
	if len(shades) == 0 || n <= 0 {
		return nil
	}
	boxes := []colourBox{newColourBox(shades)}
	for len(boxes) < n {
		best := 0
		for i := range boxes {
			if boxes[i].score > boxes[best].score {
				best = i
			}
		}
		if boxes[best].score == 0 {
			break
		}
		a, b := boxes[best].split()
		boxes[best] = a
		boxes = append(boxes, b)
	}
	out := make([]canvas.Ink, len(boxes))
	for i, b := range boxes {
		out[i] = slices.MaxFunc(b.shades, func(a, b shade) int {
			return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.key, b.key))
		}).ink()
	}
	return out
}

// colourBox is a set of shades, its widest channel, and its priority for a split.
type colourBox struct {
	shades []shade
	widest int
	weight int
	score  int // 0: all of one colour
}

func newColourBox(shades []shade) colourBox {
	b := colourBox{shades: shades}
	width := 0
	for c := range 3 {
		lo, hi := uint8(255), uint8(0)
		for _, s := range shades {
			lo, hi = min(lo, s.channel(c)), max(hi, s.channel(c))
		}
		if w := int(hi) - int(lo); w > width {
			width, b.widest = w, c
		}
	}
	for _, s := range shades {
		b.weight += s.count
	}
	b.score = b.weight * width
	return b
}

// split splits the box, which must have a score, into two boxes that are not empty.
func (b colourBox) split() (colourBox, colourBox) {
	c := b.widest
	slices.SortFunc(b.shades, func(s, t shade) int {
		return cmp.Or(cmp.Compare(s.channel(c), t.channel(c)), cmp.Compare(s.key, t.key))
	})
	seen, at := 0, 0
	for at < len(b.shades)-1 && 2*seen < b.weight {
		seen += b.shades[at].count
		at++
	}
	at = max(at, 1)
	return newColourBox(b.shades[:at]), newColourBox(b.shades[at:])
}

// index returns the entry nearest to a colour, the first of equals. The distance weights green most
// and blue least, as the eye does.
func (s *swatch) index(r, g, b uint8) uint8 {
	key := keyOf(r, g, b) | 1<<24
	slot := &s.cache[key*2654435761>>(32-13)]
	if slot.key == key {
		return slot.index
	}
	best, least := 0, 1<<30
	for i, c := range s.colours {
		dr, dg, db := int(c.R)-int(r), int(c.G)-int(g), int(c.B)-int(b)
		if dist := 3*dr*dr + 5*dg*dg + 2*db*db; dist < least {
			best, least = i, dist
		}
	}
	*slot = cached{key, uint8(best)}
	return slot.index
}
