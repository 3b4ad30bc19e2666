package solve

import "math"

// The rows of joints that close loops have a small dense matrix: the velocities that they get for impulses of 1, the
// tree following. It is factored in place (Cholesky).

// factorLoops factors the matrix of the rows of the component's loops.
func (s *worker) factorLoops(c *component) {
	c.rows = 0
	for k := c.loops; k < c.end; k++ {
		c.rows += int(s.direct[k].n)
	}
	if c.rows == 0 {
		return
	}
	m := s.schurs[c.schur:]
	n := c.rows
	for k := c.from; k < c.to; k++ {
		s.nodes[k].wanted = [3]float64{}
	}
	col := 0
	for k := c.loops; k < c.end; k++ {
		l := &s.direct[k]
		for i := range l.n {
			s.pushLoop(l, &l.rows[i], 1)
			s.solveTree(c)
			row := 0
			for q := c.loops; q <= k; q++ {
				o := &s.direct[q]
				for p := range o.n {
					if row > col {
						break
					}
					m[col*n+row] = s.loopSpeed(o, &o.rows[p])
					row++
				}
			}
			m[col*n+col] += l.rows[i].soft
			col++
		}
	}
	for i := range n {
		for j := range i + 1 {
			sum := m[i*n+j]
			for k := range j {
				sum -= float64(m[i*n+k] * m[j*n+k])
			}
			if i == j {
				m[i*n+i] = math.Sqrt(max(sum, 1e-300))
			} else {
				m[i*n+j] = sum / m[j*n+j]
			}
		}
	}
}

// pushLoop adds an impulse along a row of l to those on its bodies.
func (s *worker) pushLoop(l *directJoint, w *directRow, x float64) {
	if l.b >= 0 {
		f := &s.nodes[l.b].f
		f[0] += float64(w.x * x)
		f[1] += float64(w.y * x)
		f[2] += float64(w.armB * x)
	}
	if l.a >= 0 {
		f := &s.nodes[l.a].f
		f[0] -= float64(w.x * x)
		f[1] -= float64(w.y * x)
		f[2] -= float64(w.armA * x)
	}
}

// loopSpeed returns the velocity of a row of l by those that the tree was solved for.
func (s *worker) loopSpeed(l *directJoint, w *directRow) (sum float64) {
	if l.b >= 0 {
		v := &s.nodes[l.b].v
		sum += float64(w.x*v[0]) + float64(w.y*v[1]) + float64(w.armB*v[2])
	}
	if l.a >= 0 {
		v := &s.nodes[l.a].v
		sum -= float64(w.x*v[0]) + float64(w.y*v[1]) + float64(w.armA*v[2])
	}
	return sum
}

// solveLoops solves the rows of the loops for the errors that the solution of the tree leaves in them, and then the
// tree again with the impulses of the loops.
func (s *worker) solveLoops(c *component, memory []float64) {
	n := c.rows
	m, x := s.schurs[c.schur:], memory[:n]
	at := 0
	for k := c.loops; k < c.end; k++ {
		l := &s.direct[k]
		for i := range l.n {
			x[at] = l.wanted[i] - s.loopSpeed(l, &l.rows[i])
			at++
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= float64(m[i*n+k] * x[k])
		}
		x[i] /= m[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= float64(m[k*n+i] * x[k])
		}
		x[i] /= m[i*n+i]
	}
	at = 0
	for k := c.loops; k < c.end; k++ {
		l := &s.direct[k]
		for i := range l.n {
			l.change[i] = x[at]
			s.pushLoop(l, &l.rows[i], x[at])
			at++
		}
	}
	s.solveTree(c)
}
