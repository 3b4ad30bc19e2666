package broad

import "math"

// Owner names the owner of a proxy, a shape, ground or chain: the high half is its kind, the low half its slot.
type Owner uint64

// The kinds of owners.
const (
	Shape Owner = iota << 32
	Ground
	Chain
)

// OwnerOf returns the owner of a kind in a slot.
func OwnerOf(kind Owner, slot int32) Owner { return kind | Owner(slot) }

// Kind returns the kind of o.
func (o Owner) Kind() Owner { return o &^ math.MaxUint32 }

// Slot returns the slot of o.
func (o Owner) Slot() int32 { return int32(uint32(o)) }

// Key names a pair. The low half is side B; see B. The high half is side A: the slot of the lower one of two shapes or
// two grounds, or of the ground or chain beside a shape, or of the chain beside a ground; and above the slot, since
// slots are below 1<<30, the kind.
type Key uint64

// B returns o, a shape or a ground, as side B of a pair: its slot, or for a ground the slot's complement.
func B(o Owner) int32 {
	if o.Kind() == Ground {
		return ^o.Slot()
	}
	return o.Slot()
}

// OwnerOfB returns the owner that is b as side B.
func OwnerOfB(b int32) Owner {
	if b < 0 {
		return OwnerOf(Ground, ^b)
	}
	return Owner(b)
}

const kindShift = 30 // from the kind of an owner to the kind of a key

// KeyOf returns the key of the pair of o and b, a side B; see B. Of two owners of one kind either may be o.
func KeyOf(o Owner, b int32) Key {
	if p := OwnerOfB(b); o.Kind() == p.Kind() && o.Slot() > p.Slot() {
		o, b = p, B(o)
	}
	return Key(o.Kind()<<kindShift | o<<32 | Owner(uint32(b)))
}

// Sides returns side A of k, and side B; see B.
func (k Key) Sides() (Owner, int32) {
	const kinds = 3 << 32
	return Owner(k>>kindShift)&kinds | Owner(k>>32)&(1<<kindShift-1), int32(uint32(k))
}

// Rank returns a number by which pairs of o and b, a side B, are sorted: pairs of shapes come first, then pairs with a
// ground, then with a chain, each in the order of slots, of side A first.
func Rank(o Owner, b int32) uint64 {
	return uint64(o.Kind()>>32)<<61 | uint64(uint32(o))<<31 | uint64(b+1<<30) // bits: kind 2, slot of A 30, B 31
}
