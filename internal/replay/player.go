package replay

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
)

// Player makes the calls of logs.
type Player struct {
	World     World
	Functions uint8       // those that the game has set
	Broken    func() bool // reports whether a panic has left the world within a step
	// Values has the types of arguments of interface types, besides geom's.
	Values []any
	// Views has for each type of view the method of the world that returns it, of an id, with true if it exists.
	Views []any
	// Calls are the methods that a log may name, of the world and of views, as method expressions.
	Calls []any

	types types
	views map[reflect.Type]reflect.Value
	calls map[string]reflect.Value
	last  uint64 // step with the same hash as the log's
}

// Play makes the calls of a log. It returns nil if each hash of the log is the world's, and the log is complete.
func (p *Player) Play(in io.Reader) error {
	p.types, p.views, p.calls = typesOf(p.Values), map[reflect.Type]reflect.Value{}, map[string]reflect.Value{}
	for _, f := range p.Views {
		p.views[reflect.TypeOf(f).Out(0)] = reflect.ValueOf(f)
	}
	for _, f := range p.Calls {
		p.calls[NameOf(f)] = reflect.ValueOf(f)
	}
	log, err := NewReader(in)
	for n := 1; err == nil; n++ {
		var name string
		var args []byte
		if name, args, err = log.Next(); err != nil {
			break
		}
		if name == End && n > 1 {
			return nil
		}
		if err = p.one(name, args, n == 1); err != nil {
			err = fmt.Errorf("record %d, %s: %w", n, name, err)
		}
	}
	return err
}

// NameOf returns the name of a method expression, without its package: World.AddBody of (*World).AddBody.
func NameOf(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	_, name, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return strings.NewReplacer("(*", "", ")", "").Replace(name)
}

// one replays a record.
func (p *Player) one(name string, args []byte, first bool) error {
	if first != (name == Start) {
		return errors.New("the first record is not a snapshot, or another one is")
	}
	switch name {
	case Start:
		return p.start(args)
	case Hash:
		return p.hash(args)
	}
	return p.call(name, args)
}

func (p *Player) start(args []byte) error {
	var functions uint8
	var snapshot []byte
	if err := p.types.readAll(args, reflect.ValueOf(&functions).Elem(), reflect.ValueOf(&snapshot).Elem()); err != nil {
		return err
	}
	if functions != p.Functions {
		return errors.New("the recorded world had a custom filter or a pre-solve function and this one has not, or " +
			"the reverse")
	}
	err := p.World.Restore(snapshot)
	p.last = p.World.StepCount()
	return err
}

// hash compares the world's hash with the log's.
func (p *Player) hash(args []byte) error {
	var steps, hash uint64
	if err := p.types.readAll(args, reflect.ValueOf(&steps).Elem(), reflect.ValueOf(&hash).Elem()); err != nil {
		return err
	}
	if steps != p.World.StepCount() {
		return fmt.Errorf("the recorded world had made %d steps here", steps)
	}
	if now := p.World.Hash(); now != hash {
		return fmt.Errorf("the world differs: its hash is %016x, in the log %016x; step %d was the last with "+
			"the same hash", now, hash, p.last)
	}
	p.last = steps
	return nil
}

// call makes a call. A call that was refused when it was recorded is refused again, and changes nothing.
func (p *Player) call(name string, args []byte) (err error) {
	f, ok := p.calls[name]
	if !ok {
		return errors.New("this version has no such call")
	}
	var id uint64
	to, in := []reflect.Value{reflect.ValueOf(&id).Elem()}, make([]reflect.Value, f.Type().NumIn())
	for k := 1; k < len(in); k++ {
		in[k] = reflect.New(f.Type().In(k)).Elem()
		to = append(to, in[k])
	}
	if err := p.types.readAll(args, to...); err != nil {
		return err
	}
	in[0] = reflect.ValueOf(p.World)
	if view, ok := p.views[f.Type().In(0)]; ok {
		out := view.Call([]reflect.Value{in[0], reflect.ValueOf(id).Convert(view.Type().In(1))})
		if in[0] = out[0]; !out[1].Bool() {
			return fmt.Errorf("id %d does not exist", id)
		}
	}
	defer func() {
		if r := recover(); r != nil {
			if text, _ := r.(string); !strings.HasPrefix(text, "quarry: ") || p.Broken() {
				err = fmt.Errorf("the call panicked: %v", r)
			}
		}
	}()
	f.Call(in)
	return nil
}
