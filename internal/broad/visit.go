package broad

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/store"
)

// Visit visits the proxies and the ids to give out next. A reader, for which p is empty, asks rest for the rest of the
// entry of an owner, of which it knows that it has none so far; false refuses it. A hash has nothing of this: it
// follows from the calls made.
//
// The grid is built anew. Its answers are exact and in the order of ids, so they do not depend on its history.
func (p *Phase) Visit(c *store.Codec, rest func(o Owner, id ID) (Entry, bool)) {
	if c.Hashing() {
		return
	}
	c.In("the free proxies", -1)
	store.List(c, &p.vacant, 1, func(_ int, id *ID) { store.Integer(c, id) })
	store.List(c, &p.entries, 1, func(i int, e *Entry) {
		c.In("proxy", i)
		used := e.Mask != 0 // of a proxy; see Add
		c.Flag(&used)
		if e.id = ID(i); !used {
			return
		}
		o := uint64(e.Owner)
		c.Word(&o)
		if c.Reading() && c.Err() == nil {
			of, ok := rest(Owner(o), ID(i))
			c.Need(ok, "owner %#x does not exist, or has another proxy", o)
			*e, e.Owner, e.id = of, Owner(o), ID(i)
		}
		visitBox(c, &e.Box)
		visitBox(c, &e.was)
		store.Up(c, &e.dropped, 1<<30)
	})
	moved := make([]ID, 0, len(p.Moved))
	for _, id := range p.Moved {
		if id != None {
			moved = append(moved, id)
		}
	}
	c.In("the moved proxies", -1)
	store.List(c, &moved, 1, func(_ int, id *ID) { store.Integer(c, id) })
	if c.Reading() && c.Err() == nil {
		p.rebuild(c, moved)
	}
}

func visitBox(c *store.Codec, b *geom.AABB) {
	c.Floats(&b.Min.X, &b.Min.Y, &b.Max.X, &b.Max.Y)
}

// rebuild makes the grid and the lists of proxies that were read.
func (p *Phase) rebuild(c *store.Codec, moved []ID) {
	for i := range p.entries {
		e := &p.entries[i]
		c.In("proxy", i)
		if _, err := p.Grid.Add(e.Box, uint64(e.Owner)); err != nil {
			c.Refuse("%v", err)
			return
		}
		if e.Mask == 0 {
			continue
		}
		p.Grid.SetCategory(e.id, e.in())
		p.index(e)
		p.crowded = p.crowded || e.dropped > 0
	}
	c.In("the free proxies", -1)
	for _, id := range p.vacant {
		if id < 0 || int(id) >= len(p.entries) || p.entries[id].Mask != 0 || p.entries[id].moved < 0 {
			c.Refuse("proxy %d does not exist, is not free, or comes twice", id)
			return
		}
		p.Grid.Remove(id)
		p.entries[id].moved = -1
	}
	c.In("the moved proxies", -1)
	for _, id := range moved {
		if id < 0 || int(id) >= len(p.entries) || p.entries[id].Mask == 0 || p.entries[id].moved != 0 {
			c.Refuse("proxy %d does not exist, or comes twice", id)
			return
		}
		p.note(&p.entries[id])
	}
	c.In("the free proxies", -1)
	for i := range p.entries {
		e := &p.entries[i]
		c.Need((e.Mask == 0) == (e.moved < 0), "proxy %d is free and not listed", i)
		if e.Mask == 0 {
			*e = Entry{}
		}
	}
}
