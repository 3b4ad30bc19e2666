package grid

// A ray advances by tiles: the chunks of a chunked grid, or the lowest blocks of a hashed grid. Each cell of a tile
// has a bit that is set if the cell has objects. An empty cell costs a bit, an empty tile nothing.

// tileColumn is the tiles that a ray may enter in one column of tiles: one or two, or three from
// corner to corner.
type tileColumn struct {
	v           int64 // v of the ray at the column's left side, relative to the lowest tile, in 2^-32 of a cell
	first, last int32 // columns of cells, in the ray's order
	row         int32 // row of the lowest tile
	n           int32 // number of tiles
	anyCells    uint64
	at          [4]int     // chunk numbers, below 0 for none; later the indices of their lists
	mask        [16]uint64 // occupied cells; the fourth tile has none
}

// fixed is the number of fractional bits of v.
const fixed = 32

// tileBits returns log2 of the width of r's tiles, in cells.
func (r *region) tileBits() uint8 {
	if r.kind == Hashed {
		return 3
	}
	return chunkBits
}

// tiles returns the table of r's tiles; r must not be fixed.
func (r *region) tiles() *table {
	if r.kind == Hashed {
		return &r.blocks[0]
	}
	return &r.cells
}

// tileColumn finds the tiles that a ray may enter from column u to the end of its tile.
func (w *walk) tileColumn(t *tileColumn, u int32, bits uint8) {
	side := int32(1)<<bits - 1
	left := u &^ side
	t.first, t.last = u, max(left, w.last)
	if w.step > 0 {
		t.last = min(left+side, w.last)
	}
	u0, u1 := min(t.first, t.last), max(t.first, t.last)+1
	if w.slope < 0 {
		u0, u1 = u1, u0
	}
	v0 := w.ov + float64((float64(u0)-w.ou)*w.slope)
	v1 := w.ov + float64((float64(u1)-w.ou)*w.slope)
	pad := w.hv + w.hu
	t.row = max(w.rows.y0, floor32(v0-pad)) >> bits
	t.n = max(0, min(w.rows.y1, floor32(v1+pad))>>bits-t.row+1)
	v := w.ov + float64((float64(left)-w.ou)*w.slope) - float64(t.row<<bits)
	t.v = int64(v * (1 << fixed))
}

// tileAt returns the position of tile k of a column, in the region's coordinates.
func (t *tileColumn) tileAt(k int32, steep bool, bits uint8) (x, y int32) {
	if steep {
		return t.row + k, t.first >> bits
	}
	return t.first >> bits, t.row + k
}

// prefetchTiles loads the table slots that findTiles reads.
func (b *rayBatch) prefetchTiles() uint64 {
	x := uint64(0)
	if b.w.r.kind != Fixed {
		tab := b.w.r.tiles()
		mask := len(tab.slots) - 1
		for i := range b.tile[:b.tiles] {
			t := &b.tile[i]
			for k := range t.n {
				x ^= uint64(tab.slots[tab.home(squareKey(t.tileAt(k, b.w.steep, b.bits)))&mask].key)
			}
		}
	}
	return x
}

// findTiles finds the tiles, and prefetches the masks that readMasks reads.
func (b *rayBatch) findTiles() uint64 {
	r := b.w.r
	x := uint64(0)
	for i := range b.tile[:b.tiles] {
		t := &b.tile[i]
		for k := range t.n {
			bx, by := t.tileAt(k, b.w.steep, b.bits)
			if r.kind == Hashed {
				t.mask[k] = uint64(r.blocks[0].get(squareKey(bx, by)))
				continue
			}
			c := r.chunk(bx, by)
			if t.at[k] = c; c >= 0 {
				x ^= r.chunks.mask[c][0]
			}
		}
	}
	return x
}

// readMasks reads the masks of the tiles, and reports whether any bit is set.
func (b *rayBatch) readMasks() bool {
	r := b.w.r
	some := uint64(0)
	for i := range b.tile[:b.tiles] {
		t := &b.tile[i]
		if r.kind == Hashed {
			clear(t.mask[t.n:4])
			t.anyCells = t.mask[0] | t.mask[1] | t.mask[2]
		} else {
			t.mask, t.anyCells = [16]uint64{}, 0
			for k := range t.n {
				if c := t.at[k]; c >= 0 {
					m := &r.chunks.mask[c]
					*(*[4]uint64)(t.mask[4*k:]) = *m
					t.anyCells |= m[0] | m[1] | m[2] | m[3]
					t.at[k] = c << (2 * chunkBits)
				}
			}
		}
		some |= t.anyCells
	}
	return some != 0
}
