package main

// The kernels of pins: joints that do nothing but hold two anchors together. docs/joints.md derives their rows.
//
// Signs: u and v are the rows along x and y, and an impulse along them is added to B and taken from A.

// readyPins sets the rows of a sub-step from the poses and velocities before it, and the bits of the lanes whose
// rows are violated at impact speed.
func readyPins(k *kernel) {
	a, b := k.body("a"), k.body("b")
	zero, one, half := k.constant("zero"), k.constant("one"), k.constant("half")
	inertiaA, inertiaB := k.row("inertiaA"), k.row("inertiaB")
	spinA, spinB := k.row("spinA"), k.row("spinB")

	// The changes of the arms, and how far B's anchor has moved from A's since the start of the step.
	armAX, armAY, armBX, armBY := k.row("armAX"), k.row("armAY"), k.row("armBX"), k.row("armBY")
	turned := func(c, s, x, y value) (value, value) {
		return c.mul(x).sub(s.mul(y)), s.mul(x).add(c.mul(y))
	}
	ac, bc := a.dc.sub(one).as("ac"), b.dc.sub(one).as("bc")
	tAX, tAY := turned(ac, a.ds, armAX, armAY)
	tBX, tBY := turned(bc, b.ds, armBX, armBY)
	tAX, tAY, tBX, tBY = tAX.as("tAX"), tAY.as("tAY"), tBX.as("tBX"), tBY.as("tBY")
	driftX, driftY, time := k.row("driftX"), k.row("driftY"), k.constant("time")
	x := k.row("apartX").add(driftX.mul(time).add(b.dx.sub(a.dx)).add(tBX.sub(tAX))).as("x")
	y := k.row("apartY").add(driftY.mul(time).add(b.dy.sub(a.dy)).add(tBY.sub(tAY))).as("y")
	rate, most := k.row("biasRate"), k.constant("mostBias")
	k.store("biasU", clamp(rate.mul(x).as("biasU"), most))
	k.store("biasV", clamp(rate.mul(y).as("biasV"), most))

	// Half of the acceleration of the anchors by the turns. Then the arm of A goes to B's anchor.
	halfStep := k.constant("halfStep")
	aw, bw := spinA.add(a.w), spinB.add(b.w)
	aww, bww := halfStep.mul(aw.mul(aw)).as("aww"), halfStep.mul(bw.mul(bw)).as("bww")
	rAX, rAY, rBX, rBY := armAX.add(tAX).as("rAX"), armAY.add(tAY).as("rAY"), armBX.add(tBX).as("rBX"),
		armBY.add(tBY).as("rBY")
	kX := aww.mul(rAX).sub(bww.mul(rBX)).as("kX")
	kY := aww.mul(rAY).sub(bww.mul(rBY)).as("kY")
	rAX, rAY = rAX.add(x).as("rAX"), rAY.add(y).as("rAY")
	k.store("rAX", rAX)
	k.store("rAY", rAY)
	k.store("rBX", rBX)
	k.store("rBY", rBY)

	// Velocities, and the mean velocity by the curvature; see reflected.
	startU := driftX.sub(spinB.mul(rBY)).add(spinA.mul(rAY)).as("startU")
	startV := driftY.add(spinB.mul(rBX)).sub(spinA.mul(rAX)).as("startV")
	u, v := pinChanges(a, b, rAX, rAY, rBX, rBY)
	vc := startU.add(u).mul(kX).add(startV.add(v).mul(kY)).as("vc")
	cc := kX.mul(kX).add(kY.mul(kY)).as("cc")
	share := vc.add(vc).div(cc).as("whole").min(one).min(k.constant("mostCurve").div(cc.sqrt())).as("share")
	share = k.constant("sign").mul(vc.greater(zero).pick(share, zero)).as("share")
	goalU, goalV := startU.add(share.mul(kX)).as("goalU"), startV.add(share.mul(kY)).as("goalV")
	k.store("startU", startU)
	k.store("startV", startV)
	k.store("goalU", goalU)
	k.store("goalV", goalV)

	// The inverse matrix; see joint.block.
	mass := a.mass.add(b.mass).as("mass")
	k11 := mass.add(inertiaA.mul(rAY.mul(rAY))).add(inertiaB.mul(rBY.mul(rBY))).as("k11")
	k22 := mass.add(inertiaA.mul(rAX.mul(rAX))).add(inertiaB.mul(rBX.mul(rBX))).as("k22")
	k12 := zero.sub(inertiaA.mul(rAX.mul(rAY))).sub(inertiaB.mul(rBX.mul(rBY))).as("k12")
	turns := inertiaA.mul(rAX.mul(rAX).add(rAY.mul(rAY))).add(inertiaB.mul(rBX.mul(rBX).add(rBY.mul(rBY)))).as("turns")
	cross := rAX.mul(rBY).sub(rAY.mul(rBX)).as("cross")
	det := mass.mul(mass.add(turns)).add(inertiaA.mul(inertiaB).mul(cross.mul(cross))).as("det")
	inverse := func(x value) value { return x.greater(zero).pick(one.div(x), zero) }
	both := k11.greater(zero).and(k22.greater(zero))
	part := both.pick(half, one).as("part")
	regular := det.greater(k.constant("singular").mul(k11.mul(k22)).as("least").max(k.constant("leastDet"))).as(
		"regular")
	huge := det.greater(k.constant("mostDet")).as("huge")
	r := one.div(det).as("r")
	k.store("i11", huge.pick(zero, regular.pick(k22.mul(r), part.mul(inverse(k11)))))
	k.store("i12", huge.pick(zero, regular.pick(zero.sub(k12.mul(r)), zero)))
	k.store("i22", huge.pick(zero, regular.pick(k11.mul(r), part.mul(inverse(k22)))))
}

