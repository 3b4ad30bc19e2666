package quarry

import (
	"runtime"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/pieces"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/team"
)

// worker is the working memory of one worker of the team, for the stages that run on all workers: they
// write nothing else but the contact or the outcome of the body in work.
type worker struct {
	w         *World
	number    int // of the worker
	part      int // number of the range in work
	rows      rows.Contact
	preSolve  PreSolve // of the manifold in work
	narrow    narrow.Scratch
	input     narrow.Input        // of the contact in work
	outcome   narrow.Outcome      // of the contact in work
	jams      []int32             // contacts that jam their bodies, and change nothing else
	pair      narrow.Pair         // in work
	pose      narrow.Pose         // of its bodies
	stood     []gridseg.Cell      // one-way tiles under the contact in work
	materials [2][]contact.Source // of A and B of the contact in work, with MaterialEvents
	oneWay    oneway.Query        // of the narrow phase
	seam      seam                // of the narrow phase
	beside    []neighbour         // of seam

	mover      ccd.Mover   // the body that continuous collision has in work
	pieces     pieces.List // of its grounds
	sweeper    ccd.Sweeper
	sweep      oneway.Filter
	sweepQuery oneway.Query
	noMemory   narrow.Memory // stands for that of the contact of a shape and a ground that it is not near; see queryOfSweep
	chainNear  []int32       // faces of a chain
	near       []broad.ID    // results of the grid
}

// shareOfWorker is the least number of awake bodies and their contacts for each worker, unless Config.Workers tells
// how many there are: 0.1 to 0.3 ms. A helper that has less to do costs its processor for the whole step, since it polls.
const shareOfWorker = 500

// Grains of the loops: words of 64 contacts, and bodies, of some microseconds.
const (
	wordGrain = 2
	bodyGrain = 64
)

// loops are the loops that run on all workers, made once, so that a step allocates nothing.
type loops struct{ contacts, bodies, commit func(worker, from, to int) }

// makeTeam makes the workers and their loops.
func (w *World) makeTeam() {
	n := w.config.Workers
	if n == 0 {
		n = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	w.team, w.workers = team.New(n), make([]worker, n)
	for i := range w.workers {
		w.workers[i].w, w.workers[i].number = w, i
	}
	w.loops.contacts = func(worker, from, to int) { w.workers[worker].updateWords(from, to) }
	w.loops.bodies = func(worker, from, to int) { w.workers[worker].advanceBodies(from, to) }
	w.loops.commit = func(worker, from, to int) { w.workers[worker].commitBodies(from, to) }
}
