package main

// The kernels, each written once. A value is one number of each lane; +, -, * and so on
// work lane by lane. Every line below is a line of the twin and an instruction of the AVX2
// kernel, in this order.
//
// Signs: the normal points from A to B, so an impulse along it is added to B and taken from
// A. The tangent is (ny, -nx).

// weigh sets the effective masses, the inverses of the changes of velocity by unit impulses
// there, clears the sums of impulses, and finds the contacts that approach at speed.
func weigh(k *kernel, points int) {
	zero, one := k.constant("zero"), k.constant("one")
	a, b := k.body("a"), k.body("b")
	inertiaA, inertiaB := k.row("inertiaA"), k.row("inertiaB")
	mass := a.mass.add(b.mass).as("mass")
	inverse := func(x value) value { return x.greater(zero).pick(one.div(x), zero) }
	// along returns the change at one arm by an impulse at another.
	along := func(armA, otherA, armB, otherB value) value {
		return mass.add(inertiaA.mul(armA.mul(otherA))).add(inertiaB.mul(armB.mul(otherB)))
	}
	var change [2]value
	for i := range points {
		p := k.point(i)
		na, nb, ta, tb := p.row("normalA"), p.row("normalB"), p.row("tangentA"), p.row("tangentB")
		change[i] = along(na, na, nb, nb).as("change")
		normalMass := inverse(change[i]).as("normalMass")
		if points == 1 {
			k.store("normalMass", normalMass)
		} else {
			p.store("normalMass", normalMass)
		}
		p.store("tangentMass", inverse(along(ta, ta, tb, tb)).as("tangentMass"))
		p.store("most", zero)
		p.store("normalTotal", zero)
		p.store("tangentTotal", zero)
	}
	moves := mass.greater(zero)
	approaches := func(speed string) value {
		at := func(i int) value { return zero.sub(k.point(i).row("velocity")).atLeast(k.constant(speed)) }
		if points == 1 {
			return at(0)
		}
		return at(0).or(at(1))
	}
	k.bits("fast", approaches("impactSpeed").and(moves), true)
	k.bits("bounces", approaches("bounceSpeed"), true)
	k.bits("hits", approaches("hitSpeed"), true)
	k.ifSet("rolls", func() {
		k.store("rollMass", inverse(inertiaA.add(inertiaB)))
	})
	k.store("rollTotal", zero) // which take reads of all blocks
	if points == 1 {
		return
	}
	p, q := k.point(0), k.point(1)
	between := along(p.row("normalA"), q.row("normalA"), p.row("normalB"), q.row("normalB")).as("between")
	k.store("between", between)
	// Two points that are nearly at one place count as one: each takes half of the impulse that
	// it takes alone.
	product := change[0].mul(change[1]).as("product")
	det := product.sub(between.mul(between)).as("det")
	apart := det.greater(k.constant("pairSlop").mul(product)).as("apart")
	r := one.div(det).as("r")
	half := k.constant("half")
	k.store("inverse11", apart.pick(change[1].mul(r), half.mul(p.row("normalMass"))))
	k.store("inverse12", apart.pick(zero.sub(between.mul(r)), zero))
	k.store("inverse22", apart.pick(change[0].mul(r), half.mul(q.row("normalMass"))))
}

