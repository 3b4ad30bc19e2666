package broad

// A pair of bodies may be excluded from contacts, as by a joint between them. Exclusions are counted, since several
// joints may hold the same two bodies.

// excludes reports whether Exclude forbids the contact of a and b.
func (p *Phase) excludes(a, b *Entry) bool {
	return p.excludesSome(a.Body) && p.excludesSome(b.Body) && !a.Sensor && !b.Sensor && p.Excludes(a.Body, b.Body)
}

// excludesSome reports whether body i is excluded from contacts with another.
func (p *Phase) excludesSome(i int32) bool { return int(i) < len(p.excluding) && p.excluding[i] > 0 }

// Excludes reports whether Exclude forbids contacts of the bodies a and b.
func (p *Phase) Excludes(a, b int32) bool {
	_, ok := p.excluded.Get(bodyPair(a, b))
	return ok
}

// Exclusions returns the number of calls of Exclude less calls of Admit, for checks.
func (p *Phase) Exclusions() (n int) {
	for _, k := range p.excluding {
		n += int(k)
	}
	return n / 2
}

// Exclude forbids contacts of the two bodies, except of sensors, until as many calls of Admit.
// The caller removes the contacts that exist.
func (p *Phase) Exclude(a, b int32) { p.countExclusion(a, b, 1) }

// Admit undoes one Exclude. It returns true if no Exclude of the two bodies is left: then the caller gives the proxies
// of one of them to Renew.
func (p *Phase) Admit(a, b int32) bool { return p.countExclusion(a, b, -1) == 0 }

// countExclusion adds by to the number of exclusions of the two bodies, and returns the sum.
func (p *Phase) countExclusion(a, b, by int32) int32 {
	for int(max(a, b)) >= len(p.excluding) {
		p.excluding = append(p.excluding, 0)
	}
	p.excluding[a] += by
	p.excluding[b] += by
	key := bodyPair(a, b)
	n, _ := p.excluded.Get(key)
	if n += by; n == 0 {
		p.excluded.Delete(key)
	} else {
		p.excluded.Put(key, n)
	}
	return n
}

// bodyPair returns the key of two different bodies, which is not 0.
func bodyPair(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }
