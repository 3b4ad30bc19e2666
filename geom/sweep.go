package geom

// Sweep is the motion of a body through a step: its centre of mass moves linearly from From to To,
// and its angle changes linearly from Angle0 to Angle1 (radians), by any number of turns.
type Sweep struct {
	Center         Vec // the centre of mass in the body's frame
	From, To       Vec
	Angle0, Angle1 float64
}

// At returns the body's frame at a fraction of the step, 0 to 1.
func (s *Sweep) At(fraction float64) Transform {
	q := NewRot(s.Angle0 + float64((s.Angle1-s.Angle0)*fraction))
	return Transform{P: s.From.Lerp(s.To, fraction).Sub(q.Apply(s.Center)), Q: q}
}
