//go:build !race

package tilemap

const raceDetector = false
