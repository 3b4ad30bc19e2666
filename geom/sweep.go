package geom

// Sweep is the motion of a body through a step: its centre of mass goes straight
// from From to To and it turns evenly from Angle0 to Angle1 (radians), which may
// be more than a whole turn apart.
type Sweep struct {
	Center         Vec // the centre of mass in the body's frame
	From, To       Vec
	Angle0, Angle1 float64
}

// At returns the body's frame at the share t of the step, from 0 to 1.
func (s *Sweep) At(fraction float64) Transform {
	q := NewRot(s.Angle0 + float64((s.Angle1-s.Angle0)*fraction))
	return Transform{P: s.From.Lerp(s.To, fraction).Sub(q.Apply(s.Center)), Q: q}
}
