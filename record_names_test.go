package quarry

import "github.com/quarry2d/quarry/internal/replay"

// RecordedNames returns the names of the methods that a log may name.
func RecordedNames() (names []string) {
	for _, f := range recordedCalls() {
		names = append(names, replay.NameOf(f))
	}
	return names
}