// warm applies the impulses that the points bring with them, and stores their work: the
// product with the mean of the velocities before and after. Friction was solved before the
// normals in the last pass, so its impulse is first brought within the bounds that the normal
// impulse of the end sets. With part, it applies of each lane the part that is in the row work, after a warm start.
func warm(k *kernel, points int, part bool) {
	a, b := k.body("a"), k.body("b")
	nx, ny := k.row("nx"), k.row("ny")

	partOf := func(x value) value { return x }
	if part {
		f := k.row("work").as("f")
		partOf = f.mul
	}
	roll, work := k.variable("roll", k.constant("zero")), k.variable("work", k.constant("zero"))
	k.ifSet("rolls", func() {
		r := partOf(k.row("rollImpulse")).as("r")
		roll.set(r)
		work.set(r.mul(k.row("spin")))
	})
	torqueA, torqueB, sum := roll.get(), roll.get(), work.get()
	var normal, tangent value
	for i := range points {
		p := k.point(i)
		n, t := partOf(p.row("normal")).as("n"), partOf(p.row("tangent")).as("t")
		if !part {
			t = clamp(t, p.row("friction").mul(n).as("limit")).as("t")
			p.store("tangent", t)
		}
		torqueA = torqueA.add(p.row("normalA").mul(n).add(p.row("tangentA").mul(t)))
		torqueB = torqueB.add(p.row("normalB").mul(n).add(p.row("tangentB").mul(t)))
		sum = sum.add(n.mul(p.row("velocity")).add(t.mul(p.row("slip"))))
		if i == 0 {
			normal, tangent = n, t
		} else {
			normal, tangent = normal.add(n), tangent.add(t)
		}
	}

	half := k.constant("half")
	vx, vy := b.vx.sub(a.vx).as("vx"), b.vy.sub(a.vy).as("vy")
	mass := a.mass.add(b.mass).mul(half).as("mass")
	vn := vx.mul(nx).add(vy.mul(ny)).add(mass.mul(normal)).as("vn")
	vt := vx.mul(ny).sub(vy.mul(nx)).add(mass.mul(tangent)).as("vt")
	turnA, turnB := k.row("inertiaA").mul(torqueA).as("turnA"), k.row("inertiaB").mul(torqueB).as("turnB")
	linear := normal.mul(vn).add(tangent.mul(vt))
	angularA, angularB := torqueA.mul(a.w.sub(half.mul(turnA))), torqueB.mul(b.w.add(half.mul(turnB)))
	if part {
		k.store("work", sum.add(linear.add(angularB).sub(angularA)))
	} else {
		k.store("work", sum.add(linear).add(angularB.sub(angularA)))
	}
	k.push(a, b, a.w.sub(turnA), b.w.add(turnB), normal, tangent)
}

