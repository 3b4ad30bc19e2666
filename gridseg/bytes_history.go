package gridseg

import (
	"bytes"
	"slices"
)

// Going back over Unload and Load.
//
// A Saved knows which places are unloaded, but not their tiles: the caller of Unload keeps these. A place that is
// loaded after a Save, edited and unloaded again has other tiles then, so whoever keeps the tiles has the later ones.
// Therefore each Load and Unload after a Save leaves its bytes in a list that begins at the Saved. The first of them
// that touches a chunk tells what the chunk was at the Save: unloaded with the tiles of a Load, or else loaded. The
// last one tells what the chunk is now. Restore makes the difference good: it lists the places whose tiles have gone
// back (EachReverted), and appends to the list as if it loaded and unloaded them, so that later Saveds can be restored,
// too.
//
// The grid refers only to the end of the list. So the memory of the bytes lasts no longer than the Saveds before them.

// placeChange is a Load or an Unload of a place, or, without next, the end of the list.
type placeChange struct {
	data []byte // of the place
	load bool
	next *placeChange
}

// endOfChanges returns the end of the list, for a Saved.
func (g *Grid) endOfChanges() *placeChange {
	if g.changes == nil {
		g.changes = new(placeChange)
	}
	return g.changes
}

// noteChange appends a Load or an Unload to the list, if a Saved is before it. It keeps data.
func (g *Grid) noteChange(data []byte, load bool) {
	if c := g.changes; c != nil {
		c.data, c.load, c.next = data, load, new(placeChange)
		g.changes = c.next
	}
}

// noteCopy is noteChange of a copy of data, which belongs to the caller of Load or Unload.
func (g *Grid) noteCopy(data []byte, load bool) {
	if g.changes != nil {
		g.noteChange(bytes.Clone(data), load)
	}
}

// EachReverted calls done with each unloaded place whose tiles a Restore has set back, and with its bytes for Load, in
// the order of the Restores. Whoever keeps the bytes of unloaded places must replace the bytes of the place by them:
// the place was loaded since the Save, and may have been edited. done must not change data. If it returns true, the
// place is not listed again; nor is it after it was loaded.
func (g engine) EachReverted(done func(place Rect, data []byte) bool) {
	g.reverted = slices.DeleteFunc(g.reverted, func(data []byte) bool {
		r, _, _ := openPlace(data)
		return done(r, data)
	})
}

// goBack notes the Loads and Unloads that a Restore of s makes, and lists the unloaded places whose tiles go back. It
// returns false if no place was loaded or unloaded since s; an earlier Restore may have changed how a place counts.
func (g *Grid) goBack(s *Saved) bool {
	var list []*placeChange
	first, last := map[Cell]int{}, map[Cell]int{} // by chunk, in list
	end := s.changes
	for ; end.next != nil; end = end.next {
		r, _, _ := openPlace(end.data)
		for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
			for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
				at := Cell{X: cx, Y: cy}
				if _, ok := first[at]; !ok {
					first[at] = len(list)
				}
				last[at] = len(list)
			}
		}
		list = append(list, end)
	}
	g.changes = end
	if len(list) == 0 {
		return s.grid != g
	}
	goesBack := func(at Cell) bool { // the chunk was unloaded, or is now, and not with the same tiles
		was, is := list[first[at]], list[last[at]]
		return (was.load || !is.load) && !(was.load && !is.load && bytes.Equal(was.data, is.data))
	}
	g.dropReverted(func(at Cell) bool {
		_, touched := first[at]
		return touched && goesBack(at)
	})
	for k, c := range list {
		if !c.load {
			g.eachPart(c.data, func(at Cell) bool { return last[at] == k && goesBack(at) }, func(data []byte) {
				g.noteChange(data, true)
			})
		}
	}
	for k, c := range list {
		if c.load {
			g.eachPart(c.data, func(at Cell) bool { return first[at] == k && goesBack(at) }, func(data []byte) {
				g.noteChange(data, false)
				g.reverted = append(g.reverted, data)
			})
		}
	}
	return true
}

// dropReverted takes the chunks that drop names out of the list of reverted places.
func (g *Grid) dropReverted(drop func(chunk Cell) bool) {
	was := g.reverted
	g.reverted = nil
	for _, data := range was {
		g.eachPart(data, func(at Cell) bool { return !drop(at) }, func(data []byte) {
			g.reverted = append(g.reverted, data)
		})
	}
}

// eachPart calls f with the bytes of a place, if keep returns true for all its chunks, or else with the bytes of each
// chunk that is kept.
func (g *Grid) eachPart(data []byte, keep func(chunk Cell) bool, f func(data []byte)) {
	place, r, _ := openPlace(data)
	w, h := (place.MaxX-place.MinX)>>chunkBits+1, (place.MaxY-place.MinY)>>chunkBits+1
	var list []Cell
	for k := range w * h {
		if at := (Cell{X: place.MinX>>chunkBits + k%w, Y: place.MinY>>chunkBits + k/w}); keep(at) {
			list = append(list, at)
		}
	}
	switch len(list) {
	case int(w * h):
		f(data)
	case 0:
	default:
		shapes := r.data
		r.take(int(r.u16()) * (2 + 8))
		shapes = shapes[:len(shapes)-len(r.data)]
		var cells readCells
		for k := range w * h {
			at := Cell{X: place.MinX>>chunkBits + k%w, Y: place.MinY>>chunkBits + k/w}
			chunk := r.data
			if chunk[0] == emptyChunk {
				r.data = r.data[1:]
			} else if err := g.readChunk(r, &cells, at.X<<chunkBits, at.Y<<chunkBits); err != nil {
				panic("quarry: gridseg: the bytes of a place that was loaded cannot be read: " + err.Error())
			}
			if chunk = chunk[:len(chunk)-len(r.data)]; len(list) > 0 && list[0] == at {
				list = list[1:]
				b := appendPlaceHead(nil, Rect{
					MinX: at.X << chunkBits, MinY: at.Y << chunkBits, MaxX: at.X<<chunkBits + chunkMask,
					MaxY: at.Y<<chunkBits + chunkMask,
				})
				f(appendSum(append(append(b, shapes...), chunk...)))
			}
		}
	}
}
