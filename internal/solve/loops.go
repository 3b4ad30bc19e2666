package solve

// Grains of the loops that the workers split, in bodies and blocks: ranges of some microseconds.
const (
	bodyGrain   = 256
	packGrain   = 8
	kernelGrain = 16
)

// job is the body of a loop for the batch of s, which helper runs for a range.
type job func(s, helper *worker, from, to int)

// each runs do for all ranges of [0, count): on s alone, or split among all workers.
func (s *worker) each(count, grain int, do job) {
	if !s.split || count <= grain {
		do(s, s, 0, count)
		return
	}
	s.job = do
	s.Team.Each(count, grain, s.loops.split)
}

// loops are the functions for Team.Each, made once, so that a step allocates nothing.
type loops struct{ count, place, bodies, batches, split func(worker, from, to int) }

// makeLoops makes the loops. Only workers[0] splits a batch.
func (s *Solver) makeLoops() {
	s.loops.count = func(_, k, _ int) { s.count(k) }
	s.loops.place = func(_, k, _ int) { s.placePart(k) }
	s.loops.bodies = func(_, k, _ int) { s.setBodiesOf(k) }
	s.loops.batches = func(worker, from, to int) {
		for _, i := range s.small[from:to] {
			s.workers[worker].solve(&s.batches[i], false)
		}
	}
	s.loops.split = func(worker, from, to int) {
		w := &s.workers[0]
		w.job(w, &s.workers[worker], from, to)
	}
}
