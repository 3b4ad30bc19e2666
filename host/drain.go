package host

// maxHanding bounds the worlds that a host hands over at the same time, so that each stands still for a short time.
const maxHanding = 4

// leaves reports whether the world is to be handed over now. A host that drains has told the others before, so that
// they take its worlds at once.
func (w *World) leaves() bool {
	if !w.leave.Load() && w.h.handing.Load() {
		w.h.turn(w)
	}
	return w.leave.Load()
}

// turn lets a world be handed over if it is its turn: if few are under way, from their last inputs here until another
// host takes them, which it does as fast as it can. If no host takes worlds, none is waited for.
func (h *Host) turn(w *World) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, x := range h.worlds {
		if x.leave.Load() {
			n++
		}
	}
	if len(h.takers()) > 0 {
		n += len(h.given)
	}
	w.leave.Store(n < maxHanding)
}

// handOver ends the world here: it takes no more inputs, waits for the record under way, makes a last snapshot, and
// gives up its entry, so that another host takes it over at once.
func (w *World) handOver() {
	w.close()
	if w.flight != nil || w.keeper.busy {
		return
	}
	if w.last == w.keeper.number { // see keeper.look
		w.markDue = true
		w.begin()
		return
	}
	w.final, w.keeper.busy = true, true // there is no other snapshot
	b, err := w.snapshot(true)
	if err != nil { // a world that has stopped
		w.release()
		return
	}
	w.keep(b, func(error) { w.release() }) // without it the next owner replays
}

// close answers the inputs that wait, and lets no more in.
func (w *World) close() {
	w.mu.Lock()
	list := w.waiting
	w.waiting, w.closed = nil, true
	w.mu.Unlock()
	for i := range list {
		list[i].answer(busy)
	}
}

// release gives up the entry of the world, and ends it here.
func (w *World) release() {
	h := w.h
	h.mu.Lock()
	if o := h.owners[w.name]; w.life == h.lease.self.Life && h.mine(o) {
		h.releasing[w.name] = true // until then its entry names this host, which must not take it again
		h.given[w.name] = true
		h.set(w.name, o.revision, owner{}, func(err error) {
			delete(h.releasing, w.name)
			if err != nil {
				delete(h.given, w.name) // nobody takes it before this host has finished
			}
		})
	}
	h.mu.Unlock()
	w.end()
}

// end ends the world here. Inputs that have no answer yet may be in the log or not.
func (w *World) end() {
	if w.over {
		return
	}
	w.over = true
	w.close()
	if f := w.flight; f != nil {
		f.answer(busy)
	}
	if w.stop != nil {
		w.stop()
	}
	w.h.mu.Lock()
	defer w.h.mu.Unlock()
	if w.h.worlds[w.name] == w {
		delete(w.h.worlds, w.name)
	}
}

// drained hands all worlds over, and returns true when that is done and the entry of the host says that it has
// finished.
func (h *Host) drained() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.worlds {
		w.rouse()
	}
	if len(h.worlds) > 0 || len(h.taking) > 0 || len(h.releasing) > 0 || h.lease.busy {
		return false
	}
	if !h.lease.joined {
		return true
	}
	h.lease.busy, h.lease.asked = true, h.clock.mono()
	h.lease.self.State = finished
	h.ask(func() {
		ctx, cancel := h.timeout()
		defer cancel()
		_, _ = h.config.Leases.Set(ctx, hostKey+h.config.Name, h.lease.self.encode(), h.lease.revision)
	}, func() { h.lease = lease{try: h.lease.try + 1} }) // without it the others wait for a lease
	return false
}
