package pool

import (
	"math"

	"github.com/quarry2d/quarry/internal/check"
)

// Number visits n. A hash has n, with its name, only if it is not the default.
func (c *Codec) Number(name rune, n *check.Number) {
	if !c.Hashing() {
		c.Float(n.Value)
		c.Need(*n.Value >= n.Least && *n.Value <= n.Most, "%s is %v: it must be %v to %v", n.Name, *n.Value, n.Least,
			n.Most)
	} else if *n.Value != n.Usual {
		c.Hasher().Rare(name, math.Float64bits(*n.Value))
	}
}