// solve solves every contact once: rolling resistance and friction first, bounded by the
// normal impulse so far, then the normals, because Gauss-Seidel satisfies the last row best.
// With spring, overlap is pushed apart; without, it stays (relax pass).
//
// All points of a contact have one normal, so the relative velocity of the two centres is
// projected once, and updated by the impulses.
func solve(k *kernel, points int, spring bool) {
	a, b := k.body("a"), k.body("b")
	nx, ny := k.row("nx"), k.row("ny")
	inertiaA, inertiaB := k.row("inertiaA"), k.row("inertiaB")
	zero := k.constant("zero")

	vx, vy := b.vx.sub(a.vx).as("vx"), b.vy.sub(a.vy).as("vy")
	vn := vx.mul(nx).add(vy.mul(ny)).as("vn")
	vt := vx.mul(ny).sub(vy.mul(nx)).as("vt")
	moved := k.row("drift").mul(k.constant("time")).
		add(b.dx.sub(a.dx).mul(nx).add(b.dy.sub(a.dy).mul(ny))).as("moved")

	spinA, spinB := k.variable("spinA", a.w), k.variable("spinB", b.w)
	k.ifSet("rolls", func() {
		load := k.point(0).row("normal")
		if points == 2 {
			load = load.add(k.point(1).row("normal"))
		}
		was := k.row("rollImpulse")
		sum := clamp(was.sub(k.row("rollMass").mul(k.row("spin").add(b.w.sub(a.w)))),
			k.row("rolling").mul(load).as("limit")).as("sum")
		k.store("rollImpulse", sum)
		if !spring {
			k.store("rollTotal", k.row("rollTotal").add(sum))
		}
		d := sum.sub(was).as("d")
		spinA.set(a.w.sub(inertiaA.mul(d)))
		spinB.set(b.w.add(inertiaB.mul(d)))
	})
	aw, bw := spinA.get(), spinB.get()

	var tangent value // the impulse that this pass adds
	for i := range points {
		p := k.point(i)
		was := p.row("tangent")
		tangentA, tangentB := p.row("tangentA"), p.row("tangentB")
		v := p.row("slip").add(vt.add(bw.mul(tangentB)).sub(aw.mul(tangentA)))
		limit := p.row("friction").mul(p.row("normal")).as("limit")
		sum := clamp(was.sub(p.row("tangentMass").mul(v)), limit).as("sum")
		p.store("tangent", sum)
		if !spring {
			p.store("tangentTotal", p.row("tangentTotal").add(sum))
		}
		d := sum.sub(was).as("d")
		if i == 0 {
			tangent = d
		} else {
			tangent = tangent.add(d).as("tangent")
		}
		if i+1 < points {
			vt = vt.add(a.mass.add(b.mass).mul(d)).as("vt")
		}
		aw = aw.sub(inertiaA.mul(tangentA.mul(d))).as("aw")
		bw = bw.add(inertiaB.mul(tangentB.mul(d))).as("bw")
	}

	// The separations rise by the rotations of the two bodies. An anchor on a rounded surface
	// does not turn with the body: see arms.rise.
	one := k.constant("one")
	ac, bc := a.dc.sub(one).as("ac"), b.dc.sub(one).as("bc")
	separation := func(p point) value {
		rise := bc.mul(k.row("radiusB").sub(p.row("tangentB"))).
			add(b.ds.mul(p.row("normalB"))).
			add(ac.mul(k.row("radiusA").add(p.row("tangentA")))).
			sub(a.ds.mul(p.row("normalA")))
		return p.row("separation").add(moved).add(rise).as("sep")
	}
	speed := func(p point) value {
		return p.row("velocity").add(vn.add(bw.mul(p.row("normalB"))).sub(aw.mul(p.row("normalA")))).as("v")
	}

	// goal returns the velocity to remove at a point, and the share of the impulse so far that
	// the spring takes back.
	goal := func(v, sep value) (value, value) {
		if !spring {
			return v.add(zero.max(sep).mul(k.constant("invH"))).as("v"), value{} // the gap may close
		}
		// Surfaces that are apart are stopped rigidly, when they have closed the gap;
		// overlapping ones part as a spring does. Between them is a ramp: with a jump, bodies
		// that begin by just touching would take one of two paths by a rounding error.
		ramp := one.min(zero.max(sep.mul(k.constant("invEdge")))).as("ramp")
		share := k.constant("share") // of the impulse so far, which the spring takes back; see contactSpring
		soft := share.sub(share.mul(ramp)).as("soft")
		bias := sep.greater(zero).pick(sep.mul(k.constant("invH")),
			k.constant("push").max(k.constant("biasRate").mul(sep))).as("bias")
		return one.sub(soft).mul(v.add(bias)).as("v"), soft
	}

	p := k.point(0)
	x0 := p.row("normal")
	v := speed(p)
	if points == 1 {
		v, soft := goal(v, separation(p))
		d := k.row("normalMass").mul(v).as("d")
		if spring {
			d = d.add(soft.mul(x0))
		}
		x := zero.max(x0.sub(d)).as("x")
		k.storeNormal(p, x, spring)
		d = x.sub(x0).as("d")
		aw = aw.sub(inertiaA.mul(p.row("normalA").mul(d)))
		bw = bw.add(inertiaB.mul(p.row("normalB").mul(d)))
		k.push(a, b, aw, bw, d, tangent)
		return
	}

	// Both points as one block. Solved in turn they leave each other a residue, by which a
	// body at rest trembles, and one that lands flat turns.
	q := k.point(1)
	y0 := q.row("normal")
	u := speed(q)
	v, softP := goal(v, separation(p))
	u, softQ := goal(u, separation(q))
	inverse12 := k.row("inverse12")
	x := x0.sub(k.row("inverse11").mul(v).add(inverse12.mul(u)))
	y := y0.sub(inverse12.mul(v).add(k.row("inverse22").mul(u)))
	if spring {
		x, y = x.sub(softP.mul(x0)), y.sub(softQ.mul(y0))
	}
	xs, ys := k.variable("x", x.as("both")), k.variable("y", y.as("other"))
	pulls := x.less(zero).or(y.less(zero)).as("pulls")
	k.when(pulls, func() {
		between := k.row("between")
		if spring {
			// One after the other: springs that do not both push.
			first := zero.max(x0.sub(p.row("normalMass").mul(v)).sub(softP.mul(x0))).as("first")
			scale := one.sub(softQ)
			then := u.add(scale.mul(between.mul(first.sub(x0))))
			second := zero.max(y0.sub(q.row("normalMass").mul(then)).sub(softQ.mul(y0))).as("second")
			xs.set(pulls.pick(first, x))
			ys.set(pulls.pick(second, y))
			return
		}
		// The cases of a linear complementarity problem of two rows: one impulse is 0 and the
		// other stops its point alone, or both are 0. The matrix is positive definite, so
		// there is one solution; if only one of x and y is negative, that one is 0.
		massQ := q.row("normalMass")
		onlyP := zero.max(x0.sub(p.row("normalMass").mul(v.sub(between.mul(y0))))).as("onlyP")
		onlyQ := y0.sub(massQ.mul(u.sub(between.mul(x0)))).as("onlyQ")
		stopsBoth := y.less(zero).and(onlyQ.atMost(massQ.mul(between).mul(onlyP)))
		ofP := x.atLeast(zero).or(stopsBoth).as("ofP")
		xs.set(pulls.pick(ofP.pick(onlyP, zero), x))
		ys.set(pulls.pick(ofP.pick(zero, zero.max(onlyQ).as("onlyQ")), y))
	})
	x, y = xs.get(), ys.get()
	k.storeNormal(p, x, spring)
	k.storeNormal(q, y, spring)
	d, e := x.sub(x0).as("d"), y.sub(y0).as("e")
	aw = aw.sub(inertiaA.mul(p.row("normalA").mul(d).add(q.row("normalA").mul(e))))
	bw = bw.add(inertiaB.mul(p.row("normalB").mul(d).add(q.row("normalB").mul(e))))
	k.push(a, b, aw, bw, d.add(e).as("normal"), tangent)
}

// storeNormal stores the normal impulse x of a point.
func (k *kernel) storeNormal(p point, x value, spring bool) {
	p.store("normal", x)
	k.ifSet("carries", func() { p.store("most", x.max(p.row("most"))) })
	if !spring {
		p.store("normalTotal", p.row("normalTotal").add(x))
	}
}

// push stores the velocities of the bodies after the impulses, and their new spins. Bodies
// without inverse mass stay as they are: many lanes may have the same.
func (k *kernel) push(a, b body, aw, bw, normal, tangent value) {
	nx, ny := k.row("nx"), k.row("ny")
	px := normal.mul(nx).add(tangent.mul(ny)).as("px")
	py := normal.mul(ny).sub(tangent.mul(nx)).as("py")
	zero := k.constant("zero")
	k.setBody(a, a.mass.greater(zero), a.vx.sub(a.mass.mul(px)), a.vy.sub(a.mass.mul(py)), aw)
	k.setBody(b, b.mass.greater(zero), b.vx.add(b.mass.mul(px)), b.vy.add(b.mass.mul(py)), bw)
}

// clamp returns x within limit either way.
func clamp(x, limit value) value {
	zero := x.k.constant("zero")
	return zero.sub(limit).as("least").max(limit.min(x))
}
