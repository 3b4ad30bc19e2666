package broad

// Filter decides which shapes, grounds and chains may collide.
type Filter struct {
	Category, Mask uint64 // sets, as bits: the categories of this side, and those that it collides with
	Group          int32  // the same number on both sides, but 0, decides instead: positive always, negative never
	// SensesGround lets a sensor find static grounds, and chains; other shapes ignore it.
	SensesGround bool
}

// Allows reports whether f and o may collide.
func (f *Filter) Allows(o *Filter) bool {
	if f.Group == o.Group && f.Group != 0 {
		return f.Group > 0
	}
	return f.Category&o.Mask != 0 && o.Category&f.Mask != 0
}
