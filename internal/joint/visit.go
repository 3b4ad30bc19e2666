package joint

import (
	"fmt"

	"github.com/quarry2d/quarry/internal/pool"
)

// Visit visits j. A reader refuses a joint that Check refuses.
func (j *Joint) Visit(c *pool.Codec) {
	pool.Up(c, &j.Kind, uint64(Ratchet))
	for _, f := range [...]*Frame{&j.A, &j.B} {
		c.Vecs(&f.Origin)
		c.Rot(&f.Rot)
	}
	for _, x := range [...]*Axis{&j.Linear, &j.Angular} {
		c.Any(&x.Spring.Hertz, &x.Spring.DampingRatio, &x.Target, &x.MinForce, &x.MaxForce, &x.Motor.Speed,
			&x.Motor.Max)
		c.Flag(&x.Limit.On)
		c.Any(&x.Limit.Lower, &x.Limit.Upper)
	}
	c.Any(&j.Length, &j.Drag.X, &j.Drag.Y, &j.MaxDrag, &j.Rigid.Hertz, &j.Rigid.DampingRatio)
	for _, y := range each(&j.Impulses) {
		x := float64(*y)
		if c.Float(&x); c.Reading() {
			*y = float32(x)
		}
	}
	c.Need(j.Sound(), "an impulse does not fit 32 bits")
	c.Positive(&j.substep)
	if t := &j.turns; j.Geared() {
		c.Any(&t.Ratio, &t.tooth)
		c.Floats(&t.a, &t.b, &t.held)
		c.Flag(&t.back)
	}
	if c.Hashing() {
		return
	}
	c.Any(&j.A.Angle, &j.B.Angle, &j.ForceThreshold, &j.TorqueThreshold)
	if c.Reading() && c.Err() == nil {
		if err := j.valid(); err != nil {
			c.Refuse("%v", err)
		}
	}
}

// Sound reports whether the impulses of j are finite.
func (j *Joint) Sound() bool {
	for _, y := range each(&j.Impulses) {
		if *y-*y != 0 {
			return false
		}
	}
	return true
}

// valid returns the text with which Check would panic, or an empty one.
func (j *Joint) valid() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	j.Check("Restore")
	return nil
}

// VisitReaction visits r, for a snapshot.
func VisitReaction(c *pool.Codec, r *Reaction) {
	c.Any(&r.ForceX, &r.ForceY, &r.Torque)
	c.Flag(&r.Over)
}
