package gridseg

import "testing"

// FuzzEdits plays a script of edits, four bytes each, and compares grid, deltas and
// oracle with each other at every Resolve. The first byte picks the place and the
// preserved layers. A fill of the shape 255 empties its chunk or all chunks, whose memory
// later edits use again.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0})
	f.Add([]byte{0x13, 0, 0x00, 1, 0, 0, 0x01, 1, 0x10, 0xC0, 0x11, 9, 3, 0xFF, 0, 0, 0})
	f.Add([]byte{0, 3, 0, 1, 0, 0, 0, 255, 0, 0x80, 1, 1, 0, 0, 1, 0, 0}) // panicked: a chunk reused
	shapes := gallery(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 1 || len(script) > 1+4*40 {
			return
		}
		g, w, m := New(shapes), newWorld(shapes), mirror{}
		o := origins[int(script[0]&15)%len(origins)]
		for k, p := range [][2]uint8{{0, 1}, {1, 1}, {1, 2}, {0, 0}} {
			if script[0]>>(4+k)&1 != 0 {
				if err := g.Preserve(p[0], p[1]); err != nil {
					t.Fatal(err)
				}
				w.preserve[p] = true
				w.preserve[[2]uint8{p[1], p[0]}] = true
			}
		}
		for rest := script[1:]; len(rest) >= 4; rest = rest[4:] {
			op, place, shape, look := rest[0], rest[1], rest[2], rest[3]
			x, y := o.X+int32(place&15)%worldSide, o.Y+int32(place>>4)%worldSide
			tile := Tile{
				Shape: ShapeID(shape) % ShapeID(shapes.Len()+4), Turn: Turn(look & 15),
				Layer: look >> 4 & 3, Material: uint16(look >> 6),
			}
			r := Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}
			if op&1 != 0 {
				r.MaxX = min(x+int32(op>>1&3), o.X+worldSide-1)
				r.MaxY = min(y+int32(op>>3&3), o.Y+worldSide-1)
			}
			if shape == 255 {
				all := everywhere
				if op&1 != 0 {
					all = chunkOf(Cell{X: x, Y: y})
				}
				vacate(t, g, m, w, all)
				continue
			}
			hash := g.Hash()
			if err := g.Fill(r, tile); err == nil {
				for y := int64(r.MinY); y <= int64(r.MaxY); y++ {
					for x := int64(r.MinX); x <= int64(r.MaxX); x++ {
						w.set(Cell{X: int32(x), Y: int32(y)}, tile)
					}
				}
			} else if g.Hash() != hash {
				t.Fatalf("refused, yet done: %v", err)
			}
			if op&0x80 == 0 {
				d := g.Resolve()
				m.take(t, &d)
				m.equals(t, g)
				w.check(t, g)
			}
		}
		d := g.Resolve()
		m.take(t, &d)
		w.check(t, g)
	})
}
