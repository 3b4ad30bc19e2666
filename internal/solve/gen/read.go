package main

import "fmt"

// read sets the rows of contacts that follow from their manifolds and motions. It is computed in float64, where the
// small difference of large velocities loses no digits, and rounded once.
func read(k *kernel, points int) {
	a, b := k.read("a", "Motion", 0, "VX", "VY", "Spin"), k.read("b", "Motion", 0, "VX", "VY", "Spin")
	m := k.read("manifold", "Manifold", 0, "NX", "NY", "Points[0].AX", "Points[0].AY")
	wA, wB, nx, ny, zero := a[2], b[2], m[0], m[1], k.constant("zero")
	// Of B's centre from A's, along the normal and along the tangent, (ny, -nx): to the right on a floor.
	vx, vy := b[0].sub(a[0]).as("vx"), b[1].sub(a[1]).as("vy")
	drift := vx.mul(nx).add(vy.mul(ny)).as("drift")
	slide := vx.mul(ny).sub(vy.mul(nx)).as("slide")
	k.store("nx", nx)
	k.store("ny", ny)
	k.store("drift", drift)
	k.store("spin", wB.sub(wA))
	point := func(i int, ax, ay, bx, by, separation, impulses value) {
		p, surface := k.point(i), k.read(fmt.Sprintf("surface[%d]", i), "Surface", 0, "Friction", "Restitution",
			"Rolling", "Speed")
		hA, hB := ax.mul(nx).add(ay.mul(ny)).as("hA"), bx.mul(nx).add(by.mul(ny)).as("hB")
		nA, nB := ax.mul(ny).sub(ay.mul(nx)).as("nA"), bx.mul(ny).sub(by.mul(nx)).as("nB")
		p.store("normalA", nA)
		p.store("normalB", nB)
		p.store("tangentA", zero.sub(hA)) // the anchor x the tangent
		p.store("tangentB", zero.sub(hB))
		p.store("velocity", drift.add(wB.mul(nB)).sub(wA.mul(nA)))
		p.store("slip", slide.sub(wB.mul(hB)).add(wA.mul(hA)).sub(surface[3]))
		p.store("friction", surface[0])
		p.store("separation", separation)
		k.halves(p.path+"normal", p.path+"tangent", impulses)
	}
	r := k.read("manifold", "Manifold", 1, "Points[0].BX", "Points[0].BY", "Points[0].Separation", "Points[0].Normal")
	point(0, m[2], m[3], r[0], r[1], r[2], r[3])
	if points == 2 {
		r = k.read("manifold", "Manifold", 2, "Points[1].AX", "Points[1].AY", "Points[1].BX", "Points[1].BY")
		q := k.read("manifold", "Manifold", 3, "Points[1].Separation", "Points[1].Normal")
		point(1, r[0], r[1], r[2], r[3], q[0], q[1])
	}
}

// take sums the impulses of contacts in the step, on their bodies B, and the angular impulses on both bodies. It is
// computed in float64 along the full normal; see finish.
func take(k *kernel, points int) {
	m := k.read("manifold", "Manifold", 0, "NX", "NY", "Points[0].AX", "Points[0].AY")
	nx, ny, roll := m[0], m[1], k.row("rollTotal")
	torqueA, torqueB := roll, roll
	var normal, tangent value
	for i := range points {
		p := k.point(i)
		n, t := p.row("normalTotal"), p.row("tangentTotal")
		torqueA = torqueA.add(p.row("normalA").mul(n).add(p.row("tangentA").mul(t)))
		torqueB = torqueB.add(p.row("normalB").mul(n).add(p.row("tangentB").mul(t)))
		if i == 0 {
			normal, tangent = n, t
		} else {
			normal, tangent = normal.add(n).as("normal"), tangent.add(t).as("tangent")
		}
	}
	k.give("pushX", nx.mul(normal).add(ny.mul(tangent)))
	k.give("pushY", ny.mul(normal).sub(nx.mul(tangent)))
	k.give("torqueA", torqueA)
	k.give("torqueB", torqueB)
}
