package main

import (
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
	"github.com/quarry2d/quarry/play"
)

// A record of one command takes at most 170 bytes of a server's disk, its headers included.
func TestRecordIsShort(t *testing.T) {
	port := free(t)
	s, err := node.Node{Count: 1, Port: port, Dir: t.TempDir()}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	store, err := natslog.Connect(t.Context(), natslog.Config{URLs: urls(port, 1), Replicas: 1, Logs: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	last, payload := uint64(0), 0
	for i := range uint64(300) {
		r := host.Record{
			Kind: host.Inputs, Epoch: 12, Step: 1e5 + 20*i, Time: 1.8e12,
			Inputs: []host.Input{{
				Player: host.FirstSession + 3, Number: i + 1, Op: host.Do,
				Command: play.Command{Do: "add", Kind: "circle", X: 3.25, Y: 7, Size: 0.5},
			}},
		}
		if i%3 == 0 {
			r.Checked, r.CheckStep, r.Hash = true, r.Step, 1
		}
		b, err := r.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		payload += len(b)
		if last, err = store.Append(t.Context(), "world-17", last, b); err != nil {
			t.Fatal(err)
		}
	}
	nc, err := nats.Connect(urls(port, 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "QLOG0")
	if err != nil {
		t.Fatal(err)
	}
	state := stream.CachedInfo().State
	stored := state.Bytes / state.Msgs
	t.Logf("%d bytes a record, %d without headers", stored, payload/300)
	if state.Msgs != 300 || stored > 170 {
		t.Errorf("%d bytes a record of %d", stored, state.Msgs)
	}
}
