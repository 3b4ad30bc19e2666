package gridseg

import (
	"errors"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// FuzzBrush plays a script of strokes and polygons over few cells, two bytes a vertex, so
// that edges meet in every way, and compares grid, deltas and oracle. A grid made of the
// resulting polygons must be equal, and subtracting all leaves nothing.
func FuzzBrush(f *testing.F) {
	f.Add([]byte{0, 3, 0, 0, 200, 0, 100, 250, 0x11, 3, 50, 50, 250, 60, 60, 255, 0x40, 4, 0, 0, 90, 0, 90, 90, 0, 90})
	f.Add([]byte{
		0xF1, 5, 1, 1, 255, 2, 3, 254, 254, 255, 0, 128, 0x82, 3, 128, 128, 129, 255, 255, 129, 0x21, 3, 0, 0,
		255, 255, 254, 255,
	})
	shapes := gallery(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) < 1 || len(script) > 160 {
			return
		}
		g, w, m := New(shapes), newWorld(shapes), mirror{}
		o := origins[int(script[0]&15)%len(origins)]
		for k, p := range [][2]uint8{{0, 1}, {1, 1}} {
			if script[0]>>(4+k)&1 != 0 {
				if err := g.Preserve(p[0], p[1]); err != nil {
					t.Fatal(err)
				}
				w.preserve[p] = true
				w.preserve[[2]uint8{p[1], p[0]}] = true
			}
		}
		// A step is fine in one half of the scripts, so that edges are near each other.
		step := int64(2 * Unit / 256)
		if script[0]&0x80 != 0 {
			step = 1
		}
		for rest := script[1:]; len(rest) >= 2; {
			op, n := rest[0], int(rest[1]&15)
			rest = rest[2:]
			if len(rest) < 2*n {
				break
			}
			var loop, local []Point
			for k := range n {
				u, v := int64(rest[2*k]), int64(rest[2*k+1])
				loop = append(loop, Point{X: int64(o.X)*Unit + u*step, Y: int64(o.Y)*Unit + v*step})
				local = append(local, Point{X: u * Unit / 255, Y: v * Unit / 255})
			}
			rest = rest[2*n:]
			a := Attr{Layer: op >> 2 & 1, Material: uint16(op >> 3 & 1)}
			c := Cell{X: o.X + int32(op>>4&1), Y: o.Y + int32(op>>5&1)}
			before := g.Hash()
			var err error
			switch op & 3 {
			case 0:
				err = g.Unite([][]Point{loop}, a)
			case 1:
				err = g.Subtract([][]Point{loop})
			case 2:
				err = g.Add(c.X, c.Y, [][]Point{local}, a)
			default:
				if n == 15 { // empties the chunk of c, whose memory later edits use again
					for _, at := range cellsOf(g, chunkOf(c)) {
						err = errors.Join(err, g.Clear(at.X, at.Y))
					}
					break
				}
				err = g.Set(c.X, c.Y, Tile{
					Shape: ShapeID(n) + 1, Turn: Turn(op >> 6), Layer: a.Layer,
					Material: a.Material,
				})
			}
			var e *Error
			if err != nil && (!errors.As(err, &e) || g.Hash() != before) {
				t.Fatalf("%v, hash %x before and %x after", err, before, g.Hash())
			}
			if errors.Is(err, lattice.ErrCrossing) && op&3 < 2 {
				t.Fatal(err) // edges that cross after rounding
			}
			d := g.Resolve()
			m.take(t, &d)
			m.equals(t, g)
			w.read(g)
			w.check(t, g)
		}
		checkPolygons(t, g)
		box := func(r Rect) []Point {
			x0, y0, x1, y1 := int64(r.MinX)*Unit, int64(r.MinY)*Unit, (int64(r.MaxX)+1)*Unit, (int64(r.MaxY)+1)*Unit
			return []Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
		}
		if r, ok := g.Bounds(); ok {
			if err := g.Subtract([][]Point{box(r)}); err != nil {
				t.Fatal(err)
			}
		}
		g.Resolve()
		if tiles, segments := g.Count(); tiles+segments+len(g.chunks)+len(g.patches.list)-len(g.patches.free) != 0 {
			t.Fatalf("left: %d tiles, %d segments, %d chunks", tiles, segments, len(g.chunks))
		}
	})
}
