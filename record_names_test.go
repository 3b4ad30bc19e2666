package quarry

import "github.com/quarry2d/quarry/internal/record"

// RecordedNames returns the names of the methods that a log may name.
func RecordedNames() (names []string) {
	for _, f := range recordedCalls() {
		names = append(names, record.NameOf(f))
	}
	return names
}
