package solve

// The arms of a contact are computed at the start of the step. Two kinds of contacts follow the turn of a body in each
// sub-step:
//
// The surface of a rotating kinematic body, such as a mill wheel or a room, has another velocity at the end of a step
// than at its start: the velocity changes, in each second, by the square of the spin times the distance from the
// centre. A contact that used only the start would leave the difference to its spring, which pushes only when the load
// has sunk in. So its surface velocity is computed again for each pass.
//
// A disc whose centre of mass is not in its middle rolls to and fro: the horizontal distance of its contact point from
// the centre of mass is the arm of the righting torque, and this distance changes as the disc rolls. With the arms of
// the start of the step the torque lags behind the pose, and a lagging torque adds energy to a swing: its amplitude
// doubled in a minute. So its arms and effective masses are computed again for each sub-step, for the pose a step
// ahead, which makes swings die down. (Half a sub-step is enough to lose energy, but a swing then goes on for more than
// ten minutes.)

// turning is a contact that follows a turn.
type turning struct {
	contact int32
	disc    Disc    // side of the disc; NoDisc: of a kinematic body
	start   [2]arms // its points at the start of the step
}

// arms is the part of a point that follows a turn; see pointRows.
type arms struct{ normalA, normalB, tangentA, tangentB, separation, velocity, slip float32 }

// arms returns the arms of lane l.
func (r *pointRows) arms(l int) arms {
	return arms{
		r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l], r.separation[l], r.velocity[l], r.slip[l],
	}
}

// setArms sets the arms of lane l.
func (r *pointRows) setArms(l int, p *arms) {
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.normalA, p.normalB, p.tangentA, p.tangentB
	r.separation[l], r.velocity[l], r.slip[l] = p.separation, p.velocity, p.slip
}

// rise returns the change of the separation at p by the rotations of the two bodies, and the radii of the shapes, as
// the kernels compute it. The anchor on a rounded surface does not turn with the body; if it did, it would rise by the
// radius times 1 - cosine, and a wheel would sink as much.
func (p *arms) rise(radiusA, radiusB float32, a, b *body) float32 {
	return float32((b.dc-1)*(radiusB-p.tangentB)) + float32(b.ds*p.normalB) + float32((a.dc-1)*(radiusA+p.tangentA)) -
		float32(a.ds*p.normalA)
}

// noteTurning lists contact i, if a kinematic body of it rotates, or if its disc rolls about a centre of mass beside
// its middle. A disc that approaches at ImpactSpeed is an impact and is left out: a step ahead the arms belong to
// another pose, the impulses then leave the contact approaching, and continuous collision holds the body in place step
// after step. (Of 800 tumbling compounds 114 hung.)
func (s *worker) noteTurning(i int32) {
	k, points, l := s.at(i)
	t := turning{contact: i}
	for j := range points {
		t.start[j] = points[j].arms(l)
	}
	if a, b := int32(k.a[l]/bodySize), int32(k.b[l]/bodySize); !s.rotates(&s.Links[i], a, b) {
		t.disc = s.inputOf(i).disc[l]
		p := &t.start[0]
		at, tangent, normal := a, p.tangentA+k.radiusA[l], p.normalA
		if t.disc == DiscB {
			at, tangent, normal = b, p.tangentB-k.radiusB[l], p.normalB
		}
		off2, r := float32(normal*normal)+float32(tangent*tangent), &s.rareBodies[at]
		if p.velocity <= -ImpactSpeed || r.invI == 0 || off2*float32(r.spin*r.spin) <= offSpeed*offSpeed {
			return
		}
		s.Motions[s.motionOf[at]].summedSpin = false // the sums of impulses have the arms of the start
	}
	s.turning = append(s.turning, t)
}

// rotates reports whether a or b, the bodies of a contact, is a kinematic body that rotates.
func (s *Solver) rotates(l *Link, a, b int32) bool {
	return l.Static && (s.kinematicSpin(a) != 0 || s.kinematicSpin(b) != 0)
}

