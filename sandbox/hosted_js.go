package sandbox

// hosted returns false: the page has no hosts, and the compiler leaves out what they need.
func (*sim) hosted() bool { return false }