// warmPins applies the impulses that the pins bring with them, or of each lane a part of them, and stores their work.
func warmPins(k *kernel, part bool) {
	a, b := k.body("a"), k.body("b")
	half := k.constant("half")
	x, y := k.row("impulseU"), k.row("impulseV")
	if part {
		f := k.row("work").as("f")
		x, y = f.mul(x), f.mul(y)
	}
	torqueA := k.row("rAX").mul(y).sub(k.row("rAY").mul(x)).as("torqueA")
	torqueB := k.row("rBX").mul(y).sub(k.row("rBY").mul(x)).as("torqueB")
	turnA, turnB := k.row("inertiaA").mul(torqueA).as("turnA"), k.row("inertiaB").mul(torqueB).as("turnB")
	mass := a.mass.add(b.mass).mul(half).as("mass")
	u := k.row("startU").add(b.vx.sub(a.vx)).add(mass.mul(x))
	v := k.row("startV").add(b.vy.sub(a.vy)).add(mass.mul(y))
	work := x.mul(u).add(y.mul(v)).as("work")
	k.store("work", work.add(torqueB.mul(b.w.add(half.mul(turnB))).sub(torqueA.mul(a.w.sub(half.mul(turnA))))))
	k.pushPins(a, b, x, y, turnA, turnB)
}

// solvePins solves both rows as one block. With spring, errors of position are corrected; without, they stay and the
// impulses are summed (relax pass).
func solvePins(k *kernel, spring bool) {
	a, b := k.body("a"), k.body("b")
	zero := k.constant("zero")
	rAX, rAY, rBX, rBY := k.row("rAX"), k.row("rAY"), k.row("rBX"), k.row("rBY")
	u, v := pinChanges(a, b, rAX, rAY, rBX, rBY)
	u, v = k.row("goalU").add(u).as("u"), k.row("goalV").add(v).as("v")
	if spring {
		u, v = u.add(k.row("biasU")).as("u"), v.add(k.row("biasV")).as("v")
	}
	i12 := k.row("i12")
	du := zero.sub(k.row("i11").mul(u).add(i12.mul(v))).as("du")
	dv := zero.sub(i12.mul(u).add(k.row("i22").mul(v))).as("dv")
	x, y := k.row("impulseU"), k.row("impulseV")
	if spring {
		soft := k.row("soft")
		keep := k.constant("one").sub(soft).as("keep")
		du, dv = keep.mul(du).sub(soft.mul(x)).as("du"), keep.mul(dv).sub(soft.mul(y)).as("dv")
	}
	x, y = x.add(du).as("x"), y.add(dv).as("y")
	k.store("impulseU", x)
	k.store("impulseV", y)
	if !spring {
		k.store("totalX", k.row("totalX").add(x))
		k.store("totalY", k.row("totalY").add(y))
		k.store("torqueA", k.row("torqueA").add(rAX.mul(y).sub(rAY.mul(x))))
		k.store("torqueB", k.row("torqueB").add(rBX.mul(y).sub(rBY.mul(x))))
	}
	turnA := k.row("inertiaA").mul(rAX.mul(dv).sub(rAY.mul(du))).as("turnA")
	turnB := k.row("inertiaB").mul(rBX.mul(dv).sub(rBY.mul(du))).as("turnB")
	k.pushPins(a, b, du, dv, turnA, turnB)
}

// pinChanges returns the changes of the velocities of the rows since the start of the step.
func pinChanges(a, b body, rAX, rAY, rBX, rBY value) (u, v value) {
	u = b.vx.sub(a.vx).sub(b.w.mul(rBY)).add(a.w.mul(rAY))
	v = b.vy.sub(a.vy).add(b.w.mul(rBX)).sub(a.w.mul(rAX))
	return u, v
}

// pushPins applies an impulse, and the changes of spin that belong to it. Bodies that do not move stay as they
// are: many lanes may have the same.
func (k *kernel) pushPins(a, b body, x, y, turnA, turnB value) {
	zero := k.constant("zero")
	k.setBody(a, a.mass.add(k.row("inertiaA")).greater(zero), a.vx.sub(a.mass.mul(x)), a.vy.sub(a.mass.mul(y)),
		a.w.sub(turnA))
	k.setBody(b, b.mass.add(k.row("inertiaB")).greater(zero), b.vx.add(b.mass.mul(x)), b.vy.add(b.mass.mul(y)),
		b.w.add(turnB))
}
