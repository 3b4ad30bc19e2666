package host

import "fmt"

// MaxName is the greatest length of the name of a world or a host.
const MaxName = 64

// CheckName returns an error unless name is the name of a world or a host: 1 to MaxName of a-z, 0-9, "-" and "_", not
// "-" at first. Such a name is a file name on every system, and a part of an address.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return fmt.Errorf("the name %.80q has %d letters: it must have 1 to %d", name, len(name), MaxName)
	}
	for i, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-' && i > 0:
		default:
			return fmt.Errorf("the name %q has the letter %q: a name has a-z, 0-9, \"_\" and, but for the first, \"-\"",
				name, c)
		}
	}
	return nil
}
