package quarry

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/record"
)

// recorded lists the types of arguments of interface types.
var recorded = record.Types{
	reflect.TypeFor[geom.Shape](): {
		reflect.TypeFor[geom.Circle](), reflect.TypeFor[geom.Capsule](), reflect.TypeFor[geom.Segment](), reflect.TypeFor[geom.Polygon](),
	},
	reflect.TypeFor[JointDef](): {
		reflect.TypeFor[RevoluteJoint](), reflect.TypeFor[PrismaticJoint](), reflect.TypeFor[DistanceJoint](), reflect.TypeFor[WeldJoint](),
		reflect.TypeFor[WheelJoint](), reflect.TypeFor[MotorJoint](), reflect.TypeFor[MouseJoint](), reflect.TypeFor[FilterJoint](),
	},
}

// calls are the methods that a log may name: those that change a world.
var calls = map[string]any{
	"Ground.paste":  Ground.paste,
	"World.AddBody": (*World).AddBody, "World.AddShape": (*World).AddShape, "World.AddGround": (*World).AddGround,
	"World.AddChain": (*World).AddChain, "World.AddJoint": (*World).AddJoint, "World.AddMaterial": (*World).AddMaterial,
	"World.RemoveBody": (*World).RemoveBody, "World.RemoveShape": (*World).RemoveShape,
	"World.RemoveGround": (*World).RemoveGround, "World.RemoveChain": (*World).RemoveChain,
	"World.RemoveJoint": (*World).RemoveJoint, "World.SetMaterial": (*World).SetMaterial,
	"World.SetConfig": (*World).SetConfig, "World.SetGravity": (*World).SetGravity, "World.Step": (*World).Step,
	"World.Restore": (*World).Restore, "Body.ApplyAngularImpulse": Body.ApplyAngularImpulse,
	"Body.ApplyForce": Body.ApplyForce, "Body.ApplyForceToCenter": Body.ApplyForceToCenter,
	"Body.ApplyImpulse": Body.ApplyImpulse, "Body.ApplyImpulseToCenter": Body.ApplyImpulseToCenter,
	"Body.ApplyTorque": Body.ApplyTorque, "Body.DropThrough": Body.DropThrough, "Body.ResetMass": Body.ResetMass,
	"Body.SetAngularVelocity": Body.SetAngularVelocity, "Body.SetBullet": Body.SetBullet,
	"Body.SetDamping": Body.SetDamping, "Body.SetEnabled": Body.SetEnabled, "Body.SetGravityScale": Body.SetGravityScale,
	"Body.SetLocks": Body.SetLocks, "Body.SetMass": Body.SetMass, "Body.SetName": Body.SetName,
	"Body.SetNoSleep": Body.SetNoSleep, "Body.SetSleepSpeed": Body.SetSleepSpeed, "Body.SetTarget": Body.SetTarget,
	"Body.SetTransform": Body.SetTransform, "Body.SetType": Body.SetType, "Body.SetUser": Body.SetUser,
	"Body.SetVelocity": Body.SetVelocity, "Body.Sleep": Body.Sleep, "Body.Wake": Body.Wake,
	"Shape.ApplyWind": Shape.ApplyWind, "Shape.SetDensity": Shape.SetDensity, "Shape.SetFilter": Shape.SetFilter,
	"Shape.SetFlags": Shape.SetFlags, "Shape.SetGeometry": Shape.SetGeometry, "Shape.SetMaterial": Shape.SetMaterial,
	"Shape.SetUser": Shape.SetUser, "Ground.Add": Ground.Add, "Ground.Clear": Ground.Clear, "Ground.Fill": Ground.Fill,
	"Ground.Move": Ground.Move, "Ground.Remove": Ground.Remove, "Ground.Set": Ground.Set,
	"Ground.SetFilter": Ground.SetFilter, "Chain.SetFilter": Chain.SetFilter, "Chain.SetUser": Chain.SetUser,
	"Joint.SetDef": Joint.SetDef, "Joint.SetLimit": Joint.SetLimit, "Joint.SetMotor": Joint.SetMotor,
	"Joint.SetMotorSpeed": Joint.SetMotorSpeed, "Joint.SetSpring": Joint.SetSpring, "Joint.SetTarget": Joint.SetTarget,
}

