package replay

import (
	"fmt"
	"io"
	"iter"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// World is the world that is recorded, or replayed.
type World interface {
	StepCount() uint64
	Hash() uint64
	Restore(snapshot []byte) error
}

// Grids yields the ids of the grounds of a world, and their grids.
type Grids iter.Seq2[uint64, *gridseg.Grid]

// OfWorld stands for the world as the receiver of a call.
const OfWorld uint64 = 0

// Log records the calls of a world. A nil Log records nothing: the world is not being recorded. It is an interface so
// that a program holds the code that writes a log only if it calls Begin.
type Log interface {
	// Record adds a record with the values to which args point.
	Record(name string, args ...any)
	// Stepped records the hash, if it is due after a step of the world.
	Stepped()
	// Cannot ends the log at a call that sets a function of the game.
	Cannot(call string)
	// End ends the log, and returns its first error.
	End() error

	edit(id uint64, g *gridseg.Grid, pasting bool)
	edited(id uint64, g *gridseg.Grid)
}

// recording is the Log that Begin makes.
type recording struct {
	*Writer
	world   World
	grids   Grids
	every   uint64
	shapes  map[uint64]registry // by id of ground, as the log has it
	pasting bool                // the edit in progress is recorded by the cells that it changes
}

// registry is a registry of the shapes of tiles, up to a number of them.
type registry struct {
	shapes *gridseg.Shapes
	n      int
}

// Begin begins a log of w, which has the given functions and is as in the snapshot, with hashes after each step whose
// number is a multiple of every. values has the types of arguments of interface types, besides geom's.
func Begin(w World, grids Grids, out io.Writer, every int, values []any, functions uint8, snapshot []byte) Log {
	l := &recording{
		Writer: newWriter(out, typesOf(values)), world: w, grids: grids, every: uint64(every),
		shapes: map[uint64]registry{},
	}
	for id, g := range grids {
		l.shapes[id] = registryOf(g)
	}
	l.Record(Start, &functions, &snapshot)
	l.Flush()
	return l
}

func (l *recording) End() error {
	l.hash()
	l.Record(End)
	l.Flush()
	return l.err
}

func (l *recording) Stepped() {
	if l.world.StepCount()%l.every == 0 {
		l.hash()
	}
}

// hash records the hash, and before it the shapes of tiles, which are part of it.
func (l *recording) hash() {
	for id, g := range l.grids {
		l.register(id, g)
	}
	steps, hash := l.world.StepCount(), l.world.Hash()
	l.Record(Hash, &steps, &hash)
	l.Flush()
}

func registryOf(g *gridseg.Grid) registry { return registry{g.Shapes(), g.Shapes().Len()} }

// register records the registry of g, the grid of the ground id, if it has grown, or is another one.
func (l *recording) register(id uint64, g *gridseg.Grid) {
	if now := registryOf(g); l.shapes[id] != now {
		l.shapes[id] = now
		Call1(l, "Ground.register", id, now.shapes.AppendBinary(nil))
	}
}

func (l *recording) Cannot(call string) {
	l.Fail(fmt.Errorf("%s was called during the recording: a function cannot be recorded", call))
}

// Call0 to Call4 record a call of a method of the world (OfWorld) or of the view id, with its arguments, before the
// call has changed the world. A call that is refused is refused in a replay, too. The functions are generic so that
// they allocate nothing unless the world is recorded.
func Call0[I ~uint64](l Log, name string, id I) {
	if l != nil {
		of := uint64(id)
		l.Record(name, &of)
	}
}

// Call1 is Call0 with an argument.
func Call1[I ~uint64, A any](l Log, name string, id I, a A) {
	if l != nil {
		of, a := uint64(id), a
		l.Record(name, &of, &a)
	}
}

// Call2 is Call0 with two arguments.
func Call2[I ~uint64, A, B any](l Log, name string, id I, a A, b B) {
	if l != nil {
		of, a, b := uint64(id), a, b
		l.Record(name, &of, &a, &b)
	}
}

// Call3 is Call0 with three arguments.
func Call3[I ~uint64, A, B, C any](l Log, name string, id I, a A, b B, c C) {
	if l != nil {
		of, a, b, c := uint64(id), a, b, c
		l.Record(name, &of, &a, &b, &c)
	}
}

// Call4 is Call0 with four arguments.
func Call4[I ~uint64, A, B, C, D any](l Log, name string, id I, a A, b B, c C, d D) {
	if l != nil {
		of, a, b, c, d := uint64(id), a, b, c, d
		l.Record(name, &of, &a, &b, &c, &d)
	}
}

// Edit begins an edit of the grid g of the ground id. With pasting, Edited will record the cells that change.
func Edit[I ~uint64](l Log, id I, g *gridseg.Grid, pasting bool) {
	if l != nil {
		l.edit(uint64(id), g, pasting)
	}
}

func (l *recording) edit(id uint64, g *gridseg.Grid, pasting bool) {
	l.pasting = pasting
	l.register(id, g)
}

// Edited records the cells that the edit of g, the grid of the ground id, has changed, if Edit asked for that.
func Edited[I ~uint64](l Log, id I, g *gridseg.Grid) {
	if l != nil {
		l.edited(uint64(id), g)
	}
}

func (l *recording) edited(id uint64, g *gridseg.Grid) {
	if !l.pasting {
		return
	}
	r := g.Engine(lattice.Key{}).EditedCells()
	cells, err := appendCells(nil, g, r)
	if err != nil {
		l.Fail(err)
	}
	Call2(l, "Ground.paste", id, r, cells)
}

// Register adds to a registry the shapes that it lacks of those in data, a registry's AppendBinary.
func Register(to *gridseg.Shapes, data []byte) error {
	from, err := gridseg.ReadShapes(data)
	if err != nil {
		return err
	}
	for id := gridseg.ShapeID(to.Len() + 1); int(id) <= from.Len(); id++ {
		var polygons [][][2]float64
		for _, loop := range from.Polygons(id, 0) {
			var p [][2]float64
			for _, v := range loop {
				p = append(p, [2]float64{float64(v.X) / gridseg.Unit, float64(v.Y) / gridseg.Unit})
			}
			polygons = append(polygons, p)
		}
		if _, err := to.Register(from.Name(id), polygons...); err != nil {
			return err
		}
	}
	return nil
}
