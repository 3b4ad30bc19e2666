package quarry

import (
	"fmt"
	"io"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/replay"
)

// Record begins a log of the world: a snapshot, every call that changes the world from now on, and the world's Hash
// after each step whose number is a multiple of every. Replay makes the same world from the log. With an every of 1
// Replay can name the first step that differs, but each step then visits the whole world. The log is written to out
// at each hash, and otherwise when 64 KB have gathered. Errors of out are kept: StopRecording returns the first.
//
// Edits of ground by Place, Unite, Subtract, Dig and Build are recorded by the cells that they changed, an Explode
// by its impulses, and a Rewind by a snapshot. Shapes that the game registers in the registry of a ground's tiles are
// recorded with the next edit or hash. The functions of SetCustomFilter and SetPreSolve cannot be recorded. If a
// call replaces such a function, the log notes that all contacts call it again; a call that sets the first
// function, or removes it, ends the log with an error. The replaying world must have the same functions. These
// should depend only on World.StepCount, User fields and the like, because other data of the game is missing from
// the log; a hash shows whether it mattered.
//
// Record panics if the world is being recorded, out is nil, or every is less than 1.
func (w *World) Record(out io.Writer, every int) {
	w.mustNotStep()
	check.NotNil("Record", "out", out == nil)
	switch {
	case w.log != nil:
		panic("quarry: Record: the world is being recorded already")
	case every < 1:
		check.Refuse("Record", "every", every, "at least 1")
	}
	w.log = replay.Begin(w, w.grids, out, every, recordedTypes, w.functions(), w.AppendSnapshot(nil))
}

// grids yields the grounds for a log.
func (w *World) grids(yield func(uint64, *gridseg.Grid) bool) {
	for i, g := range w.state.Grounds.All() {
		if !yield(w.state.Grounds.ID(i), g.Tiles.Grid) {
			return
		}
	}
}

// StopRecording ends the log of Record with the world's Hash, and returns the first error, or nil; also if the world
// was not being recorded.
func (w *World) StopRecording() (err error) {
	w.mustNotStep()
	if w.log == nil {
		return nil
	}
	if err = w.log.End(); err != nil {
		err = fmt.Errorf("quarry: Record: %w", err)
	}
	w.log = nil
	return err
}

// functions has a bit for each function that the game has set.
func (w *World) functions() (set uint8) {
	if w.customFilter != nil {
		set = 1
	}
	if w.preSolve != nil {
		set |= 2
	}
	return set
}

// recordedTypes have the types of arguments that are a JointDef.
var recordedTypes = []any{
	RevoluteJoint{},
	PrismaticJoint{},
	DistanceJoint{},
	WeldJoint{},
	WheelJoint{},
	MotorJoint{},
	MouseJoint{},
	FilterJoint{},
	GearJoint{},
	RatchetJoint{},
}

// recordedCalls are the methods that change a world, and so that a log may name. Each begins with its replay.Call.
func recordedCalls() []any {
	return []any{
		(*World).AddBody, (*World).AddShape, (*World).AddGround, (*World).AddChain, (*World).AddJoint,
		(*World).AddMaterial,
		(*World).RemoveBody, (*World).RemoveShape, (*World).RemoveGround, (*World).RemoveChain, (*World).RemoveJoint,
		(*World).RemoveMaterial, (*World).SetMaterial, (*World).SetConfig, (*World).SetGravity, (*World).Step,
		(*World).Restore,
		Body.ApplyAngularImpulse, Body.ApplyForce, Body.ApplyForceToCenter, Body.ApplyImpulse,
		Body.ApplyImpulseToCenter,
		Body.ApplyTorque, Body.ClearForces, Body.DropThrough, Body.ResetMass, Body.SetAngularVelocity, Body.SetBullet,
		Body.SetDamping, Body.SetEnabled, Body.SetGravityScale, Body.SetLocks, Body.SetMass, Body.SetName,
		Body.SetNoSleep, Body.SetSleepSpeed, Body.SetWeightless, Body.SetTarget, Body.SetTransform,
		Body.SetType, Body.SetUser, Body.SetVelocity, Body.Sleep, Body.Wake,
		Shape.ApplyWind, Shape.SetBody, Shape.SetDensity, Shape.SetFilter, Shape.SetFlags, Shape.SetGeometry,
		Shape.SetMaterial, Shape.SetSensor, Shape.SetUser,
		Ground.AddPolygon, Ground.ApplyWind, Ground.Clear, Ground.Fill, Ground.Join, Ground.LoadPlace, Ground.Move,
		Ground.RemovePolygon, Ground.Set, Ground.SetBreaks, Ground.SetFilter, Ground.SetFlags,
		Ground.SetMinFragment, Ground.SetWhole, Ground.UnloadPlace,
		(*World).askAnew, Ground.paste, Ground.register, Chain.SetFilter, Chain.SetMaterial, Chain.SetUser,
		Joint.SetDef, Joint.SetLength, Joint.SetLimit, Joint.SetMotor, Joint.SetMotorSpeed, Joint.SetSpring,
		Joint.SetTarget, Joint.SetTargetAngle, Joint.SetTargetTranslation,
	}
}

// paste repeats an edit that was recorded by its cells.
func (g Ground) paste(r gridseg.Rect, cells []byte) error {
	s, err := replay.ReadCells(cells, g.get().Tiles.Grid, r)
	if err != nil {
		return err
	}
	return g.Place(r.MinX, r.MinY, s)
}

// register repeats registrations of the shapes of tiles.
func (g Ground) register(shapes []byte) error {
	return replay.Register(g.get().Tiles.Grid.Shapes(), shapes)
}

// Replay sets the world to the one at the start of a log of Record, and makes the calls of the log. It returns nil
// if each hash of the log is the world's, and the log is complete; otherwise an error that names the step, and the
// record or call. If the log has a hash for each step, that step is the first that differs; otherwise the error
// also names the last step with the same hash. StepCount returns the number of steps that Replay has made.
//
// As in Restore, Workers and Profile stay (until a SetConfig in the log), and so do functions that the game has
// set: Replay refuses the log of a world with functions if this world has none, or the reverse. The reader's memory
// is in proportion to the log, but an edit of ground may have as many cells as lattice.MaxFill in a short record.
// As with Restore, a made-up log may make a strange world, or one that takes long: checksums detect damage, not
// malice. After an error the world is as the calls before the error left it.
func (w *World) Replay(in io.Reader) error {
	w.mustNotStep()
	check.NotNil("Replay", "in", in == nil)
	p := replay.Player{
		World: w, Functions: w.functions(), Broken: func() bool { return w.state.Stepping }, Values: recordedTypes,
		Calls: recordedCalls(),
		Views: []any{(*World).Body, (*World).Shape, (*World).Ground, (*World).Chain, (*World).Joint},
	}
	if err := p.Play(in); err != nil {
		return fmt.Errorf("quarry: Replay: step %d: %w", w.state.Steps, err)
	}
	return nil
}
