//go:build race

package tilemap

// raceDetector tells that the tests run under the race detector, which makes them
// some ten times as slow.
const raceDetector = true