// Replay makes the world that of a log of Record, and makes the calls of the log. It returns nil if each hash of the log
// is the world's, and the log is complete; otherwise an error that names the step, and the record or call. A step with
// another hash is the first that differs if the log has a hash for each step; otherwise the error also names the last step
// with the same hash. StepCount tells how far the world has come.
//
// As for Restore, Workers and Profile stay as they are (until a SetConfig in the log), and so do functions that the game has
// set: Replay refuses a log of a world that had functions where this one has none, or the reverse. The reader's memory is in
// proportion to the log, but an edit of ground may have as many cells as gridseg.MaxFill in a short record. As with Restore, a
// made-up log may make a strange world, and one that takes long: its checksums tell of damage, not of malice. After an error
// the world is as the calls before the error left it.
func (w *World) Replay(in io.Reader) error {
	w.mustNotStep()
	if in == nil {
		panic("quarry: Replay: in is nil")
	}
	log, err := record.NewReader(in)
	last, started := uint64(0), false
	for n := 1; err == nil; n++ {
		var name string
		var args []byte
		if name, args, err = log.Next(); err != nil {
			break
		}
		switch {
		case !started && name != record.Start || started && name == record.Start:
			err = errors.New("its snapshot is not the first record")
		case name == record.Start:
			last, started, err = 0, true, w.replayStart(args)
			last = w.steps
		case name == record.Hash:
			err = w.replayHash(args, &last)
		case name == record.End:
			return nil
		default:
			err = w.replayCall(name, args)
		}
		if err != nil {
			err = fmt.Errorf("record %d, %s: %w", n, name, err)
		}
	}
	return fmt.Errorf("quarry: Replay: step %d: %w", w.steps, err)
}

func (w *World) replayStart(args []byte) error {
	var functions uint8
	var snapshot []byte
	if err := recorded.ReadAll(args, reflect.ValueOf(&functions).Elem(), reflect.ValueOf(&snapshot).Elem()); err != nil {
		return err
	}
	if functions != w.functions() {
		return errors.New("the recorded world had a custom filter or a pre-solve function and this one has not, or the reverse")
	}
	return w.Restore(snapshot)
}

// replayHash compares the hash; last is the last step with the same one.
func (w *World) replayHash(args []byte, last *uint64) error {
	var steps, hash uint64
	if err := recorded.ReadAll(args, reflect.ValueOf(&steps).Elem(), reflect.ValueOf(&hash).Elem()); err != nil {
		return err
	}
	if steps != w.steps {
		return fmt.Errorf("the log has made %d steps here", steps)
	}
	if now := w.Hash(); now != hash {
		return fmt.Errorf("the world differs: its hash is %016x, that of the log %016x; step %d was the last with the same hash", now, hash, *last)
	}
	*last = steps
	return nil
}

// replayCall makes a call. What was refused when it was recorded is refused again, and changes nothing.
func (w *World) replayCall(name string, args []byte) (err error) {
	f := reflect.ValueOf(calls[name])
	if !f.IsValid() {
		return errors.New("no such call")
	}
	var id uint64
	to, in := []reflect.Value{reflect.ValueOf(&id).Elem()}, make([]reflect.Value, f.Type().NumIn())
	for k := 1; k < len(in); k++ {
		in[k] = reflect.New(f.Type().In(k)).Elem()
		to = append(to, in[k])
	}
	if err := recorded.ReadAll(args, to...); err != nil {
		return err
	}
	var ok bool
	if in[0], ok = w.receiver(f.Type().In(0), id); !ok {
		return nil // a call of a view of something removed, which panicked
	}
	defer func() {
		if r := recover(); r != nil {
			if text, _ := r.(string); !strings.HasPrefix(text, "quarry: ") || w.stepping {
				err = fmt.Errorf("it panicked: %v", r)
			}
		}
	}()
	f.Call(in)
	return nil
}

// receiver returns the world, or the view of type t with that id.
func (w *World) receiver(t reflect.Type, id uint64) (v reflect.Value, ok bool) {
	var view any = w
	switch ok = true; t {
	case reflect.TypeFor[Body]():
		view, ok = w.Body(BodyID(id))
	case reflect.TypeFor[Shape]():
		view, ok = w.Shape(ShapeID(id))
	case reflect.TypeFor[Ground]():
		view, ok = w.Ground(GroundID(id))
	case reflect.TypeFor[Chain]():
		view, ok = w.Chain(ChainID(id))
	case reflect.TypeFor[Joint]():
		view, ok = w.Joint(JointID(id))
	}
	return reflect.ValueOf(view), ok
}
