package broad

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/pool"
)

// Visit visits the proxies and the ids to give out next. A reader, for which p is empty, calls rest for the other
// fields of an owner's entry; rest returns false to refuse an owner that does not exist or has an entry already. A hash
// has nothing of p, which follows from the calls made.
//
// The grid is rebuilt. Its answers are exact and in the order of ids, so they do not depend on its history.
func (p *Phase) Visit(c *pool.Codec, rest func(o Owner, id ID) (Entry, bool)) {
	if c.Hashing() {
		return
	}
	c.In("the free proxies", -1)
	pool.List(c, &p.vacant, 1, func(_ int, id *ID) { pool.Integer(c, id) })
	pool.List(c, &p.entries, 1, func(i int, e *Entry) {
		c.In("proxy", i)
		used := e.Mask != 0 // of a proxy; see Add
		c.Flag(&used)
		if c.Reading() {
			e.id = ID(i)
		}
		if !used {
			return
		}
		o := uint64(e.Owner)
		c.Word(&o)
		if c.Reading() && c.Err() == nil {
			of, ok := rest(Owner(o), ID(i))
			c.Need(ok, "owner %#x does not exist, or has another proxy", o)
			*e, e.Owner, e.id = of, Owner(o), ID(i)
		}
		c.Box(&e.Box)
		c.Box(&e.was)
		pool.Up(c, &e.dropped, 1<<30)
	})
	moved := make([]ID, 0, len(p.Moved))
	for _, id := range p.Moved {
		if id != None {
			moved = append(moved, id)
		}
	}
	c.In("the moved proxies", -1)
	pool.List(c, &moved, 1, func(_ int, id *ID) { pool.Integer(c, id) })
	if c.Reading() && c.Err() == nil {
		p.rebuild(c, moved)
	}
}

// rebuild makes the grid and the lists of proxies that were read.
func (p *Phase) rebuild(c *pool.Codec, moved []ID) {
	free := make([]bool, len(p.entries))
	c.In("the free proxies", -1)
	for _, id := range p.vacant {
		if id < 0 || int(id) >= len(p.entries) || p.entries[id].Mask != 0 || free[id] {
			c.Refuse("proxy %d does not exist, is not free, or comes twice", id)
			return
		}
		free[id] = true
	}
	for i := range p.entries {
		c.Need((p.entries[i].Mask == 0) == free[i], "proxy %d is free and not listed", i)
	}
	c.In("the moved proxies", -1)
	for _, id := range moved {
		if id < 0 || int(id) >= len(p.entries) || p.entries[id].Mask == 0 || p.entries[id].moved != 0 {
			c.Refuse("proxy %d does not exist, or comes twice", id)
			return
		}
		p.note(&p.entries[id])
	}
	c.In("the proxies", -1)
	if err := p.fill(); err != nil && c.Err() == nil {
		c.Refuse("%v", err)
		return
	}
	for i := range p.entries {
		if e := &p.entries[i]; e.Mask != 0 {
			p.index(e)
			p.crowded = p.crowded || e.dropped > 0
		}
	}
}

// vacantRow is the number of cells in a row of those in which fill puts vacant ids.
const vacantRow = 1024

// fill refills the grid, with the proxies and the ids to give out next.
func (p *Phase) fill() error {
	p.Grid.Clear()
	for _, r := range [...]*raster{&p.others, &p.chains, &p.rafts} {
		*r = raster{inv: r.inv}
	}
	for i := range p.entries {
		e := &p.entries[i]
		box := e.Box
		if e.Mask == 0 { // removed below: few in each cell, because a removal searches the cell
			at := geom.V(float64(i%vacantRow), float64(i/vacantRow)).Mul(p.cellSize)
			box = geom.AABB{Min: at, Max: at}
		}
		id, err := p.Grid.Add(box, uint64(e.Owner))
		if err != nil {
			return err
		}
		if e.Mask != 0 {
			p.Grid.SetCategory(id, e.gridCategory())
			p.count(e, 1)
		}
	}
	for _, id := range p.vacant {
		p.Grid.Remove(id)
	}
	return nil
}

// Saved is the state of a Phase at one time, without Pairs, which follow from the contacts. It is in little memory.
type Saved struct {
	state   // without entries and boxes
	entries pool.Packed[Entry]
}

// Save makes s the present state, in the room that s has; room is for the packing.
func (p *Phase) Save(s *Saved, room *pool.Packing) {
	s.state.copy(&p.state)
	if room.Plain {
		s.entries.Pack(room, p.entries)
		return
	}
	s.entries.Begin(room, len(p.entries))
	for i := range p.entries {
		e := s.entries.Next(room)
		if *e = p.entries[i]; pool.Same(&e.was, &e.Box) {
			e.was = geom.AABB{} // no box in the grid is that
		}
	}
	s.entries.End(room)
}

// Load goes back to the state s. It allocates nothing if the proxies are the same: then it moves those in the grid
// whose boxes differ. Otherwise it rebuilds the grid. The caller sets Pairs.
func (p *Phase) Load(s *Saved) {
	entries := s.entries.List(&p.loading)
	same := len(p.entries) == len(entries) && slices.Equal(p.vacant, s.vacant)
	for i := 0; same && i < len(p.entries); i++ {
		a, b := &p.entries[i], &entries[i]
		same = a.Owner == b.Owner && (a.Mask == 0) == (b.Mask == 0) &&
			(a.Mask == 0 || a.gridCategory() == b.gridCategory())
	}
	for i := 0; same && i < len(p.entries); i++ {
		if e := &entries[i]; e.Mask != 0 && e.Box != p.entries[i].Box {
			_ = p.Grid.Update(ID(i), e.Box) // the grid has held the box
			if r := p.rasterOf(e); r != nil {
				r.move(&p.entries[i].Box, &e.Box)
			}
		}
	}
	p.state.copy(&s.state)
	pool.CopySlice(&p.entries, entries)
	p.boxes = slices.Grow(p.boxes[:0], len(p.shapes))[:len(p.shapes)]
	for i := range p.entries {
		e := &p.entries[i]
		if e.was == (geom.AABB{}) {
			e.was = e.Box
		}
		if e.Mask != 0 && e.Owner.Kind() == Shape {
			p.boxes[e.Owner.Slot()] = e.Box
		}
	}
	if !same {
		_ = p.fill() // the grid has held these boxes
	}
	p.crowd.Forget()
}

// copy copies all but Pairs, entries and boxes.
func (p *state) copy(from *state) {
	p.excluded.Copy(&from.excluded)
	p.crowded = from.crowded
	pool.CopySlice(&p.Moved, from.Moved)
	pool.CopySlice(&p.vacant, from.vacant)
	pool.CopySlice(&p.sensors, from.sensors)
	pool.CopySlice(&p.shapes, from.shapes)
	pool.CopySlice(&p.excluding, from.excluding)
}
