package sandbox

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/scene"
)

// ServeWorker runs the sandbox in a Web Worker for one client, the page that started it. It returns when everything is
// set up; the program must then not end. It panics if c has no scenes.
//
// The messages are the same as over the WebSocket: commands come as text (a global onmessage), and messages go by
// postMessage. The Worker's script (web/worker.js) calls the global functions that ServeWorker sets: quarryTick 60
// times a second, and quarrySave for a snapshot as a Uint8Array, or null if nothing has changed since the last. (A
// time.Ticker would starve the Worker of its other events once a step takes longer than a tick.) The global
// quarrySaved, if set, is a snapshot to begin with; a damaged one is reported to the page, and the scene c.Start
// begins.
func ServeWorker(c Config) {
	if len(c.Scenes) == 0 {
		panic("quarry: sandbox.ServeWorker: no scenes")
	}
	if c.MaxBodies == 0 {
		c.MaxBodies = defaultMaxBodies
	}
	me, birth := newClient(), host.Record{Scene: c.Start, Paused: c.Paused, MaxBodies: c.MaxBodies}
	finds := func(name string) (scene.Scene, bool) { return find(c.Scenes, name) }
	if _, ok := finds(c.Start); !ok {
		birth.Scene = c.Scenes[0].Name
	}
	if saved := js.Global().Get("quarrySaved"); saved.Truthy() {
		birth.World = bytesOf(saved)
	}
	w, err := host.NewLocal(birth, finds)
	if err != nil {
		me.complain(fmt.Errorf("the world that was kept cannot be opened: %w", err))
		birth.World = nil
		w, _ = host.NewLocal(birth, finds)
	}
	s := simOf(w, sim{config: c, longStep: longStep, left: new(time.Time)})
	s.admit(me)
	set := func(name string, f func(args []js.Value) any) {
		js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) }))
	}
	set("onmessage", func(args []js.Value) any {
		var r request
		r.command, r.err = DecodeCommand([]byte(args[0].Get("data").String()))
		if r.err == nil && r.command.Do == "ack" {
			me.acked.Store(r.command.Seq)
			return nil
		}
		select {
		case me.inbox <- r:
		default:
			me.complain(fmt.Errorf("the world is too slow for so many commands"))
		}
		return nil
	})
	set("quarryTick", func([]js.Value) any {
		s.guarded(s.tick)
		select {
		case b := <-me.outbox:
			post(b)
			me.idle.Store(true)
		default:
		}
		return nil
	})
	epoch, saved := s.epoch, s.Change() // of the last snapshot
	set("quarrySave", func([]js.Value) any {
		if epoch == s.epoch && saved == s.Change() {
			return nil
		}
		b, err := s.AppendSnapshot(nil)
		if err != nil {
			return nil
		}
		epoch, saved = s.epoch, s.Change()
		return bytesToJS(b)
	})
	set("quarrySnapshot", func([]js.Value) any {
		b, err := s.AppendSnapshot(nil)
		if err != nil {
			return nil
		}
		return bytesToJS(b)
	})
	set("quarryOpen", func(args []js.Value) any {
		if err := s.openFiles(args[0], args[1]); err != nil {
			return err.Error()
		}
		return ""
	})
}

// openFiles makes files the present world, given their names and contents.
func (s *sim) openFiles(names, contents js.Value) error {
	list := files{}
	for i := range min(names.Length(), maxFiles) {
		if n := contents.Index(i).Get("length").Int(); n > maxFileBytes {
			return fmt.Errorf("a file has %d bytes, the limit is %d", n, maxFileBytes)
		}
		list[names.Index(i).String()] = bytesOf(contents.Index(i))
	}
	w, warnings, err := list.world(s.config.Scenes, s.config.MaxBodies)
	if err != nil {
		return err
	}
	origin, err := w.AppendSnapshot(nil)
	if err != nil {
		return err
	}
	for _, text := range warnings[:min(len(warnings), 4)] {
		s.clients[0].complain(errors.New(text))
	}
	return s.replace(w, origin)
}

// bytesOf returns the content of a Uint8Array.
func bytesOf(v js.Value) []byte {
	b := make([]byte, v.Get("length").Int())
	js.CopyBytesToGo(b, v)
	return b
}

// post posts the messages of a batch. Their buffers are handed over, not copied.
func post(b *batch) {
	from := 0
	for _, to := range b.ends {
		buffer := bytesToJS(b.bytes[from:to]).Get("buffer")
		js.Global().Call("postMessage", buffer, []any{buffer})
		from = to
	}
}

func bytesToJS(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}
