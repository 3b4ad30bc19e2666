package main

// moveBodies advances the displacements and rotations of bodies by a sub-step. The rotation of a body without spin
// stays exact. Contacts may leave more spin than a quarter turn in a sub-step; the rest is cut off.
func moveBodies(k *kernel) {
	v, p, r := k.gather("b", 0, "vx", "vy", "w"), k.gather("b", 1, "dx", "dy", "dc", "ds"), k.gather(rest, 1, "lin",
		"ang", "spin", "turned")
	zero, one, step := k.constant("zero"), k.constant("one"), k.constant("step")
	dx, dy := step.mul(v[0]).add(p[0]), step.mul(v[1]).add(p[1])
	w := r[2].add(v[2]).as("w")
	dc, ds, turned := k.variable("dc", p[2]), k.variable("ds", p[3]), k.variable("turned", r[3])
	turns := w.greater(zero).or(w.less(zero)).as("turns")
	k.when(turns, func() {
		a := clamp(step.mul(w), k.constant("quarterTurn")).as("a")
		turned.set(turns.pick(r[3].add(a), r[3]))
		// The Taylor series of sine and cosine; see sinCos.
		z := a.mul(a).as("z")
		sin := z.mul(k.constant("sin9")).sub(k.constant("sin7"))
		sin = z.mul(sin).add(k.constant("sin5"))
		sin = z.mul(sin).sub(k.constant("sin3"))
		sin = a.add(a.mul(z).mul(sin)).as("sin")
		cos := k.constant("cos8").sub(z.mul(k.constant("cos10")))
		cos = z.mul(cos).sub(k.constant("cos6"))
		cos = z.mul(cos).add(k.constant("cos4"))
		cos = z.mul(cos).sub(k.constant("half"))
		cos = one.add(z.mul(cos)).as("cos")
		c := cos.mul(p[2]).sub(sin.mul(p[3])).as("c")
		s := sin.mul(p[2]).add(cos.mul(p[3])).as("s")
		scale := one.div(c.mul(c).add(s.mul(s)).sqrt()).as("scale")
		dc.set(turns.pick(c.mul(scale), p[2]))
		ds.set(turns.pick(s.mul(scale), p[3]))
	})
	k.setPart("b", 1, dx, dy, dc.get(), ds.get())
	k.setPart(rest, 1, r[0], r[1], r[2], turned.get())
}
