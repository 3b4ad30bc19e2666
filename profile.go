package quarry

import (
	"time"
	"unsafe"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/solve"
)

// Profile holds the time that the last step took, and the times of its stages, of which it is the sum.
type Profile struct {
	Step    time.Duration // the whole step
	Pairs   time.Duration // find pairs of shapes whose boxes came to overlap
	Narrow  time.Duration // compute manifolds, and apply what they change
	List    time.Duration // list awake bodies and their contacts, join islands
	Solve   time.Duration // contacts: from impacts to restitution, and the impulses taken back
	Advance time.Duration // continuous collision, poses and boxes of the bodies that moved
	Sensors time.Duration // overlaps of sensors
	Sleep   time.Duration // put islands to sleep
}

// Profile returns the times of the last step if Config.Profile is set, else zeros.
func (w *World) Profile() Profile {
	w.mustBeMade()
	return w.profile
}

// lap sets d to the time since the last lap, the time of a stage. No other function reads a clock.
func (w *World) lap(d *time.Duration) {
	if w.config.Profile {
		now := time.Now()
		*d, w.lapped = now.Sub(w.lapped), now
	}
}

// Internals returns the code of the solver's passes, "avx2", or "go" without such a processor, and the
// bytes of a body and a contact with one manifold, in world and solver, without the broad phase.
func Internals() (kernels string, bodyBytes, contactBytes int) {
	b, c := solve.Bytes()
	b += int(unsafe.Sizeof(body{}) + unsafe.Sizeof(bodyRare{}))
	c += int(unsafe.Sizeof(contactState{}) + unsafe.Sizeof(contact.Manifold{}) + unsafe.Sizeof(narrow.Last{}))
	return solve.Kernels(), b, c
}
