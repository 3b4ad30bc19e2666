package broad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// Faces misses no box of faces that a query overlaps, of chains that stay, that come, go and are put elsewhere, and of
// chains on bodies that move; and it asks for the boxes again only when a chain that stays is another one, or
// elsewhere.
func TestFacesMissesNone(t *testing.T) {
	type chain struct {
		points []geom.Vec
		at     geom.Vec
		moves  bool
		id     ID
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		p := NewPhase(1)
		var f Faces
		var chains []chain
		boxes := func(c *chain) (all []geom.AABB) {
			for k := range len(c.points) - 1 {
				a, b := c.points[k].Add(c.at), c.points[k+1].Add(c.at)
				all = append(all, geom.AABB{Min: a.Min(b), Max: a.Max(b)})
			}
			return all
		}
		for step := range 60 {
			changed := step == 0
			switch k := r.IntN(4); {
			case k == 0:
				c := chain{at: geom.V(200*r.Float64()-100, 200*r.Float64()-100), moves: r.IntN(4) == 0}
				at := geom.Vec{}
				for range 2 + r.IntN(50) {
					c.points = append(c.points, at)
					at = at.Add(geom.V(6*r.Float64()-2, 6*r.Float64()-3))
				}
				box := geom.Empty
				for _, b := range boxes(&c) {
					box = box.Union(b)
				}
				id, err := p.Add(Entry{Box: box, Owner: OwnerOf(Chain, int32(step)), Body: int32(step)})
				if err != nil {
					t.Fatal(err)
				}
				c.id, changed = id, !c.moves
				chains = append(chains, c)
			case k == 1 && len(chains) > 0:
				i := r.IntN(len(chains))
				changed = !chains[i].moves
				p.Remove(chains[i].id)
				chains = slices.Delete(chains, i, i+1)
			case k == 2 && len(chains) > 0:
				c := &chains[r.IntN(len(chains))]
				by := geom.V(r.Float64(), r.Float64())
				c.at, changed = c.at.Add(by), !c.moves
				if err := p.Update(c.id, p.At(c.id).Box.Translate(by)); err != nil {
					t.Fatal(err)
				}
			}
			f.Begin()
			for i := range chains {
				if c := &chains[i]; c.moves {
					f.Move(c.id)
				} else {
					f.Place(c.points, geom.At(c.at))
				}
			}
			if got := f.Changed(p); got && !changed || !got && changed && step > 0 {
				t.Fatalf("Changed is %v", got)
			} else if got {
				for i := range chains {
					if !chains[i].moves {
						for _, b := range boxes(&chains[i]) {
							f.Count(b)
						}
					}
				}
			}
			for range 20 {
				at := geom.V(300*r.Float64()-150, 300*r.Float64()-150)
				q := geom.AABB{Min: at, Max: at.Add(geom.V(5*r.Float64(), 5*r.Float64()))}
				for i := range chains {
					if slices.ContainsFunc(boxes(&chains[i]), q.Overlaps) && !f.MayMeet(p, q) {
						t.Fatalf("no face near %v", q)
					}
				}
			}
		}
	}
}