// kinematicSpin returns the spin of body i if it has no inverse mass; 0 of others.
func (s *Solver) kinematicSpin(i int32) float32 {
	r := &s.rareBodies[i]
	if s.bodies[i].invMass > 0 || r.invI > 0 {
		return 0
	}
	return r.spin
}

// turnedOn returns the cosine less 1 and the sine of the turn that b will have made when it
// has turned on by a, in radians, or by a quarter turn if that is more.
func (b *body) turnedOn(a float32) (cos, sin float32) {
	if a == 0 {
		return b.dc - 1, b.ds
	}
	s, c := sinCos(turnWithin(a))
	return float32(c*b.dc) - float32(s*b.ds) - 1, float32(s*b.dc) + float32(c*b.ds)
}

// moveTurning gives the listed contacts the velocities at the poses that kinematic bodies reach in ahead seconds from
// now, as a sub-step begins also the arms that discs reach a step from now.
func (s *worker) moveTurning(ahead float32, begins bool) {
	for i := range s.turning {
		t := &s.turning[i]
		k, points, l := s.at(t.contact)
		ia, ib := int32(k.a[l]/bodySize), int32(k.b[l]/bodySize)
		a, b, radiusA, radiusB := &s.bodies[ia], &s.bodies[ib], k.radiusA[l], k.radiusB[l]
		if t.disc == NoDisc {
			aw, bw := s.kinematicSpin(ia), s.kinematicSpin(ib)
			for j := range points {
				p := t.start[j]
				p.turn(DiscA, radiusA, a, aw, ahead*aw)
				p.turn(DiscB, radiusB, b, bw, ahead*bw)
				points[j].velocity[l], points[j].slip[l] = p.velocity, p.slip
			}
			continue
		}
		q, p := &t.start[0], points[0].arms(l) // a disc has one point
		if begins {
			p = *q
			c, spin, radius := a, s.rareBodies[ia].spin, radiusA
			if t.disc == DiscB {
				c, spin, radius = b, s.rareBodies[ib].spin, radiusB
			}
			p.turn(t.disc, radius, c, spin, float32(s.dt)*(spin+c.w))
			mass, iA, iB := a.invMass+b.invMass, k.inertiaA[l], k.inertiaB[l]
			alone := func(armA, armB float32) float32 {
				return inverse(mass + float32(iA*float32(armA*armA)) + float32(iB*float32(armB*armB)))
			}
			s.ones[s.places[t.contact]>>3].normalMass[l] = alone(p.normalA, p.normalB)
			points[0].tangentMass[l] = alone(p.tangentA, p.tangentB)
		}
		// The separation at the present pose is the same with these arms as with those of the start.
		p.separation = q.separation + (q.rise(radiusA, radiusB, a, b) - p.rise(radiusA, radiusB, a, b))
		points[0].setArms(l, &p)
	}
}

// turn turns the arms of p on a side of a contact, whose body b turns on by an angle, and the velocities with them, by
// the spin of b at the start of the step.
func (p *arms) turn(side Disc, radius float32, b *body, spin, angle float32) {
	c, s := b.turnedOn(angle)
	if side == DiscB {
		n, t := p.normalB, p.tangentB-radius
		n, t = float32(c*n)+float32(s*t), float32(c*t)-float32(s*n)
		p.normalB, p.tangentB = p.normalB+n, p.tangentB+t
		p.velocity, p.slip = p.velocity+float32(spin*n), p.slip+float32(spin*t)
		return
	}
	n, t := p.normalA, p.tangentA+radius
	n, t = float32(c*n)+float32(s*t), float32(c*t)-float32(s*n)
	p.normalA, p.tangentA = p.normalA+n, p.tangentA+t
	p.velocity, p.slip = p.velocity-float32(spin*n), p.slip-float32(spin*t)
}

// resetTurning restores the arms and velocities of the start of the step, which restitution and the world read.
func (s *worker) resetTurning() {
	for i := range s.turning {
		t := &s.turning[i]
		_, points, l := s.at(t.contact)
		for j := range points {
			points[j].setArms(l, &t.start[j])
		}
	}
}
