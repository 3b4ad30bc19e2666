package visit

import (
	"math"

	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/store"
)

// Number visits n, which a hash has, by its name, only where it is not the usual one.
func Number(c *store.Codec, name rune, n *check.Number) {
	if !c.Hashing() {
		c.Float(n.Value)
		c.Need(*n.Value >= n.Least && *n.Value <= n.Most, "%s is %v: it must be %v to %v", n.Name, *n.Value, n.Least, n.Most)
	} else if *n.Value != n.Usual {
		c.Hasher().Rare(name, math.Float64bits(*n.Value))
	}
}
